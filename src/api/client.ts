// The client: the operations of the spec, each turned into one call (call.ts).
import { setTimeout as delay } from 'node:timers/promises';
import { encode } from '@msgpack/msgpack';
import { Pool } from 'undici';
import type { z } from 'zod';
import { type ApiRequest, createCircuitBreaker, createUnsupportedOperations, makeCall, type Transport } from './call.ts';
import { createCallLimiter } from './call-limiter.ts';
import { defaultRetries } from './error-mapping.ts';
import { ApiError } from './errors.ts';
import { type BodyLimits, listLimits, readJson, transcriptLimits, walletLimits } from './http.ts';
import { createLiveSpeech, endTexts } from './live-speech.ts';
import { type ApiOptions, defaultBreaker, defaultTimeouts, parseApiKey, parseBaseUrl } from './options.ts';
import { asrResult, defaultModel, modelList, walletEntity } from './schemas.ts';
import { acceptSpeech, createSpeech } from './speech.ts';
import type { ApiClient, CallOptions } from './types.ts';
import { createUpload } from './upload.ts';
import { createOwnVoices } from './voice-models.ts';
import { toModelPage, toModelQuery, toQuery, toTranscript, toTtsBody, toWalletRecord } from './wire.ts';

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
  const concurrency = options.concurrency ?? 5;
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new TypeError('The concurrency must be a whole number, at least 1.');
  const now = options.now ?? (() => performance.now());
  const limits = { headersTimeout: timeouts.headers, deadline: timeouts.deadline };
  let probeTimer: NodeJS.Timeout | undefined;

  const transport: Transport = {
    pool: new Pool(base.origin, {
      connections: concurrency,
      connect: { timeout: timeouts.connect },
      // Longer than undici's 4 s: a TLS handshake would delay the next utterance. A service that announces less is obeyed.
      keepAliveTimeout: 60_000,
      // Over HTTP/2 an aborted speech would be one stream among others; over HTTP/1.1 aborting is certain to free the connection.
      allowH2: false,
    }),
    pathPrefix: base.pathname.replace(/(?<!\/)\/+$/, ''),
    apiKey,
    limiter: createCallLimiter(concurrency),
    retries: { ...defaultRetries, ...options.retries },
    breaker: createCircuitBreaker(breaker, now, options.onDown),
    unsupported: createUnsupportedOperations(now),
    scheduleProbe(ms) {
      if (!transport.closed) probeTimer = setTimeout(probe, ms).unref();
    },
    onCall: options.onCall,
    idleTimeout: timeouts.idle,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? ((ms, signal) => delay(ms, undefined, { signal })),
    inFlight: new Set(),
    closed: false,
  };

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
    ...createOwnVoices(transport, timeouts),

    setConcurrency: (calls) => transport.limiter.resize(Math.min(calls, concurrency)),
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

    async speak(request, { isDownload = false, ...call } = {}) {
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
            ...(isDownload && { prefer: `wait=${Math.ceil(timeouts.transcription / 1000)}` }),
          },
          body: () => (isMsgpack ? encode(body, { ignoreUndefined: true }) : JSON.stringify(body)),
          privateText: request.text,
          voice: request.referenceId,
          costsCredit: true,
          ...(isDownload
            ? { headersTimeout: timeouts.download, idleTimeout: timeouts.download, deadline: timeouts.transcription }
            : limits),
        },
        call,
        acceptSpeech,
      );
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

    async transcribe(request, call = {}) {
      const upload = createUpload(request);
      const apiRequest: ApiRequest = {
        operation: 'transcription',
        method: 'POST',
        path: '/v1/asr',
        headers: upload.headers,
        body: upload.body,
        canRepeat: upload.canRepeat,
        bodyFailure: upload.failure,
        privateText: request.filename ?? '',
        headersTimeout: timeouts.transcription,
        deadline: timeouts.transcription,
        isLong: true,
        costsCredit: true,
      };
      try {
        return toTranscript(await callJson(apiRequest, call, asrResult, transcriptLimits));
      } finally {
        void upload.close();
      }
    },

    async getCredit({ userId = 'self', checkFreeCredit, ...call } = {}) {
      const request: ApiRequest = {
        operation: 'credit',
        namesResource: userId !== 'self',
        method: 'GET',
        path: `/wallet/${toPathSegment(userId)}/api-credit${toQuery({ check_free_credit: checkFreeCredit })}`,
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

function toPathSegment(id: string): string {
  // Proxies resolve "." and ".." to another path.
  if (/^\.{0,2}$/.test(id)) throw new ApiError('validation', 'The user id is empty or not an id. Use the id, or self.');
  return encodeURIComponent(id.toWellFormed());
}
