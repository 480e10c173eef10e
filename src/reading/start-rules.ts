import {
  ChannelType,
  type Guild,
  GuildMember,
  type GuildTextBasedChannel,
  OverwriteType,
  PermissionFlagsBits,
  type PermissionsBitField,
  type RepliableInteraction,
  type Role,
  type VoiceBasedChannel,
} from 'discord.js';
import { within } from '../async/waiting.ts';
import { checkVoiceRules, isAdmin } from '../discord/access.ts';
import { UserError } from '../discord/errors.ts';
import { isModerator } from '../discord/permissions.ts';
import { checkRoom, listenersIn } from '../discord/voice-channels.ts';
import type { Sentence } from '../locales/index.ts';
import type { ReadChannel, ReadingCommandContext } from './types.ts';

type Rules = Pick<ReadingCommandContext, 'reading' | 'sessions' | 'settings' | 'messageAccess'>;

/** Which channel is to be read where, and who asks for it. */
export interface Start {
  member: GuildMember;
  text: GuildTextBasedChannel;
  voice: VoiceBasedChannel;
}

/**
 * Checks everything except who would hear what they can't see.
 * @param voiceChannelId the one that was named; default: the member's own
 * @throws UserError, StoreError
 */
export async function checkStart(interaction: RepliableInteraction, context: Rules, voiceChannelId: string | undefined): Promise<Start> {
  const { member, text, voice } = findChannels(interaction, voiceChannelId);
  const { guild } = voice;
  const settings = await context.settings.guild(guild.id);
  if (!mayStart(member, settings.readerRoles)) throw new UserError(startRefusal(settings.readerRoles, member));
  if (context.messageAccess() !== 'on') throw new UserError((t) => t('reading.noAccess'));
  if (!voice.permissionsFor(member).has(PermissionFlagsBits.ViewChannel)) throw new UserError((t) => t('reading.cannotSeeVoice'));
  if (!text.permissionsFor(member).has(PermissionFlagsBits.ViewChannel))
    throw new UserError((t) => t('reading.cannotSeeText', { channel: text.id }));
  const { me } = guild.members;
  if (!me) throw new UserError((t) => t('reading.notInGuild'));
  if (!text.permissionsFor(me).has(PermissionFlagsBits.ViewChannel))
    throw new UserError((t) => t('reading.iCannotSee', { channel: text.id }));
  checkRoom(voice, me);
  checkVoiceRules(voice, member, settings);
  const { channels, pausedBy } = context.reading.status(guild.id);
  // After the bot was sent out, nobody is listening to it, and this brings it back.
  if (pausedBy === null) checkOthers(channels, context.sessions.get(guild.id)?.channelId === voice.id, { member, text, voice });
  return { member, text, voice };
}

/**
 * The channels whose reading the member may stop: those that they started or, for moderators of the bot's voice channel, all.
 * @param where the bot is @throws UserError, StoreError
 */
export async function findStoppable(
  interaction: RepliableInteraction,
  { settings }: Pick<Rules, 'settings'>,
  channels: readonly ReadChannel[],
  where: Parameters<typeof isModerator>[1],
): Promise<{ stoppable: ReadChannel[]; refusal: Sentence }> {
  if (!interaction.inCachedGuild()) throw new UserError((t) => t('reading.notInGuild'));
  const { guildId, member, user } = interaction;
  const { readerRoles } = await settings.guild(guildId);
  const mayAll = mayStart(member, readerRoles) || isModerator(interaction, where);
  return {
    stoppable: channels.filter(({ startedBy }) => mayAll || startedBy === user.id),
    refusal: startRefusal(readerRoles, member),
  };
}

/** Why a member may neither start nor stop reading. */
function startRefusal(readerRoles: readonly string[], member: GuildMember): Sentence {
  const roles = existing(readerRoles, member);
  return (t) => (roles.length === 0 ? t('reading.adminsOnly') : t('reading.notAllowed', { roles }));
}

function findChannels({ guild, member, channel }: RepliableInteraction, voiceChannelId: string | undefined): Start {
  if (!guild || !(member instanceof GuildMember) || !channel || channel.isDMBased()) throw new UserError((t) => t('reading.notInGuild'));
  // Everybody in the voice channel would hear what only a few were invited to.
  if (channel.type === ChannelType.PrivateThread) throw new UserError((t) => t('reading.privateThread'));
  const own = channel.isVoiceBased() ? channel.id : null;
  const voice = guild.channels.cache.get(voiceChannelId ?? member.voice.channelId ?? own ?? '');
  if (!voice?.isVoiceBased()) throw new UserError((t) => t('reading.noVoiceChannel'));
  return { member, text: channel, voice };
}

