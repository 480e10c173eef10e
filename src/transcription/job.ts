// One recording from Discord to its transcript: checked, paid for from the budgets while it is read, and streamed to the voice service.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createPauses, mayHaveBeenBilled, toLanguageHint } from '../api/index.ts';
import { UserError } from '../discord/errors.ts';
import type { Sentence } from '../locales/index.ts';
import type { Reservation, Spending } from '../wallet/index.ts';
import { createTranscriptionEta, type TranscriptionContext, waitingStage } from './context.ts';
import { LanguageRefusal } from './questions.ts';
import { meterAudio, type Recording } from './recording.ts';
import { alignTranscript } from './transcript-alignment.ts';
import type { SpokenTranscript } from './transcript-lines.ts';

/** Seconds; the limit of known services. Discord tells the length of voice messages. */
const MAX_SECONDS = 3600;
/** Seconds reserved before anything has been measured. */
const INITIAL_SECONDS = 1;
/** A service that says a recording is so many times as long as measured means something else, such as milliseconds. */
const MAX_EXCESS = 500;

const eta = createTranscriptionEta();

/** What a job needs, whether a member or the bot itself asks for it. */
export type JobContext = Pick<
  TranscriptionContext,
  'api' | 'attachments' | 'recordingDurations' | 'credit' | 'transcriptionLanguages' | 'isRecogniserStarting' | 'signal'
>;

/** @throws UserError for what can be refused without reading it */
export function checkRecording({ attachments }: Pick<TranscriptionContext, 'attachments'>, recording: Recording): void {
  attachments.check(recording);
  const { name, duration } = recording;
  if (duration !== null && duration > MAX_SECONDS)
    throw new UserError((t) => t('transcription.recordingTooLong', { file: name, seconds: duration, limit: MAX_SECONDS }));
}

/** A recording whose first bytes are sound, and which the budgets have room for. */
export interface OpenedRecording {
  recording: Recording;
  reservation: Reservation;
  audio: AsyncIterableIterator<Uint8Array>;
  /** Set what is to be called with the number of bytes read so far, and whether that is all. */
  onRead: (bytes: number, isComplete: boolean) => void;
  /** The same recording from its beginning, for another call. @throws as openRecording */
  reopen(): Promise<OpenedRecording>;
}

/** Who pays, and where. */
export type Payer = Pick<Spending, 'guildId' | 'memberId'>;

/** The longest recording that is transcribed, in seconds, and the answer to a longer one. */
export interface LengthLimit {
  seconds: number;
  sentence: Sentence;
}

/** @throws UserError, BudgetError, StoreError */
export async function openRecording(
  payer: Payer,
  context: JobContext,
  recording: Recording,
  signal: AbortSignal,
  longest: LengthLimit | null = null,
): Promise<OpenedRecording> {
  checkRecording(context, recording);
  if (longest && recording.duration !== null && recording.duration > longest.seconds) throw new UserError(longest.sentence);
  const reservation = await context.credit.reserve({
    kind: 'transcription',
    // The sender's claim may be wrong either way; if it is too low, the rest is reserved as it is measured.
    amount: Math.max(INITIAL_SECONDS, recording.duration ?? 0),
    ...payer,
  });
  try {
    const onRead: OpenedRecording['onRead'] = (...read) => opened.onRead(...read);
    const audio = await context.attachments.openAudio(recording, signal, onRead);
    const reopen = () => openRecording(payer, context, recording, signal, longest);
    const opened: OpenedRecording = { recording, reservation: limited(reservation, longest), audio, onRead: () => {}, reopen };
    return opened;
  } catch (error) {
    await reservation.settle(0);
    throw error;
  }
}

/** Ends a recording that is longer than allowed as soon as that is measured. */
function limited(reservation: Reservation, longest: LengthLimit | null): Reservation {
  if (!longest) return reservation;
  return {
    async raise(seconds) {
      if (seconds > longest.seconds) throw new UserError(longest.sentence);
      await reservation.raise(seconds);
    },
    settle: reservation.settle,
  };
}

/** Closes a recording that isn't going to be transcribed. */
export async function close(opened: OpenedRecording | null): Promise<void> {
  opened?.audio.return?.().catch(() => {});
  await opened?.reservation.settle(0);
}

interface TranscribeOneOptions {
  cancelled?: AbortSignal;
  showProgress?: (stage: Sentence) => void;
  onCharged?: (seconds: number) => void;
}

/**
 * Charges the larger of what was measured and what the service reports; if the call failed or was cancelled but may have been billed, what was
 * measured or estimated. An upload that broke off is free. A hint that the service may have refused without saying so is left out the second
 * time.
 * @param language BCP 47; null = detected by the service @param options.onCharged receives the seconds, however it ended
 */
