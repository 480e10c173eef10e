// What transcription needs besides the interaction: services, and the member's options.
import type { Api, ApiError } from '../api/index.ts';
import type { CreditService } from '../charging/index.ts';
import type { RecordingCutter } from '../decoding/cutter.ts';
import type { Attachments } from '../discord/attachments.ts';
import type { InteractionContext } from '../discord/command.ts';
import type { Sentence } from '../locales/index.ts';
import { COMMON_CODES } from '../locales/language-names.ts';
import type { PostedWords } from '../posted-words/posted-words.ts';
import type { DurationMeters } from '../recording-duration/meters.ts';
import type { Store } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import type { TranscriptFormat } from './transcript-file.ts';
import type { VoiceMessages } from './voice-messages/types.ts';

export interface TranscriptionContext extends InteractionContext {
  api: Api;
  attachments: Attachments;
  recordingDurations: DurationMeters;
  recordingCutter: RecordingCutter;
  credit: CreditService;
  store: Store;
  transcriptionLanguages: AcceptedLanguages;
  /** The service's model for recordings, or `auto`. */
  transcriptionModel: string;
  /** Whether the voice service has to load its recogniser first; absent = it can't tell. */
  isRecogniserStarting?: (() => boolean) | undefined;
  settings: Settings;
  words: PostedWords;
  voiceMessages: VoiceMessages;
}

export interface TranscribeOptions {
  /** BCP 47, or whatever the service accepts; null = detected by the service. */
  language: string | null;
  /** Shows when each paragraph begins. */
  timestamps: boolean;
  /** Attached besides the .json. */
  format: TranscriptFormat | null;
  /** Only the member sees the replies. */
  isPrivate: boolean;
}

// Which languages the voice service transcribes. Its specification names none, so they are configured or learned from its answers.

export interface AcceptedLanguages {
  /** The languages to offer (BCP 47): those known to be accepted, otherwise the most common ones without those that were refused. */
  offered(): readonly string[];
  /** The only language that is understood; null if there are several, or if that isn't known. */
  readonly only: string | null;
  wasRefused(code: string): boolean;
  /** Learns from a transcription that worked. */
  accept(code: string): void;
  /** Learns from a refusal, which may name what the service takes instead. */
  refuse(code: string, details?: ApiError['details']): void;
}

/** @param listedCodes by the operator or the service itself; null = unknown. What is learned is forgotten at the end of the process. */
export function createAcceptedLanguages(listedCodes: readonly string[] | null): AcceptedLanguages {
  const refused = new Set<string>();
  let codes = listedCodes ?? COMMON_CODES;

  return {
    only: listedCodes?.length === 1 ? (listedCodes[0] ?? null) : null,
    offered: () => codes.filter((code) => !refused.has(code)),
    wasRefused: (code) => refused.has(code.toLowerCase()),
    accept(code) {
      if (isTag(code) && !codes.includes(code)) codes = [code, ...codes];
    },
    refuse(code, details = []) {
      refused.add(code.toLowerCase());
      const listed = details.flatMap(({ msg, ctx = '' }) => codesIn(`${msg} ${ctx}`));
      if (listed.length > 0) codes = [...new Set(listed)];
    },
  };
}

/** Members can type anything, and a service may ignore what it doesn't know. */
function isTag(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length > 0;
  } catch {
    return false;
  }
}

/** As services built with FastAPI and Pydantic word it: "Input should be 'en', 'de' or 'fr'". */
function codesIn(message: string): string[] {
  return [...message.matchAll(/'([a-z]{2,3}(?:-[a-z0-9]{2,4})?)'/gi)].map(([, code = '']) => code);
}

// How long a transcription takes, estimated from earlier ones of this process.

interface TranscriptionEta {
  /** Learns from a transcription. @param seconds of sound @param elapsedMs from the last byte sent to the response */
  note(seconds: number, elapsedMs: number): void;
  /** Milliseconds that so many seconds of sound are expected to take; null as long as nothing is known. */
  expect(seconds: number): number | null;
}

/** How much the latest transcription counts: enough to follow a service that gets slower, too little for one outlier to mislead. */
const WEIGHT = 0.4;
/** Seconds between two changes of the time shown. */
const STEP_SECONDS = 5;
/** Shorter recordings say more about the connection than about the service. */
const MIN_SECONDS = 1;

export function createTranscriptionEta(): TranscriptionEta {
  let msPerSecond: number | null = null;

  return {
    note(seconds, elapsedMs) {
      if (seconds < MIN_SECONDS) return;
      const latest = elapsedMs / seconds;
      msPerSecond = msPerSecond === null ? latest : msPerSecond + WEIGHT * (latest - msPerSecond);
    },
    expect: (seconds) => (msPerSecond === null ? null : msPerSecond * seconds),
  };
}

/**
 * The time the service has taken, of the time it usually takes. Changes only every few seconds, because each change edits the message.
 * @param sentAt milliseconds since 1970 @param isStarting whether the recogniser is being loaded
 */
export function waitingStage(sentAt: number, expectedMs: number | null, isStarting: () => boolean = () => false): Sentence {
  return (t) => {
    if (isStarting()) return t('transcription.gettingReady');
    if (expectedMs === null) return t('transcription.transcribingSince', { at: sentAt });
    const elapsed = Math.floor((Date.now() - sentAt) / 1000 / STEP_SECONDS) * STEP_SECONDS;
    const expected = Math.max(STEP_SECONDS, Math.ceil(expectedMs / 1000));
    return elapsed > expected ? t('transcription.takingLonger', { elapsed }) : t('transcription.transcribing', { elapsed, expected });
  };
}
