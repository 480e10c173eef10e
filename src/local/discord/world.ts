// The state of the local Discord: one guild with its channels, members, messages and voice states.
import { EventEmitter } from 'node:events';
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
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import { snowflake } from './snowflake.ts';

/** Something happened. Gateways and members' clients each take what they may see. */
export interface Happening {
  t: string;
  d: unknown;
  /** Gateway intent without which a bot does not hear of it; 0 = always. */
  intent?: number;
  guildId?: string;
  /** `bot`: the application alone; a user id: that member's client alone; absent: everybody. */
  to?: 'bot' | 'members' | { member: string };
}

export type Message = APIMessage & {
  /** The one member who sees an ephemeral message. */
  onlyFor?: string;
};

export interface Guild {
  id: string;
  name: string;
  owner_id: string;
  roles: APIRole[];
  members: Map<string, APIGuildMember & { user: APIUser }>;
  channels: Map<string, GuildChannel>;
  voiceStates: Map<string, APIVoiceState>;
}

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
}

export interface World {
  application: Application;
  guild: Guild;
  users: Map<string, APIUser>;
  messages: Map<string, Message[]>;
  commands: APIApplicationCommand[];
  tell(happening: Happening): void;
  onHappening(listener: (happening: Happening) => void): () => void;
}

/** Messages kept in a channel; older ones are forgotten. */
const KEPT_MESSAGES = 500;

const EVERYONE =
  P.ViewChannel |
  P.SendMessages |
  P.EmbedLinks |
  P.AttachFiles |
  P.ReadMessageHistory |
  P.AddReactions |
  P.UseApplicationCommands |
  P.Connect |
  P.Speak |
  P.UseVAD |
  P.UseExternalEmojis |
  P.SendVoiceMessages;

/** A guild as a newcomer would set it up: channels of every kind, and two members. */
export function createWorld(app: Pick<Application, 'name' | 'description' | 'token' | 'privilegedIntents'>, isInstalled = true): World {
  const emitter = new EventEmitter().setMaxListeners(0);
  const guildId = snowflake();
  const applicationId = snowflake();
  const owner = createUser('Robin', 'robin');
  const second = createUser('Sam', 'sam');
  const botUser: APIUser = { ...createUser(app.name, app.name), id: applicationId, global_name: null, bot: true };
  const everyone = role(guildId, '@everyone', EVERYONE, 0);
  const managed = { ...role(snowflake(), app.name, 0n, 1), managed: true, tags: { bot_id: applicationId } };
  const guild: Guild = {
    id: guildId,
    name: 'Playground',
    owner_id: owner.id,
    roles: [everyone, managed],
    members: new Map(),
    channels: new Map(),
    voiceStates: new Map(),
  };
  for (const user of isInstalled ? [owner, second, botUser] : [owner, second]) {
    guild.members.set(user.id, createMember(user, user === botUser ? [managed.id] : []));
  }
  const add = (type: GuildChannel['type'], name: string, more: Partial<GuildChannel> = {}) => {
    const channel: GuildChannel = {
      id: snowflake(),
      type,
      guild_id: guildId,
      name,
      topic: null,
      position: guild.channels.size,
      permission_overwrites: [],
      user_limit: 0,
      bitrate: 64_000,
      ...more,
    };
    guild.channels.set(channel.id, channel);
  };
  const denied = (...flags: bigint[]) => [
    { id: managed.id, type: OverwriteType.Role, allow: '0', deny: flags.reduce((sum, flag) => sum | flag, 0n).toString() },
  ];
  add(ChannelType.GuildText, 'general');
  add(ChannelType.GuildText, 'random');
  add(ChannelType.GuildVoice, 'Lounge');
  add(ChannelType.GuildVoice, 'Workshop');
  add(ChannelType.GuildVoice, 'Booth for one', { user_limit: 1 });
  add(ChannelType.GuildVoice, 'Listen only', { permission_overwrites: denied(P.Speak) });
  add(ChannelType.GuildVoice, 'No bots', { permission_overwrites: denied(P.Connect) });
  add(ChannelType.GuildStageVoice, 'Stage');

  const world: World = {
    application: { id: applicationId, ...app, user: botUser, owner, team: null },
    guild,
    users: new Map([owner, second, botUser].map((user) => [user.id, user])),
    messages: new Map(),
    commands: [],
    tell: (happening) => emitter.emit('happening', happening),
    onHappening(listener) {
      emitter.on('happening', listener);
      return () => emitter.off('happening', listener);
    },
  };
  return world;
}

