// One call, from waiting for a place to its answer: limits, retries, and every way it can be ended early.
import type { Readable } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';
import { type Answer, createAnswer, readErrorBody } from './answer.ts';
import type { Breaker } from './breaker.ts';
import { ApiError } from './errors.ts';
import { type MissingOperations, notThere, saysNotThere } from './missing.ts';
import type { Places } from './places.ts';
import { createRedact, problemFromAnswer, problemFromConnection } from './problems.ts';
import { type RetryOptions, waitBeforeRetry } from './retry.ts';
import type { CallOptions, Operation } from './types.ts';

/** What all calls of one client share. */
export interface Transport {
  pool: Pool;
  /** Path of the base address, without a slash at its end. */
  prefix: string;
  apiKey: string;
  places: Places;
  retries: RetryOptions;
  breaker: Breaker;
  missing: MissingOperations;
  /** What is to happen when the service is found to be down: it is tried again after so many ms. */
  probeAfter: (ms: number) => void;
  /** Milliseconds without a byte of an answer that has begun. */
  silence: number;
  random: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** What can end the calls in flight, for `close`. */
  calls: Set<AbortController>;
  closed: boolean;
}

export interface WireRequest {
  operation: Operation;
  /** Names a voice model or a user, so that a 404 may be about that. */
  namesResource?: boolean;
  method: 'GET' | 'POST';
  /** With its query, without the prefix. */
  path: string;
  headers?: Record<string, string>;
  /** Milliseconds from the request's last byte to the headers of the answer. */
  headersLimit: number;
  /** Milliseconds of waiting for the service in all, retries included; waiting for a place is not counted. */
  wholeLimit: number;
  /** May hold its place for many minutes, and so has to leave some to others. */
  isLong?: boolean;
  /** Makes the body anew for each try. */
  body?: () => string | Uint8Array | Readable;
  /** False once a body that can only be read once has been begun. */
  canRepeat?: () => boolean;
  /** Why the body could not be read to its end, where that is what ended the call. */
  bodyFailure?: () => ApiError | null;
  /** It costs credit, so that a failure after its last byte may have been billed. */
  costsCredit?: boolean;
  /** Asks whether a service that is down is back: goes out all the same, waits for no place, and is not repeated. */
  isProbe?: boolean;
  /** What members said, typed, or called a file: never to be seen in an error. */
  privateText?: string;
}

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
  if (!request.isProbe) {
    transport.breaker.check();
    transport.missing.check(request.operation);
  }
  transport.calls.add(ending);
  if (options.signal?.aborted) onCallerAbort();
  options.signal?.addEventListener('abort', onCallerAbort, { once: true });

  for (let tries = 1; ; tries += 1) {
    let release = () => {};
    let answer: Answer | null = null;
    let isSent = false;
    const lease = { closed: false, handedOver: false };
    try {
      if (!request.isProbe) {
        transport.breaker.check();
        whole.pause();
        release = await transport.places.take({ priority: options.priority ?? 'interactive', isLong: request.isLong ?? false }, signal);
        // It may have been found out while this one waited for its place.
        transport.breaker.check();
      }
      whole.run();
      const response = await send(transport, request, signal, () => {
        isSent = true;
      });
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
        if (saysNotThere(response.statusCode, request.namesResource ?? false))
          throw notThere(request.operation, response.statusCode, answer.requestId);
        throw problemFromAnswer(response.statusCode, response.headers, await readErrorBody(answer), redact);
      }
      const accepted = await accept(answer);
      transport.breaker.succeeded();
      lease.handedOver = true;
      if (lease.closed) finish();
      // From here on nobody may be reading when the call is ended.
      else signal.addEventListener('abort', answer.close, { once: true });
      return { answer, accepted };
    } catch (thrown) {
      const failure = signal.aborted ? signal.reason : (request.bodyFailure?.() ?? thrown);
      const error = failure instanceof ApiError ? failure : problemFromConnection(failure, redact, null);
      error.mayHaveBeenBilled = request.costsCredit === true && isSent && !isRefusal(error.status ?? answer?.status ?? null);
      const canRepeat = !request.isProbe && request.canRepeat?.() !== false && !signal.aborted && error.downForMs === null;
      const wait = canRepeat ? waitBeforeRetry(error, tries, transport.retries, transport.random) : null;
      transport.missing.note(error);
      // Before the place goes to the next one, who then need not find out again.
      if (wait === null && error.downForMs === null) noteFailure(transport, request, error);
      answer?.close();
      release();
      if (wait === null) {
        finish();
        throw error;
      }
      whole.run();
      await transport.sleep(wait, signal).catch(() => {});
    }
  }
}

function noteFailure({ breaker, probeAfter }: Transport, { isProbe }: WireRequest, error: ApiError): void {
  const next = isProbe ? breaker.probeFailed(error) : breaker.failed(error);
  if (next !== null) probeAfter(next);
}

/** With these, a proxy says that the service behind it broke off or gave no answer in time: it may have done its work. */
const UNKNOWN_OUTCOME = [502, 504, 520, 524];

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 300 && !UNKNOWN_OUTCOME.includes(status);
}

/** The answer's headers; `onSent` is called once the request's last byte has gone to the socket. Unlike undici's own, an abort is obeyed at once even while the connection is still being made. */
function send(transport: Transport, request: WireRequest, signal: AbortSignal, onSent: () => void): Promise<Dispatcher.ResponseData> {
  const body = request.body?.() ?? null;
  return new Promise((resolve, reject) => {
    const stop = () => {
      if (body !== null && typeof body === 'object' && 'destroy' in body) body.on('error', () => {}).destroy(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    transport.pool
      .compose(telling(onSent))
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

/** Tells when a request has been sent to its end, which undici's promise does not. */
function telling(onSent: () => void): Dispatcher.DispatcherComposeInterceptor {
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

/** A limit that counts only while it runs. */
export interface Stopwatch {
  run(): void;
  pause(): void;
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
