// One recording from Discord to its transcript: checked, paid for from the budgets while it is read, and streamed to the voice service.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createPauses, mayHaveBeenBilled } from '../api/index.ts';
import type { Reservation, Spending } from '../charging/index.ts';
import { DecodingError } from '../decoding/errors.ts';
import { UserError } from '../discord/errors.ts';
import type { Sentence } from '../locales/index.ts';
import { createTranscriptionEta, type TranscriptionContext, waitingStage } from './context.ts';
import { type Attempt, firstAttempt, isForeignSpeech, isTooLong, nextAttempt } from './model.ts';
import { LanguageRefusal } from './questions.ts';
import { meterAudio, type Recording } from './recording.ts';
import { alignWithPauses } from './transcript-alignment.ts';
import { markDoubtful, type SpokenTranscript } from './transcript-lines.ts';
import { joinParts, type PartTranscript } from './transcript-parts.ts';

/** Seconds; the limit of known services. Discord tells the length of voice messages. */
const MAX_SECONDS = 3600;
/** Seconds reserved before anything has been measured. */
const INITIAL_SECONDS = 1;
/** A service that says a recording is so many times as long as measured means something else, such as milliseconds. */
const MAX_EXCESS = 500;

const eta = createTranscriptionEta();

/** Parts in a row at which the service fails, until no more are sent. */
const MAX_FAILURES = 2;

