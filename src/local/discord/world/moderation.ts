// What the application may change of a guild's member: nickname, roles, mutes, timeouts, and the voice channel they are in.
// https://docs.discord.com/developers/resources/guild#modify-guild-member
import { type APIRole, ChannelType, GatewayIntentBits, GuildMemberFlags, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { createFormCheck, type Form, problems } from '../errors.ts';
import type { VoiceServer } from '../voice/types.ts';
import type { Guild, Member, World } from './index.ts';
import { may, permissionsOf } from './permissions.ts';
import { reviewVoice, setVoiceFlags, setVoiceState } from './voice-states.ts';

/** The longest timeout, in ms. */
const LONGEST_TIMEOUT = 28 * 24 * 60 * 60_000;

/** What Discord takes here and the local Discord cannot show; refused rather than ignored. */
const UNSUPPORTED = ['avatar', 'banner', 'bio'];

/**
 * PATCH of a member by the application: everything that the form names takes effect, or nothing does. Fields that Discord doesn't know are
 * ignored, as there.
 * @throws DiscordProblem 50035, 50013, 40032, 10003, 50024, 10011, 50028
 */
export function changeMember(world: World, voice: VoiceServer, guild: Guild, member: Member, form: Form): void {
  checkForm(form);
  const { nick, roles, mute, deaf, channel_id: channelId, communication_disabled_until: until, flags } = form;
  const userId = member.user.id;
  const me = world.application.id;
  if (nick !== undefined && !(userId === me && has(world, guild, P.ChangeNickname))) checkRank(world, guild, member, P.ManageNicknames);
  if (roles !== undefined) checkRoles(world, guild, member, roles ?? []);
  if (mute !== undefined) need(world, guild, P.MuteMembers);
  if (deaf !== undefined) need(world, guild, P.DeafenMembers);
  if (flags !== undefined) need(world, guild, P.ManageGuild);
  if (until !== undefined) {
    checkRank(world, guild, member, P.ModerateMembers);
    if (permissionsOf(guild, userId) & P.Administrator) throw problems.missingPermissions();
  }
  if (channelId !== undefined) checkMove(world, guild, channelId);
  if ([mute, deaf, channelId].some((one) => one !== undefined) && !guild.voiceStates.has(userId)) throw problems.notInVoice();

  if (nick !== undefined) member.nick = nick || null;
  if (roles !== undefined) member.roles = roles ?? [];
  if (until !== undefined) member.communication_disabled_until = until && new Date(until).toISOString();
  if (flags !== undefined) member.flags = withBypass(member.flags, flags ?? 0);
  if (mute !== undefined || deaf !== undefined)
    setVoiceFlags(world, voice, guild, userId, {
      ...(mute !== undefined && { mute: mute ?? false }),
      ...(deaf !== undefined && { deaf: deaf ?? false }),
    });
  tellMember(world, guild, member);
  if (channelId !== undefined) setVoiceState(world, voice, guild, userId, channelId);
  if (until && Date.parse(until) > Date.now()) setVoiceState(world, voice, guild, userId, null);
  reviewVoice(world, voice, guild);
}

/** A member has changed. An application is told of itself without the intent. */
export function tellMember(world: World, guild: Guild, member: Member): void {
  const isBot = member.user.id === world.application.id;
  world.tell({
    t: 'GUILD_MEMBER_UPDATE',
    d: { ...member, guild_id: guild.id },
    guildId: guild.id,
    intent: isBot ? 0 : GatewayIntentBits.GuildMembers,
  });
}

function checkForm({ nick, roles, mute, deaf, channel_id, communication_disabled_until: until, flags, ...others }: Form): void {
  const check = createFormCheck();
  if (nick != null) check.length('nick', nick, 0, 32);
  if (roles != null && !(Array.isArray(roles) && roles.every((id) => /^\d+$/.test(String(id)))))
    check.fault('roles', 'LIST_TYPE_CONVERT', 'Only a list of role ids may be used here.');
  for (const [name, value] of Object.entries({ mute, deaf }))
    if (value != null && typeof value !== 'boolean') check.fault(name, 'BOOLEAN_TYPE_CONVERT', 'Must be either true or false.');
  if (channel_id != null && !/^\d+$/.test(String(channel_id)))
    check.fault('channel_id', 'NUMBER_TYPE_COERCE', `Value "${channel_id}" is not snowflake.`);
  if (flags != null && !Number.isInteger(flags)) check.fault('flags', 'NUMBER_TYPE_COERCE', `Value "${flags}" is not int.`);
  if (until != null) {
    const at = typeof until === 'string' ? Date.parse(until) : Number.NaN;
    if (Number.isNaN(at))
      check.fault('communication_disabled_until', 'DATETIME_TYPE_PARSE', `Could not parse ${until} as an ISO8601 date.`);
    else if (at > Date.now() + LONGEST_TIMEOUT)
      check.fault('communication_disabled_until', 'COMMUNICATION_DISABLED_UNTIL_MAX', 'A timeout lasts 28 days at most.');
  }
  for (const name of UNSUPPORTED)
    if (others[name] !== undefined) check.fault(name, 'LOCAL_UNSUPPORTED', `The local Discord can't change a member's ${name}.`);
  check.done();
}

function has(world: World, guild: Guild, permission: bigint): boolean {
  return (permissionsOf(guild, world.application.id) & permission) !== 0n;
}

function need(world: World, guild: Guild, permission: bigint): void {
  if (!has(world, guild, permission)) throw problems.missingPermissions();
}

/** Some changes also take a role above all those of the member. */
function checkRank(world: World, guild: Guild, member: Member, permission: bigint): void {
  need(world, guild, permission);
  const { id: me } = world.application;
  if (member.user.id === me) return;
  if (member.user.id === guild.owner_id || !isAbove(highestRole(guild, me), highestRole(guild, member.user.id)))
    throw problems.missingPermissions();
}

/** Every role that is added or removed has to be below the application's own highest one. */
function checkRoles(world: World, guild: Guild, member: Member, wanted: string[]): void {
  need(world, guild, P.ManageRoles);
  const mine = highestRole(guild, world.application.id);
  const changed = [...wanted.filter((id) => !member.roles.includes(id)), ...member.roles.filter((id) => !wanted.includes(id))];
  for (const id of changed) {
    const role = guild.roles.find((one) => one.id === id);
    if (!role) throw problems.unknownRole();
    if (role.managed || role.id === guild.id) throw problems.invalidRole();
    if (guild.owner_id !== world.application.id && !isAbove(mine, role)) throw problems.missingPermissions();
  }
}

function checkMove(world: World, guild: Guild, channelId: string | null): void {
  need(world, guild, P.MoveMembers);
  if (channelId === null) return;
  const channel = guild.channels.get(String(channelId));
  if (!channel) throw problems.unknownChannel();
  if (channel.type === ChannelType.GuildText) throw problems.wrongChannelType();
  if (!may(world, world.application.id, channel, P.Connect)) throw problems.missingPermissions();
}

function highestRole(guild: Guild, userId: string): APIRole | undefined {
  const ids = guild.members.get(userId)?.roles ?? [];
  return guild.roles
    .filter(({ id }) => ids.includes(id))
    .reduce<APIRole | undefined>((top, role) => (isAbove(role, top) ? role : top), undefined);
}

/** Of two roles in the same position the older one is above. Everybody has `undefined`, which is below all. */
function isAbove(one: APIRole | undefined, other: APIRole | undefined): boolean {
  if (!one || !other) return one !== undefined;
  return one.position === other.position ? BigInt(one.id) < BigInt(other.id) : one.position > other.position;
}

/** The one flag of a member that can be set. */
function withBypass(before: GuildMemberFlags, wanted: number): GuildMemberFlags {
  return (before & ~GuildMemberFlags.BypassesVerification) | (wanted & GuildMemberFlags.BypassesVerification);
}
