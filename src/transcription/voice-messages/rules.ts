// Which voice messages are answered with their words: in which channels, from whom, and which recordings of a message.
import { type GuildMember, type GuildTextBasedChannel, type Message, MessageFlags, type MessageSnapshot } from 'discord.js';
import { findRefusal, isAdmin } from '../../discord/access.ts';
import { isRecording } from '../../discord/attachments.ts';
import { fetchOriginal } from '../../discord/forwards.ts';
import type { GuildSettings, MemberSettings, Settings } from '../../store/settings.ts';
import { type Recording, recordingOf } from '../recording.ts';

type Rules = GuildSettings['transcripts'];

/** Whether it may contain something to transcribe, as far as can be seen at no cost. Bots and webhooks are never answered. */
export function mayHaveRecording(message: Message): message is Message<true> {
  if (!message.inGuild() || message.author.bot || message.webhookId !== null || message.system) return false;
  return partsOf(message).some((part) => part.attachments.some(isSound));
}

/** The recordings to transcribe: of a voice message or a forwarded one, and of any other message if sound files count. */
export function findRecordings(message: Message<true>, { files }: Rules): Recording[] {
  const parts = partsOf(message).filter(({ flags }) => files || flags.has(MessageFlags.IsVoiceMessage));
  // A reply shows by itself which message it is about.
  return parts.flatMap((part) => part.attachments.filter(isSound).map((attachment) => recordingOf(attachment, null)));
}

export function isForward({ messageSnapshots }: Message): boolean {
  return messageSnapshots.size > 0;
}

/** Films don't count: transcribing their sound has to be requested. */
function isSound(attachment: Parameters<typeof isRecording>[0]): boolean {
  return isRecording(attachment) && !/^video\//.test(attachment.contentType ?? '');
}

/** The message itself, and what it forwards. */
function partsOf(message: Message): Pick<Message | MessageSnapshot, 'flags' | 'attachments'>[] & { attachments: Message['attachments'] }[] {
  return [message, ...message.messageSnapshots.values()].map(({ flags, attachments }) => ({ flags, attachments }) as Message);
}

/** The channel of the settings that this one belongs to: itself, or what its thread or post is below; null = neither was chosen. */
export function findChosenChannel(channel: GuildTextBasedChannel, { channels }: Rules): string | null {
  const parentId = channel.isThread() ? channel.parentId : null;
  return [channel.id, parentId].find((id) => id !== null && channels.includes(id)) ?? null;
}

/** Whether a member wants it, or doesn't mind. */
export function isWanted({ transcribed }: MemberSettings, { who }: Rules): boolean {
  return transcribed ?? who === 'everyone';
}

/** Whether the server's rules about roles allow it. The rules about channels don't apply, because admins choose the channels for this. */
export function isAllowed(member: GuildMember, guild: GuildSettings): boolean {
  const requester = {
    userId: member.id,
    roleIds: [...member.roles.cache.keys()],
    isAdmin: isAdmin(member.permissions),
    channelIds: [],
  };
  return findRefusal(requester, { ...guild, channels: [], voiceChannels: [] }, 'transcription', () => null) === null;
}

/**
 * Who speaks in a message: its author or, if it is forwarded, the author of the original, who has a say, too. Null if the original can't be
 * looked up, or its author is a bot. @throws StoreError
 */
export async function findSpeaker(message: Message<true>, rules: Rules, settings: Pick<Settings, 'member'>): Promise<string | null> {
  const { author } = message;
  if (!isForward(message)) return author.id;
  const original = await fetchOriginal(message);
  if (!original || original.author.bot || original.webhookId !== null) return null;
  const isTheirWish = original.author.id === author.id || isWanted(await settings.member(original.author.id), rules);
  return isTheirWish ? original.author.id : null;
}
