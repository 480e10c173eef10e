// What a local Discord begins with: guilds as a newcomer would set them up, with channels of every kind and members.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type APIRole, type APIUser, ChannelType, OverwriteType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { Application, Guild, GuildChannel, Member, World } from './index.ts';
import { snowflake } from './snowflake.ts';

export interface Seed {
  application: Pick<Application, 'name' | 'description' | 'privilegedIntents'>;
  /** The application is a member of every guild. */
  inGuilds: boolean;
  /** Every member has installed the application for themselves. */
  forMembers: boolean;
  guilds: number;
  /** In each guild, beside the application. */
  members: number;
  keptMessages: number;
}

const EVERYONE =
  P.ViewChannel |
  P.SendMessages |
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
  P.SendVoiceMessages;

/** The first owns everything and is in every guild; every guild has others of its own. */
const NAMES = ['Robin', 'Sam', 'Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'];

export function createWorld(seed: Seed): World {
  const emitter = new EventEmitter().setMaxListeners(0);
  const id = snowflake();
  const owner = createUser('Robin', 'robin');
  const bot: APIUser = { ...createUser(seed.application.name, seed.application.name), id, global_name: null, bot: true };
  const world: World = {
    application: { id, ...seed.application, token: createToken(id), user: bot, owner, team: null, installedFor: new Set() },
    guilds: new Map(),
    get guild() {
      return this.guilds.values().next().value as Guild;
    },
    channels: new Map(),
    users: new Map([owner, bot].map((user) => [user.id, user])),
    messages: new Map(),
    keptMessages: seed.keptMessages,
    commands: [],
    closedToDms: new Set(),
    tell: (happening) => emitter.emit('happening', happening),
    onHappening(listener) {
      emitter.on('happening', listener);
      return () => emitter.off('happening', listener);
    },
  };
  for (let number = 1; number <= seed.guilds; number++) addGuild(world, number, seed.members);
  for (const guild of world.guilds.values()) if (seed.inGuilds) addMember(guild, bot, managedRoles(world, guild));
  if (seed.forMembers) for (const user of world.users.values()) if (!user.bot) world.application.installedFor.add(user.id);
  return world;
}

/** As Discord's: the first part is the application's id, where some libraries read it. */
function createToken(id: string): string {
  return [Buffer.from(id), randomBytes(4), randomBytes(28)].map((part) => part.toString('base64url')).join('.');
}

function addGuild(world: World, number: number, members: number): void {
  const { application, users } = world;
  const guildId = snowflake();
  const managed = { ...createRole(snowflake(), application.name, 0n, 1), managed: true, tags: { bot_id: application.id } };
  const guild: Guild = {
    id: guildId,
    name: number === 1 ? 'Playground' : `Playground ${number}`,
    owner_id: application.owner.id,
    roles: [createRole(guildId, '@everyone', EVERYONE, 0), managed],
    members: new Map(),
    channels: new Map(),
    voiceStates: new Map(),
  };
  world.guilds.set(guildId, guild);
  addMember(guild, application.owner);
  for (let place = 1; place < members; place++) {
    const name = NAMES[place] ?? `Member ${place + 1}`;
    const user = createUser(name, name.toLowerCase().replace(' ', '') + (number === 1 ? '' : `.${number}`));
    users.set(user.id, user);
    addMember(guild, user);
  }
  const add = (type: GuildChannel['type'], name: string, more: Partial<GuildChannel> = {}) => {
    const channel: GuildChannel = {
      ...{ id: snowflake(), type, guild_id: guildId, name },
      ...{ topic: null, position: guild.channels.size, permission_overwrites: [], user_limit: 0, bitrate: 64_000 },
      ...more,
    };
    guild.channels.set(channel.id, channel);
    world.channels.set(channel.id, channel);
  };
  const denied = (flag: bigint) => [{ id: managed.id, type: OverwriteType.Role, allow: '0', deny: String(flag) }];
  add(ChannelType.GuildText, 'general');
  add(ChannelType.GuildText, 'random');
  add(ChannelType.GuildVoice, 'Lounge');
  add(ChannelType.GuildVoice, 'Workshop');
  add(ChannelType.GuildVoice, 'Booth for one', { user_limit: 1 });
  add(ChannelType.GuildVoice, 'Listen only', { permission_overwrites: denied(P.Speak) });
  add(ChannelType.GuildVoice, 'No bots', { permission_overwrites: denied(P.Connect) });
  add(ChannelType.GuildStageVoice, 'Stage');
}

function createUser(name: string, username: string): APIUser {
  return { id: snowflake(), username, global_name: name, discriminator: '0', avatar: null };
}

/** Somebody comes into a guild. */
export function addMember(guild: Guild, user: APIUser, roles: string[] = []): Member {
  const member = {
    ...{ user, roles, nick: null, avatar: null, banner: null, joined_at: new Date().toISOString() },
    ...{ premium_since: null, deaf: false, mute: false, flags: 0, pending: false, communication_disabled_until: null },
  } as never as Member;
  guild.members.set(user.id, member);
  return member;
}

/** The role that came with the application. */
export function managedRoles({ application }: World, guild: Guild): string[] {
  return guild.roles.filter(({ tags }) => tags?.bot_id === application.id).map(({ id }) => id);
}

export function createRole(id: string, name: string, permissions: bigint, position: number): APIRole {
  return {
    ...{ id, name, permissions: permissions.toString(), position, color: 0 },
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    ...{ hoist: false, managed: false, mentionable: false, flags: 0 },
  } as unknown as APIRole;
}
