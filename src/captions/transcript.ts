// What was captioned, as one transcript: read back from the captions' own messages, because the words are nowhere else.
import { type AttachmentBuilder, type Guild, type GuildBasedChannel, type GuildTextBasedChannel, PermissionFlagsBits } from 'discord.js';
import { type CardMessage, notice } from '../discord/cards.ts';
import type { Translator } from '../locales/index.ts';
import { deleteWordsId, MAX_FILE_BYTES, transcriptMessage } from '../transcription/message.ts';
import type { TranscriptDocument } from '../transcription/transcript-file.ts';
import type { SpokenTranscript } from '../transcription/transcript-lines.ts';
import type { EndedRun, Runs } from './stored.ts';
import { type CaptionMessages, readCaptionLine } from './writer.ts';

type Segments = SpokenTranscript['segments'];

/** Null if nothing was captioned, or all of it is gone. @throws DiscordAPIError, StoreError */
export async function readTranscript(
  guildId: string,
  startedAt: number,
  runs: Pick<Runs, 'listLines'>,
  messages: Pick<CaptionMessages, 'read'>,
): Promise<{ transcript: SpokenTranscript; first: string; last: string } | null> {
  const written = await runs.listLines(guildId);
  const segments: Segments = [];
  const seconds = (at: number) => Math.max(0, at - startedAt) / 1000;
  for (const [messageId, lines] of written) {
    const texts = (await messages.read(messageId))?.split('\n') ?? [];
    for (const [index, [id, start, end]] of lines.entries()) {
      const read = id === null ? null : readCaptionLine(texts[index] ?? '');
      if (id !== null && read !== null)
        segments.push({ text: read.text, start: seconds(start), end: seconds(end), speaker: { id, name: read.name } });
    }
  }
  const [first, last] = [written[0]?.[0], written.at(-1)?.[0]];
  if (segments.length === 0 || first === undefined || last === undefined) return null;
  return { transcript: transcriptOf(segments), first, last };
}

function transcriptOf(segments: Segments): SpokenTranscript {
  return {
    text: segments.map(({ text }) => text).join(' '),
    duration: segments.reduce((latest, { end }) => Math.max(latest, end), 0),
    segments,
  };
}

/** Where the captions are whose words the transcript has: the ids of their first and last message. */
interface Range {
  first: string;
  last: string;
}

/** @param owner who may turn its pages */
export function captionsMessage(
  document: Pick<TranscriptDocument, 'name' | 'transcript'>,
  owner: string,
  { first, last }: Range,
  t: Translator,
): CardMessage & { files: AttachmentBuilder[] } {
  const whole: TranscriptDocument = { ...document, recording: null, source: null, language: null };
  const view = { owner, timestamps: true, languages: [], deleteId: deleteWordsId.write({ owner, first, last }) };
  return transcriptMessage(whole, view, { format: null, maxBytes: MAX_FILE_BYTES }, t);
}

interface EndedCaptions {
  guild: Guild;
  run: Pick<EndedRun, 'textChannelId' | 'startedIn' | 'startedBy' | 'startedAt' | 'panelId' | 'end'>;
  /** Where they were written; null if that is gone. */
  text: GuildTextBasedChannel | null;
  messages: Pick<CaptionMessages, 'read'> | null;
  runs: Pick<Runs, 'listLines'>;
  voiceName: string;
  t: Translator;
}

/**
 * Says why captions ended, where they were written, followed by their transcript; if nothing can be written there any more, where they were
 * started, or else to who started them. Discord posts each only once, should another process have ended in between. @throws DiscordAPIError, StoreError
 */
export async function postEnd({ guild, run, text, messages, runs, voiceName, t }: EndedCaptions): Promise<void> {
  // The cache knows if the bot was removed from the server.
  if (!guild.client.guilds.cache.has(guild.id)) return;
  const channel = [text?.id ?? '', run.startedIn].map((id) => guild.channels.cache.get(id)).find((one) => one && isWritable(one));
  const once = (what: string) => ({ nonce: `${what}${run.panelId}`, enforceNonce: true });
  const said = { ...notice(endSentence(run, t), 'neutral'), ...once('end') };
  if (!channel?.isSendable()) {
    await guild.client.users.send(run.startedBy, said);
    return;
  }
  await channel.send(said);
  if (!messages || channel.id !== text?.id) return;
  const found = await readTranscript(guild.id, run.startedAt, runs, messages).catch(async (error: unknown) => {
    await channel.send(notice(t('captions.noTranscript'), 'failed'));
    throw error;
  });
  if (!found) return;
  const document = { name: t('captions.transcriptName', { channelName: voiceName }), transcript: found.transcript };
  await channel.send({ ...captionsMessage(document, run.startedBy, found, t), ...once('words') });
}

function endSentence({ end: { reason, memberId }, textChannelId }: EndedCaptions['run'], t: Translator): string {
  if (reason === 'stopped') return t('captions.ended.stopped', { member: memberId ?? '' });
  return reason === 'unwritable' ? t('captions.ended.unwritable', { channel: textChannelId }) : t(`captions.ended.${reason}`);
}

function isWritable(channel: GuildBasedChannel): boolean {
  const { me } = channel.guild.members;
  const { ViewChannel, SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  const needed = ViewChannel | (channel.isThread() ? SendMessagesInThreads : SendMessages);
  return channel.isSendable() && me !== null && channel.permissionsFor(me).has(needed);
}

/** The transcript without a member's words. Null if none are left. */
export function withoutSpeaker({ segments }: SpokenTranscript, memberId: string): SpokenTranscript | null {
  const left = segments.filter(({ speaker }) => speaker?.id !== memberId);
  return left.length === 0 ? null : transcriptOf(left);
}

/**
 * Tells which lines of the captions' messages, given in their order, are a member's. The transcript has the same lines in the same order,
 * except for those that somebody has deleted; names alone don't tell, because two members may have the same.
 */
export function createLineFinder({ segments }: SpokenTranscript, memberId: string): (line: string) => boolean {
  let next = 0;
  return (line) => {
    const read = readCaptionLine(line);
    const found = segments.findIndex(({ speaker, text }, index) => index >= next && read?.text === text && read.name === speaker?.name);
    if (found === -1) return false;
    next = found + 1;
    return segments[found]?.speaker?.id === memberId;
  };
}
