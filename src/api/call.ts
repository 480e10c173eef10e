// One call, from waiting for its turn to an accepted response, with its retries, and every way it can end early.
import type { Readable } from 'node:stream';
import type { Pool } from 'undici';
import { createRedactor, type Redactor } from '../text/redactor.ts';
import type { CallLimiter } from './call-limiter.ts';
import type { ServiceBreaker } from './circuit-breaker.ts';
import { errorFromConnection, errorFromResponse, readConcurrency } from './error-mapping.ts';
import { ApiError } from './errors.ts';
import {
  type ApiResponse,
  createDeadline,
  createResponse,
  type RawResponse,
  readErrorBody,
  type SendProgress,
  sendRequest,
} from './http.ts';
import type { CallReport } from './options.ts';
import { type RetryOptions, retryDelay } from './retries.ts';
import type { CallOptions, Operation } from './types.ts';
import { isUnsupported, type UnsupportedOperations, unsupportedError } from './unsupported-operations.ts';

/** What all calls of one client share. */
export interface Transport {
  pool: Pool;
  /** Path of the base address, without a trailing slash. */
  pathPrefix: string;
  apiKey: string;
  limiter: CallLimiter;
  retries: RetryOptions;
  breaker: ServiceBreaker;
  unsupported: UnsupportedOperations;
  /** Probes a service that is down, this many milliseconds from now. */
  scheduleProbe: (ms: number) => void;
  onCall: ((report: CallReport) => void) | undefined;
  /** Called with each answer that says how many calls the account may have in flight. */
  onConcurrency: (calls: number) => void;
  /** Milliseconds between two chunks of a response body. */
  idleTimeout: number;
  random: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Controllers of the calls in flight; `close` aborts them. */
  inFlight: Set<AbortController>;
  closed: boolean;
}

export interface ApiRequest {
  operation: Operation;
  /** Names a voice model or a user, so a 404 may be about that. */
  namesResource?: boolean;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Includes the query, not the prefix. */
  path: string;
  headers?: Record<string, string>;
  /** Milliseconds from the last byte of the request to the headers of the response. */
  headersTimeout: number;
  /** Total milliseconds spent waiting for the service, retries included; waiting for a turn doesn't count. */
  deadline: number;
  /** Milliseconds between two chunks of the response, in place of the client's own. */
  idleTimeout?: number;
  /** May take many minutes, so it must leave some capacity to other calls. */
  isLong?: boolean;
  /** A stream is created anew for each attempt. */
  body?: string | Uint8Array | (() => Readable);
  /** Opens something other than an HTTP request, with the client's own headers. */
  open?: (headers: Record<string, string>, signal: AbortSignal, progress: SendProgress) => Promise<RawResponse>;
  /** False once a body that can be read only once has been started. */
  canRepeat?: () => boolean;
  /** Why the body couldn't be read to its end, if that is what ended the call. */
  bodyFailure?: () => ApiError | null;
  /** Attempts in total, if fewer than the client's own. */
  attempts?: number;
  /** Nobody waits for the first byte: a service that is too busy is asked again for minutes. */
  isPatient?: boolean;
  /**
   * Whether a failure of the service (503) is its own fault, and not due to what it was sent. If not, the call isn't repeated, and nobody
   * takes it for an outage.
   */
  isServiceAtFault?: () => Promise<boolean>;
  /** A failure after the last byte of the request may have been billed. */
  costsCredit?: boolean;
  /** Asks whether a service that is down is back: sent regardless, without waiting for a turn, and not repeated. */
  isProbe?: boolean;
  /** What members said, typed, or named a file; kept out of errors. */
  privateText?: string;
  /** The id of a voice, which a member may have typed. */
  voice?: string | null | undefined;
}

interface Attempt extends SendProgress {
  response: ApiResponse | null;
  /** Lets the next call take its turn. */
  release: () => void;
}

/**
 * Makes a call. `accept` judges the response, reading as much of it as it needs. If it throws, the call may be attempted again; what it
 * returns is passed on along with the response, which the caller then reads to its end or closes.
 */
export async function makeCall<T>(
  transport: Transport,
  request: ApiRequest,
  options: CallOptions,
  accept: (response: ApiResponse) => Promise<T>,
): Promise<{ response: ApiResponse; accepted: T }> {
  const startedAt = performance.now();
  const report = (outcome: CallReport['outcome']) => {
    if (!request.isProbe) transport.onCall?.({ operation: request.operation, outcome, ms: performance.now() - startedAt });
  };
  try {
    const result = await attemptCall(transport, request, options, accept);
    report('ok');
    return result;
  } catch (error) {
    report((error as ApiError).kind);
    throw error;
  }
}

