// The client: what it is made with, and the four operations of the spec.
import { encode } from '@msgpack/msgpack';
import { Pool } from 'undici';
import type { z } from 'zod';
import { type Answer, readWhole } from './answer.ts';
import { type BreakerOptions, createBreaker, defaultBreaker } from './breaker.ts';
import { openAnswer, type Transport, type WireRequest } from './call.ts';
import { type Bounds, inspectJson } from './decode.ts';
import { ApiError } from './errors.ts';
import { createMissingOperations } from './missing.ts';
import { createPlaces } from './places.ts';
import { defaultRetries, type RetryOptions, sleep } from './retry.ts';
import { asrResult, defaultModel, modelList, walletRecord } from './schemas.ts';
import { acceptSpeech, createSpeech } from './speech.ts';
import type { Api, CallOptions } from './types.ts';
import { createUpload } from './upload.ts';
import { toCredit, toModelPage, toModelQuery, toQuery, toTranscript, toTtsBody } from './wire.ts';

/** Milliseconds. */
export interface Timeouts {
  /** To make a connection, TLS included. */
  connect: number;
  /** From the request's last byte to the answer's headers. */
  headers: number;
  /** Without a byte of an answer that has begun. */
  silence: number;
  /**
   * Waiting for the service in one call, retries included. Time in which the caller leaves a speech unread is not counted here, but
   * a speech that nobody reads for this long is ended.
   */
  whole: number;
  /** In place of `headers` and `whole` when transcribing, where the service answers only once it has heard everything. */
  transcription: number;
}

export const defaultTimeouts: Timeouts = { connect: 5_000, headers: 30_000, silence: 15_000, whole: 300_000, transcription: 3_600_000 };

