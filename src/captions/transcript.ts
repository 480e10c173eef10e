// What was captioned, as one transcript: read back from the captions' own messages, because the words are nowhere else.
import { type AttachmentBuilder, type Guild, type GuildBasedChannel, type GuildTextBasedChannel, PermissionFlagsBits } from 'discord.js';
import { asEdit, type CardMessage, notice, readFiles } from '../discord/cards.ts';
import { type Translator, translatorFor } from '../locales/index.ts';
import { isGone, isRefused, type WordsChannel } from '../posted-words/channel.ts';
import { readLine, writeWhatIsTaken } from '../posted-words/lines.ts';
import type { PostedWords } from '../posted-words/posted-words.ts';
import type { NotedRemoval, Removal, Removed, Remover } from '../posted-words/removals.ts';
import { readAttachedTranscript } from '../transcription/buttons.ts';
import { deleteWordsId, MAX_FILE_BYTES, readDeleteId, transcriptMessage } from '../transcription/message.ts';
import type { TranscriptDocument } from '../transcription/transcript-file.ts';
import type { SpokenTranscript } from '../transcription/transcript-lines.ts';
import type { CaptionsOptions } from './context.ts';
import { type EndedRun, idOf } from './stored.ts';

type Segments = SpokenTranscript['segments'];

