// The state of the local Discord: guilds with their channels, members and voice states; direct messages; who is told what.
import {
  type APIApplicationCommand,
  type APIGuildMember,
  type APIMessage,
  type APIRole,
  type APITeam,
  type APIUser,
  type APIVoiceState,
  ChannelType,
  GatewayIntentBits,
  OverwriteType,
} from 'discord-api-types/v10';
import { snowflake } from './snowflake.ts';

/** Something happened. Gateways and members' clients each take what they may see. */
export interface Happening {
  t: string;
  d: unknown;
  /** Gateway intent without which a bot does not hear of it; 0 = always. */
  intent?: number;
  /** Where it happened: who is not in this guild is not told. */
  guildId?: string;
  /** Where it happened: who may not see this channel is not told. */
  channel?: Channel;
  /** `bot`: the application alone; `members`: everybody else; a user id: that member's client alone; absent: everybody. */
  to?: 'bot' | 'members' | { member: string };
}

export type Message = APIMessage & {
  /** The one member who sees an ephemeral message. */
  onlyFor?: string;
  /** When it was pinned, if it is (ISO 8601). */
  pinnedAt?: string;
};

export interface Guild {
  id: string;
  name: string;
  owner_id: string;
  roles: APIRole[];
  members: Map<string, Member>;
  channels: Map<string, GuildChannel>;
  voiceStates: Map<string, APIVoiceState>;
}

export type Member = APIGuildMember & { user: APIUser };

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

/** Direct messages between two users, one of whom may be the application. */
export interface DmChannel {
  id: string;
  type: ChannelType.DM;
  userIds: readonly [string, string];
}

export type Channel = GuildChannel | DmChannel;

export interface Application {
  id: string;
  name: string;
  description: string;
  token: string;
  user: APIUser;
  owner: APIUser;
  /** Owns it in place of one user, where not null. */
  team: APITeam | null;
  /** Privileged gateway intents (bits) that are switched on for it; none at first, as at Discord. */
  privilegedIntents: number;
  /** Members who installed it for themselves, by user id. */
  installedFor: Set<string>;
}

export interface World {
  application: Application;
  guilds: Map<string, Guild>;
  /** The first guild. */
  readonly guild: Guild;
  /** Of all guilds, and direct messages. */
  channels: Map<string, Channel>;
  users: Map<string, APIUser>;
  /** By channel; older ones than `keptMessages` are forgotten. */
  messages: Map<string, Message[]>;
  /** In each channel. */
  readonly keptMessages: number;
  commands: APIApplicationCommand[];
  /** Users who take no direct messages from applications. */
  closedToDms: Set<string>;
  tell(happening: Happening): void;
  onHappening(listener: (happening: Happening) => void): () => void;
}

export function isDm(channel: Channel): channel is DmChannel {
  return channel.type === ChannelType.DM;
}

/** The guild of a channel; null for direct messages. */
export function guildOf(world: World, channel: Channel): Guild | null {
  return isDm(channel) ? null : (world.guilds.get(channel.guild_id) ?? null);
}

/** Is the application a member of this guild? */
export function hasApplication(world: World, guild: Guild): boolean {
  return guild.members.has(world.application.id);
}

/** The direct messages of two users, opened when they were not there yet. @throws Error where it is the same user, or none. */
export function openDm(world: World, one: string, other: string): DmChannel {
  if (one === other || !world.users.has(one) || !world.users.has(other)) throw new Error('There is nobody to write to.');
  for (const channel of world.channels.values())
    if (isDm(channel) && channel.userIds.includes(one) && channel.userIds.includes(other)) return channel;
  const channel: DmChannel = { id: snowflake(), type: ChannelType.DM, userIds: [one, other] };
  world.channels.set(channel.id, channel);
  return channel;
}

/** Sets what one member, or one role, may and may not do in a channel, in place of what was set before; nothing of both ends it. */
export function setOverwrite(
  world: World,
  channelId: string,
  id: string,
  { allow = 0n, deny = 0n }: { allow?: bigint; deny?: bigint },
): void {
  const channel = guildChannel(world, channelId);
  const guild = channel && world.guilds.get(channel.guild_id);
  const isRole = guild?.roles.some((role) => role.id === id);
  if (!guild || !(isRole || guild.members.has(id))) throw new Error('There is no such channel, or neither such a member nor such a role.');
  const others = channel.permission_overwrites.filter((one) => one.id !== id);
  const own = { id, type: isRole ? OverwriteType.Role : OverwriteType.Member, allow: String(allow), deny: String(deny) };
  channel.permission_overwrites = allow || deny ? [...others, own] : others;
  world.tell({ t: 'CHANNEL_UPDATE', d: channel, intent: GatewayIntentBits.Guilds, guildId: channel.guild_id });
}

export function deleteChannel(world: World, channelId: string): void {
  const channel = guildChannel(world, channelId);
  if (!channel) throw new Error('There is no such channel.');
  world.guilds.get(channel.guild_id)?.channels.delete(channelId);
  world.channels.delete(channelId);
  world.messages.delete(channelId);
  world.tell({ t: 'CHANNEL_DELETE', d: channel, intent: GatewayIntentBits.Guilds, guildId: channel.guild_id });
}

export function guildChannel(world: World, channelId: string): GuildChannel | undefined {
  const channel = world.channels.get(channelId);
  return channel && !isDm(channel) ? channel : undefined;
}

/** Keeps a message and says so to who may see it. */
export function addMessage(world: World, message: Message): void {
  const list = world.messages.get(message.channel_id) ?? [];
  world.messages.set(message.channel_id, list);
  list.push(message);
  if (list.length > world.keptMessages) list.shift();
  tellMessage(world, 'MESSAGE_CREATE', message);
}

/** Says that a message is new or changed; an ephemeral one to its reader alone. */
export function tellMessage(world: World, t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', { onlyFor, pinnedAt: _, ...message }: Message): void {
  tellInChannel(world, t, message, onlyFor);
}

function tellInChannel(world: World, t: string, d: { channel_id: string }, onlyFor: string | undefined): void {
  const channel = world.channels.get(d.channel_id);
  if (!channel) return;
  const place = isDm(channel) ? {} : { guild_id: channel.guild_id };
  const intent = isDm(channel) ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages;
  world.tell({
    ...{ t, d: { ...d, ...place }, channel },
    ...(isDm(channel) ? {} : { guildId: channel.guild_id }),
    ...(onlyFor === undefined ? { intent } : { to: { member: onlyFor } }),
  });
}

/** @returns false where there is no such message. */
export function removeMessage(world: World, channelId: string, messageId: string): boolean {
  const list = world.messages.get(channelId) ?? [];
  const index = list.findIndex(({ id }) => id === messageId);
  const message = list[index];
  if (!message) return false;
  list.splice(index, 1);
  tellInChannel(world, 'MESSAGE_DELETE', { id: messageId, channel_id: channelId } as { channel_id: string }, message.onlyFor);
  return true;
}

/** A message that this user may see. */
export function findMessage(world: World, channelId: string, messageId: string, userId?: string): Message | undefined {
  const message = world.messages.get(channelId)?.find(({ id }) => id === messageId);
  return message && (message.onlyFor === undefined || userId === undefined || message.onlyFor === userId) ? message : undefined;
}
