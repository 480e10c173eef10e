// The wire shapes of the Voice Service API: one schema for each table of the spec. The client reads answers with them, the
// local voice service checks requests and types its answers with them, so the two cannot drift. Names are the wire's.
import { z } from 'zod';
import type { Open } from './types.ts';

// --- building blocks ------------------------------------------------------------------------------------------------

/** Optional with the spec's default. Absent, null and msgpack's nil mean the same. */
const optional = <T extends z.ZodType>(schema: T, fallback: NoInfer<z.output<T>>) =>
  schema.nullish().transform((value): z.output<T> => value ?? fallback);

/** Query strings say "nothing" in several ways: no key, an empty value, the word null. */
const nothing = (value: unknown) => (value === '' || value === 'null' || value === null ? undefined : value);

const queryInteger = (min: number, max: number, fallback: number) =>
  z.preprocess(nothing, z.coerce.number().int().min(min).max(max).default(fallback));

const queryText = z.preprocess(nothing, z.string().nullish()).transform((text) => text ?? null);

/** A filter with one or several values: a repeated key (what the client sends) or commas. No value at all is null. */
const queryList = z.preprocess(nothing, z.union([z.string(), z.array(z.string())]).nullish()).transform((given) => {
  const values = [given ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.length === 0 ? null : values;
});

/** Booleans travel as the text true or false in query strings and multipart fields, as booleans in msgpack. */
const textBoolean = z.union([z.boolean(), z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })]);

const queryBoolean = z.preprocess(nothing, textBoolean.nullish()).transform((value) => value ?? false);

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'must be binary');

/** Inlined bytes: msgpack's binary, or base64 where the body is JSON. */
const inlinedBytes = z.union([bytes, z.base64().transform((text): Uint8Array => Buffer.from(text, 'base64'))]);

/** One of the spec's values, or another one: a list must not fail over a word that the service has learnt since. */
const oneOf = <Value extends string>(_known: readonly Value[]) => z.string().transform((value): Open<Value> => value);

/** An array that is counted and not looked into. */
const counted = (most: number) =>
  z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= most, `must be a list of at most ${most}`);

/**
 * A list in an answer, of `most` entries at most. It is counted before it is read, and reading ends at the first entry of another
 * shape: a million wrong entries would otherwise become as many issues.
 */
const listOf = <T extends z.ZodType>(entry: T, most: number) =>
  counted(most).transform((entries, context) => {
    const read: z.output<T>[] = [];
    for (const [index, value] of entries.entries()) {
      const result = entry.safeParse(value);
      if (!result.success) {
        addIssues(context, result.error, index);
        return z.NEVER;
      }
      read.push(result.data);
    }
    return read;
  });

/** As listOf for short lists, which may have an issue for each entry. */
const shortListOf = <T extends z.ZodType>(entry: T, most: number) => counted(most).pipe(z.array(entry));

/** As listOf, but an entry of another shape is left out: one cannot make the others unreadable. If all are, the list is refused. */
const listOfReadable = <T extends z.ZodType>(entry: T, most: number) =>
  counted(most).transform((entries, context) => {
    const results = entries.map((value) => entry.safeParse(value));
    const read = results.flatMap((result) => (result.success ? [result.data] : []));
    const [first] = results;
    if (read.length > 0 || !first?.error) return read;
    addIssues(context, first.error, 0);
    return z.NEVER;
  });

/** Where an entry has another shape: by its fields, never by their values. */
function addIssues(context: z.core.$RefinementCtx, error: z.core.$ZodError, index: number): void {
  for (const { message, path } of error.issues.slice(0, 5)) context.addIssue({ code: 'custom', message, path: [index, ...path] });
}

// --- voice models: GET /model ---------------------------------------------------------------------------------------

export const modelTypes = ['svc', 'tts'] as const;
export const modelStates = ['created', 'training', 'trained', 'failed'] as const;
export const trainModes = ['fast', 'full'] as const;
export const visibilities = ['public', 'unlist', 'private'] as const;
const sortKeys = ['score', 'task_count', 'created_at'] as const;

/** Ten times the largest page that any service is known to give. */
const mostModels = 1_000;
/** Tags, languages or samples of one model. */
const mostOfModel = 1_000;
/** One for each word of several hours. */
const mostSegments = 100_000;

const sampleEntity = z.looseObject({
  title: z.string(),
  text: z.string(),
  task_id: z.string(),
  audio: z.string(),
});

const authorEntity = z.looseObject({
  _id: z.string(),
  nickname: z.string(),
  avatar: z.string(),
});

const modelEntity = z.looseObject({
  _id: z.string(),
  type: oneOf(modelTypes),
  title: z.string(),
  description: z.string(),
  cover_image: z.string(),
  train_mode: optional(oneOf(trainModes), 'full'),
  state: oneOf(modelStates),
  tags: shortListOf(z.string(), mostOfModel),
  samples: optional(shortListOf(sampleEntity, mostOfModel), []),
  // ISO 8601 by the spec; read as it comes, for no caller is helped by a list that fails over a date.
  created_at: z.string(),
  updated_at: z.string(),
  languages: optional(shortListOf(z.string(), mostOfModel), []),
  visibility: oneOf(visibilities),
  lock_visibility: optional(z.boolean(), false),
  like_count: z.int(),
  mark_count: z.int(),
  shared_count: z.int(),
  task_count: z.int(),
  unliked: optional(z.boolean(), false),
  liked: optional(z.boolean(), false),
  marked: optional(z.boolean(), false),
  author: authorEntity,
});

export const modelList = z.looseObject({
  total: z.int().min(0),
  items: listOfReadable(modelEntity, mostModels),
});

