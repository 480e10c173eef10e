// What the application and moderators may change about a guild member: nickname, roles, mutes, timeouts and voice channel.
// https://docs.discord.com/developers/resources/guild#modify-guild-member
import { type APIRole, ChannelType, GuildMemberFlags, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { discordErrors } from '../errors.ts';
import { createValidator, type JsonObject } from '../validator.ts';
import type { VoiceServer } from '../voice/types.ts';
import { emitMemberUpdate } from './guilds.ts';
import { computePermissions, hasPermissions } from './permissions.ts';
import { enforceVoicePermissions, setVoiceFlags, setVoiceState } from './voice-states.ts';
import type { Guild, Member, World } from './world.ts';

/** In ms. */
const MAX_TIMEOUT_MS = 28 * 24 * 60 * 60_000;

/** Fields that Discord accepts but the local Discord cannot show: it refuses them rather than ignoring them. */
const UNSUPPORTED = ['avatar', 'banner', 'bio'];

/**
 * Applies a user's changes to a member: all of them, or none. Like Discord, ignores unknown fields. `actorId`: the application or a member.
 * @throws DiscordError 50035, 50013, 40032, 10003, 50024, 10011, 50028
 */
export function editMember(world: World, voice: VoiceServer, guild: Guild, actorId: string, member: Member, changes: JsonObject): void {
  validateChanges(changes);
  const { nick, roles, mute, deaf, channel_id: channelId, communication_disabled_until: until, flags } = changes;
  const userId = member.user.id;
  const isOwnNick = userId === actorId && hasPermission(guild, actorId, P.ChangeNickname);
  if (nick !== undefined && !isOwnNick) requireRank(guild, actorId, member, P.ManageNicknames);
  if (roles !== undefined) checkRoles(guild, actorId, member, roles ?? []);
  if (mute !== undefined) requirePermission(guild, actorId, P.MuteMembers);
  if (deaf !== undefined) requirePermission(guild, actorId, P.DeafenMembers);
  if (flags !== undefined) requirePermission(guild, actorId, P.ManageGuild);
  if (until !== undefined) {
    requireRank(guild, actorId, member, P.ModerateMembers);
    if (computePermissions(guild, userId) & P.Administrator) throw discordErrors.missingPermissions();
  }
  if (channelId !== undefined) checkMove(world, guild, actorId, channelId);
  const needsVoice = [mute, deaf, channelId].some((value) => value !== undefined);
  if (needsVoice && !guild.voiceStates.has(userId)) throw discordErrors.notInVoice();

  if (nick !== undefined) member.nick = nick || null;
  if (roles !== undefined) member.roles = roles ?? [];
  if (until !== undefined) member.communication_disabled_until = until && new Date(until).toISOString();
  if (flags !== undefined) member.flags = setBypassesVerification(member.flags, flags ?? 0);
  if (mute !== undefined || deaf !== undefined)
    setVoiceFlags(world, voice, guild, userId, {
      ...(mute !== undefined && { mute: mute ?? false }),
      ...(deaf !== undefined && { deaf: deaf ?? false }),
    });
  emitMemberUpdate(world, guild, member);
  if (channelId !== undefined) setVoiceState(world, voice, guild, userId, channelId);
  if (until && Date.parse(until) > Date.now()) setVoiceState(world, voice, guild, userId, null);
  enforceVoicePermissions(world, voice, guild);
}

function validateChanges({ nick, roles, mute, deaf, channel_id, communication_disabled_until: until, flags, ...others }: JsonObject): void {
  const validator = createValidator();
  if (nick != null) validator.checkLength('nick', nick, 0, 32);
  if (roles != null && !(Array.isArray(roles) && roles.every((id) => /^\d+$/.test(String(id)))))
    validator.addError('roles', 'LIST_TYPE_CONVERT', 'Only a list of role ids may be used here.');
  for (const [name, value] of Object.entries({ mute, deaf }))
    if (value != null && typeof value !== 'boolean') validator.addError(name, 'BOOLEAN_TYPE_CONVERT', 'Must be either true or false.');
  if (channel_id != null && !/^\d+$/.test(String(channel_id)))
    validator.addError('channel_id', 'NUMBER_TYPE_COERCE', `Value "${channel_id}" is not snowflake.`);
  if (flags != null && !Number.isInteger(flags)) validator.addError('flags', 'NUMBER_TYPE_COERCE', `Value "${flags}" is not int.`);
  if (until != null) {
    const at = typeof until === 'string' ? Date.parse(until) : Number.NaN;
    if (Number.isNaN(at))
      validator.addError('communication_disabled_until', 'DATETIME_TYPE_PARSE', `Could not parse ${until} as an ISO8601 date.`);
    else if (at > Date.now() + MAX_TIMEOUT_MS)
      validator.addError('communication_disabled_until', 'COMMUNICATION_DISABLED_UNTIL_MAX', 'A timeout lasts 28 days at most.');
  }
  for (const name of UNSUPPORTED)
    if (others[name] !== undefined) validator.addError(name, 'LOCAL_UNSUPPORTED', `The local Discord can't change a member's ${name}.`);
  validator.throwIfInvalid();
}

function hasPermission(guild: Guild, actorId: string, permission: bigint): boolean {
  return (computePermissions(guild, actorId) & permission) !== 0n;
}

function requirePermission(guild: Guild, actorId: string, permission: bigint): void {
  if (!hasPermission(guild, actorId, permission)) throw discordErrors.missingPermissions();
}

/** Some changes also require a role above all of the member's. */
function requireRank(guild: Guild, actorId: string, member: Member, permission: bigint): void {
  requirePermission(guild, actorId, permission);
  if (member.user.id === actorId || guild.owner_id === actorId) return;
  if (member.user.id === guild.owner_id || !isAbove(highestRole(guild, actorId), highestRole(guild, member.user.id)))
    throw discordErrors.missingPermissions();
}

/** Every role that is added or removed has to be below the actor's highest one. */
function checkRoles(guild: Guild, actorId: string, member: Member, roleIds: string[]): void {
  requirePermission(guild, actorId, P.ManageRoles);
  const ownRole = highestRole(guild, actorId);
  const added = roleIds.filter((id) => !member.roles.includes(id));
  const removed = member.roles.filter((id) => !roleIds.includes(id));
  for (const roleId of [...added, ...removed]) {
    const role = guild.roles.find(({ id }) => id === roleId);
    if (!role) throw discordErrors.unknownRole();
    if (role.managed || role.id === guild.id) throw discordErrors.invalidRole();
    if (guild.owner_id !== actorId && !isAbove(ownRole, role)) throw discordErrors.missingPermissions();
  }
}

function checkMove(world: World, guild: Guild, actorId: string, channelId: string | null): void {
  requirePermission(guild, actorId, P.MoveMembers);
  if (channelId === null) return;
  const channel = guild.channels.get(String(channelId));
  if (!channel) throw discordErrors.unknownChannel();
  if (channel.type === ChannelType.GuildText) throw discordErrors.wrongChannelType();
  if (!hasPermissions(world, actorId, channel, P.Connect)) throw discordErrors.missingPermissions();
}

function highestRole(guild: Guild, userId: string): APIRole | undefined {
  const ids = guild.members.get(userId)?.roles ?? [];
  return guild.roles
    .filter(({ id }) => ids.includes(id))
    .reduce<APIRole | undefined>((top, role) => (isAbove(role, top) ? role : top), undefined);
}

/** If two roles have the same position, the older one is higher. `undefined` is @everyone, below all others. */
function isAbove(role: APIRole | undefined, other: APIRole | undefined): boolean {
  if (!role || !other) return role !== undefined;
  return role.position === other.position ? BigInt(role.id) < BigInt(other.id) : role.position > other.position;
}

/** The only flag of a member that can be set. */
function setBypassesVerification(current: GuildMemberFlags, flags: number): GuildMemberFlags {
  return (current & ~GuildMemberFlags.BypassesVerification) | (flags & GuildMemberFlags.BypassesVerification);
}
