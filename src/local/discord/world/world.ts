// The state of the local Discord: guilds, channels, members, messages and commands, and the events that tell of their changes.
import {
  type APIApplicationCommand,
  type APIAttachment,
  type APIEmoji,
  type APIGuildMember,
  type APIMessage,
  type APIRole,
  type APITeam,
  type APIUser,
  type APIVoiceState,
  ChannelType,
  type Locale,
  type OverwriteType,
} from 'discord-api-types/v10';

/** `SavedWorld` says what of it survives restarts; if the shape of that changes, raise FORMAT in storage/database.ts. */
export interface World {
  application: Application;
  guilds: Map<string, Guild>;
  readonly firstGuild: Guild;
  /** The channels of all guilds, and direct messages. */
  channels: Map<string, Channel>;
  users: Map<string, APIUser>;
  /** The language of each user's Discord; absent until they choose one: see localeOf. */
  locales: Map<string, Locale>;
  /** By channel, oldest first; at most `maxMessagesPerChannel` each. */
  messages: Map<string, Message[]>;
  readonly maxMessagesPerChannel: number;
  commands: APIApplicationCommand[];
  /** Ids of users who don't accept direct messages from applications. */
  refusingDms: Set<string>;
  /** What members wrote above the people in a voice channel, by the channel's id. Gone once everybody has left. */
  voiceStatuses: Map<string, string>;
  emit(event: WorldEvent): void;
  /** @returns a function that removes the listener */
  onEvent(listener: (event: WorldEvent) => void): () => void;
}

/** What outlives the process, besides messages and commands. */
export type SavedWorld = Pick<World, 'application' | 'guilds' | 'channels' | 'users' | 'locales' | 'refusingDms'>;

/** A change in the world. Gateway sessions and member clients each pick the events they may see. */
export interface WorldEvent {
  /** The gateway event's name, such as MESSAGE_CREATE. */
  t: string;
  d: unknown;
  /** Gateway intents (bits), one of which a session needs to receive the event; 0 = always sent. */
  intent?: number;
  /** The event is only for this guild's members. */
  guildId?: string;
  /** The event is only for users who can see this channel. */
  channel?: Channel;
  /** `bot`: the application only; `members`: everyone else; `{ member }`: that user's clients only; absent: everyone. */
  to?: 'bot' | 'members' | { member: string };
}

export interface Application {
  id: string;
  name: string;
  description: string;
  token: string;
  user: APIUser;
  owner: APIUser;
  /** If not null, the team owns the application in place of `owner`. */
  team: APITeam | null;
  /** Privileged gateway intents (bits) that are enabled for it. */
  privilegedIntents: number;
  /** Ids of users who installed it for themselves (user install). */
  userInstalls: Set<string>;
}

export interface Guild {
  id: string;
  name: string;
  owner_id: string;
  preferred_locale: Locale;
  roles: APIRole[];
  /** Custom ones. */
  emojis: APIEmoji[];
  members: Map<string, Member>;
  channels: Map<string, GuildChannel>;
  /** Archived ones, too. */
  threads: Map<string, Thread>;
  voiceStates: Map<string, APIVoiceState>;
}

export type Member = APIGuildMember & { user: APIUser };

export type Channel = GuildChannel | Thread | DmChannel;

export interface GuildChannel {
  id: string;
  type: ChannelType.GuildText | ChannelType.GuildVoice | ChannelType.GuildStageVoice;
  guild_id: string;
  name: string;
  topic: string | null;
  position: number;
  permission_overwrites: { id: string; type: OverwriteType; allow: string; deny: string }[];
  user_limit: number;
  bitrate: number;
}

/** A conversation beside a text channel, which may have begun with one of its messages: that has the same id. */
export interface Thread {
  id: string;
  type: ChannelType.PublicThread | ChannelType.PrivateThread;
  guild_id: string;
  parent_id: string;
  name: string;
  owner_id: string;
  rate_limit_per_user: number;
  thread_metadata: {
    archived: boolean;
    archive_timestamp: string;
    /** In minutes. */
    auto_archive_duration: number;
    locked: boolean;
    create_timestamp: string;
    invitable?: boolean;
  };
  /** When each member joined (ISO 8601), by user. */
  joinedAt: Map<string, string>;
  totalMessagesSent: number;
}

/** Direct messages between two users, one of whom may be the application. */
export interface DmChannel {
  id: string;
  type: ChannelType.DM;
  userIds: readonly [string, string];
}

export type Message = APIMessage & {
  /** The one user who sees an ephemeral message. */
  visibleTo?: string;
  /** ISO 8601; absent if not pinned. */
  pinnedAt?: string;
  /** Attachments that embeds or components show, which `attachments` doesn't list. */
  shownFiles?: APIAttachment[];
  /** In the order in which the emoji were first used; what Discord sends of it depends on who receives it. */
  reactedBy?: Reaction[];
  /** Who voted for which answers of its poll; likewise. */
  votedBy?: { answerId: number; userIds: string[] }[];
};

export interface Reaction {
  /** A character, or `name:id` of a guild's own. */
  emoji: string;
  userIds: string[];
}

export function isDm(channel: Channel): channel is DmChannel {
  return channel.type === ChannelType.DM;
}

export function isThread(channel: Channel): channel is Thread {
  return channel.type === ChannelType.PublicThread || channel.type === ChannelType.PrivateThread;
}

/** The guild of a channel; null for direct messages. */
export function guildOf(world: World, channel: Channel): Guild | null {
  return isDm(channel) ? null : (world.guilds.get(channel.guild_id) ?? null);
}

/** Whether the application is a member of this guild. */
export function hasApplication(world: World, guild: Guild): boolean {
  return guild.members.has(world.application.id);
}

export function findGuildChannel(world: World, channelId: string): GuildChannel | undefined {
  const channel = world.channels.get(channelId);
  return channel && !isDm(channel) && !isThread(channel) ? channel : undefined;
}

/** A message that this user (by default the application) may see. */
export function findMessage(world: World, channelId: string, messageId: string, userId?: string): Message | undefined {
  const message = world.messages.get(channelId)?.find(({ id }) => id === messageId);
  return message && (message.visibleTo === undefined || userId === undefined || message.visibleTo === userId) ? message : undefined;
}