export async function transcribeOne(
  context: JobContext,
  opened: OpenedRecording,
  language: string | null,
  options: TranscribeOneOptions = {},
): Promise<SpokenTranscript> {
  const { name } = opened.recording;
  try {
    const transcript = await sendUntilTaken(context, opened, language, options);
    if (language !== null) context.transcriptionLanguages.accept(language);
    return transcript;
  } catch (error) {
    if (language === null || toLanguageHint(language) === null || !isUnexplained(error))
      throw explainRefusal(error, name, language, context);
  }
  try {
    const transcript = await sendUntilTaken(context, await opened.reopen(), null, options);
    context.transcriptionLanguages.refuse(language);
    return transcript;
  } catch (error) {
    throw explainRefusal(error, name, null, context);
  }
}

/** A refusal that may be about any part of the request. */
function isUnexplained(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400 && error.details.length === 0;
}

/** How often a recording is sent to a service that fails at it for now. */
const ATTEMPTS = 3;
/** Milliseconds for which a recording waits for a service that is too busy, and before one that failed is sent it again. */
const BUSY_MS = 2 * 60_000;
const FAILED_MS = 1_000;

/** Sends it again, from its beginning, if the service is too busy for it, or fails at it for now (503). */
async function sendUntilTaken(
  context: JobContext,
  opened: OpenedRecording,
  language: string | null,
  options: TranscribeOneOptions,
): Promise<SpokenTranscript> {
  const signal = AbortSignal.any([context.signal, options.cancelled].filter((one) => one !== undefined));
  const until = performance.now() + BUSY_MS;
  const pauses = createPauses();
  for (let source = opened, failures = 0; ; source = await opened.reopen()) {
    try {
      return await send(context, source, language, options);
    } catch (error) {
      const hasFailed = error instanceof ApiError && error.status === 503 && !error.mayHaveBeenBilled;
      if (hasFailed) failures += 1;
      const again = hasFailed && failures < ATTEMPTS ? (error.retryAfterMs ?? FAILED_MS) : pauses(error, until - performance.now());
      if (again === null || performance.now() + again > until) throw error;
      await sleep(again, undefined, { signal }).catch((cause: unknown) => {
        throw new ApiError('aborted', 'The call was aborted by its caller.', { cause });
      });
    }
  }
}

async function send(
  context: JobContext,
  opened: OpenedRecording,
  language: string | null,
  { cancelled, showProgress = () => {}, onCharged = () => {} }: TranscribeOneOptions,
): Promise<SpokenTranscript> {
  const { api, recordingDurations } = context;
  const { recording, reservation } = opened;
  const { name, size, contentType } = recording;
  const signal = AbortSignal.any([context.signal, cancelled].filter((one) => one !== undefined));
  let used = 0;
  let sentAt: number | null = null;
  const metered = meterAudio(opened.audio, recordingDurations, reservation, size);
  opened.onRead = (bytes, isComplete) => {
    if (!isComplete) {
      showProgress((t) => t('transcription.reading', { done: bytes, all: size }));
      return;
    }
    sentAt = Date.now();
    const expectedMs = eta.expect(Math.max(metered.duration().seconds, recording.duration ?? 0));
    showProgress(waitingStage(sentAt, expectedMs, context.isRecogniserStarting));
  };
  try {
    const { audio, duration, refusal } = metered;
    // Timestamps are always requested: the files need them even if the message doesn't show them.
    const request = { audio, size, filename: name, ...(contentType ? { contentType } : {}), language };
    const transcript = await api.transcribe(request, { signal }).catch((error: unknown) => {
      if (mayHaveBeenBilled(error)) used = duration().seconds;
      throw refusal() ?? error;
    });
    const measured = duration().isMeasured ? duration().seconds : 0;
    const reported = measured > 0 && transcript.duration > MAX_EXCESS * measured ? 0 : transcript.duration;
    used = Math.max(reported, measured);
    if (sentAt !== null) eta.note(used, Date.now() - sentAt);
    return alignTranscript({ ...transcript, duration: reported || measured });
  } finally {
    // If the call is refused before it is made, nothing else ends the download. Not awaited, because that may take a while.
    metered.audio.return?.().catch(() => {});
    onCharged(used);
    await reservation.settle(used);
  }
}

/** Turns the service's refusal of a recording into what the member can do about it. */
function explainRefusal(
  error: unknown,
  name: string,
  language: string | null,
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
    if (status === 413) return t('transcription.tooLargeForService', { file: name });
    return isTooLong ? t('transcription.tooLongForService', { file: name }) : t('transcription.unreadable', { file: name });
  };
  return new UserError(sentence, { cause: error });
}
