// What the service's manners are where the spec leaves room: its own, or those of the hosted services that people pay for, as their
// published descriptions and their users report them. Routes ask the manners; nothing else knows that there are two.
import { z } from 'zod';
import { type AsrFields, asrFields, type ModelEntity, type ModelListQuery } from '../../api/schemas.ts';
import type { Transcript, Upload } from './engines/engine.ts';
import { HttpError, httpError } from './http-error.ts';
import { createLateWallet } from './late-wallet.ts';
import { priceOfSpeech } from './money.ts';
import type { Wallet } from './wallet.ts';

export const mannersNames = ['spec', 'hosted'] as const;
export type MannersName = (typeof mannersNames)[number];

interface Recording {
  audio: Upload;
  fields: AsrFields;
  /** The `model` header. */
  model: string | undefined;
  requestId: string;
}

interface ModelPage {
  total: number;
  items: object[];
}

export interface Manners {
  /** The wallet as callers see it. @param now milliseconds since 1970 */
  toWallet(wallet: Wallet, now: () => number): Wallet;
  /**
   * How many calls in flight an account may have, by the micro-credits ever paid into it; every answer says so. Null leaves that to the
   * limits, for each key.
   */
  callsPerAccount(paidIn: bigint): number | null;
  /** Whether a call is refused for want of credit before anything else about it is looked at. */
  paysFirst(path: string, model: string | undefined): boolean;
  /** In micro-credits. */
  priceOfSpeech(text: string, model: string | undefined): bigint;
  /** What a model says of a text. @param now milliseconds since 1970 */
  toSpoken(text: string, model: string | undefined, now: number): string;
  asrFields: z.ZodType<AsrFields>;
  /** Rejects what can be told before decoding, and returns the hint that the recogniser gets. @throws HttpError */
  toHint(recording: Recording): string | null;
  /** @throws HttpError for more than the model takes */
  checkLength(seconds: number, recording: Recording): void;
  billedSeconds(seconds: number): number;
  /** @throws HttpError for what was heard, or wasn't */
  toAnswer(transcript: Transcript, recording: Recording): object;
  /** A page of the catalogue. */
  toPage(page: ModelPage, query: ModelListQuery): object;
  toModel(model: ModelEntity, origin: { isBundled: boolean }): object;
  /** @param path as the route has it */
  toError(error: HttpError, path: string): HttpError;
  /** Whether what ends a websocket says which status it would be. */
  tellsLiveStatus: boolean;
}

export const readManners = (name: MannersName): Manners => (name === 'hosted' ? hosted : own);

const own: Manners = {
  toWallet: (wallet) => wallet,
  callsPerAccount: () => null,
  paysFirst: () => false,
  priceOfSpeech,
  toSpoken: (text) => text,
  asrFields,
  toHint: ({ fields }) => fields.language,
  checkLength() {},
  billedSeconds: (seconds) => seconds,
  toAnswer: ({ text, duration, segments, doubtful }) => ({ text, duration, segments, ...(doubtful && { doubtful }) }),
  toPage: (page) => page,
  toModel: (model) => model,
  toError: (error) => error,
  tellsLiveStatus: true,
};

/** Voices per query that can be listed. */
const WINDOW = 1_000;
/** Calls in flight by dollars ever paid in. */
const TIERS = [
  { from: 1_000_000_000n, calls: 50 },
  { from: 100_000_000n, calls: 15 },
];
const STARTER_CALLS = 5;
const FREE_MODEL = 's2.1-pro-free';
/** From this day on, the name is served as `s2.1-pro`. */
const S1_ENDS = Date.parse('2026-12-31T00:00:00Z');
/** Seconds. Longer recordings are for `transcribe-1-pro`; the limit isn't published, and 95 s were too long. */
const SHORT_RECORDING = 60;
const LONG_RECORDING = 3_600;

const isPro = ({ model }: Recording) => model === 'transcribe-1-pro';
const isSpeech = (path: string) => path.startsWith('/v1/tts');
const upstreamTimedOut = () => httpError(503, 'upstream ASR service timed out');

