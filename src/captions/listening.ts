// From sound to words: finds where each member speaks, has it transcribed, and delivers the words in order.
import { type Api, ApiError, type ApiErrorKind, createPauses, mayHaveBeenBilled, type Pauses, toLanguageHint } from '../api/index.ts';
import { within } from '../async/waiting.ts';
import { pcmToWav } from '../audio/index.ts';
import { BudgetError, type CreditService } from '../charging/index.ts';
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import type { AcceptedLanguages } from '../transcription/context.ts';
import { isForeignSpeech } from '../transcription/model.ts';
import { withoutSpeakerMarks } from '../transcription/transcript-alignment.ts';
import { DOUBTFUL_MARK } from '../transcription/transcript-lines.ts';
import type { HeardSound } from '../voice-session/types.ts';
import { createForeignSpeakers } from './foreign-speakers.ts';
import type { SoundPart, SpeakerFinder, SpeechFinder } from './speech-finder.ts';
import { createTimeLine, type TimeLine, toOgg, type Utterance } from './utterance.ts';
import { type CallResult, createUtteranceQueue } from './utterance-queue.ts';

/** What one member said without a pause. */
export interface Caption extends Pick<Utterance, 'userId' | 'startedAt' | 'endedAt'> {
  text: string;
}

export interface ListeningContext {
  api: Pick<Api, 'transcribe'>;
  credit: Pick<CreditService, 'reserve'>;
  /** One for all guilds. */
  speechFinder: SpeechFinder;
  transcriptionLanguages: Pick<AcceptedLanguages, 'only' | 'wasRefused' | 'accept' | 'refuse'>;
  log: Log;
  /** Replaces the milliseconds that the service may take for one utterance. */
  callMs?: number | undefined;
}

interface ListeningOptions {
  guildId: string;
  /** What a member probably speaks, in BCP 47, as a hint to the service; null = detected by the service. */
  language(userId: string): string | null;
  /**
   * Called in the order in which members began to speak, among those who have stopped: somebody who speaks for long doesn't hold up the
   * others, so `startedAt` may be earlier than that of the caption before.
   */
  onCaption(caption: Caption): void;
  /** How many seconds ago the oldest words were said that haven't been delivered, in steps of 15; called when that changes. */
  onBehind(seconds: number): void;
  /** So many seconds of what the member said won't be captioned, because they are too old or the service failed. */
  onDropped(userId: string, seconds: number): void;
  /** Called once: what the member says is not captioned until the budget resets (milliseconds since 1970). Null = of the whole server. */
  onOutOfBudget(userId: string | null, resetsAt: number): void;
  /** What the member says isn't captioned until it sounds like the one language that the service knows (BCP 47). */
  onForeign(userId: string, language: string): void;
  /** A call failed for good, or speech can't be found. Already logged. */
  onFailure(error: unknown): void;
  /** So many seconds have been charged, and so many billed: each utterance is rounded up. */
  onCost(seconds: number, billed: number): void;
}

/** The captions of one guild's voice channel. None of the callbacks is called after `close`. */
export interface Listening {
  /** Resolves when the first sound can be worked on; rejects with an Error whose message is a clause if that won't be possible here. */
  readonly ready: Promise<void>;
  hear(sound: HeardSound): void;
  /** The member no longer agrees: wipes what is held of them and ends their calls. Nothing of it is ever delivered. */
  forget(userId: string): void;
  /** Whether the member's budget is used up, or the server's: then they needn't be heard. */
  isOutOfBudget(userId: string): boolean;
  /** When used-up budgets reset or have been reset, in milliseconds since 1970, by member; null = of the whole server. */
  readonly outOfBudget: ReadonlyMap<string | null, number>;
  /** Budgets may have been raised: members who have used up theirs are heard again, to find out. */
  forgetBudgets(): void;
  /** Ends what is being said now; resolves when everything said so far has been delivered or dropped, after `timeoutMs` at the latest. */
  finish(timeoutMs: number): Promise<void>;
  /** Forgets everything at once. */
  close(): void;
}

