// Who may start captions and where, where they are written, and who may stop them.
import {
  ChannelType,
  GuildMember,
  type Interaction,
  PermissionFlagsBits,
  type RepliableInteraction,
  type TextChannel,
  type VoiceBasedChannel,
} from 'discord.js';
import { checkVoiceRules, isAdmin } from '../discord/access.ts';
import { UserError } from '../discord/errors.ts';
import { CAPTIONS_PERMISSIONS, isModerator } from '../discord/permissions.ts';
import { checkRoom } from '../discord/voice-channels.ts';
import type { Sentence } from '../locales/index.ts';
import type { GuildSettings, Settings } from '../store/settings.ts';
import type { OpenCaptions, Start } from './context.ts';

/**
 * In the chat of a voice channel, that channel is captioned, wherever the member is; anywhere else, the one that they are in.
 * @throws UserError, StoreError
 */
export async function checkStart(interaction: RepliableInteraction, { settings }: { settings: Settings }): Promise<Start> {
  const { guild, member, channel } = interaction;
  if (!guild || !(member instanceof GuildMember) || !channel || channel.isDMBased()) throw new UserError((t) => t('captions.notInGuild'));
  const voice = channel.isVoiceBased() ? channel : member.voice.channel;
  if (!voice) throw new UserError((t) => t('captions.noVoiceChannel'));
  const { me } = guild.members;
  if (!me) throw new UserError((t) => t('captions.notInGuild'));
  const guildSettings = await settings.guild(guild.id);
  checkAllowed(member, voice, guildSettings);
  checkRoom(voice, me);
  checkVoiceRules(voice, member, guildSettings);
  const memberPermissions = voice.permissionsFor(member);
  if (!memberPermissions.has(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.Connect))
    throw new UserError((t) => t('captions.cannotConnect', { channel: voice.id }));
  // Discord has no threads in the chats of voice channels.
  const parent = guildSettings.captions.place === 'thread' && channel.type === ChannelType.GuildText ? channel : null;
  checkWritable(parent ?? voice, me, parent !== null);
  return { member, voice, startedIn: channel, written: parent ? { in: 'thread', parent } : { in: 'chat' }, settings: guildSettings };
}

/** Admins may start captions everywhere. @throws UserError */
function checkAllowed(member: GuildMember, voice: VoiceBasedChannel, { captions: { starters, channels } }: GuildSettings): void {
  if (isAdmin(member.permissions)) return;
  const { roles, channels: guildChannels } = member.guild;
  if (starters.length > 0 && !starters.some((id) => member.roles.cache.has(id))) {
    const existing = starters.filter((id) => roles.cache.has(id));
    throw new UserError((t) => (existing.length > 0 ? t('captions.notAllowed', { roles: existing }) : t('captions.allowedRolesGone')));
  }
  if (channels.length > 0 && !channels.includes(voice.id)) {
    const existing = channels.filter((id) => guildChannels.cache.has(id));
    throw new UserError((t) =>
      existing.length > 0 ? t('captions.channelNotAllowed', { channels: existing }) : t('captions.allowedChannelsGone'),
    );
  }
}

/** @throws UserError */
function checkWritable(channel: VoiceBasedChannel | TextChannel, me: GuildMember, inThread: boolean): void {
  const ownPermissions = channel.permissionsFor(me);
  const unused = inThread ? ['SendMessages'] : ['SendMessagesInThreads', 'CreatePublicThreads'];
  const missing = CAPTIONS_PERMISSIONS.filter((name) => !unused.includes(name) && !ownPermissions.has(PermissionFlagsBits[name]));
  if (missing.length > 0)
    throw new UserError((t) =>
      t('captions.missing', { permissions: missing.map((name) => t(`permissions.${name}`)), channel: channel.id }),
    );
}

/**
 * Why this member may not stop the captions; null if they may: as a moderator of the voice channel, as the one who started them, or as the
 * last who is captioned.
 */
export function findStopRefusal(interaction: Interaction, captions: OpenCaptions): Sentence | null {
  const { captioned, startedBy, voiceChannelId } = captions;
  const { id } = interaction.user;
  const isLast = captioned.length === 1 && captioned[0] === id;
  if (id === startedBy || isLast || isModerator(interaction, { channelId: voiceChannelId })) return null;
  return (t) => t('captions.mayNotStop', { starter: startedBy });
}
