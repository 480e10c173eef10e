// The client: the operations of the spec, each turned into one call (call.ts), from the module's types to the wire format and back.
import { setTimeout as delay } from 'node:timers/promises';
import { encode } from '@msgpack/msgpack';
import { buildConnector, Pool } from 'undici';
import type { z } from 'zod';
import { type ApiRequest, makeCall, type Transport } from './call.ts';
import { createCallLimiter } from './call-limiter.ts';
import { createServiceBreaker } from './circuit-breaker.ts';
import { MAX_CONCURRENCY } from './error-mapping.ts';
import { ApiError } from './errors.ts';
import { type BodyLimits, listLimits, modelLimits, readBody, readJson, transcriptLimits, walletLimits } from './http.ts';
import { createLiveSpeech, endTexts } from './live-speech.ts';
import { defaultModel } from './models.ts';
import {
  type ApiOptions,
  defaultBreaker,
  defaultConcurrency,
  defaultTimeouts,
  parseApiKey,
  parseBaseUrl,
  type Timeouts,
} from './options.ts';
import { defaultRetries } from './retries.ts';
import type * as schemas from './schemas.ts';
import { asrResult, modelList, voiceModel, walletEntity } from './schemas.ts';
import { acceptSpeech, createSpeech } from './speech.ts';
import type {
  Api,
  ApiClient,
  AudioFile,
  CallOptions,
  ModelPage,
  ModelQuery,
  NewModel,
  SpeakRequest,
  Transcript,
  WalletRecord,
} from './types.ts';
import { createUnsupportedOperations } from './unsupported-operations.ts';
import { createMultipart, createUpload, type Field } from './upload.ts';

export type { ApiOptions };

/**
 * Creates a client of the Voice Service API. Its methods reject with ApiError and nothing else.
 * @throws TypeError for a base address, key or concurrency that can't work
 */