function mayStart(member: GuildMember, readerRoles: readonly string[]): boolean {
  return isAdmin(member.permissions) || readerRoles.some((id) => member.roles.cache.has(id));
}

/** The roles that still exist: naming others helps nobody. */
function existing(roleIds: readonly string[], { guild }: GuildMember): string[] {
  return roleIds.filter((id) => guild.roles.cache.has(id));
}

/**
 * The bot can be in only one voice channel, and doesn't leave listeners. @param isThere whether it is in the wanted one @throws UserError
 */
function checkOthers(channels: readonly ReadChannel[], isThere: boolean, { member, text, voice }: Start): void {
  if (isThere && channels.some(({ textChannelId, voiceChannelId }) => textChannelId === text.id && voiceChannelId === voice.id))
    throw new UserError((t) => t('reading.alreadyReading', { textChannel: text.id, voiceChannel: voice.id }));
  const occupied = channels.find(
    ({ voiceChannelId }) => voiceChannelId !== voice.id && listenersIn(voice.guild, voiceChannelId).some((id) => id !== member.id),
  );
  if (!occupied) return;
  const texts = channels.filter(({ voiceChannelId }) => voiceChannelId === occupied.voiceChannelId).map((one) => one.textChannelId);
  throw new UserError((t) => t('reading.readingElsewhere', { voiceChannel: occupied.voiceChannelId, textChannels: texts }));
}

// Who would hear what they can't see: those who may join the voice channel, but can't see the text channel that is read there.

/** Roles, and members who can join because of an exception of their own, or are already there. */
export interface Exposed {
  /** Whether everyone can; then the others aren't listed. */
  everyone: boolean;
  roleIds: string[];
  memberIds: string[];
}

/** Milliseconds: Discord waits 3 s for the answer. */
const FETCH_MS = 1_000;
/** At most so many members with exceptions of their own are looked up. */
const MAX_FETCHED = 20;

/**
 * Judges each role on its own, with the permissions of everyone: without another privileged intent, the bot doesn't know who has which
 * roles.
 * @returns null if everybody who can listen can also see the text
 */
export async function findExposed(text: GuildTextBasedChannel, voice: VoiceBasedChannel): Promise<Exposed | null> {
  // Everybody who sees a channel sees its threads.
  const shown = text.isThread() ? text.parent : text;
  if (!shown || shown.id === voice.id) return null;
  const isExposed = (who: Role | GuildMember) => canListen(voice.permissionsFor(who)) && !canSee(shown.permissionsFor(who));
  const { guild } = voice;
  if (isExposed(guild.roles.everyone)) return { everyone: true, roleIds: [], memberIds: [] };
  // The roles of bots belong to no person.
  const roles = guild.roles.cache.filter((role) => role.id !== guild.id && !role.tags?.botId && isExposed(role));
  const members = await findMembers(guild, [...listExceptions(voice), ...listExceptions(shown), ...listInside(voice)]);
  const others = members.filter((member) => !member.user.bot && isExposed(member) && !member.roles.cache.hasAny(...roles.keys()));
  if (roles.size + others.length === 0) return null;
  return { everyone: false, roleIds: [...roles.keys()], memberIds: others.map(({ id }) => id) };
}

function canListen(permissions: Readonly<PermissionsBitField>): boolean {
  return permissions.has(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.Connect);
}

function canSee(permissions: Readonly<PermissionsBitField>): boolean {
  return permissions.has(PermissionFlagsBits.ViewChannel);
}

/** Ids of members for whom the channel has an exception. */
function listExceptions(channel: Pick<VoiceBasedChannel, 'permissionOverwrites'>): string[] {
  return channel.permissionOverwrites.cache.filter(({ type }) => type === OverwriteType.Member).map(({ id }) => id);
}

function listInside({ guild, id }: VoiceBasedChannel): string[] {
  return guild.voiceStates.cache.filter(({ channelId }) => channelId === id).map((state) => state.id);
}

/** Only members who did something since the start are cached; those who can't be fetched in time are left out. */
async function findMembers(guild: Guild, ids: string[]): Promise<GuildMember[]> {
  const all = [...new Set(ids)];
  const unknown = all.filter((id) => !guild.members.cache.has(id)).slice(0, MAX_FETCHED);
  const fetching = unknown.map((id) => guild.members.fetch(id));
  if (fetching.length > 0) await within(FETCH_MS, Promise.allSettled(fetching));
  return all.flatMap((id) => guild.members.cache.get(id) ?? []);
}
