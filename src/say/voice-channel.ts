// The voice channel that a member speaks in.
import { ChannelType, type Guild, GuildMember, PermissionFlagsBits, type RepliableInteraction, type VoiceBasedChannel } from 'discord.js';
import { checkVoiceRules } from '../bot/access.ts';
import { checkVoiceChannel } from '../bot/permissions.ts';
import { UserError } from '../bot/user-error.ts';
import type { SayContext } from './context.ts';

/** Whether no person would hear anything there now. */
export function isEmptyChannel({ id, guild }: VoiceBasedChannel): boolean {
  return listenersIn(guild, id).length === 0;
}

/** The ids of the people in a voice channel. Members who aren't cached count as people. */
export function listenersIn({ voiceStates, client }: Guild, channelId: string): string[] {
  return voiceStates.cache
    .filter((state) => state.channelId === channelId && state.id !== client.user.id && !state.member?.user.bot)
    .map(({ id }) => id);
}

/**
 * The name of a channel or thread, unless one of these people doesn't see it. Members who aren't cached see what everyone sees.
 * @param viewerIds of members
 */
export function channelNameFor(guild: Guild, channelId: string, viewerIds: readonly string[]): string | undefined {
  const channel = guild.channels.cache.get(channelId);
  // Who is in a private thread isn't known.
  if (!channel || channel.type === ChannelType.PrivateThread) return undefined;
  const sees = (id: string) =>
    channel.permissionsFor(guild.members.cache.get(id) ?? guild.roles.everyone)?.has(PermissionFlagsBits.ViewChannel) ?? false;
  return viewerIds.every(sees) ? channel.name : undefined;
}

/**
 * The channel that was named, otherwise the member's own; for buttons otherwise the one that the bot is in.
 * @throws UserError if there is none, or if the member or the bot may not speak there; StoreError
 */
export async function findVoiceChannel(
  interaction: RepliableInteraction,
  { sessions, settings, isServerMuted }: Pick<SayContext, 'sessions' | 'settings' | 'isServerMuted'>,
  namedId?: string,
): Promise<VoiceBasedChannel> {
  const { guild, member } = interaction;
  if (!guild || !(member instanceof GuildMember)) throw new UserError((t) => t.voiceChannels.botNotInGuild);
  const botChannelId = interaction.isChatInputCommand() ? undefined : sessions.get(guild.id)?.channelId;
  const id = namedId ?? member.voice.channelId ?? botChannelId;
  const channel = id === undefined ? undefined : guild.channels.cache.get(id);
  if (!channel?.isVoiceBased()) throw new UserError((t) => t.voiceChannels.memberNotInVoice);
  checkVoiceChannel(channel, member, isServerMuted(member));
  checkVoiceRules(channel, member, await settings.guild(guild.id));
  return channel;
}