async function attemptCall<T>(
  transport: Transport,
  request: ApiRequest,
  options: CallOptions,
  accept: (response: ApiResponse) => Promise<T>,
): Promise<{ response: ApiResponse; accepted: T }> {
  const { breaker, unsupported } = transport;
  const { operation } = request;
  if (transport.closed) throw new ApiError('aborted', 'The API client is closed.');
  if (!request.isProbe) {
    breaker.check(operation);
    unsupported.check(request.operation);
  }
  let redactor: Redactor | null = null;
  // Created only once there is something to take out: most calls succeed.
  const redact: Redactor = (text) => {
    redactor ??= createRedactor(transport.apiKey, request.privateText ?? '', request.voice);
    return redactor(text);
  };
  const controller = new AbortController();
  const { signal } = controller;
  const deadline = createDeadline(request.deadline, () => controller.abort(deadlineError(request.deadline)));
  const onCallerAbort = () =>
    controller.abort(new ApiError('aborted', 'The call was aborted by its caller.', { cause: options.signal?.reason }));
  const finish = () => {
    deadline.pause();
    options.signal?.removeEventListener('abort', onCallerAbort);
    transport.inFlight.delete(controller);
  };
  transport.inFlight.add(controller);
  if (options.signal?.aborted) onCallerAbort();
  options.signal?.addEventListener('abort', onCallerAbort, { once: true });

  async function attemptOnce(attempt: Attempt): Promise<{ response: ApiResponse; accepted: T }> {
    if (!request.isProbe) {
      deadline.pause();
      breaker.check(operation);
      attempt.release = await transport.limiter.acquire(
        { priority: options.priority ?? 'interactive', isLong: request.isLong ?? false },
        signal,
      );
      options.onTurn?.();
      // The service may have gone down while this call waited for its turn.
      breaker.check(operation);
    }
    deadline.resume();
    const http = toHttpRequest(transport, request);
    const data = await (request.open?.(http.headers, signal, attempt) ?? sendRequest(transport.pool, http, signal, attempt));
    const response = createResponse(data, {
      controller,
      redact,
      deadline,
      idleTimeout: request.idleTimeout ?? transport.idleTimeout,
    });
    void response.closed.then(attempt.release);
    attempt.response = response;
    const { status, headers } = response;
    const concurrency = readConcurrency(headers);
    if (concurrency !== null) transport.onConcurrency(concurrency);
    if (status !== 101 && (status < 200 || status > 299)) {
      if (isUnsupported(status, request.namesResource ?? false)) throw unsupportedError(request.operation, status, response.requestId);
      throw errorFromResponse(status, headers, await readErrorBody(response), redact, operation);
    }
    const accepted = await accept(response);
    breaker.succeeded();
    void response.closed.then(finish);
    // From here on there may be no read in progress that would notice an abort.
    signal.addEventListener('abort', response.close, { once: true });
    return { response, accepted };
  }

  const startedAt = performance.now();
  const retries = { ...transport.retries, attempts: Math.min(transport.retries.attempts, request.attempts ?? Number.POSITIVE_INFINITY) };
  /** Too many calls at once isn't a failure of this one. */
  const attempts = { busy: 0, failed: 0 };
  const patience = { ...retries, attempts: Number.POSITIVE_INFINITY };

  function delayAfter(error: ApiError): number | null {
    const isBusy = error.kind === 'rate-limited';
    const isPatient = isBusy && request.isPatient === true && performance.now() - startedAt < PATIENCE_MS;
    return retryDelay(error, attempts[isBusy ? 'busy' : 'failed'], isPatient ? patience : retries, transport.random);
  }

  for (;;) {
    const attempt: Attempt = { isSent: false, response: null, release() {} };
    try {
      return await attemptOnce(attempt);
    } catch (thrown) {
      const failure = signal.aborted ? signal.reason : (request.bodyFailure?.() ?? thrown);
      const mapped = failure instanceof ApiError ? failure : errorFromConnection(failure, redact, null);
      const isRefused = isRefusal(mapped.status ?? attempt.response?.status ?? null);
      const error = mapped.with({ mayHaveBeenBilled: request.costsCredit === true && attempt.isSent && !isRefused });
      const wasAsked = error.downForMs === null;
      attempts[error.kind === 'rate-limited' ? 'busy' : 'failed'] += 1;
      const isAtFault = !(await isCausedByRequest(request, error));
      const canRepeat = !request.isProbe && request.canRepeat?.() !== false && !signal.aborted && wasAsked && isAtFault;
      const wait = canRepeat ? delayAfter(error) : null;
      // Recorded before the next call takes its turn, so that the next call needn't find out again.
      unsupported.record(error);
      if (wait === null && wasAsked && isAtFault) recordFailure(transport, request, error);
      attempt.response?.close();
      attempt.release();
      if (wait === null) {
        finish();
        throw error;
      }
      deadline.resume();
      // An abort is noticed by the next attempt.
      await transport.sleep(wait, signal).catch(() => {});
    }
  }
}

/** Milliseconds. */
const PATIENCE_MS = 120_000;

/** Whether the service failed because of what it was sent. Never rejects. */
async function isCausedByRequest({ isServiceAtFault }: ApiRequest, { status }: ApiError): Promise<boolean> {
  if (!isServiceAtFault || status !== 503) return false;
  return !(await isServiceAtFault().catch(() => true));
}

function toHttpRequest(transport: Transport, request: ApiRequest) {
  return {
    method: request.method,
    path: transport.pathPrefix + request.path,
    headers: {
      ...request.headers,
      authorization: `Bearer ${transport.apiKey}`,
      'user-agent': 'parley',
      'accept-encoding': 'identity',
    },
    body: typeof request.body === 'function' ? request.body() : (request.body ?? null),
    headersTimeout: request.headersTimeout,
  };
}

function deadlineError(ms: number): ApiError {
  return new ApiError('timeout', `The call took longer than ${ms / 1000} s. Try again later.`, { retryable: true });
}

/** Tells the circuit breaker, and probes the service if that is due. */
function recordFailure({ breaker, scheduleProbe }: Transport, { isProbe, operation }: ApiRequest, error: ApiError): void {
  const probeIn = isProbe ? breaker.probeFailed(error) : breaker.failed(operation, error);
  if (probeIn !== null) scheduleProbe(probeIn);
}

/** A proxy's ways of saying that the service behind it broke off or didn't respond in time: it may have done its work. */
const UNKNOWN_OUTCOME = [502, 504, 520, 524];

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 300 && !UNKNOWN_OUTCOME.includes(status);
}
