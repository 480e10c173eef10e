// From recordings to replies: each is streamed from Discord to the voice service, within the member's budget.
//
//   recording.ts     what is transcribed, and how much of it is paid for
//   questions.ts     what members are asked before
//   reply.ts         where transcripts are posted
//   message.ts       a transcript as a message; buttons.ts says what its buttons do
//   transcript-*.ts  a transcript as paragraphs, pages and files: pure text, without Discord

import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatInputCommandInteraction, type MessageContextMenuCommandInteraction, MessageFlags } from 'discord.js';
import { ApiError, mayHaveBeenBilled, type Transcript } from '../api/index.ts';
import { asEdit, notice } from '../discord/cards.ts';
import { UserError } from '../discord/errors.ts';
import { isGuest } from '../discord/permissions.ts';
import type { Sentence } from '../locales/index.ts';
import { loadSealingKey, seal } from '../store/index.ts';
import type { Reservation } from '../wallet/index.ts';
import { createJobLimit, createTranscriptionEta, type TranscribeOptions, type TranscriptionContext, waitingStage } from './context.ts';
import { transcriptMessage } from './message.ts';
import { asPrivate, confirmationFor, LanguageRefusal, languageQuestion } from './questions.ts';
import { meterAudio, type Recording, toLink } from './recording.ts';
import { createReplies, type TranscriptionInteraction, type TranscriptReply } from './reply.ts';

/** Seconds; the limit of known services. Discord tells the length of voice messages. */
const MAX_SECONDS = 3600;
/** Guests get five follow-ups at most: these replies, or one less and a failure, and the note about recordings left out. */
const MAX_GUEST_RECORDINGS = 4;
/** Seconds reserved before anything has been measured. */
const INITIAL_SECONDS = 1;

const jobLimit = createJobLimit();
const eta = createTranscriptionEta();

/** A recording that is being transcribed. */
interface Job {
  controller: AbortController;
  ended: Promise<void>;
}

/** Transcriptions under way, by the tags in their Cancel buttons. */
const jobs = new Map<string, Job>();

/**
 * Cancels what a Cancel button belongs to; it then costs nothing.
 * @returns resolves once nothing more happens to its message @throws UserError if there is nothing to cancel any more, in this process at least
 */
export function cancelTranscription(tag: string): Promise<void> {
  const job = jobs.get(tag);
  if (!job) throw new UserError((t) => t.transcription.tooLateToCancel);
  job.controller.abort();
  return job.ended;
}

/** @throws UserError if the member has as many transcriptions in progress as allowed */
export function checkJobLimit({ user }: TranscriptionInteraction): void {
  jobLimit.check(user.id);
}

/** @throws UserError for what can be refused without reading it */
function checkRecording({ attachments }: Pick<TranscriptionContext, 'attachments'>, recording: Recording): void {
  attachments.check(recording);
  const { name, duration } = recording;
  if (duration !== null && duration > MAX_SECONDS)
    throw new UserError((t) => t.transcription.recordingTooLong(name, duration, MAX_SECONDS));
}

/** A recording whose first bytes are sound, and for which there is room in the budgets. */
interface OpenedRecording {
  recording: Recording;
  reservation: Reservation;
  audio: AsyncIterableIterator<Uint8Array>;
  /** Set what is to be called with the number of bytes read so far, and whether that is all. */
  onRead: (bytes: number, isComplete: boolean) => void;
}

/**
 * Replies with one transcript after the other. The failure of one is reported to the member only, and doesn't stop the others.
 * @param begin begins the reply to a command. `isReadable` tells whether there is anything to transcribe: false if no recording can be
 * read, which is then reported
 * @throws UserError if the member has as many transcriptions in progress as allowed
 */
export async function transcribeAll(
  interaction: TranscriptionInteraction,
  context: TranscriptionContext,
  recordings: Recording[],
  options: TranscribeOptions,
  begin: (isReadable: Promise<boolean>) => Promise<void> = async () => {},
): Promise<void> {
  const endJob = jobLimit.begin(interaction.user.id);
  try {
    const accepted = isGuest(interaction) ? recordings.slice(0, MAX_GUEST_RECORDINGS) : recordings;
    const failures: unknown[] = [];
    const opening = openFirst(interaction, context, accepted, failures);
    await begin(opening.then((first) => first !== null)).catch(async (error: unknown) => {
      await close(await opening);
      throw error;
    });
    const first = await opening;
    if (first) await transcribeFrom(interaction, context, first, accepted, options);
    // Only now: the first message after a deferred reply takes its place.
    for (const error of failures) await context.reportError(interaction, error);
    if (accepted.length < recordings.length)
      await context.reportError(interaction, new UserError((t) => t.transcription.someLeftOut(accepted.length, recordings.length)));
  } finally {
    endJob();
  }
}