function createUser(name: string, username: string): APIUser {
  return { id: snowflake(), username, global_name: name, discriminator: '0', avatar: null };
}

function createMember(user: APIUser, roles: string[]): APIGuildMember & { user: APIUser } {
  return {
    user,
    roles,
    nick: null,
    avatar: null,
    banner: null,
    joined_at: new Date().toISOString(),
    premium_since: null,
    deaf: false,
    mute: false,
    flags: 0,
  } as never;
}

function role(id: string, name: string, permissions: bigint, position: number): APIRole {
  return {
    id,
    name,
    permissions: permissions.toString(),
    position,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: false,
    mentionable: false,
    flags: 0,
  } as unknown as APIRole;
}

/** Sets what one member may and may not do in a channel, in place of what was set for it before; nothing of both ends it. */
export function setOverwrite(
  world: World,
  channelId: string,
  userId: string,
  { allow = 0n, deny = 0n }: { allow?: bigint; deny?: bigint },
): void {
  const channel = world.guild.channels.get(channelId);
  if (!channel || !world.guild.members.has(userId)) throw new Error('There is no such channel, or no such member.');
  const others = channel.permission_overwrites.filter(({ id }) => id !== userId);
  const own = { id: userId, type: OverwriteType.Member, allow: String(allow), deny: String(deny) };
  channel.permission_overwrites = allow || deny ? [...others, own] : others;
  world.tell({ t: 'CHANNEL_UPDATE', d: channel, intent: GatewayIntentBits.Guilds });
}

export function deleteChannel(world: World, channelId: string): void {
  const channel = world.guild.channels.get(channelId);
  if (!channel) throw new Error('There is no such channel.');
  world.guild.channels.delete(channelId);
  world.messages.delete(channelId);
  world.tell({ t: 'CHANNEL_DELETE', d: channel, intent: GatewayIntentBits.Guilds });
}

/** Keeps a message and says so to who may see it. */
export function addMessage(world: World, message: Message): void {
  const list = world.messages.get(message.channel_id) ?? [];
  world.messages.set(message.channel_id, list);
  list.push(message);
  if (list.length > KEPT_MESSAGES) list.shift();
  tellMessage(world, 'MESSAGE_CREATE', message);
}

/** Says that a message is new or changed; an ephemeral one to its reader alone. */
export function tellMessage(world: World, t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', { onlyFor, ...message }: Message): void {
  const d = { ...message, guild_id: world.guild.id };
  world.tell(onlyFor === undefined ? { t, d, intent: GatewayIntentBits.GuildMessages } : { t, d, to: { member: onlyFor } });
}

/** @returns false where there is no such message. */
export function removeMessage(world: World, channelId: string, messageId: string): boolean {
  const list = world.messages.get(channelId) ?? [];
  const index = list.findIndex(({ id }) => id === messageId);
  const message = list[index];
  if (!message) return false;
  list.splice(index, 1);
  const d = { id: messageId, channel_id: channelId, guild_id: world.guild.id };
  world.tell({
    t: 'MESSAGE_DELETE',
    d,
    ...(message.onlyFor === undefined ? { intent: GatewayIntentBits.GuildMessages } : { to: { member: message.onlyFor } }),
  });
  return true;
}

/** A message that this user may see. */
export function findMessage(world: World, channelId: string, messageId: string, userId?: string): Message | undefined {
  const message = world.messages.get(channelId)?.find(({ id }) => id === messageId);
  return message && (message.onlyFor === undefined || userId === undefined || message.onlyFor === userId) ? message : undefined;
}
