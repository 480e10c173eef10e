// The wire format of the Voice Service API: one schema for each table of the spec. The client validates responses with them; the local
// voice service validates requests and types its responses with them, so the two can't drift apart. Names are those on the wire.
import { z } from 'zod';

// What the schemas of the wire format are made of: optional fields, queries, bytes and lists from outside.

/** Optional, with the spec's default. Absent, null and msgpack's nil mean the same. */
const optional = <T extends z.ZodType>(schema: T, fallback: NoInfer<z.output<T>>) =>
  schema.nullish().transform((value): z.output<T> => value ?? fallback);

/** Query strings express "nothing" in several ways: no key, an empty value, the word null. */
const emptyToUndefined = (value: unknown) => (value === '' || value === 'null' || value === null ? undefined : value);

const queryInteger = (min: number, max: number, fallback: number) =>
  z.preprocess(emptyToUndefined, z.coerce.number().int().min(min).max(max).default(fallback));

const queryText = z.preprocess(emptyToUndefined, z.string().nullish()).transform((text) => text ?? null);

/** A filter with one or more values: a repeated key (what the client sends) or commas. No value at all is null. */
const queryList = z.preprocess(emptyToUndefined, z.union([z.string(), z.array(z.string())]).nullish()).transform((value) => {
  const values = [value ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.length === 0 ? null : values;
});

/** Booleans are the text true or false in query strings and multipart fields, and booleans in msgpack. */
const textBoolean = z.union([z.boolean(), z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })]);

const queryBoolean = z.preprocess(emptyToUndefined, textBoolean.nullish()).transform((value) => value ?? false);

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'must be binary');

/** Inlined bytes: binary in msgpack, base64 in JSON. */
const inlinedBytes = z.union([bytes, z.base64().transform((text): Uint8Array => Buffer.from(text, 'base64'))]);

/** Optional; what is of another type counts as absent. */
const lenient = <T extends z.ZodType>(schema: T, fallback: NoInfer<z.output<T>>) =>
  z
    .unknown()
    .optional()
    .transform((value): z.output<T> => schema.safeParse(value).data ?? fallback);

/** One of the values that the spec lists, or one that a service has added since. */
export type OpenEnum<Value extends string> = Value | (string & {});

/** A list mustn't fail over a value that the spec doesn't list. */
const openEnum = <Value extends string>(_known: readonly Value[]) => z.string().transform((value): OpenEnum<Value> => value);

/** An array whose entries aren't looked at. */
const arrayUpTo = (max: number) =>
  z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= max, `must be a list of at most ${max}`);

/** A list of at most `max` entries. */
const shortListOf = <T extends z.ZodType>(entry: T, max: number) => arrayUpTo(max).pipe(z.array(entry));

/** Skips invalid entries, so that one can't spoil the others. If all are invalid, so is the list. */
const listOfValid = <T extends z.ZodType>(entry: T, max: number) =>
  arrayUpTo(max).transform((entries, context) => {
    const results = entries.map((value) => entry.safeParse(value));
    const read = results.flatMap((result) => (result.success ? [result.data] : []));
    const [first] = results;
    if (read.length > 0 || !first?.error) return read;
    addIssues(context, first.error, 0);
    return z.NEVER;
  });

/** Like listOfValid, but nothing makes it invalid: what is no list has no entries. */
const listOfAnyValid = <T extends z.ZodType>(entry: T, max: number) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((entries) =>
      (entries ?? []).slice(0, max).flatMap((value) => {
        const { success, data } = entry.safeParse(value);
        return success ? [data] : [];
      }),
    );

/** Names the fields that are wrong in an entry, never their values. */
function addIssues(context: z.core.$RefinementCtx, error: z.core.$ZodError, index: number): void {
  for (const { message, path } of error.issues.slice(0, 5)) context.addIssue({ code: 'custom', message, path: [index, ...path] });
}

// --- voice models: GET /model ---------------------------------------------------------------------------------------

export const modelTypes = ['svc', 'tts'] as const;
export const modelStates = ['created', 'training', 'trained', 'failed'] as const;
export const trainModes = ['fast', 'full'] as const;
export const visibilities = ['public', 'unlist', 'private'] as const;
export const sortKeys = ['score', 'task_count', 'created_at'] as const;

/** Ten times the largest page of any known service. */
const MAX_MODELS = 1_000;
/** Tags, languages or samples of one model. */
const MAX_PER_MODEL = 1_000;
/** One for each word of several hours. */
const MAX_SEGMENTS = 100_000;

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

const count = lenient(z.int(), 0);
const flag = lenient(z.boolean(), false);

/**
 * A voice needs an id and a title. Of the rest, services leave out what is empty, or what they don't have. What decides who may use it is
 * never guessed from a value of another type: such an entry is invalid.
 */