const hosted: Manners = {
  toWallet: createLateWallet,
  callsPerAccount: (paidIn) => TIERS.find(({ from }) => paidIn >= from)?.calls ?? STARTER_CALLS,
  paysFirst: (path, model) => path.startsWith('/v1/') && !(isSpeech(path) && model === FREE_MODEL),
  priceOfSpeech: (text, model) => (model === FREE_MODEL ? 0n : priceOfSpeech(text)),
  toSpoken: withoutMarkers,
  asrFields: asrFields.extend({
    ignore_timestamps: z
      .unknown()
      .optional()
      .transform((value) => value == null || value === true || value === 'true'),
  }),

  toHint(recording) {
    const { language } = recording.fields;
    if (language !== null && !/^[a-z]{2}$/.test(language)) throw httpError(400, `Unsupported language: ${language}`);
    if (!isPro(recording) && isMatroska(recording.audio)) throw httpError(400, 'Unsupported audio format');
    // Detection runs anyway, and isn't forced.
    return null;
  },
  checkLength(seconds, recording) {
    if (!isPro(recording) && seconds > SHORT_RECORDING) throw upstreamTimedOut();
    if (seconds > LONG_RECORDING) throw new HttpError(400, { status: 400, message: 'Audio is too long', code: 'audio_too_long' });
  },
  billedSeconds: Math.ceil,
  toAnswer(transcript, recording) {
    const { text, duration, segments } = transcript;
    const timed = !recording.fields.ignore_timestamps;
    if (!isPro(recording)) {
      if (text === '') throw upstreamTimedOut();
      return { text, duration, segments: timed ? toWords(segments) : [], language_code: 'en', language: 'English' };
    }
    const speaker = 'speaker:0';
    return {
      text: text && `<|${speaker}|>${text}`,
      duration,
      segments: timed ? toWords(segments) : [],
      ...(text && { language_code: 'en', language: 'English' }),
      ...(timed && { speaker_turns: segments.map((segment) => ({ speaker, ...segment })) }),
      request_id: recording.requestId,
    };
  },

  toPage({ total, items }, { page_size, page_number, self, author_id }) {
    const start = (page_number - 1) * page_size;
    const isWindowed = !self && author_id === null;
    const listed = isWindowed ? Math.min(total, WINDOW) : total;
    return {
      total: listed,
      items: items.slice(0, Math.max(0, listed - start)),
      has_more: start + page_size < listed,
      total_is_exact: listed === total,
      window_limited: listed < total,
      accessible_upper_bound: isWindowed ? WINDOW : null,
    };
  },
  toModel({ description, cover_image, samples, languages, ...model }, { isBundled }) {
    // What nobody has filled in is absent. Only the voices that come with the service have a picture.
    const filledIn = { description, samples, languages, cover_image: isBundled ? cover_image : '' };
    return { ...model, ...Object.fromEntries(Object.entries(filledIn).filter(([, value]) => value.length > 0)) };
  },

  toError({ status, body, message, headers: { 'retry-after': _, ...headers } }, path) {
    if (status === 404 && isSpeech(path)) return new HttpError(400, { status: 400, message: 'Reference not found', reason: null }, headers);
    if (!Array.isArray(body)) return new HttpError(status, { ...body, reason: null }, headers);
    if (!path.startsWith('/v1/')) return new HttpError(status, body, headers);
    return new HttpError(400, { status: 400, message, reason: null }, headers);
  },
  tellsLiveStatus: false,
};

/** The fixed list of `s1`, in round brackets. */
const S1_MARKERS =
  /\((happy|sad|angry|excited|calm|nervous|confident|surprised|scared|worried|curious|sarcastic|whispering|shouting|screaming|soft tone|in a hurry tone|laughing|sighing|gasping|yawning|break|long-break)\)/gi;
/** Free words in square brackets, and special tokens, on all later models. */
const S2_MARKERS = /\[[^[\]]*\]|<\|[^|<>]*\|>/g;
const DRAMA_TAGS = /<\/?(whisper|emphasis|soft|fast|slow|stress|forceful|french)>/gi;

/** Markers are obeyed, so they aren't heard. A missing or unknown model is `s2.1-pro`. */
function withoutMarkers(text: string, model: string | undefined, now: number): string {
  if (model === 's1' && now < S1_ENDS) return text.replace(S1_MARKERS, '');
  const spoken = text.replace(S2_MARKERS, '');
  return model?.startsWith('drama-') ? spoken.replace(DRAMA_TAGS, '') : spoken;
}

/** WebM and Matroska: https://www.rfc-editor.org/rfc/rfc8794#section-11.2.1 */
function isMatroska(audio: Upload): boolean {
  const [first] = audio instanceof Uint8Array ? [audio] : audio;
  return [0x1a, 0x45, 0xdf, 0xa3].every((byte, index) => first?.[index] === byte);
}

/** One segment for each word, without punctuation. The words of a phrase share its time by their length. */
function toWords(phrases: Transcript['segments']): Transcript['segments'] {
  return phrases.flatMap(({ text, start, end }) => {
    const words = text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu) ?? [];
    const letters = words.join('').length;
    let before = 0;
    const timeAt = (count: number) => Math.round(1000 * (start + ((end - start) * count) / letters)) / 1000;
    return words.map((word) => {
      before += word.length;
      return { text: word, start: timeAt(before - word.length), end: timeAt(before) };
    });
  });
}
