// Whose messages are read. Whoever may not be heard in the voice channel is not heard through the bot either.
import type { GuildMember, Message, VoiceBasedChannel } from 'discord.js';
import { findRefusal } from '../bot/access.ts';
import { findMuteReason } from '../bot/permissions.ts';
import type { GuildSettings, MemberSettings } from '../settings/index.ts';
import type { IsServerMuted } from '../voice/server-mutes.ts';

interface Rules {
  guild: GuildSettings;
  member: MemberSettings;
  isServerMuted: IsServerMuted;
}

/** Whether this message may be read in the voice channel. */
export function isRead(message: Message<true>, channel: VoiceBasedChannel, { guild, member, isServerMuted }: Rules): boolean {
  const { author } = message;
  // Our own notices would otherwise be read as soon as bots are.
  if (author.id === message.client.user.id || message.system) return false;
  if (guild.muted.includes(author.id)) return false;
  if (author.bot) return guild.reading.bots;
  if (!member.readAloud || !message.member) return false;
  return isHeard(message.member, channel, guild, isServerMuted);
}

function isHeard(member: GuildMember, channel: VoiceBasedChannel, guild: GuildSettings, isServerMuted: IsServerMuted): boolean {
  const { roles, who } = guild.reading;
  if (roles.length > 0 && !roles.some((id) => member.roles.cache.has(id))) return false;
  if (who === 'listeners' && member.voice.channelId !== channel.id) return false;
  if (member.isCommunicationDisabled() || findMuteReason(channel, member, isServerMuted(member)) !== null) return false;
  // Where the bot may be used is decided by what is read, so only the rules about members count.
  const requester = { userId: member.id, roleIds: [...member.roles.cache.keys()], isAdmin: false, channelIds: [] };
  return findRefusal(requester, { ...guild, channels: [], voiceChannels: [] }, 'speech', () => null) === null;
}