const modelEntity = z.looseObject({
  _id: z.string().min(1),
  type: optional(openEnum(modelTypes), 'tts'),
  title: z.string(),
  description: lenient(z.string(), ''),
  cover_image: lenient(z.string(), ''),
  train_mode: lenient(openEnum(trainModes), 'full'),
  state: optional(openEnum(modelStates), 'trained'),
  tags: lenient(shortListOf(z.string(), MAX_PER_MODEL), []),
  samples: lenient(shortListOf(sampleEntity, MAX_PER_MODEL), []),
  // ISO 8601 in the spec, but not checked: no caller is helped by a list that fails over a date.
  created_at: lenient(z.string(), ''),
  updated_at: lenient(z.string(), ''),
  languages: lenient(shortListOf(z.string(), MAX_PER_MODEL), []),
  visibility: optional(openEnum(visibilities), 'public'),
  lock_visibility: flag,
  like_count: count,
  mark_count: count,
  shared_count: count,
  task_count: count,
  unliked: flag,
  liked: flag,
  marked: flag,
  author: lenient(authorEntity, { _id: '', nickname: '', avatar: '' }),
  /** Not in the spec: why training failed. The local voice service sends it. */
  state_message: lenient(z.string().nullable(), null),
});

/** A voice model as callers see it. Counts are integers, dates ISO 8601 or empty. */
export const voiceModel = modelEntity.transform((model) => ({
  id: model._id,
  type: model.type,
  title: model.title,
  description: model.description,
  coverImage: model.cover_image,
  trainMode: model.train_mode,
  state: model.state,
  /** Why training failed, if the service says so. */
  stateMessage: model.state_message,
  tags: model.tags,
  /** `audio` is the address of the recording as the service returns it: may be relative or empty. */
  samples: model.samples.map(({ title, text, task_id, audio }) => ({ title, text, taskId: task_id, audio })),
  createdAt: model.created_at,
  updatedAt: model.updated_at,
  languages: model.languages,
  visibility: model.visibility,
  lockVisibility: model.lock_visibility,
  likeCount: model.like_count,
  markCount: model.mark_count,
  sharedCount: model.shared_count,
  taskCount: model.task_count,
  unliked: model.unliked,
  liked: model.liked,
  marked: model.marked,
  author: { id: model.author._id, nickname: model.author.nickname, avatar: model.author.avatar },
}));

export const modelList = z.looseObject({
  total: z.int().min(0),
  items: listOfValid(voiceModel, MAX_MODELS),
  // Not in the spec: hosted services list only the first thousand voices of a query, whatever the total says.
  has_more: lenient(z.boolean().nullable(), null),
  window_limited: lenient(z.boolean(), false),
  total_is_exact: lenient(z.boolean(), true),
  accessible_upper_bound: lenient(z.int().min(1).nullable(), null),
});

/** For the server: the query of GET /model. Each value is a string or, if the key is repeated, an array of strings. */
export const modelQuery = z.looseObject({
  page_size: queryInteger(1, 100, 10),
  page_number: queryInteger(1, Number.MAX_SAFE_INTEGER, 1),
  title: queryText,
  tag: queryList,
  self: queryBoolean,
  author_id: queryText,
  language: queryList,
  title_language: queryList,
  sort_by: z.preprocess(emptyToUndefined, z.enum(sortKeys).default('score')),
});

// --- voice models of one's own: POST /model, GET, PATCH and DELETE /model/{id} ----------------------------------------

const modelTags = z.preprocess((value) => (typeof value === 'string' ? [value] : value), shortListOf(z.string().trim().min(1).max(50), 20));
const modelTitle = z.string().trim().min(1).max(100);
const modelDescription = z.string().max(2000);

/** For the server: the fields besides the recordings, from multipart (text, repeated ones as arrays) or msgpack (typed). */
export const newModel = z.looseObject({
  type: optional(z.literal('tts'), 'tts'),
  title: modelTitle,
  train_mode: optional(z.literal('fast'), 'fast'),
  texts: optional(
    z.preprocess((value) => (typeof value === 'string' ? [value] : value), shortListOf(z.string().max(10_000), 20)),
    [],
  ),
  tags: optional(modelTags, []),
  description: optional(modelDescription, ''),
  visibility: optional(z.enum(visibilities), 'public'),
  enhance_audio_quality: queryBoolean,
});

/** For the server: what to change; absent and null fields stay as they are. */
export const modelChanges = z.looseObject({
  title: modelTitle.nullish(),
  description: modelDescription.nullish(),
  visibility: z.enum(visibilities).nullish(),
  tags: modelTags.nullish(),
});

// --- speech to text: POST /v1/asr -----------------------------------------------------------------------------------

/** For the server: the fields besides the audio, from multipart (text) or msgpack (typed). */
export const asrFields = z.looseObject({
  language: queryText,
  ignore_timestamps: queryBoolean,
});

/** The msgpack body. */
export const asrRequest = asrFields.extend({ audio: bytes });

/** NaN if it is absent or no number: a transcript that was paid for isn't lost over a time. */
const seconds = z
  .union([z.number(), z.string().trim().min(1).pipe(z.coerce.number())])
  .nullish()
  .catch(null)
  .transform((value) => value ?? Number.NaN);
const anyText = z.string().nullish().catch(null);

/** Not in the spec: it may be something else than what was said. */
const doubtful = z.boolean().optional().catch(undefined);