/** Null if nothing was captioned, or all of it is gone. @throws DiscordAPIError, StoreError */
export async function readTranscript(
  guildId: string,
  run: Pick<EndedRun, 'startedAt' | 'panelId' | 'firstPanelId'>,
  { lines, inTurn }: Pick<PostedWords, 'lines' | 'inTurn'>,
  channel: WordsChannel,
): Promise<{ transcript: SpokenTranscript; first: string; last: string } | null> {
  await inTurn(channel.id, () => lines.settle(guildId, channel));
  const written = await lines.list(guildId, idOf(run));
  const segments: Segments = [];
  const seconds = (at: number) => Math.max(0, at - run.startedAt) / 1000;
  for (const [messageId] of written) {
    for (const { line, text } of await inTurn(channel.id, () => lines.read(guildId, channel, messageId))) {
      const [id, start, end] = line;
      const read = readLine(text);
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
function captionsMessage(
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
  run: EndedRun;
  /** Where the captions were written; null if that channel is gone. */
  text: GuildTextBasedChannel | null;
  words: PostedWords;
  voiceName: string;
  t: Translator;
}

/**
 * Says why captions ended, where they were written, followed by their transcript; if nothing can be written there any more, where they were
 * started, or else to who started them. Discord posts each only once, should another process have ended in between. @throws DiscordAPIError, StoreError
 */
export async function postEnd({ guild, run, text, words, voiceName, t }: EndedCaptions): Promise<void> {
  // The cache knows if the bot was removed from the server.
  if (!guild.client.guilds.cache.has(guild.id)) return;
  const channel = [text?.id ?? '', run.startedIn]
    .map((id) => guild.channels.cache.get(id))
    .find((candidate) => candidate && isWritable(candidate));
  const once = (part: string) => ({ nonce: `${part}${run.panelId}`, enforceNonce: true });
  const endNotice = { ...notice(endSentence(run, t), 'neutral'), ...once('end') };
  if (!channel?.isSendable()) {
    await guild.client.users.send(run.startedBy, endNotice);
    return;
  }
  await channel.send(endNotice);
  if (channel.id !== text?.id) return;
  const saved = await readTranscript(guild.id, run, words, words.channel(text.id)).catch(async (error: unknown) => {
    await channel.send(notice(t('captions.noTranscript'), 'failed'));
    throw error;
  });
  if (!saved) return;
  const document = { name: t('captions.transcriptName', { channelName: voiceName }), transcript: saved.transcript };
  const sent = await channel.send({ ...captionsMessage(document, run.startedBy, saved, t), ...once('words') }).catch((error: unknown) => {
    if (!isRefused(error)) throw error;
    return null;
  });
  if (sent === null) {
    await channel.send(notice(t('errors.refusedText'), 'failed'));
    return;
  }
  // Words that members had deleted while the transcript was made, or before an earlier process posted it.
  const removals = (await words.removals.ofCaptions(idOf(run))).map(({ memberId, at }): Removal & { upTo: number } => ({
    kind: 'transcript',
    guildId: guild.id,
    channelId: text.id,
    id: sent.id,
    memberId,
    upTo: (at - run.startedAt) / 1000,
  }));
  await words.removals.remove(removals);
  await words.removals.forgetCaptions(idOf(run), 'all');
}

function endSentence({ end: { reason, memberId }, textChannelId }: EndedCaptions['run'], t: Translator): string {
  if (reason === 'stopped') return t('captions.ended.stopped', { member: memberId ?? '' });
  return reason === 'unwritable' ? t('captions.ended.unwritable', { channel: textChannelId }) : t(`captions.ended.${reason}`);
}

function isWritable(channel: GuildBasedChannel): boolean {
  const { me } = channel.guild.members;
  const { ViewChannel, ManageThreads, SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  const needed = ViewChannel | (channel.isThread() ? SendMessagesInThreads : SendMessages);
  // A message brings an archived thread back.
  const isLocked = channel.isThread() && channel.locked && !channel.permissionsFor(me ?? '')?.has(ManageThreads);
  return channel.isSendable() && !isLocked && me !== null && channel.permissionsFor(me).has(needed);
}

/** What a member said up to then, in seconds; null = all. */
function isSaidBy(memberId: string, upTo: number | null) {
  return ({ speaker, end }: Segments[number]) => speaker?.id === memberId && (upTo === null || end <= upTo);
}

/** The transcript without a member's words. Null if none are left. */
export function withoutSpeaker({ segments }: SpokenTranscript, memberId: string, upTo: number | null = null): SpokenTranscript | null {
  const isTheirs = isSaidBy(memberId, upTo);
  const left = segments.filter((segment) => !isTheirs(segment));
  return left.length === 0 ? null : transcriptOf(left);
}

/**
 * Tells which lines of the captions' messages, given in their order, are a member's. The transcript has the same lines in the same order,
 * except for those that somebody has deleted; names alone don't tell, because two members may have the same.
 */
export function createLineFinder({ segments }: SpokenTranscript, memberId: string, upTo: number | null = null): (line: string) => boolean {
  const isTheirs = isSaidBy(memberId, upTo);
  let next = 0;
  return (line) => {
    const read = readLine(line);
    const position = segments.findIndex(({ speaker, text }, index) => index >= next && read?.text === text && read.name === speaker?.name);
    const segment = segments[position];
    if (!segment) return false;
    next = position + 1;
    return isTheirs(segment);
  };
}

/** Removes a member's words from a transcript, and from the captions that it was made of. */
export function createTranscriptRemover(context: CaptionsOptions): Remover {
  const { client, words, settings } = context;

  // Removes one member's words after the other's: the second removal finds what the first has left.
  return (removal, channel) => words.inTurn(`transcript:${removal.id}`, () => remove(removal, channel));

  async function remove({ guildId, channelId, id, memberId, upTo }: NotedRemoval, channel: WordsChannel): Promise<Removed> {
    const text = await client.channels.fetch(channelId);
    if (!text?.isTextBased() || text.isDMBased()) return { count: 0 };
    const message = await text.messages.fetch({ message: id, force: true }).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    const { owner, first, last } = deleteWordsId.read(readDeleteId(message?.components ?? []) ?? '') ?? {};
    if (!message || owner === undefined || first === undefined || last === undefined) return { count: 0 };
    const document = await readAttachedTranscript(readFiles(message.components), context);
    const left = withoutSpeaker(document.transcript, memberId, upTo);
    const count = document.transcript.segments.length - (left?.segments.length ?? 0);
    if (count === 0) return { count };
    const isTheirs = createLineFinder(document.transcript, memberId, upTo);
    for (let after = String(BigInt(first) - 1n); ; ) {
      const page = await channel.listAfter(after);
      for (const { id: messageId } of page.messages)
        if (BigInt(messageId) <= BigInt(last)) await words.inTurn(channelId, () => removeTexts(channel, messageId, isTheirs));
      if (page.next === null || BigInt(page.next) >= BigInt(last)) break;
      after = page.next;
    }
    if (left === null) await channel.delete(id);
    else {
      const { language } = await settings.guild(guildId);
      const t = translatorFor(language ?? text.guild.preferredLocale);
      const changed = captionsMessage({ name: document.name, transcript: left }, owner, { first, last }, t);
      await channel
        .change(() => message.edit({ ...asEdit(changed), attachments: [] }))
        .catch((error: unknown) => {
          // Discord refuses it by a rule that is newer than the transcript. The words that are left are in the captions.
          if (isRefused(error)) return channel.delete(id);
          throw error;
        });
    }
    return { count };
  }
}

/** @throws DiscordAPIError */
async function removeTexts(channel: WordsChannel, messageId: string, isRemoved: (text: string) => boolean): Promise<void> {
  const texts = (await channel.read(messageId))?.split('\n') ?? [];
  const left = texts.filter((text) => !isRemoved(text));
  if (left.length < texts.length)
    await writeWhatIsTaken(left, (texts) => (texts.length === 0 ? channel.delete(messageId) : channel.edit(messageId, texts.join('\n'))));
}
