// Which of the service's models transcribes a recording, and what is tried after a refusal.
import { ApiError, toLanguageHint } from '../api/index.ts';
import { estimateSeconds, type Recording } from './recording.ts';

/** In place of a model's name: the one that suits each recording. */
export const AUTO_MODEL = 'auto';
/** The hosted service's names. Services that don't know them ignore them, or are sent none from then on. */
const SHORT_MODEL = 'transcribe-1';
const LONG_MODEL = 'transcribe-1-pro';

/** What the model for short recordings takes: published in bytes, reported by users in seconds (95 were too many). */
const SHORT_LIMITS = { seconds: 60, bytes: 25 * 1024 * 1024 };
/** What only the model for long recordings reads. */
const LONG_FORMATS = { names: /\.(webm|mkv|mka|mov)$/i, types: /webm|matroska|quicktime/i };
/** What hosted services don't read at all, but what can be decoded here. */
const ODD_FORMATS = { names: /\.(aiff?|caf|wma|amr|3gp|ac3)$/i, types: /aiff|x-caf|wma|asf|amr|3gpp|ac3/i };
/** Seconds of a part for the model for short recordings, and for any other: ten megabytes of WAV. */
const PART_SECONDS = { short: 50, usual: 300 };

/** How a recording is sent. */
export interface Attempt {
  /** A hint, BCP 47; null = detected by the service. */
  language: string | null;
  /** The `model` header; null = none. */
  model: string | null;
  /** Seconds of the longest part that it is cut into; null = it is sent as it is. */
  longestPart: number | null;
}

/** @param model as set */
export function firstAttempt(recording: Recording, language: string | null, model: string): Attempt {
  return { language, model: model === AUTO_MODEL ? chooseModel(recording) : model, longestPart: null };
}

function chooseModel(recording: Recording): string {
  const { size } = recording;
  const isLong = estimateSeconds(recording) > SHORT_LIMITS.seconds || size > SHORT_LIMITS.bytes || isOneOf(LONG_FORMATS, recording);
  return isLong ? LONG_MODEL : SHORT_MODEL;
}

function isOneOf({ names, types }: typeof LONG_FORMATS, { name, contentType }: Recording): boolean {
  return names.test(name) || types.test(contentType ?? '');
}

/**
 * What to try after an attempt that failed, each thing once: without the hint, another model, none, or in parts. Null = nothing, because the
 * failure has another reason, or may have been billed.
 * @param model as set
 */
export function nextAttempt(error: unknown, attempt: Attempt, recording: Recording, model: string): Attempt | null {
  if (!(error instanceof ApiError) || error.mayHaveBeenBilled) return null;
  const isAuto = model === AUTO_MODEL;
  if (attempt.model !== null && isAuto && isAboutModel(error)) return { ...attempt, model: null };
  const isShortModel = attempt.model === SHORT_MODEL;
  const cut: Attempt = { ...attempt, longestPart: isShortModel ? PART_SECONDS.short : PART_SECONDS.usual };
  const isOdd = isOneOf(ODD_FORMATS, recording) || (isShortModel && isOneOf(LONG_FORMATS, recording));
  if (attempt.longestPart === null && isOdd && isUnexplained(error)) return cut;
  if (attempt.language !== null && toLanguageHint(attempt.language) !== null && isUnexplained(error)) return { ...attempt, language: null };
  // It fails at long recordings rather than refusing them.
  const mayBeTooLong = isShortModel && error.status === 503 && (isAuto || estimateSeconds(recording) > SHORT_LIMITS.seconds);
  if (attempt.longestPart !== null || !(mayBeTooLong || isTooMuch(error))) return null;
  return isAuto && isShortModel ? { ...attempt, model: LONG_MODEL } : cut;
}

/** A refusal that may be about any part of the request. */
function isUnexplained({ status, details, code }: ApiError): boolean {
  return status === 400 && details.length === 0 && (code === null || /language/i.test(code));
}

function isAboutModel({ kind, details, message }: ApiError): boolean {
  return kind === 'validation' && (details.some(({ loc }) => loc.includes('model')) || /\bmodel\b/i.test(message));
}

/** Too many bytes or seconds. */
function isTooMuch(error: ApiError): boolean {
  return error.status === 413 || isTooLong(error);
}

export function isTooLong({ kind, code, details, message }: ApiError): boolean {
  if (kind !== 'validation') return false;
  return code === 'audio_too_long' || details.some(({ type }) => type === 'too_long') || /too long|longer than/i.test(message);
}

/** The recording isn't in the one language that the service knows. */
export function isForeignSpeech(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ type }) => type === 'foreign_speech');
}