export function createApi(options: ApiOptions): ApiClient {
  const base = parseBaseUrl(options.baseUrl);
  const apiKey = parseApiKey(options.apiKey);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const breaker = { ...defaultBreaker, ...options.breaker };
  const most = options.concurrency === undefined || options.concurrency === 'auto' ? MAX_CONCURRENCY : options.concurrency;
  if (!Number.isInteger(most) || most < 1) throw new TypeError('The concurrency must be a whole number, at least 1, or auto.');
  const concurrency = most === MAX_CONCURRENCY ? defaultConcurrency : most;
  const now = options.now ?? (() => performance.now());
  const limits = { headersTimeout: timeouts.headers, deadline: timeouts.deadline };
  let probeTimer: NodeJS.Timeout | undefined;

  const transport: Transport = {
    pool: new Pool(base.origin, {
      connections: most,
      connect: connectAfter(options.beforeConnecting, timeouts.connect),
      // Longer than undici's 4 s: a TLS handshake would delay the next utterance. A service that announces less is obeyed.
      keepAliveTimeout: 60_000,
      // Over HTTP/2 an aborted speech would be one stream among others; over HTTP/1.1 aborting is certain to free the connection.
      allowH2: false,
    }),
    pathPrefix: base.pathname.replace(/(?<!\/)\/+$/, ''),
    apiKey,
    limiter: createCallLimiter(concurrency),
    retries: { ...defaultRetries, ...options.retries },
    breaker: createServiceBreaker(breaker, now, options.onDown),
    unsupported: createUnsupportedOperations(now),
    scheduleProbe(ms) {
      clearTimeout(probeTimer);
      if (!transport.closed) probeTimer = setTimeout(probe, ms).unref();
    },
    onCall: options.onCall,
    onConcurrency: (calls) => onConcurrency(calls),
    idleTimeout: timeouts.idle,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? ((ms, signal) => delay(ms, undefined, { signal })),
    inFlight: new Set(),
    closed: false,
  };

  const setConcurrency = (calls: number) => transport.limiter.resize(Math.min(calls, most));
  /** Whoever shares the account's calls with other processes decides what follows from an answer. */
  let onConcurrency = setConcurrency;
  const ownVoices = createOwnVoices(transport, timeouts);

  /**
   * A refusal with no more than a sentence may be about the voice, or about anything else, whatever the sentence is: whether there is such a
   * voice for this key, and whether it speaks, is asked. Where there is no catalogue, nothing follows from the answer.
   */
  async function explainRefusal(error: unknown, voice: string | null | undefined, signal: AbortSignal | undefined): Promise<unknown> {
    if (!voice || !(error instanceof ApiError) || !mayBeAboutVoice(error)) return error;
    const isUseless = isUnknownVoiceCode(error.code) || !(await speaks(voice, signal).catch(() => true));
    if (!isUseless) return error;
    const { status, requestId, code } = error;
    const message = `The voice service cannot speak in this voice, or not for this API key (${status}). Choose another voice.`;
    return new ApiError('not-found', message, { status, requestId, code, cause: error });
  }

  async function speaks(id: string, signal: AbortSignal | undefined): Promise<boolean> {
    const call = { signal: AbortSignal.any([AbortSignal.timeout(VOICE_CHECK_MS), ...(signal ? [signal] : [])]) };
    try {
      const { type, state } = await ownVoices.getModel(id, call);
      return type !== 'svc' && !NOT_SPEAKING.includes(state);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.kind !== 'not-found' && error.kind !== 'forbidden')) throw error;
      await callJson({ operation: 'catalogue', method: 'GET', path: '/model?page_size=1', ...limits }, call, modelList, listLimits);
      return false;
    }
  }

  async function callJson<S extends z.ZodType>(
    request: ApiRequest,
    call: CallOptions,
    schema: S,
    bodyLimits: BodyLimits,
  ): Promise<z.output<S>> {
    const { accepted } = await makeCall(transport, request, call, (response) => readJson(response, schema, bodyLimits));
    return accepted;
  }

  /** Asks a service that is down whether it is back, with the smallest call there is, which costs no credit. */
  function probe(): void {
    const limit = Math.min(timeouts.headers, breaker.probeInterval);
    const request: ApiRequest = {
      operation: 'catalogue',
      method: 'GET',
      path: '/model?page_size=1',
      headersTimeout: limit,
      deadline: limit,
      isProbe: true,
    };
    callJson(request, {}, modelList, listLimits).catch(() => {});
  }

  return {
    ...ownVoices,

    setConcurrency,
    followConcurrency(listener) {
      onConcurrency = listener;
    },
    shareSlots: transport.limiter.share,
    noteDown() {
      const probeIn = transport.breaker.trip();
      if (probeIn !== null) transport.scheduleProbe(probeIn);
    },

    async listModels(query = {}, call = {}) {
      const { title } = query;
      const request: ApiRequest = {
        operation: 'catalogue',
        method: 'GET',
        path: `/model${toModelQuery(query)}`,
        // Both as typed and as it appears in the address.
        privateText: title ? `${title} ${new URLSearchParams({ title })}` : '',
        ...limits,
      };
      return toModelPage(await callJson(request, call, modelList, listLimits));
    },

    async speak(request, { isDownload = false, maxStartSeconds, ...call } = {}) {
      const wait = isDownload ? Math.ceil(timeouts.transcription / 1000) : maxStartSeconds;
      const startedAt = performance.now();
      const body = toTtsBody(request);
      // JSON can't carry bytes; everything else is sent the way the spec shows it.
      const isMsgpack = body.references !== undefined;
      const { response, accepted } = await makeCall(
        transport,
        {
          operation: 'speech',
          namesResource: true,
          method: 'POST',
          path: '/v1/tts',
          headers: {
            'content-type': isMsgpack ? 'application/msgpack' : 'application/json',
            model: request.model ?? options.model ?? defaultModel,
            // RFC 7240. Services that don't know it ignore it.
            ...(wait !== undefined && { prefer: `wait=${wait}` }),
          },
          body: isMsgpack ? encode(body, { ignoreUndefined: true }) : JSON.stringify(body),
          privateText: request.text,
          voice: request.referenceId,
          costsCredit: true,
          ...(isDownload
            ? { headersTimeout: timeouts.download, idleTimeout: timeouts.download, deadline: timeouts.transcription }
            : limits),
          isPatient: isDownload,
        },
        call,
        acceptSpeech,
      ).catch(async (error: unknown) => {
        throw await explainRefusal(error, request.referenceId, call.signal);
      });
      return createSpeech(response, accepted, startedAt, { unreadTimeout: timeouts.deadline });
    },

    async speakLive(request, texts, call = {}) {
      const startedAt = performance.now();
      const hasRoom = !call.isOptional || transport.limiter.hasRoomToSpare();
      // Without a pause if the answer is known: another call could take its turn in it.
      if (!(typeof hasRoom === 'boolean' ? hasRoom : await hasRoom))
        throw new ApiError('rate-limited', 'Too many calls are in flight for one more that may take long. Try again later.', {
          retryable: true,
        });
      const { text: _, ...start } = toTtsBody({ ...request, text: '' });
      const iterator = texts[Symbol.asyncIterator]();
      const live = createLiveSpeech({
        url: `${base.origin.replace(/^http/, 'ws')}${transport.pathPrefix}/v1/tts/live`,
        start,
        texts: iterator,
        flush: call.flush ?? false,
        apiKey,
        connectTimeout: timeouts.connect,
        idleTimeout: timeouts.idle,
      });
      const apiRequest: ApiRequest = {
        operation: 'live-speech',
        method: 'GET',
        path: '/v1/tts/live',
        headers: { model: request.model ?? options.model ?? defaultModel },
        open: live.open,
        voice: request.referenceId,
        canRepeat: () => !call.isOptional && !live.hasStarted(),
        // It lasts for as long as texts come.
        isLong: true,
        costsCredit: true,
        ...limits,
      };
      try {
        const { response, accepted } = await makeCall(transport, apiRequest, call, (opened) => acceptSpeech(opened, timeouts.headers));
        return createSpeech(response, accepted, startedAt, { unreadTimeout: timeouts.deadline, isLive: true });
      } catch (error) {
        void endTexts(iterator);
        throw error;
      }
    },

    async transcribe(request, { attempts, hasSpeech, ...call } = {}) {
      let isSilent = false;
      const knowsSpeech = async () => {
        isSilent = !(await hasSpeech?.());
        return !isSilent;
      };
      const upload = createUpload(request);
      const apiRequest: ApiRequest = {
        operation: 'transcription',
        method: 'POST',
        path: '/v1/asr',
        headers: { ...upload.headers, ...(request.model && { model: request.model }) },
        body: upload.body,
        canRepeat: upload.canRepeat,
        bodyFailure: upload.failure,
        privateText: request.filename ?? '',
        headersTimeout: timeouts.transcription,
        deadline: timeouts.transcription,
        isLong: true,
        costsCredit: true,
        ...(attempts !== undefined && { attempts }),
        ...(hasSpeech && { isServiceAtFault: () => knowsSpeech() }),
      };
      try {
        return toTranscript(await callJson(apiRequest, call, asrResult, transcriptLimits));
      } catch (error) {
        if (isSilent && error instanceof ApiError && error.kind === 'server') return { text: '', duration: 0, segments: [] };
        throw error;
      } finally {
        void upload.close();
      }
    },

    async getCredit({ userId = 'self', checkFreeCredit, ...call } = {}) {
      const user = toPathSegment(userId, 'The user id is empty or not an id. Use the id, or self.');
      const request: ApiRequest = {
        operation: 'credit',
        namesResource: userId !== 'self',
        method: 'GET',
        path: `/wallet/${user}/api-credit${toQuery({ check_free_credit: checkFreeCredit })}`,
        ...limits,
      };
      return toWalletRecord(await callJson(request, call, walletEntity, walletLimits));
    },

    async close() {
      transport.closed = true;
      clearTimeout(probeTimer);
      for (const controller of transport.inFlight) controller.abort(new ApiError('aborted', 'The API client was closed.'));
      await transport.pool.destroy();
    },
  };
}

