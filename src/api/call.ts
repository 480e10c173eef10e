// One call, from waiting for a place to the end of the answer: limits, retries, and every way it can be ended early.
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher, Pool } from 'undici';
import { ApiError } from './errors.ts';
import type { Places } from './places.ts';
import { createRedact, type Headers, problemFromAnswer, problemFromConnection, type Redact, readRequestId } from './problems.ts';
import { type RetryOptions, waitBeforeRetry } from './retry.ts';
import type { CallOptions } from './types.ts';

/** What all calls of one client share. */
export interface Transport {
  pool: Pool;
  /** Path of the base address, without a slash at its end. */
  prefix: string;
  apiKey: string;
  places: Places;
  retries: RetryOptions;
  /** Milliseconds without a byte of an answer that has begun. */
  silence: number;
  random: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** What can end the calls in flight, for `close`. */
  calls: Set<AbortController>;
  closed: boolean;
}

export interface WireRequest {
  method: 'GET' | 'POST';
  /** With its query, without the prefix. */
  path: string;
  headers?: Record<string, string>;
  /** Milliseconds from the request's last byte to the headers of the answer. */
  headersLimit: number;
  /** Milliseconds of waiting for the service in all, retries included; waiting for a place is not counted. */
  wholeLimit: number;
  /** Makes the body anew for each try. */
  body?: () => string | Uint8Array | Readable;
  /** False once a body that can only be read once has been begun. */
  canRepeat?: () => boolean;
  /** Why the body could not be read to its end, where that is what ended the call. */
  bodyFailure?: () => ApiError | null;
  /** What members said: never to be seen in an error. */
  privateText?: string;
}

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
  redact: Redact;
  close(): void;
}

/** A limit that counts only while it runs. */
export interface Stopwatch {
  run(): void;
  pause(): void;
}

/** Error bodies are read this far and this long (ms): enough for a sentence. */
const errorBodyBytes = 64 * 1024;
const errorBodyTime = 2_000;

/**
 * Makes a call. `accept` judges the answer, reading as much of it as it needs; what it throws may lead to another try, and what it
 * returns comes back beside the answer, which is then the caller's to read on and to close.
 */
export async function openAnswer<T>(
  transport: Transport,
  request: WireRequest,
  options: CallOptions,
  accept: (answer: Answer) => Promise<T>,
): Promise<{ answer: Answer; accepted: T }> {
  const redact = createRedact(transport.apiKey, request.privateText ?? '');
  const ending = new AbortController();
  const signal = ending.signal;
  const onCallerAbort = () =>
    ending.abort(new ApiError('aborted', 'The call was aborted by its caller.', { cause: options.signal?.reason }));
  const whole = createStopwatch(request.wholeLimit, () =>
    ending.abort(
      new ApiError('timeout', `The call was not done after ${request.wholeLimit / 1000} s. Try again later.`, { retryable: true }),
    ),
  );
  const finish = () => {
    whole.pause();
    options.signal?.removeEventListener('abort', onCallerAbort);
    transport.calls.delete(ending);
  };

  if (transport.closed) throw new ApiError('aborted', 'The API client is closed.');
  transport.calls.add(ending);
  if (options.signal?.aborted) onCallerAbort();
  options.signal?.addEventListener('abort', onCallerAbort, { once: true });

  for (let tries = 1; ; tries += 1) {
    let release = () => {};
    let answer: Answer | null = null;
    const lease = { closed: false, handedOver: false };
    try {
      whole.pause();
      release = await transport.places.take(options.priority ?? 'interactive', signal);
      whole.run();
      const response = await send(transport, request, signal);
      answer = createAnswer(response, {
        ending,
        redact,
        whole,
        silence: transport.silence,
        onClose() {
          release();
          lease.closed = true;
          if (lease.handedOver) finish();
        },
      });
      if (response.statusCode < 200 || response.statusCode > 299) {
        throw problemFromAnswer(response.statusCode, response.headers, await readErrorBody(answer), redact);
      }
      const accepted = await accept(answer);
      lease.handedOver = true;
      if (lease.closed) finish();
      // From here on nobody may be reading when the call is ended.
      else signal.addEventListener('abort', answer.close, { once: true });
      return { answer, accepted };
    } catch (thrown) {
      const failure = signal.aborted ? signal.reason : (request.bodyFailure?.() ?? thrown);
      const error = failure instanceof ApiError ? failure : problemFromConnection(failure, redact, null);
      answer?.close();
      release();
      const wait =
        request.canRepeat?.() === false || signal.aborted ? null : waitBeforeRetry(error, tries, transport.retries, transport.random);
      if (wait === null) {
        finish();
        throw error;
      }
      whole.run();
      await transport.sleep(wait, signal).catch(() => {});
    }
  }
}

/** The answer's headers. Unlike undici's own, an abort is obeyed at once even while the connection is still being made. */
function send(transport: Transport, request: WireRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const body = request.body?.() ?? null;
  return new Promise((resolve, reject) => {
    const stop = () => {
      if (body !== null && typeof body === 'object' && 'destroy' in body) body.on('error', () => {}).destroy(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    transport.pool
      .request({
        method: request.method,
        path: transport.prefix + request.path,
        headers: {
          ...request.headers,
          authorization: `Bearer ${transport.apiKey}`,
          'user-agent': 'parley',
          'accept-encoding': 'identity',
        },
        body,
        headersTimeout: request.headersLimit,
        bodyTimeout: 0,
        signal,
      })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

interface AnswerParts {
  ending: AbortController;
  whole: Stopwatch;
  redact: Redact;
  silence: number;
  onClose: () => void;
}

function createAnswer(response: Dispatcher.ResponseData, parts: AnswerParts): Answer {
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
    redact,
    whole: parts.whole,
    close,
    fail: (error) => ending.abort(error),
    async read(silence = parts.silence) {
      const timer = setTimeout(() => {
        const message = `The voice service fell silent in the middle of its answer. Try again.`;
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
export async function readText(answer: Answer, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await answer.read(); chunk !== null; chunk = await answer.read()) {
    length += chunk.length;
    if (length > limit) {
      const { status, requestId } = answer;
      throw new ApiError('protocol', `The answer of the voice service is longer than ${limit} bytes.`, { status, requestId });
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** As much of an error's body as can be had: the status alone says what happened, so nothing about the body is another error. */
async function readErrorBody(answer: Answer): Promise<string> {
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

function createStopwatch(limit: number, onLimit: () => void): Stopwatch {
  let left = limit;
  let since = 0;
  let timer: NodeJS.Timeout | null = null;
  return {
    run() {
      if (timer !== null) return;
      since = performance.now();
      timer = setTimeout(onLimit, Math.max(0, left));
    },
    pause() {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      left -= performance.now() - since;
    },
  };
}