/** @param first of the recordings that is transcribed, with all after it */
async function transcribeFrom(
  interaction: TranscriptionInteraction,
  context: TranscriptionContext,
  first: OpenedRecording,
  recordings: readonly Recording[],
  options: TranscribeOptions,
): Promise<void> {
  const t = options.isPrivate ? context.words : context.publicWords;
  const replies = createReplies(interaction, context, options.isPrivate);
  try {
    const key = await loadSealingKey(context.store, 'recordings');
    for (const [index, recording] of recordings.entries()) {
      if (index < recordings.indexOf(first.recording)) continue;
      const tag = `${interaction.id}-${index}`;
      const reply = await replies.open(recording, tag);
      const controller = new AbortController();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      jobs.set(tag, { controller, ended });
      try {
        const { signal: cancelled } = controller;
        const signal = AbortSignal.any([context.signal, cancelled]);
        const opened = recording === first.recording ? first : await openRecording(interaction, context, recording, signal);
        const transcript = await transcribeOne(context, opened, options, { reply, cancelled });
        jobs.delete(tag);
        const { name, source } = recording;
        const document = { transcript, name, recording: seal(toLink(recording), key), source, language: options.language };
        const languages = context.transcriptionLanguages.offered();
        const view = { owner: interaction.user.id, timestamps: options.timestamps, languages };
        const files = { format: options.format, maxBytes: interaction.attachmentSizeLimit };
        await reply.finish(transcriptMessage(document, view, files, t));
      } catch (error) {
        if (controller.signal.aborted) await reply.leave();
        else await reply.fail(error, questionAfter(error, context, recording, options));
      } finally {
        jobs.delete(tag);
        end();
      }
    }
  } finally {
    await close(first);
    replies.close();
  }
}

/** The first recording that can be read, so that whoever asks is told in private if there is none. @param failures receives why others can't */
async function openFirst(
  interaction: TranscriptionInteraction,
  context: TranscriptionContext,
  recordings: readonly Recording[],
  failures: unknown[],
): Promise<OpenedRecording | null> {
  for (const recording of recordings) {
    try {
      return await openRecording(interaction, context, recording, context.signal);
    } catch (error) {
      failures.push(error);
    }
  }
  return null;
}

/** @throws UserError, BudgetError, StoreError */
async function openRecording(
  interaction: TranscriptionInteraction,
  context: TranscriptionContext,
  recording: Recording,
  signal: AbortSignal,
): Promise<OpenedRecording> {
  checkRecording(context, recording);
  const reservation = await context.credit.reserve({
    kind: 'transcription',
    // The sender's claim may be wrong either way; if it is too low, the rest is reserved as it is measured.
    amount: Math.max(INITIAL_SECONDS, recording.duration ?? 0),
    guildId: isGuest(interaction) ? null : interaction.guildId,
    memberId: interaction.user.id,
  });
  try {
    const onRead: OpenedRecording['onRead'] = (...read) => opened.onRead(...read);
    const audio = await context.attachments.openAudio(recording, signal, onRead);
    const opened: OpenedRecording = { recording, reservation, audio, onRead: () => {} };
    return opened;
  } catch (error) {
    await reservation.settle(0);
    throw error;
  }
}

/** Ends what was opened, if it was for nothing. */
async function close(opened: OpenedRecording | null): Promise<void> {
  opened?.audio.return?.().catch(() => {});
  await opened?.reservation.settle(0);
}

/**
 * Charges the larger of what was measured and what the service reports; if the call failed but may have been billed, what was measured or
 * estimated. An upload that broke off is free, and so is what was cancelled.
 */