/** Milliseconds. */
const VOICE_CHECK_MS = 5_000;
/** States in which a voice can't speak, or not yet. */
const NOT_SPEAKING = ['created', 'training', 'failed'];

/** With fields named, or a status of its own, it is clear what was refused. */
function mayBeAboutVoice({ kind, status, details }: ApiError): boolean {
  return (kind === 'validation' && status === 400 && details.length === 0) || kind === 'forbidden';
}

const isUnknownVoiceCode = (code: string | null) => code !== null && /^(reference|voice|model)(_id)?_not_found$/i.test(code);

/** @param refusal what is said if it is no id */
function toPathSegment(id: string, refusal: string): string {
  // Proxies resolve "." and ".." to another path.
  if (/^\.{0,2}$/.test(id)) throw new ApiError('validation', refusal);
  return encodeURIComponent(id.toWellFormed());
}

// The calls that create, read, change and delete voice models of one's own.

function createOwnVoices(transport: Transport, timeouts: Timeouts): Pick<Api, 'createModel' | 'getModel' | 'updateModel' | 'deleteModel'> {
  const limits = { headersTimeout: timeouts.headers, deadline: timeouts.deadline };
  const aModel = (id: string) => {
    const path = `/model/${toPathSegment(id, 'The id of the voice model is empty or not an id.')}`;
    return { operation: 'own-voices' as const, namesResource: true, path, ...limits };
  };

  return {
    async createModel(model, { onProgress, ...call } = {}) {
      const { fields, files } = toNewModelForm(model);
      const upload = createMultipart(fields, files, onProgress);
      const request: ApiRequest = {
        operation: 'own-voices',
        method: 'POST',
        path: '/model',
        headers: upload.headers,
        body: upload.body,
        canRepeat: upload.canRepeat,
        bodyFailure: upload.failure,
        privateText: [model.title, model.description, ...model.recordings.flatMap(({ filename, text }) => [filename, text])].join(' '),
        headersTimeout: timeouts.headers,
        // An upload may take as long as that of a recording to transcribe.
        deadline: timeouts.transcription,
        isLong: true,
        // Repeated after its last byte, it might create a second model.
        costsCredit: true,
      };
      try {
        const { accepted } = await makeCall(transport, request, call, (response) => readJson(response, voiceModel, modelLimits));
        return accepted;
      } finally {
        void upload.close();
      }
    },

    async getModel(id, call = {}) {
      const request: ApiRequest = { ...aModel(id), method: 'GET' };
      const { accepted } = await makeCall(transport, request, call, (response) => readJson(response, voiceModel, modelLimits));
      return accepted;
    },

    async updateModel(id, { title, description, tags, visibility, coverImage }, call = {}) {
      const privateText = `${title ?? ''} ${description ?? ''}`;
      if (!coverImage) {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ title, description, tags, visibility });
        await makeCall(transport, { ...aModel(id), method: 'PATCH', headers, body, privateText }, call, discardBody);
        return;
      }
      // JSON can't carry bytes.
      const upload = createMultipart(toFields({ title, description, tags, visibility }), [['cover_image', coverImage]]);
      const { headers, body, canRepeat, failure: bodyFailure } = upload;
      const request: ApiRequest = { ...aModel(id), method: 'PATCH', headers, body, canRepeat, bodyFailure, privateText };
      try {
        await makeCall(transport, request, call, discardBody);
      } finally {
        void upload.close();
      }
    },

    async deleteModel(id, call = {}) {
      await makeCall(transport, { ...aModel(id), method: 'DELETE' }, call, discardBody);
    },
  };
}