const asrSegment = z.looseObject({ text: z.string(), start: seconds, end: seconds, doubtful });

/** Not in the spec: what one speaker says without a break. */
const speakerTurn = z.looseObject({
  speaker: z.union([z.string(), z.number().transform(String)]),
  text: z.string(),
  start: seconds,
  end: seconds,
});

/** Whatever of it can be used is used; only if it has no words in any field, not even `""`, is it no transcript. */
export const asrResult = z
  .looseObject({
    text: anyText,
    /** Seconds. */
    duration: seconds,
    segments: listOfAnyValid(asrSegment, MAX_SEGMENTS),
    speaker_turns: listOfAnyValid(speakerTurn, MAX_SEGMENTS).optional(),
    /** Not in the spec: the language that was heard, as a code, and as its English name. */
    language_code: anyText,
    language: anyText,
    doubtful,
  })
  .refine(({ text, segments, speaker_turns: turns }) => typeof text === 'string' || segments.length > 0 || (turns?.length ?? 0) > 0, {
    path: ['text'],
    error: 'has no text',
  });

// --- wallet: GET /wallet/{user_id}/api-credit -----------------------------------------------------------------------

export const creditQuery = z.looseObject({ check_free_credit: queryBoolean });

/** Only `credit` is required, since the spec doesn't show which fields are; it is a decimal string, never a float. */
export const walletEntity = z.looseObject({
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

/** Content types by format. pcm is 16-bit little-endian mono without a header, opus is in an Ogg container. */
export const speechContentTypes = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  pcm: 'application/octet-stream',
  opus: 'audio/ogg',
} as const satisfies Record<(typeof speechFormats)[number], string>;

/** Services accept kbit/s (24, 32, 48, 64), bit/s (24000 to 64000), or -1000 for automatic; the result is bit/s or null. */
const opusBitrate = z
  .int()
  .nullish()
  .transform((rate) => (rate == null || rate === -1000 ? null : rate < 1000 ? rate * 1000 : rate))
  .refine((rate) => rate === null || (rate >= 6000 && rate <= 510_000), 'must be 6 to 510 kbit/s, given in kbit/s or bit/s');

const prosody = z.looseObject({
  /** Multiple of the normal speed. */
  speed: optional(z.number().min(0.5).max(2), 1),
  /** dB. */
  volume: optional(z.number().min(-20).max(20), 0),
  normalize_loudness: z.boolean().nullish(),
});

/** The body, JSON or msgpack. The input type is what the client sends, the output type what the server works with. */
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

// --- speech in real time: the websocket /v1/tts/live, of binary messages that are one msgpack map each -----------------

/** The first event that the client sends. The text comes in the events after it. */
export const liveStart = z.looseObject({ request: ttsRequest.extend({ text: optional(z.string(), '') }) });
/** From the client: a piece of the text. The events `flush` and `stop` have no fields. */
export const liveText = z.looseObject({ text: z.string() });

const liveFailure = {
  message: optional(z.string().nullable(), null),
  /** What the HTTP status would be; the local voice service sends it. */
  status: optional(z.int().nullable(), null),
};

/** Sound sent by the service. Its other events are skipped. */
export const liveAudio = z.looseObject({ audio: bytes });
export const liveFinish = z.looseObject({ reason: optional(z.string().nullable(), null), ...liveFailure });
export const liveError = z.looseObject({
  error: optional(z.string().nullable(), null),
  max_concurrency: optional(z.int().nullable(), null),
  ...liveFailure,
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
  /** Not in the spec: what hosted services add, `code` to some of them. */
  reason: z.string().nullish(),
  code: z.string().nullish(),
});

// --- types ----------------------------------------------------------------------------------------------------------

/** A type without the unknown fields that its schema lets pass, so that a misspelt field in a response is a type error. */
type Known<T> = T extends string | Uint8Array
  ? T
  : T extends (infer Item)[]
    ? Known<Item>[]
    : T extends object
      ? { [Key in keyof T as string extends Key ? never : Key]: Known<T[Key]> }
      : T;

export type ModelEntity = Omit<Known<z.output<typeof modelEntity>>, 'state_message'> & { state_message?: string | null };
export type VoiceModel = z.output<typeof voiceModel>;
export type VoiceSample = VoiceModel['samples'][number];
export type ModelList = Known<z.output<typeof modelList>>;
export type NewModel = Known<z.output<typeof newModel>>;
export type ModelChanges = Known<z.output<typeof modelChanges>>;
export type ModelListQuery = Known<z.output<typeof modelQuery>>;
export type AsrFields = Known<z.output<typeof asrFields>>;
export type AsrResult = Known<z.output<typeof asrResult>>;
export type WalletEntity = Known<z.output<typeof walletEntity>>;
export type TtsRequest = Known<z.output<typeof ttsRequest>>;
/** What a client may send: everything but the text may be absent or null. */
export type TtsBody = Known<z.input<typeof ttsRequest>>;
export type LiveFinish = Known<z.output<typeof liveFinish>>;
export type ValidationError = Known<z.output<typeof validationError>>;
export type GeneralError = Known<z.output<typeof generalError>>;
