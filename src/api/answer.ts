// The answer to a call while its body is read, and the ways to read it whole.
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Stopwatch } from './call.ts';
import { createCollector } from './collect.ts';
import { ApiError } from './errors.ts';
import { type Headers, problemFromConnection, type Redact, readRequestId } from './problems.ts';

/** An answer with a status in 2xx. It holds its place and its connection until its body has ended or `close` is called. */
export interface Answer {
  status: number;
  headers: Headers;
  requestId: string | null;
  /** The next chunk, or null at the end. Rejects with ApiError, for one after `silence` ms (default: the transport's) without a byte. */
  read(silence?: number): Promise<Uint8Array | null>;
  /** Runs while the service is waited for; a caller that lets the answer wait pauses it. */
  whole: Stopwatch;
  /** Ends the call with this error, which the next `read` rejects with. */
  fail(error: ApiError): void;
  close(): void;
}

/** Error bodies are read this far and this long (ms): enough for a sentence. */
const errorBodyBytes = 64 * 1024;
const errorBodyTime = 2_000;

interface AnswerParts {
  ending: AbortController;
  whole: Stopwatch;
  redact: Redact;
  silence: number;
  onClose: () => void;
}

export function createAnswer(response: Dispatcher.ResponseData, parts: AnswerParts): Answer {
  const { ending, redact } = parts;
  const { statusCode: status, headers, body } = response;
  const requestId = readRequestId(headers, redact);
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  let closed = false;

  // An abort reaches the body outside of any read: the error is kept for the next one.
  body.on('error', () => {});

  const close = () => {
    if (closed) return;
    closed = true;
    // The iterator has not begun when nothing was read, and would then leave the body alone.
    if (!body.readableEnded) body.destroy();
    parts.onClose();
  };

  return {
    status,
    headers,
    requestId,
    whole: parts.whole,
    close,
    fail: (error) => ending.abort(error),
    async read(silence = parts.silence) {
      const timer = setTimeout(() => {
        const message = 'The voice service fell silent in the middle of its answer. Try again.';
        body.destroy(new ApiError('timeout', message, { status, requestId, retryable: true }));
      }, silence);
      try {
        if (ending.signal.aborted) throw ending.signal.reason;
        const { done, value } = await chunks.next();
        if (!done) return value;
        close();
        // undici frees a connection one turn of the event loop after its last byte; whoever calls again before makes a new one.
        await setImmediate();
        return null;
      } catch (error) {
        close();
        if (ending.signal.aborted) throw ending.signal.reason;
        throw error instanceof ApiError ? error : problemFromConnection(error, redact, { status, requestId });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** A body read whole; beyond `limit` bytes it is an error, for nothing of the spec is that long. */
export async function readWhole(answer: Answer, limit: number): Promise<Uint8Array> {
  const body = createCollector(limit);
  for (let chunk = await answer.read(); chunk !== null; chunk = await answer.read()) {
    if (body.add(chunk)) continue;
    const { status, requestId } = answer;
    throw new ApiError('protocol', `The answer of the voice service is longer than ${limit} bytes.`, { status, requestId });
  }
  return body.bytes();
}

/** As much of an error's body as can be had: the status alone says what happened, so nothing about the body is another error. */
export async function readErrorBody(answer: Answer): Promise<string> {
  const until = performance.now() + errorBodyTime;
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    while (length < errorBodyBytes) {
      const chunk = await answer.read(Math.max(1, until - performance.now()));
      if (chunk === null) break;
      length += chunk.length;
      chunks.push(chunk);
    }
  } catch {}
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, errorBodyBytes));
}