/** Services answer a change with the model, with something else, or with nothing. */
const discardBody = (response: Parameters<typeof readBody>[0]) => readBody(response, modelLimits.bytes);

// Converts between the module's types (types.ts) and the wire format (schemas.ts).

type QueryValue = string | number | boolean | string[] | null | undefined;

/** A query string with its question mark, or ''. Multiple values repeat the key; null, undefined and empty lists are left out. */
function toQuery(values: Record<string, QueryValue>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const element of Array.isArray(value) ? value : [value]) {
      if (element !== null && element !== undefined) query.append(name, String(element));
    }
  }
  return query.size === 0 ? '' : `?${query}`;
}

const toModelQuery = (query: ModelQuery): string =>
  toQuery({
    page_size: query.pageSize,
    page_number: query.pageNumber,
    title: query.title,
    tag: query.tag,
    self: query.self,
    // "When self is true, then author_id has no effect": not sent, so that no service can treat it otherwise.
    author_id: query.self ? null : query.authorId,
    language: query.language,
    title_language: query.titleLanguage,
    sort_by: query.sortBy,
  });

/** Contains only what the caller set: everything else keeps the service's own default. */
function toTtsBody(request: SpeakRequest): schemas.TtsBody {
  const body: schemas.TtsBody = {
    text: request.text,
    reference_id: request.referenceId,
    references: request.references?.length ? request.references.map(({ audio, text }) => ({ audio, text })) : undefined,
    format: request.format,
    sample_rate: request.sampleRate,
    mp3_bitrate: request.mp3Bitrate,
    opus_bitrate: request.opusBitrate,
    chunk_length: request.chunkLength,
    normalize: request.normalize,
    latency: request.latency,
    temperature: request.temperature,
    top_p: request.topP,
    prosody: request.prosody && toProsody(request.prosody),
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null)) as schemas.TtsBody;
}

