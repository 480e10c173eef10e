// One HTTP request handed to the connection pool, and its response while the body is read.
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher, Pool } from 'undici';
import { errorFromConnection, type Headers, type Redactor, readRequestId } from './error-mapping.ts';
import { ApiError } from './errors.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | null;
  /** Milliseconds from the last byte of the request to the headers of the response. */
  headersTimeout: number;
}

/**
 * Resolves with the response once its headers have arrived. An abort rejects at once with the signal's reason; undici alone would wait
 * for a connection that is still being made.
 * @param onSent called once the last byte of the request has been written to the socket
 */
export function sendRequest(pool: Pool, request: HttpRequest, signal: AbortSignal, onSent: () => void): Promise<Dispatcher.ResponseData> {
  const { body } = request;
  return new Promise((resolve, reject) => {
    const abort = () => {
      if (body !== null && typeof body === 'object' && 'destroy' in body) body.on('error', () => {}).destroy(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    pool
      .compose(reportSent(onSent))
      // The idle timeout of the body is ours, below.
      .request({ ...request, bodyTimeout: 0, signal })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** undici's promise doesn't tell when the request has been sent; its handlers do. */
function reportSent(onSent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (...args) => handler.onRequestStart?.(...args),
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
      onBodySent: (...args) => handler.onBodySent?.(...args),
      onRequestSent() {
        onSent();
        handler.onRequestSent?.();
      },
    });
}

// The response to a call while its body is being read.

/** What a connection brought: undici's response, or a websocket's. */
export interface RawResponse {
  statusCode: number;
  headers: Headers;
  body: Readable;
  /** Milliseconds for which the service has had everything it needs to go on; 0 while the caller owes it something. Absent = always. */
  dueForMs?: () => number;
}

/** Occupies its call's turn and its connection until its body has ended or `close` is called. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  requestId: string | null;
  /** The next chunk, or null at the end. Rejects with ApiError, also after `idleTimeout` ms (default: the client's) without a byte. */
  read(idleTimeout?: number): Promise<Uint8Array | null>;
  /** Pause it while the caller, rather than the service, is what the call waits for. */
  deadline: Deadline;
  /** Ends the call with this error, which the next `read` rejects with. */
  fail(error: ApiError): void;
  close(): void;
}

/** Error bodies are read up to this size and for this long (ms): enough for a sentence. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
const MAX_ERROR_BODY_MS = 2_000;

interface CallState {
  /** Aborts the call. */
  controller: AbortController;
  deadline: Deadline;
  redact: Redactor;
  idleTimeout: number;
  onClose: () => void;
}

export function createResponse(data: RawResponse, call: CallState): ApiResponse {
  const { redact, controller } = call;
  const { signal } = controller;
  const { statusCode: status, headers, body } = data;
  const requestId = readRequestId(headers, redact);
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  let closed = false;

  // An abort also reaches a body that nobody is reading; the next read reports it.
  body.on('error', () => {});

  const close = () => {
    if (closed) return;
    closed = true;
    // Returning the iterator wouldn't do: if nothing has been read, it leaves the body alone.
    if (!body.readableEnded) body.destroy();
    call.onClose();
  };

  return {
    status,
    headers,
    requestId,
    deadline: call.deadline,
    close,
    fail: (error) => controller.abort(error),
    async read(idleTimeout = call.idleTimeout) {
      const onSilence = () => {
        const dueForMs = data.dueForMs?.() ?? idleTimeout;
        if (dueForMs < idleTimeout) {
          timer = setTimeout(onSilence, idleTimeout - dueForMs);
          return;
        }
        const message = 'The voice service fell silent in the middle of its response. Try again.';
        body.destroy(new ApiError('timeout', message, { status, requestId, retryable: true }));
      };
      let timer = setTimeout(onSilence, idleTimeout);
      try {
        signal.throwIfAborted();
        const { done, value } = await chunks.next();
        if (!done) return value;
        close();
        // undici frees a connection one turn of the event loop after its last byte; a call made before that opens a new one.
        await setImmediate();
        return null;
      } catch (error) {
        close();
        signal.throwIfAborted();
        throw error instanceof ApiError ? error : errorFromConnection(error, redact, { status, requestId });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The whole body. @throws ApiError `protocol` beyond `limit` bytes: nothing in the spec is that long */
export async function readBody(response: ApiResponse, limit: number): Promise<Uint8Array> {
  const body = createByteCollector(limit);
  for (let chunk = await response.read(); chunk !== null; chunk = await response.read()) {
    if (body.add(chunk)) continue;
    const { status, requestId } = response;
    throw new ApiError('protocol', `The response of the voice service is longer than ${limit} bytes.`, { status, requestId });
  }
  return body.bytes();
}

/** As much of an error's body as arrives in time. The status says what happened, so a failure to read the body isn't another error. */
export async function readErrorBody(response: ApiResponse): Promise<string> {
  const readUntil = performance.now() + MAX_ERROR_BODY_MS;
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    while (length < MAX_ERROR_BODY_BYTES) {
      const chunk = await response.read(Math.max(1, readUntil - performance.now()));
      if (chunk === null) break;
      length += chunk.length;
      chunks.push(chunk);
    }
  } catch {}
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_ERROR_BODY_BYTES));
}

// Concatenates the chunks of a body as they arrive.

const INITIAL_BYTES = 16 * 1024;

export interface ByteCollector {
  /** Returns false, without taking the chunk, if the body would exceed its limit. */
  add(chunk: Uint8Array): boolean;
  /** Everything added. Nothing may be added afterwards. */
  bytes(): Buffer;
}

/** One growing buffer: a sender of single bytes would otherwise make each an object a hundred times as large. @param limit in bytes */
export function createByteCollector(limit: number): ByteCollector {
  /** Most bodies arrive as one chunk, which isn't copied. */
  let onlyChunk: Uint8Array | null = null;
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add(chunk) {
      const needed = length + chunk.length;
      if (needed > limit) return false;
      if (length === 0) {
        onlyChunk = chunk;
        length = needed;
        return true;
      }
      if (onlyChunk) {
        buffer = Buffer.concat([onlyChunk], Math.min(limit, Math.max(needed, INITIAL_BYTES)));
        onlyChunk = null;
      }
      if (needed > buffer.length) buffer = Buffer.concat([buffer], Math.min(limit, Math.max(needed, 2 * buffer.length)));
      buffer.set(chunk, length);
      length = needed;
      return true;
    },
    bytes: () => (onlyChunk ? Buffer.from(onlyChunk.buffer, onlyChunk.byteOffset, onlyChunk.length) : buffer.subarray(0, length)),
  };
}

// A time limit that counts only while it runs.

export interface Deadline {
  /** Does nothing if it is running. */
  resume(): void;
  pause(): void;
}

/** Starts paused. @param ms in total */
export function createDeadline(ms: number, onExpired: () => void): Deadline {
  let remaining = ms;
  let resumedAt = 0;
  let timer: NodeJS.Timeout | null = null;
  return {
    resume() {
      if (timer !== null) return;
      resumedAt = performance.now();
      timer = setTimeout(onExpired, Math.max(0, remaining));
    },
    pause() {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      remaining -= performance.now() - resumedAt;
    },
  };
}
