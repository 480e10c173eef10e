// Who may start and stop reading a channel aloud, and where.
import {
  ChannelType,
  GuildMember,
  type GuildTextBasedChannel,
  PermissionFlagsBits,
  type RepliableInteraction,
  type VoiceBasedChannel,
} from 'discord.js';
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
  const texts = channels.filter(({ voiceChannelId }) => voiceChannelId === occupied.voiceChannelId).map((channel) => channel.textChannelId);
  throw new UserError((t) => t('reading.readingElsewhere', { voiceChannel: occupied.voiceChannelId, textChannels: texts }));
}