export interface ApiOptions {
  /** `{base_url}` of the spec; https, or anything on loopback. */
  baseUrl: string;
  apiKey: string;
  /** Value of the `model` header where a request names none; default `s1`. */
  model?: string;
  /** Calls in flight at most; default 5, what a starter account allows. */
  concurrency?: number;
  timeouts?: Partial<Timeouts>;
  retries?: Partial<RetryOptions>;
  /** When the service is taken to be down, and how often it is then tried. */
  breaker?: Partial<BreakerOptions>;
  /** Told when the service is taken to be down, and when it is back. */
  onDown?: (isDown: boolean) => void;
  /** Milliseconds of a clock that is never set back; default that of `performance`. */
  now?: () => number;
  /** 0 to 1, for the jitter of retries. */
  random?: () => number;
  /** How to wait before a retry; must end with the signal's reason when that is aborted. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface JsonBounds extends Bounds {
  bytes: number;
}

/** An answer that is no longer is read as it is: nothing that it could hold takes more than a megabyte or two. */
const harmlessBytes = 32 * 1024;
/** A page of 100 models has some 200 KB and 10,000 values. */
const listBounds: JsonBounds = { bytes: 4 * 1024 * 1024, depth: 32, values: 250_000 };
/** The transcript of an hour, with a segment for each word, has 1 MB and 50,000 values. */
const transcriptBounds: JsonBounds = { bytes: 16 * 1024 * 1024, depth: 32, values: 250_000 };
/** A wallet has seven fields. */
const recordBounds: JsonBounds = { bytes: 64 * 1024, depth: 32, values: 1_000 };

/**
 * A client of the Voice Service API. Throws TypeError for a base address or a key that cannot work; its methods reject with
 * ApiError and with nothing else.
 */
export function createApi(options: ApiOptions): Api {
  const base = readBaseUrl(options.baseUrl);
  const apiKey = readApiKey(options.apiKey);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const concurrency = options.concurrency ?? 5;
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new TypeError('The concurrency must be a whole number from 1 on.');

  const breaker = { ...defaultBreaker, ...options.breaker };
  const now = options.now ?? (() => performance.now());
  let nextProbe: NodeJS.Timeout | undefined;

  const transport: Transport = {
    pool: new Pool(base.origin, {
      connections: concurrency,
      connect: { timeout: timeouts.connect },
      // Longer than undici's 4 s, for a handshake before an utterance is heard; a service that says less is obeyed.
      keepAliveTimeout: 60_000,
      // An aborted speech would be one stream among others there; here its end frees the connection for certain.
      allowH2: false,
    }),
    prefix: base.pathname.replace(/\/+$/, ''),
    apiKey,
    places: createPlaces(concurrency),
    retries: { ...defaultRetries, ...options.retries },
    breaker: createBreaker(breaker, now, options.onDown),
    missing: createMissingOperations(now),
    probeAfter(ms) {
      if (!transport.closed) nextProbe = setTimeout(probe, ms).unref();
    },
    silence: timeouts.silence,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
    calls: new Set(),
    closed: false,
  };
  const limits = { headersLimit: timeouts.headers, wholeLimit: timeouts.whole };

  async function callJson<S extends z.ZodType>(
    request: WireRequest,
    call: CallOptions,
    schema: S,
    bounds = listBounds,
  ): Promise<z.output<S>> {
    const { accepted } = await openAnswer(transport, request, call, (answer) => readJson(answer, schema, bounds));
    return accepted;
  }

  /** Asks a service that is down whether it is back, with the smallest call there is, which costs no credit. */
  function probe(): void {
    const limit = Math.min(timeouts.headers, breaker.rest);
    const request = {
      operation: 'catalogue',
      method: 'GET',
      path: '/model?page_size=1',
      headersLimit: limit,
      wholeLimit: limit,
      isProbe: true,
    } as const;
    callJson(request, {}, modelList).catch(() => {});
  }

  return {
    async listModels(query = {}, call = {}) {
      const { title } = query;
      // As it is, and as it travels.
      const privateText = title ? `${title} ${new URLSearchParams({ title })}` : '';
      return toModelPage(
        await callJson(
          { operation: 'catalogue', method: 'GET', path: `/model${toModelQuery(query)}`, privateText, ...limits },
          call,
          modelList,
        ),
      );
    },

    async speak(request, call = {}) {
      const startedAt = performance.now();
      const body = toTtsBody(request);
      // JSON cannot carry bytes; everything else travels as the spec has it.
      const inlined = body.references !== undefined;
      const { answer, accepted } = await openAnswer(
        transport,
        {
          operation: 'speech',
          namesResource: true,
          method: 'POST',
          path: '/v1/tts',
          headers: {
            'content-type': inlined ? 'application/msgpack' : 'application/json',
            model: request.model ?? options.model ?? defaultModel,
          },
          body: () => (inlined ? encode(body, { ignoreUndefined: true }) : JSON.stringify(body)),
          privateText: request.text,
          costsCredit: true,
          ...limits,
        },
        call,
        acceptSpeech,
      );
      return createSpeech(answer, accepted, startedAt, timeouts.whole);
    },

    async transcribe(request, call = {}) {
      const upload = createUpload(request);
      try {
        const result = await callJson(
          {
            operation: 'transcription',
            method: 'POST',
            path: '/v1/asr',
            headers: upload.headers,
            body: upload.body,
            canRepeat: upload.canRepeat,
            bodyFailure: upload.failure,
            privateText: request.filename ?? '',
            headersLimit: timeouts.transcription,
            wholeLimit: timeouts.transcription,
            isLong: true,
            costsCredit: true,
          },
          call,
          asrResult,
          transcriptBounds,
        );
        return toTranscript(result);
      } finally {
        void upload.close();
      }
    },

    async getCredit({ userId = 'self', checkFreeCredit, ...call } = {}) {
      const path = `/wallet/${toPathSegment(userId)}/api-credit${toQuery({ check_free_credit: checkFreeCredit })}`;
      return toCredit(
        await callJson(
          { operation: 'credit', namesResource: userId !== 'self', method: 'GET', path, ...limits },
          call,
          walletRecord,
          recordBounds,
        ),
      );
    },

    async close() {
      transport.closed = true;
      clearTimeout(nextProbe);
      for (const ending of transport.calls) ending.abort(new ApiError('aborted', 'The API client was closed.'));
      await transport.pool.destroy();
    },
  };
}

/** The body as its schema has it. What came in its place is told by the names of the fields, never by their values. */
async function readJson<S extends z.ZodType>(answer: Answer, schema: S, bounds: JsonBounds): Promise<z.output<S>> {
  const { status, requestId } = answer;
  const refuse = (what: string) =>
    new ApiError('protocol', `The voice service answered ${status} with ${what}. Check the base address.`, { status, requestId });
  const bytes = await readWhole(answer, bounds.bytes);
  const complaint = bytes.length > harmlessBytes ? inspectJson(bytes, bounds) : null;
  if (complaint === 'too-deep') throw refuse(`JSON of more than ${bounds.depth} levels`);
  if (complaint === 'too-many-values') throw refuse(`JSON of more than ${bounds.values} values`);
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(text.trim() === '' ? 'nothing' : text.trimStart().startsWith('<') ? 'a web page' : 'something that is not JSON');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.slice(0, 5).map((issue) => issue.path.join('.') || 'the body');
  throw refuse(`JSON of another shape than the spec's, at: ${fields.join(', ')}`);
}

function readBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('The base address is not a URL. Give it as https://host, or http://127.0.0.1:port for a service on this machine.');
  }
  if (url.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    throw new TypeError('The base address is http and not on this machine: the API key would travel unencrypted. Use https.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('The base address must be an address and a path alone: without a user name, a query or a fragment.');
  }
  return url;
}

function readApiKey(text: string): string {
  const key = text.trim();
  // What HTTP lets into a header's value; anything else would fail with the key in the message.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('The API key is empty, or has spaces or characters that no key has. Copy it again.');
  return key;
}

function toPathSegment(id: string): string {
  // A dot or two would be another path for whoever stands between.
  if (/^\.{0,2}$/.test(id)) throw new ApiError('validation', 'The user id is empty or not an id. Use the id, or self.');
  return encodeURIComponent(id.toWellFormed());
}
