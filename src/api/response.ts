// The response to a call while its body is being read.
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createByteCollector } from './byte-collector.ts';
import type { Deadline } from './deadline.ts';
import { errorFromConnection, type Headers, readRequestId } from './error-mapping.ts';
import { ApiError } from './errors.ts';
import type { Redactor } from './redactor.ts';

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