/** For the server: the query of GET /model, each value a string or, for a repeated key, an array of strings. */
export const modelQuery = z.looseObject({
  page_size: queryInteger(1, 100, 10),
  page_number: queryInteger(1, Number.MAX_SAFE_INTEGER, 1),
  title: queryText,
  tag: queryList,
  self: queryBoolean,
  author_id: queryText,
  language: queryList,
  title_language: queryList,
  sort_by: z.preprocess(nothing, z.enum(sortKeys).default('score')),
});

// --- speech to text: POST /v1/asr -----------------------------------------------------------------------------------

/** For the server: the fields beside the audio, from multipart (text) or msgpack (typed). */
export const asrFields = z.looseObject({
  language: queryText,
  ignore_timestamps: queryBoolean,
});

/** The msgpack body. */
export const asrRequest = asrFields.extend({ audio: bytes });

const asrSegment = z.looseObject({
  text: z.string(),
  start: z.number(),
  end: z.number(),
});

export const asrResult = z.looseObject({
  text: z.string(),
  duration: z.number(),
  segments: optional(listOf(asrSegment, mostSegments), []),
});

// --- wallet: GET /wallet/{user_id}/api-credit -----------------------------------------------------------------------

export const creditQuery = z.looseObject({ check_free_credit: queryBoolean });

/** Only `credit` is required, since the spec does not show which fields are; it is a decimal string and never a float. */
export const walletRecord = z.looseObject({
  _id: optional(z.string().nullable(), null),
  user_id: optional(z.string().nullable(), null),
  credit: z.string().regex(/^-?\d+(\.\d+)?$/, 'not a decimal number'),
  created_at: optional(z.string().nullable(), null),
  updated_at: optional(z.string().nullable(), null),
  has_phone_sha256: optional(z.boolean().nullable(), null),
  has_free_credit: optional(z.boolean().nullable(), null),
});

// --- text to speech: POST /v1/tts -----------------------------------------------------------------------------------

export const speechFormats = ['mp3', 'wav', 'pcm', 'opus'] as const;

/** What each format is labelled as. pcm is 16-bit little-endian mono without a header, opus is in an Ogg container. */
export const speechContentTypes = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pcm: 'application/octet-stream',
  opus: 'audio/ogg',
} as const satisfies Record<(typeof speechFormats)[number], string>;

export const defaultModel = 's1';

/** Services take kbit/s (24, 32, 48, 64), bit/s (24000 to 64000), or -1000 for "you choose"; out come bit/s or null. */
const opusBitrate = z
  .int()
  .nullish()
  .transform((rate) => (rate == null || rate === -1000 ? null : rate < 1000 ? rate * 1000 : rate))
  .refine((rate) => rate === null || (rate >= 6000 && rate <= 510_000), 'must be 6 to 510 kbit/s, given in kbit/s or bit/s');

const prosody = z.looseObject({
  /** Times the normal speed. */
  speed: optional(z.number().min(0.5).max(2), 1),
  /** dB. */
  volume: optional(z.number().min(-20).max(20), 0),
});

/** The body, JSON or msgpack. Its input type is what the client sends, its output type what the server works with. */
export const ttsRequest = z.looseObject({
  text: z.string().min(1),
  reference_id: optional(z.string().nullable(), null),
  references: optional(z.array(z.looseObject({ audio: inlinedBytes, text: z.string() })), []),
  format: optional(z.enum(speechFormats), 'mp3'),
  /** Hz; null is 44100, and 48000 for opus. */
  sample_rate: optional(z.int().min(8000).max(48_000).nullable(), null),
  /** kbit/s. */
  mp3_bitrate: optional(z.literal([64, 128, 192]), 128),
  opus_bitrate: opusBitrate,
  chunk_length: optional(z.int().min(100).max(300), 300),
  normalize: optional(z.boolean(), true),
  latency: optional(z.enum(['normal', 'balanced', 'low']), 'normal'),
  temperature: optional(z.number().min(0).max(1), 0.7),
  top_p: optional(z.number().min(0).max(1), 0.7),
  prosody: optional(prosody, { speed: 1, volume: 0 }),
});

// --- errors ---------------------------------------------------------------------------------------------------------

export const parameterPlaces = ['path', 'query', 'header', 'cookie', 'body'] as const;

const validationError = z.looseObject({
  loc: z.array(z.string()),
  type: z.string(),
  msg: z.string(),
  ctx: z.string().optional(),
  in: z.enum(parameterPlaces).optional(),
});

/** The body of a 422. */
export const validationErrors = z.array(validationError);

/** The body of every other error. */
export const generalError = z.looseObject({
  status: z.int(),
  message: z.string(),
});

// --- types ----------------------------------------------------------------------------------------------------------

/** A type without the unknown fields that its schema lets pass, so that a misspelt field is an error where an answer is made. */
type Known<T> = T extends string | Uint8Array
  ? T
  : T extends (infer Item)[]
    ? Known<Item>[]
    : T extends object
      ? { [Key in keyof T as string extends Key ? never : Key]: Known<T[Key]> }
      : T;

export type ModelEntity = Known<z.output<typeof modelEntity>>;
export type ModelList = Known<z.output<typeof modelList>>;
export type ModelListQuery = Known<z.output<typeof modelQuery>>;
export type AsrFields = Known<z.output<typeof asrFields>>;
export type AsrResult = Known<z.output<typeof asrResult>>;
export type WalletRecord = Known<z.output<typeof walletRecord>>;
export type TtsRequest = Known<z.output<typeof ttsRequest>>;
/** What a client may send: everything but the text may be left out or null. */
export type TtsBody = Known<z.input<typeof ttsRequest>>;
export type ValidationError = Known<z.output<typeof validationError>>;
export type GeneralError = Known<z.output<typeof generalError>>;