/** Milliseconds between two looks at what is too old, and without a sound after which nothing is held of a member. */
const REVIEW_MS = 1_000;
const IDLE_MS = 60_000;
/** Milliseconds that the service may take for one utterance: words that come later are of no use. */
const CALL_MS = 30_000;
/** Milliseconds until the next call after one that failed for a reason that won't pass soon, or without saying when. */
const LONG_WAIT_MS = 30_000;
const SHORT_WAIT_MS = 5_000;
/** Errors that every call would end with. */
const LASTING: readonly ApiErrorKind[] = ['auth', 'forbidden', 'credit', 'not-found', 'unsupported'];
/** How often the service is sent the same sound if it fails at it. */
const ATTEMPTS = 2;
/** UTF-16 units; 15 seconds of fast speech are about 400. */
const MAX_TEXT = 1_000;
/** Less of a lost sound was hardly a word. */
const MIN_DROPPED_SECONDS = 1;

/** Samples per second of the sound that comes back from the process that finds speech. */
const DECODED_RATE = 16_000;

interface Speaker {
  timeLine: TimeLine;
  finder: SpeakerFinder;
  heardAt: number;
}

const now = () => performance.timeOrigin + performance.now();

export function createListening(context: ListeningContext, options: ListeningOptions): Listening {
  const { api, credit, speechFinder, transcriptionLanguages, log, callMs = CALL_MS } = context;
  const { guildId } = options;
  const speakers = new Map<string, Speaker>();
  const outOfBudget = new Map<string | null, number>();
  /** Seconds that members have paid for and not used yet: budgets count whole seconds. */
  const paidAhead = new Map<string, number>();
  /** The service has refused Ogg/Opus, and taken WAV. */
  let needsWav = false;
  /** How often an utterance, by its first part, was sent while the service failed at it. */
  const sent = new WeakMap<SoundPart, number>();
  const foreignSpeakers = createForeignSpeakers((userId) => {
    const { only } = transcriptionLanguages;
    if (only !== null && !isClosed) options.onForeign(userId, only);
  });
  /** Between calls while the service is too busy. */
  let pauses = createPauses();
  let lostWith: Error | null = null;
  let isClosed = false;
  const queue = createUtteranceQueue({
    call,
    onWords({ userId, startedAt, endedAt }, text) {
      options.onCaption({ userId, startedAt, endedAt, text });
    },
    onBehind: options.onBehind,
    onDropped: options.onDropped,
    now,
  });
  const timer = setInterval(review, REVIEW_MS);
  timer.unref();

  function review(): void {
    queue.review();
    for (const [userId, { heardAt }] of speakers) if (now() - heardAt > IDLE_MS) dismiss(userId);
  }

  function dismiss(userId: string): void {
    const speaker = speakers.get(userId);
    speaker?.finder.forget();
    speaker?.timeLine.wipe();
    speakers.delete(userId);
  }

  function fail(error: unknown, message: string): void {
    if (isClosed) return;
    log.warn({ guild: guildId, ...describeError(error) }, message);
    options.onFailure(error);
  }

  function isOutOfBudget(userId: string): boolean {
    return outOfBudget.size > 0 && [userId, null].some((owner) => (outOfBudget.get(owner) ?? 0) > now());
  }

  function openSpeaker(userId: string): Speaker {
    const timeLine = createTimeLine(userId);
    const finder = speechFinder.open(guildId, {
      onSpoken: (spoken) => queue.add(timeLine.take(spoken)),
      onPassed: timeLine.forgetBefore,
      onLost(error) {
        const seconds = timeLine.wipe();
        if (lostWith !== error) fail(error, 'what was being said was lost');
        lostWith = error;
        if (seconds >= MIN_DROPPED_SECONDS) options.onDropped(userId, seconds);
      },
    });
    const speaker = { timeLine, finder, heardAt: now() };
    speakers.set(userId, speaker);
    return speaker;
  }

  /** Pays for an utterance and has it transcribed. */
  async function call(utterance: Utterance, signal: AbortSignal, onTurn: () => void): Promise<CallResult> {
    const { userId, seconds } = utterance;
    if (isOutOfBudget(userId)) return { kind: 'refused' };
    let settle: (used: number) => Promise<void>;
    try {
      settle = await reserve(userId, seconds);
    } catch (error) {
      if (error instanceof BudgetError) {
        noteOutOfBudget(error.owner === 'guild' ? null : userId, error.resetsAt);
        return { kind: 'refused' };
      }
      log.warn({ guild: guildId, ...describeError(error) }, 'what was said could not be paid for yet');
      return { kind: 'postponed', waitMs: SHORT_WAIT_MS };
    }
    let used = 0;
    try {
      const transcript = await transcribe(utterance, signal, onTurn);
      used = Math.max(transcript.duration, seconds);
      pauses = createPauses();
      const text = withoutSpeakerMarks(transcript.text).replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
      const { doubtful = false } = transcript;
      // Doubtful without words: seconds of speech of which the service understood nothing.
      if ((text !== '' || doubtful) && isJudged(userId)) foreignSpeakers.note(userId, doubtful);
      if (doubtful && foreignSpeakers.has(userId)) return { kind: 'refused' };
      return { kind: 'heard', text: doubtful && text !== '' ? `${text} ${DOUBTFUL_MARK}` : text };
    } catch (error) {
      if (isForeignSpeech(error)) {
        foreignSpeakers.note(userId, true);
        return { kind: 'refused' };
      }
      if (error instanceof ApiError && (mayBeTakenLater(error) || mayBeTriedAgain(error, utterance))) {
        log.debug({ guild: guildId, ...describeError(error) }, 'what was said will be transcribed later');
        return { kind: 'postponed', waitMs: waitAfter(error, pauses) };
      }
      used = mayHaveBeenBilled(error) ? seconds : 0;
      if (!signal.aborted) fail(error, 'what was said could not be transcribed');
      return { kind: 'failed', waitMs: waitAfter(error, pauses) };
    } finally {
      await settle(used);
      if (used > 0 && !isClosed) options.onCost(used, Math.ceil(used));
    }
  }

  /** Whether the service failed for now, and hasn't been sent this too often. */
  function mayBeTriedAgain({ status, mayHaveBeenBilled: isBilled }: ApiError, { parts: [first] }: Utterance): boolean {
    return status === 503 && !isBilled && first !== undefined && (sent.get(first) ?? 0) < ATTEMPTS;
  }

  /** Reserves the seconds that the member hasn't paid for yet. @throws BudgetError, StoreError */
  async function reserve(userId: string, seconds: number): Promise<(used: number) => Promise<void>> {
    const ahead = paidAhead.get(userId) ?? 0;
    paidAhead.delete(userId);
    const keep = (left: number) => paidAhead.set(userId, (paidAhead.get(userId) ?? 0) + left);
    try {
      const reservation = await credit.reserve({ kind: 'transcription', amount: Math.max(0, seconds - ahead), guildId, memberId: userId });
      return async (used) => {
        const owed = Math.max(0, used - ahead);
        keep(ahead + Math.ceil(owed) - used);
        await reservation.settle(owed, Math.ceil(used));
      };
    } catch (error) {
      keep(ahead);
      throw error;
    }
  }

  function noteOutOfBudget(owner: string | null, resetsAt: number): void {
    const isKnown = (outOfBudget.get(owner) ?? 0) > now();
    outOfBudget.set(owner, resetsAt);
    for (const userId of owner === null ? [...speakers.keys()] : [owner]) dismiss(userId);
    if (!isKnown && !isClosed) options.onOutOfBudget(owner, resetsAt);
  }

  /** The language that the member said they speak, if the service may take it. */
  function chosenLanguage(userId: string): string | null {
    const hint = options.language(userId);
    return hint === null || toLanguageHint(hint) === null || transcriptionLanguages.wasRefused(hint) ? null : hint;
  }

  /** Whether the service isn't told what the member speaks, so we judge whether it is the one language that it knows. */
  function isJudged(userId: string): boolean {
    const { only } = transcriptionLanguages;
    return only !== null && chosenLanguage(userId) !== only;
  }

  /**
   * Transcribes an utterance. What the service refuses about a call is changed: its language, its format, or both if it doesn't say which.
   */
  async function transcribe(utterance: Utterance, signal: AbortSignal, onTurn: () => void) {
    const chosen = chosenLanguage(utterance.userId);
    // With the hint, the service leaves it to us whether a stretch is in its only language; without, it refuses what isn't, at no charge.
    const other = foreignSpeakers.has(utterance.userId) ? null : transcriptionLanguages.only;
    const formats = needsWav ? [true] : [false, true];
    let languages = chosen === null || chosen === other ? [other] : [chosen, other];
    let refusal: unknown;
    for (const asWav of formats) {
      for (const language of languages) {
        try {
          const transcript = await send(utterance, { language, asWav }, signal, onTurn);
          if (language !== null) transcriptionLanguages.accept(language);
          if (chosen !== null && language !== chosen && languages.length > 1) transcriptionLanguages.refuse(chosen);
          needsWav = asWav;
          return transcript;
        } catch (error) {
          if (!(error instanceof ApiError) || error.kind !== 'validation' || error.status === 413 || isForeignSpeech(error)) throw error;
          refusal = error;
          const aboutLanguage = error.details.filter(({ loc }) => loc.includes('language'));
          if (error.details.length > 0 && aboutLanguage.length === 0) break;
          if (language === null || aboutLanguage.length === 0) continue;
          transcriptionLanguages.refuse(language, aboutLanguage);
          languages = [other];
        }
      }
    }
    throw refusal;
  }

  async function send(
    utterance: Utterance,
    { language, asWav }: { language: string | null; asWav: boolean },
    signal: AbortSignal,
    onTurn: () => void,
  ) {
    const audio = asWav ? await toWav(utterance) : toOgg(utterance);
    const deadline = new AbortController();
    let deadlineTimer: NodeJS.Timeout | undefined;
    try {
      return await api.transcribe(
        {
          audio,
          language,
          // Timestamps would take the service longer, and captions have the times of the sound.
          ignoreTimestamps: true,
          ...(asWav ? { filename: 'speech.wav', contentType: 'audio/wav' } : { filename: 'speech.ogg', contentType: 'audio/ogg' }),
        },
        {
          signal: AbortSignal.any([signal, deadline.signal]),
          priority: 'spare',
          attempts: ATTEMPTS,
          // The utterance was found because somebody speaks in it.
          hasSpeech: async () => true,
          onTurn() {
            const [first] = utterance.parts;
            if (first) sent.set(first, (sent.get(first) ?? 0) + 1);
            deadlineTimer ??= setTimeout(() => deadline.abort(new Error(`no words after ${callMs} ms`)), callMs);
            onTurn();
          },
        },
      );
    } finally {
      clearTimeout(deadlineTimer);
    }
  }

  async function toWav({ parts }: Utterance): Promise<Uint8Array> {
    const pcm = await speechFinder.decode(guildId, parts);
    if (!pcm) throw new ApiError('aborted', 'What was said could not be decoded, because the process that does so ended.');
    return pcmToWav(pcm, { sampleRate: DECODED_RATE });
  }

  return {
    ready: speechFinder.load(),

    hear(sound) {
      const { userId } = sound;
      if (isClosed || isOutOfBudget(userId)) return;
      const speaker = speakers.get(userId) ?? openSpeaker(userId);
      if (sound.kind === 'pause') {
        speaker.finder.pause(performance.now() - sound.at);
        return;
      }
      speaker.heardAt = now();
      const part = speaker.timeLine.add(sound);
      if (part) speaker.finder.hear(part);
    },

    forget(userId) {
      dismiss(userId);
      queue.forget(userId);
    },

    isOutOfBudget,
    outOfBudget,
    forgetBudgets: () => outOfBudget.clear(),

    async finish(timeoutMs) {
      await within(timeoutMs, Promise.all([...speakers.values()].map(({ finder }) => finder.end())).then(queue.emptied));
      queue.end();
    },

    close() {
      isClosed = true;
      clearInterval(timer);
      for (const userId of [...speakers.keys()]) dismiss(userId);
      queue.clear();
    },
  };
}

/** Whether the service refused the call only because there were too many, or never received it. */
function mayBeTakenLater({ retryable, mayHaveBeenBilled: isBilled, status }: ApiError): boolean {
  return retryable && !isBilled && (status === null || status === 429);
}

/** Milliseconds until the next call. */
function waitAfter(error: unknown, pauses: Pauses): number {
  if (!(error instanceof ApiError)) return 0;
  const pause = pauses(error, Number.POSITIVE_INFINITY);
  if (pause !== null) return Math.max(REVIEW_MS, pause);
  if (error.status === 503) return Math.max(REVIEW_MS, error.retryAfterMs ?? 0);
  if (mayBeTakenLater(error)) return Math.max(REVIEW_MS, error.retryAfterMs ?? SHORT_WAIT_MS);
  return LASTING.includes(error.kind) ? LONG_WAIT_MS : 0;
}
