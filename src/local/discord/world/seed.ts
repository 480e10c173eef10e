// Creates a world: the application, and guilds with channels of every kind and a few members.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  type APIEmoji,
  type APIRole,
  type APIUser,
  ChannelType,
  Locale,
  OverwriteType,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import type { Saved } from '../storage/storage.ts';
import { createSnowflake, snowflakeOf } from './snowflake.ts';
import type { Application, Guild, GuildChannel, Member, World, WorldEvent } from './world.ts';

interface WorldOptions {
  application: Pick<Application, 'name' | 'description' | 'privilegedIntents'>;
  /** Whether the application is a member of every guild. */
  guildInstalls: boolean;
  /** Whether every user has installed the application for themselves. */
  userInstalls: boolean;
  guildCount: number;
  /** In each guild, not counting the application. */
  membersPerGuild: number;
  maxMessagesPerChannel: number;
  /** Preferred locale of every guild; American English by default. */
  preferredLocale: Locale | undefined;
}

const EVERYONE_PERMISSIONS =
  P.ViewChannel |
  P.SendMessages |
  P.SendMessagesInThreads |
  P.CreatePublicThreads |
  P.CreatePrivateThreads |
  P.EmbedLinks |
  P.AttachFiles |
  P.ReadMessageHistory |
  P.AddReactions |
  P.UseApplicationCommands |
  P.UseExternalApps |
  P.Connect |
  P.Speak |
  P.UseVAD |
  P.UseExternalEmojis |
  P.SendVoiceMessages |
  P.SendPolls |
  P.ChangeNickname;

/** Emoji that every guild has; the pictures are in pictures/drawings.ts. */
const EMOJI_NAMES = ['happy_cat', 'parrot', 'hot_coffee'];

const DAY_MS = 24 * 3600_000;

/** Robin owns everything and is in every guild; each guild has other members of its own. */
const NAMES = ['Robin', 'Sam', 'Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'];

/** `saved`: the world as it was before a restart; of the options, only those of the application and the number of messages apply then. */
export function createWorld(options: WorldOptions, saved: Saved | null): World {
  const emitter = new EventEmitter<{ event: [WorldEvent] }>().setMaxListeners(0);
  const id = saved?.world.application.id ?? createSnowflake();
  const owner = createUser('Robin', 'robin');
  const { name } = options.application;
  const bot: APIUser = { ...createUser(name, name), id, global_name: null, bot: true };
  const world: World = {
    application: { id, ...options.application, token: createToken(id), user: bot, owner, team: null, userInstalls: new Set() },
    guilds: new Map(),
    get firstGuild() {
      return this.guilds.values().next().value as Guild;
    },
    channels: new Map(),
    users: new Map([owner, bot].map((user) => [user.id, user])),
    locales: new Map(),
    messages: new Map(),
    maxMessagesPerChannel: options.maxMessagesPerChannel,
    commands: [],
    refusingDms: new Set(),
    voiceStatuses: new Map(),
    emit: (event) => emitter.emit('event', event),
    onEvent(listener) {
      emitter.on('event', listener);
      return () => emitter.off('event', listener);
    },
  };
  if (saved) {
    Object.assign(world, saved.world, { commands: saved.commands });
    // The token stays: bots that were given it log in again.
    Object.assign(world.application, options.application);
    for (const guild of world.guilds.values()) guild.voiceStates = new Map();
    for (const [channelId, messages] of Map.groupBy(saved.messages, (message) => message.channel_id))
      if (world.channels.has(channelId)) world.messages.set(channelId, messages.slice(-options.maxMessagesPerChannel));
    return world;
  }
  const firstCreatedAt = Date.now() - DAY_MS;
  for (let number = 1; number <= options.guildCount; number++) addGuild(world, number, firstCreatedAt, options);
  if (options.guildInstalls) for (const guild of world.guilds.values()) addMember(guild, bot, findManagedRoles(world, guild));
  if (options.userInstalls) for (const user of world.users.values()) if (!user.bot) world.application.userInstalls.add(user.id);
  return world;
}