async function transcribeOne(
  context: TranscriptionContext,
  opened: OpenedRecording,
  options: TranscribeOptions,
  { reply, cancelled }: { reply: TranscriptReply; cancelled: AbortSignal },
): Promise<Transcript> {
  const { api, recordingDurations } = context;
  const { recording, reservation } = opened;
  const { name, size, contentType } = recording;
  const signal = AbortSignal.any([context.signal, cancelled]);
  let used = 0;
  let sentAt: number | null = null;
  const metered = meterAudio(opened.audio, recordingDurations, reservation, size);
  opened.onRead = (bytes, isComplete) => {
    if (!isComplete) {
      reply.showProgress((t) => t.transcription.reading(bytes, size));
      return;
    }
    sentAt = Date.now();
    reply.showProgress(waitingStage(sentAt, eta.expect(Math.max(metered.duration().seconds, recording.duration ?? 0))));
  };
  try {
    const { audio, duration, refusal } = metered;
    // Timestamps are always requested: the files need them even if the message doesn't show them.
    const request = { audio, size, filename: name, ...(contentType ? { contentType } : {}), language: options.language };
    const transcript = await api.transcribe(request, { signal }).catch((error: unknown) => {
      if (mayHaveBeenBilled(error)) used = duration().seconds;
      throw refusal() ?? explainRefusal(error, name, options, context);
    });
    const { seconds, isMeasured } = duration();
    used = Math.max(transcript.duration, isMeasured ? seconds : 0);
    if (sentAt !== null) eta.note(used, Date.now() - sentAt);
    if (options.language !== null) context.transcriptionLanguages.accept(options.language);
    return transcript;
  } finally {
    // If the call is refused before it is made, nothing else ends the download. Not awaited, because that may take a while.
    metered.audio.return?.().catch(() => {});
    await reservation.settle(cancelled.aborted ? 0 : used);
  }
}

/** Turns the service's refusal of a recording into what the member can do about it. */
function explainRefusal(
  error: unknown,
  name: string,
  { language }: TranscribeOptions,
  { transcriptionLanguages }: Pick<TranscriptionContext, 'transcriptionLanguages'>,
): unknown {
  if (!(error instanceof ApiError) || error.kind !== 'validation') return error;
  const { status, details, message } = error;
  const aboutLanguage = details.filter(({ loc }) => loc.includes('language'));
  if (language !== null && status !== 413 && aboutLanguage.length > 0) {
    transcriptionLanguages.refuse(language, aboutLanguage);
    return new LanguageRefusal(language, { cause: error });
  }
  const isTooLong = details.some(({ type }) => type === 'too_long') || /too long|longer than/i.test(message);
  const sentence: Sentence = (t) => {
    if (status === 413) return t.transcription.tooLargeForService(name);
    return isTooLong ? t.transcription.tooLongForService(name) : t.transcription.unreadable(name);
  };
  return new UserError(sentence, { cause: error });
}

/** After a refused language: which other one to try; null after any other error. */
function questionAfter(error: unknown, context: TranscriptionContext, recording: Recording, options: TranscribeOptions) {
  if (!(error instanceof LanguageRefusal)) return null;
  return languageQuestion(recording, error.language, options, context.transcriptionLanguages.offered(), context.words);
}

/** Milliseconds; Discord waits 3 s for the first answer. */
const TIMEOUT_MS = 1_200;

/** Replies with the transcripts, or asks first if they would cost much of the credit. @throws UserError, StoreError */
export async function startTranscription(
  interaction: ChatInputCommandInteraction | MessageContextMenuCommandInteraction,
  context: TranscriptionContext,
  recordings: Recording[],
  options: TranscribeOptions,
): Promise<void> {
  const [first] = recordings;
  if (recordings.length === 1 && first) checkRecording(context, first);
  checkJobLimit(interaction);
  const question = questionFor(context, recordings, options);
  if (question) {
    await interaction.reply(asPrivate(question));
    return;
  }
  const begin = (isReadable: Promise<boolean>) => beginReply(interaction, context, options.isPrivate, isReadable);
  await transcribeAll(interaction, context, recordings, options, begin);
}

/** In public only once it is known that there is something to transcribe; in private if that takes too long. */
async function beginReply(
  interaction: ChatInputCommandInteraction | MessageContextMenuCommandInteraction,
  { noteReply, words }: TranscriptionContext,
  isPrivate: boolean,
  isReadable: Promise<boolean>,
): Promise<void> {
  const timeout = sleep(TIMEOUT_MS, 'unknown' as const, { ref: false });
  const known = isPrivate ? 'unknown' : await Promise.race([isReadable, timeout]);
  if (known === false) return;
  const isEphemeral = known === 'unknown';
  const { interaction: callback } = await interaction.deferReply({
    ...(isEphemeral && { flags: MessageFlags.Ephemeral }),
    withResponse: true,
  });
  noteReply('transcript', callback.responseMessageId, isEphemeral);
  if (isEphemeral && !isPrivate && (await isReadable)) await interaction.editReply(asEdit(notice(words.general.started, 'done')));
}

/** What must be asked before anything is read; null = nothing. */
export function questionFor(context: TranscriptionContext, recordings: readonly Recording[], options: TranscribeOptions) {
  const { transcriptionLanguages, words } = context;
  const [first] = recordings;
  const { language } = options;
  if (first && language !== null && transcriptionLanguages.wasRefused(language))
    return languageQuestion(first, language, options, transcriptionLanguages.offered(), words);
  return confirmationFor(context, recordings, options);
}