const toProsody = ({ normalizeLoudness, ...prosody }: NonNullable<SpeakRequest['prosody']>) => ({
  ...prosody,
  ...(normalizeLoudness !== undefined && { normalize_loudness: normalizeLoudness }),
});

export function toModelPage({ total, items, ...list }: schemas.ModelList): ModelPage {
  const isWindow = list.window_limited || !list.total_is_exact;
  const bound = isWindow ? (list.accessible_upper_bound ?? total) : total;
  return { total: Math.min(total, bound), items, isWindow, hasMore: list.has_more };
}

function toTranscript(result: schemas.AsrResult): Transcript {
  const segments = result.segments.map(({ text, start, end, doubtful }) => ({ text, start, end, ...(doubtful && { doubtful }) }));
  const speakerTurns = result.speaker_turns?.map(({ speaker, text, start, end }) => ({ speaker, text, start, end })) ?? [];
  const language = (result.language_code?.trim() || result.language?.trim())?.slice(0, 100);
  return {
    text: result.text ?? speakerTurns.map(({ text }) => text).join(' '),
    duration:
      result.duration >= 0 ? result.duration : [...segments, ...speakerTurns].reduce((latest, { end }) => (end > latest ? end : latest), 0),
    segments,
    ...(speakerTurns.length > 0 && { speakerTurns }),
    ...(language && { language }),
    ...(result.doubtful && { doubtful: true }),
  };
}

const toWalletRecord = (record: schemas.WalletEntity): WalletRecord => ({
  id: record._id,
  userId: record.user_id,
  credit: record.credit,
  createdAt: record.created_at,
  updatedAt: record.updated_at,
  hasPhoneSha256: record.has_phone_sha256,
  hasFreeCredit: record.has_free_credit,
});

/** Fields of the form that creates a voice model, with the files of it. */
function toNewModelForm(model: NewModel): { fields: Field[]; files: [name: string, file: AudioFile][] } {
  const texts = model.recordings.map(({ text }) => text ?? null);
  return {
    fields: [
      ['type', 'tts'],
      ['title', model.title],
      ['train_mode', 'fast'],
      // Services differ in their default, and what a person's voice is mustn't become public by accident.
      ['visibility', model.visibility ?? 'private'],
      ...toFields({ description: model.description, tags: model.tags, enhance_audio_quality: model.enhanceAudioQuality }),
      ...(texts.includes(null) ? [] : toFields({ texts: texts as string[] })),
    ],
    files: [
      ...model.recordings.map((recording): [string, AudioFile] => ['voices', recording]),
      ...(model.coverImage ? [['cover_image', model.coverImage] as [string, AudioFile]] : []),
    ],
  };
}

/** Multiple values repeat the field; undefined ones are left out. */
const toFields = (values: Record<string, string | boolean | string[] | undefined>): Field[] =>
  Object.entries(values).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((element): Field => [name, String(element)]),
  );

/** How connections are made: undici's own way, once they may be. */
function connectAfter(beforeConnecting: (() => Promise<void>) | undefined, timeout: number) {
  if (!beforeConnecting) return { timeout };
  const connect = buildConnector({ timeout, allowH2: false });
  const connectOnce: buildConnector.connector = (target, onConnected) => void beforeConnecting().then(() => connect(target, onConnected));
  return connectOnce;
}