/** Shaped like Discord's: some libraries read the application's id from the first part. */
export function createToken(applicationId: string): string {
  return [Buffer.from(applicationId), randomBytes(4), randomBytes(28)].map((part) => part.toString('base64url')).join('.');
}

/** @param firstCreatedAt when the first of all guilds was created, in milliseconds since 1970 */
function addGuild(world: World, number: number, firstCreatedAt: number, options: WorldOptions): void {
  const { application, users } = world;
  const { membersPerGuild, preferredLocale = Locale.EnglishUS } = options;
  // Each guild a millisecond after the one before, so that they are spread evenly over shards, as Discord's are.
  const guildId = snowflakeOf(firstCreatedAt + number);
  const botRole = {
    ...createRole(createSnowflake(), application.name, 0n, 1),
    managed: true,
    tags: { bot_id: application.id },
  };
  const guild: Guild = {
    id: guildId,
    name: number === 1 ? 'Playground' : `Playground ${number}`,
    owner_id: application.owner.id,
    preferred_locale: preferredLocale,
    roles: [createRole(guildId, '@everyone', EVERYONE_PERMISSIONS, 0), botRole],
    emojis: EMOJI_NAMES.map(createEmoji),
    members: new Map(),
    channels: new Map(),
    threads: new Map(),
    voiceStates: new Map(),
  };
  world.guilds.set(guildId, guild);
  addMember(guild, application.owner);
  for (let index = 1; index < membersPerGuild; index++) {
    const name = NAMES[index] ?? `Member ${index + 1}`;
    const user = createUser(name, name.toLowerCase().replace(' ', '') + (number === 1 ? '' : `.${number}`));
    users.set(user.id, user);
    addMember(guild, user);
  }
  const addChannel = (type: GuildChannel['type'], name: string, overrides: Partial<GuildChannel> = {}) => {
    const channel: GuildChannel = {
      id: createSnowflake(),
      type,
      guild_id: guildId,
      name,
      topic: null,
      position: guild.channels.size,
      permission_overwrites: [],
      user_limit: 0,
      bitrate: 64_000,
      ...overrides,
    };
    guild.channels.set(channel.id, channel);
    world.channels.set(channel.id, channel);
  };
  const denyBot = (permission: bigint) => [{ id: botRole.id, type: OverwriteType.Role, allow: '0', deny: String(permission) }];
  addChannel(ChannelType.GuildText, 'general');
  addChannel(ChannelType.GuildText, 'random');
  addChannel(ChannelType.GuildVoice, 'Lounge');
  addChannel(ChannelType.GuildVoice, 'Workshop');
  addChannel(ChannelType.GuildVoice, 'Booth for one', { user_limit: 1 });
  addChannel(ChannelType.GuildVoice, 'Listen only', { permission_overwrites: denyBot(P.Speak) });
  addChannel(ChannelType.GuildVoice, 'No bots', { permission_overwrites: denyBot(P.Connect) });
  addChannel(ChannelType.GuildStageVoice, 'Stage');
}

function createUser(name: string, username: string): APIUser {
  return { id: createSnowflake(), username, global_name: name, discriminator: '0', avatar: null };
}

function createEmoji(name: string): APIEmoji {
  return { id: createSnowflake(), name, roles: [], require_colons: true, managed: false, animated: false, available: true };
}

export function addMember(guild: Guild, user: APIUser, roles: string[] = []): Member {
  const member = {
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
    pending: false,
    communication_disabled_until: null,
  } as unknown as Member;
  guild.members.set(user.id, member);
  return member;
}

/** Ids of the roles that Discord manages for the application. */
export function findManagedRoles({ application }: World, guild: Guild): string[] {
  return guild.roles.filter(({ tags }) => tags?.bot_id === application.id).map(({ id }) => id);
}

export function createRole(id: string, name: string, permissions: bigint, position: number): APIRole {
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