/** What a job needs, whether a member or the bot itself asks for it. */
export type JobContext = Pick<
  TranscriptionContext,
  | 'api'
  | 'attachments'
  | 'recordingDurations'
  | 'recordingCutter'
  | 'credit'
  | 'transcriptionLanguages'
  | 'transcriptionModel'
  | 'isRecogniserStarting'
  | 'signal'
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
interface LengthLimit {
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

/** Whether somebody speaks in a recording, which is read again for that, once at most. */
function createSpeechCheck(
  { attachments, recordingCutter }: JobContext,
  recording: Recording,
  signal: AbortSignal,
): () => Promise<boolean> {
  let looking: Promise<boolean> | null = null;
  const look = async () => recordingCutter.hasSpeech(await attachments.openAudio(recording, signal), { signal });
  return () => {
    looking ??= look();
    return looking;
  };
}

interface TranscribeOneOptions {
  signal?: AbortSignal;
  showProgress?: (stage: Sentence) => void;
  onCharged?: (seconds: number) => void;
}

/** What all attempts at a recording share. */
interface Calls extends Required<TranscribeOneOptions> {
  hasSpeech: () => Promise<boolean>;
}

/**
 * Charges the larger of what was measured and what the service reports; if the call failed or was cancelled but may have been billed, what was
 * measured or estimated. An upload that broke off is free. What the service refuses about a recording is changed, each thing once (model.ts);
 * what it has answered isn't sent again.
 * @param language BCP 47; null = detected by the service @param options `onCharged` receives the seconds, however it ended
 */
export async function transcribeOne(
  context: JobContext,
  opened: OpenedRecording,
  language: string | null,
  { signal = context.signal, showProgress = () => {}, onCharged = () => {} }: TranscribeOneOptions = {},
): Promise<SpokenTranscript> {
  const { transcriptionModel, transcriptionLanguages } = context;
  const { recording } = opened;
  const calls: Calls = { signal, showProgress, onCharged, hasSpeech: createSpeechCheck(context, recording, signal) };
  const waitForNext = createPatience(signal);
  let attempt = firstAttempt(recording, language, transcriptionModel);
  let source = opened;
  let refusal: unknown = null;
  let failures = 0;
  for (;;) {
    try {
      const send = attempt.longestPart === null ? sendWhole : sendParts;
      const transcript = await send(context, source, attempt, calls);
      if (attempt.language !== null) transcriptionLanguages.accept(attempt.language);
      else if (language !== null) transcriptionLanguages.refuse(language);
      return transcript;
    } catch (error) {
      // Why the recording wasn't taken as it is says more than why it couldn't be cut.
      if (error instanceof DecodingError) throw explainRefusal(refusal, recording.name, attempt.language, context);
      if (hasFailedForNow(error)) failures += 1;
      const next = nextAttempt(error, attempt, recording, transcriptionModel);
      // Parts of a recording have been sent again already.
      if (!next && (attempt.longestPart !== null || !(await waitForNext(error, failures))))
        throw explainRefusal(error, recording.name, attempt.language, context);
      refusal = error;
      attempt = next ?? attempt;
      source = await opened.reopen();
    }
  }
}

/** What calls have used, in seconds, and what the service bills of it: each call is rounded up. */
interface CallsBill {
  used: number;
  billed: number;
  add(seconds: number): void;
}

/** Runs a call or several, and settles what they cost. @param make adds what each call has used to the bill */
async function charged<T>(
  { reservation }: OpenedRecording,
  onCharged: (seconds: number) => void,
  make: (bill: CallsBill) => Promise<T>,
): Promise<T> {
  const bill: CallsBill = {
    used: 0,
    billed: 0,
    add(seconds) {
      bill.used += seconds;
      bill.billed += Math.ceil(seconds);
    },
  };
  try {
    return await make(bill);
  } finally {
    onCharged(bill.used);
    await reservation.settle(bill.used, bill.billed);
  }
}

/** How often a recording is sent to a service that fails at it for now. */
const ATTEMPTS = 3;
/** Milliseconds for which a recording waits for a service that is too busy, and before one that failed is sent it again. */
const BUSY_MS = 2 * 60_000;
const FAILED_MS = 1_000;

/**
 * For one recording: waits before it is sent again, from its beginning, if the service is too busy for it, or fails at it for now (503).
 * Resolves with false at once if it isn't to be. `failures`: how often the service has failed at it
 */
function createPatience(signal: AbortSignal): (error: unknown, failures: number) => Promise<boolean> {
  const until = performance.now() + BUSY_MS;
  const pauses = createPauses();
  return async (error, failures) => {
    const mayBeFailing = hasFailedForNow(error) && failures < ATTEMPTS;
    const again = mayBeFailing ? (error.retryAfterMs ?? FAILED_MS) : pauses(error, until - performance.now());
    if (again === null || performance.now() + again > until) return false;
    await sleep(again, undefined, { signal }).catch((cause: unknown) => {
      throw new ApiError('aborted', 'The call was aborted by its caller.', { cause });
    });
    return true;
  };
}

function hasFailedForNow(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 503 && !error.mayHaveBeenBilled;
}

function sendWhole(
  context: JobContext,
  opened: OpenedRecording,
  { language, model }: Attempt,
  { signal, showProgress, onCharged, hasSpeech: findSpeech }: Calls,
): Promise<SpokenTranscript> {
  const { api, recordingDurations } = context;
  const { recording, reservation } = opened;
  const { name, size, contentType } = recording;
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
  return charged(opened, onCharged, async (bill) => {
    try {
      const { audio, duration, refusal } = metered;
      // Timestamps are always requested: the files need them even if the message doesn't show them.
      const request = { audio, size, filename: name, ...(contentType ? { contentType } : {}), language, model };
      let failedAtSilence = false;
      const hasSpeech = async () => {
        failedAtSilence = !(await findSpeech());
        return !failedAtSilence;
      };
      const transcript = await api.transcribe(request, { signal, hasSpeech }).catch((error: unknown) => {
        if (mayHaveBeenBilled(error)) bill.add(duration().seconds);
        throw refusal() ?? error;
      });
      const measured = duration().isMeasured ? duration().seconds : 0;
      const reported = measured > 0 && transcript.duration > MAX_EXCESS * measured ? 0 : transcript.duration;
      // Where the service failed at silence, nothing is billed: errors are free.
      bill.add(failedAtSilence ? 0 : Math.max(reported, measured));
      if (sentAt !== null) eta.note(bill.used, Date.now() - sentAt);
      return await alignWithPauses(markDoubtful({ ...transcript, duration: reported || measured }));
    } finally {
      // If the call is refused before it is made, nothing else ends the download. Not awaited, because that may take a while.
      metered.audio.return?.().catch(() => {});
    }
  });
}

/**
 * One part after the other. As soon as one has been transcribed, what is missing in the end is marked: what was paid for isn't lost.
 * @throws DecodingError if it can't be cut
 */
function sendParts(
  context: JobContext,
  opened: OpenedRecording,
  { language, model, longestPart }: Attempt,
  { signal, showProgress, onCharged }: Calls,
): Promise<SpokenTranscript> {
  const { api, recordingDurations, recordingCutter } = context;
  const { recording, reservation } = opened;
  const metered = meterAudio(opened.audio, recordingDurations, reservation, recording.size);
  opened.onRead = (bytes) => showProgress((t) => t('transcription.reading', { done: bytes, all: recording.size }));
  return charged(opened, onCharged, async (bill) => {
    const parts: PartTranscript[] = [];
    const sentAt = Date.now();
    /** Failures in a row. */
    let failures = 0;
    let reason: unknown;
    const hasWords = () => parts.some(({ transcript }) => transcript);
    try {
      for await (const { wav, seconds, ...part } of recordingCutter.cut(metered.audio, { longest: longestPart ?? 0, signal })) {
        let transcript: SpokenTranscript | null = null;
        try {
          if (failures < MAX_FAILURES) {
            showProgress(waitingStage(sentAt, eta.expect(metered.duration().seconds)));
            await reservation.raise(bill.used + seconds);
            const request = { audio: wav, filename: 'part.wav', contentType: 'audio/wav', language, model };
            const response = await api.transcribe(request, { signal });
            bill.add(seconds);
            failures = 0;
            transcript = await alignWithPauses(markDoubtful({ ...response, duration: seconds }));
          }
        } catch (error) {
          if (mayHaveBeenBilled(error)) bill.add(seconds);
          const isPassing = error instanceof ApiError && error.kind === 'server';
          if (signal.aborted || (!isPassing && !hasWords())) throw error;
          // Some services fail at parts without speech.
          failures = isPassing ? failures + 1 : MAX_FAILURES;
          reason = error;
        }
        parts.push({ ...part, transcript });
      }
    } catch (error) {
      if (signal.aborted || !hasWords()) throw metered.refusal() ?? error;
      const end = parts.at(-1)?.end ?? 0;
      parts.push({ from: end, start: end, end: Math.max(end, metered.duration().seconds), transcript: null });
    }
    if (parts.length > 0 && !hasWords()) throw reason;
    return joinParts(parts, metered.duration().isMeasured ? metered.duration().seconds : (parts.at(-1)?.end ?? 0));
  });
}

/** Turns the service's refusal of a recording into what the member can do about it. */
function explainRefusal(
  error: unknown,
  name: string,
  language: string | null,
  { transcriptionLanguages }: Pick<TranscriptionContext, 'transcriptionLanguages'>,
): unknown {
  if (!(error instanceof ApiError) || error.kind !== 'validation') return error;
  const { status, details } = error;
  const aboutLanguage = details.filter(({ loc }) => loc.includes('language'));
  if (language !== null && status !== 413 && aboutLanguage.length > 0) {
    transcriptionLanguages.refuse(language, aboutLanguage);
    return new LanguageRefusal(language, { cause: error });
  }
  const sentence: Sentence = (t) => {
    if (isForeignSpeech(error)) return t('transcription.foreignSpeech', { file: name });
    if (status === 413) return t('transcription.tooLargeForService', { file: name });
    return isTooLong(error) ? t('transcription.tooLongForService', { file: name }) : t('transcription.unreadable', { file: name });
  };
  return new UserError(sentence, { cause: error });
}
