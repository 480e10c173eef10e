// One call, from waiting for its turn to an accepted response: limits, retries, billing, the circuit breaker, and every way it can end early.
import type { Readable } from 'node:stream';
import type { Pool } from 'undici';
import {
  createRedactor,
  errorFromConnection,
  errorFromResponse,
  type Redactor,
  type RetryOptions,
  readConcurrency,
  retryDelay,
} from './error-mapping.ts';
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
import type { CallReport, CircuitBreakerOptions, OutageOf } from './options.ts';
import type { CallOptions, Operation, SharedSlots } from './types.ts';

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
      const known = failure instanceof ApiError ? failure : errorFromConnection(failure, redact, null);
      const isRefused = isRefusal(known.status ?? attempt.response?.status ?? null);
      const error = known.with({ mayHaveBeenBilled: request.costsCredit === true && attempt.isSent && !isRefused });
      const wasAsked = error.downForMs === null;
      attempts[error.kind === 'rate-limited' ? 'busy' : 'failed'] += 1;
      const isAtFault = !(await isCausedByRequest(request, error));
      const canRepeat = !request.isProbe && request.canRepeat?.() !== false && !signal.aborted && wasAsked && isAtFault;
      const wait = canRepeat ? delayAfter(error) : null;
      // Recorded before the next call takes its turn, so that it needn't find out again.
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

// Operations that the service doesn't have (some self-hosted ones only speak): remembered, so that they aren't requested at every key
// press of an autocompletion.

/** Milliseconds; how long it may take to notice an operation that a running service has gained. */
const REMEMBER_MS = 3_600_000;

const operationNames: Record<Operation, string> = {
  catalogue: 'a catalogue of voices',
  speech: 'text-to-speech',
  'live-speech': 'text-to-speech over a websocket',
  transcription: 'transcription',
  credit: 'a balance',
  'own-voices': 'voices of your own',
};

export interface UnsupportedOperations {
  /** @throws ApiError `unsupported` while the operation is known to be missing */
  check(operation: Operation): void;
  record(error: ApiError): void;
}

/** @param now monotonic clock in milliseconds */
export function createUnsupportedOperations(now: () => number): UnsupportedOperations {
  const missing = new Map<Operation, { status: number | null; until: number }>();
  return {
    check(operation) {
      const known = missing.get(operation);
      if (known && now() < known.until) throw unsupportedError(operation, known.status);
    },
    record({ kind, operation, status }) {
      // Nothing works without speech: a service that lacks it for a moment, while it is being replaced, is asked again at once.
      if (kind === 'unsupported' && operation !== null && operation !== 'speech')
        missing.set(operation, { status, until: now() + REMEMBER_MS });
    },
  };
}

/**
 * Whether a status says that the service lacks the operation, rather than the voice or user. 405 and 501 always do; a 404 does if the
 * request names neither: the catalogue, transcription, the balance of `self`.
 */
function isUnsupported(status: number, namesResource: boolean): boolean {
  return status === 405 || status === 501 || (status === 404 && !namesResource);
}

export function unsupportedError(operation: Operation, status: number | null, requestId: string | null = null): ApiError {
  const message = `The voice service does not have ${operationNames[operation]} (${status}). If it should, check the base address.`;
  return new ApiError('unsupported', message, { status, requestId, operation });
}

// Notices that the service is down, so that calls fail at once instead of finding out one by one, each after a long wait.

export interface CircuitBreaker {
  /** @throws ApiError `server` with `downForMs` while the service counts as down */
  check(): void;
  /** A call or a probe got a response: the service isn't down, or no longer. */
  succeeded(): void;
  /** A call has failed for good. Returns the milliseconds to the first probe if the service counts as down from now on, else null. */
  failed(error: ApiError): number | null;
  /** Somebody else has found the service down. Returns the milliseconds to the first probe, or null if it counts as down already. */
  trip(): number | null;
  /** A probe has failed. Returns the milliseconds to the next one, or null if none is needed. */
  probeFailed(error: ApiError): number | null;
}

/** Null: the failure says nothing about the service. */
function looksLikeOutage({ kind }: ApiError): boolean | null {
  return kind === 'aborted' ? null : kind === 'server' || kind === 'timeout';
}

/**
 * Only counts; it makes no call and sets no timer. Only `server` and `timeout` look like an outage. Any other response, even a refusal,
 * shows that the service is there; an aborted call shows nothing.
 * @param now monotonic clock in milliseconds
 * @param onChange called when the service is considered down, and when it is back
 */
export function createCircuitBreaker(
  { failures, probeInterval }: CircuitBreakerOptions,
  now: () => number,
  onChange: (isDown: boolean) => void = () => {},
): CircuitBreaker {
  let consecutiveFailures = 0;
  let outage: { since: number; nextProbeAt: number } | null = null;

  function succeeded(): void {
    consecutiveFailures = 0;
    if (!outage) return;
    outage = null;
    onChange(false);
  }

  function trip(): number | null {
    if (outage) return null;
    outage = { since: now(), nextProbeAt: now() + probeInterval };
    onChange(true);
    return probeInterval;
  }

  return {
    check() {
      if (!outage) return;
      const downForMs = now() - outage.since;
      throw new ApiError(
        'server',
        `The voice service has been down for ${Math.round(downForMs / 1000)} s, so it was not asked. It is probed automatically.`,
        { retryable: true, retryAfterMs: Math.max(0, outage.nextProbeAt - now()), downForMs },
      );
    },
    succeeded,
    failed(error) {
      const isOutage = looksLikeOutage(error);
      if (isOutage === false) succeeded();
      // Calls that were in flight when the outage was noticed say nothing new.
      if (!isOutage || outage) return null;
      consecutiveFailures += 1;
      return consecutiveFailures < failures ? null : trip();
    },
    trip,
    probeFailed(error) {
      if (looksLikeOutage(error) === false) succeeded();
      if (!outage) return null;
      outage.nextProbeAt = now() + probeInterval;
      return probeInterval;
    },
  };
}

/** The breakers of one service: a failing transcription never stops calls of another kind. */
export interface ServiceBreaker {
  /** @throws ApiError `server` with `downForMs` while the service, or this operation, counts as down */
  check(operation: Operation): void;
  succeeded(): void;
  /** Returns the milliseconds to the first probe if something counts as down from now on, else null. */
  failed(operation: Operation, error: ApiError): number | null;
  trip(): number | null;
  probeFailed(error: ApiError): number | null;
}

/** @param onChange called when the service, or transcription alone, is considered down, and when it is back */
export function createServiceBreaker(
  options: CircuitBreakerOptions,
  now: () => number,
  onChange: (isDown: boolean, what: OutageOf) => void = () => {},
): ServiceBreaker {
  const service = createCircuitBreaker(options, now, (isDown) => onChange(isDown, 'service'));
  const transcription = createCircuitBreaker(options, now, (isDown) => onChange(isDown, 'transcription'));
  function succeeded(): void {
    service.succeeded();
    transcription.succeeded();
  }
  return {
    check(operation) {
      service.check();
      if (operation === 'transcription') transcription.check();
    },
    succeeded,
    failed(operation, error) {
      if (looksLikeOutage(error) === false) succeeded();
      return (operation === 'transcription' ? transcription : service).failed(error);
    },
    trip: service.trip,
    probeFailed(error) {
      const probes = [service.probeFailed(error), transcription.probeFailed(error)];
      return probes[0] ?? probes[1] ?? null;
    },
  };
}

// Limits how many calls are in flight, and decides which waiting call goes next.

interface CallTraits {
  priority: NonNullable<CallOptions['priority']>;
  /** It may take many minutes. */
  isLong: boolean;
}

export interface CallLimiter {
  /** Resolves, once the call may start, with a function that ends its turn; rejects with the signal's reason if aborted first. */
  acquire(call: CallTraits, signal: AbortSignal): Promise<() => void>;
  /** Whether a long call could start at once and leave room for one more long call, and for one of any kind. */
  hasRoomToSpare(): boolean | Promise<boolean>;
  /** Changes how many calls may be in flight; those that are go on. */
  resize(concurrency: number): void;
  /** From now on, each call takes one of these slots, too. */
  share(slots: SharedSlots): void;
}

/**
 * At most `concurrency` calls at once: interactive ones before background ones before spare ones, first come, first served within each. Long
 * calls get at most half of the slots, and calls behind a long one that waits for one of these may overtake it. Spare calls leave a slot free.
 */
export function createCallLimiter(initial: number): CallLimiter {
  let concurrency = initial;
  const waiting = { interactive: new Set<WaitingCall>(), background: new Set<WaitingCall>(), spare: new Set<WaitingCall>() };
  let free = concurrency;
  // A transcription may take an hour, a speech the few seconds it takes to synthesize. With a single slot left for speech, one slow
  // utterance in one guild would block all others; with half of the slots it doesn't. Rounded up: a single slot serves both.
  let freeForLong = Math.ceil(concurrency / 2);

  let shared: SharedSlots | null = null;

  const canStart = ({ priority, isLong }: CallTraits) => free > (priority === 'spare' ? 1 : 0) && (!isLong || freeForLong > 0);

  function occupy(isLong: boolean): () => void {
    free -= 1;
    if (isLong) freeForLong -= 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      free += 1;
      if (isLong) freeForLong += 1;
      startNext();
    };
  }

  /** One slot was released, so at most one call can start. */
  function startNext(): void {
    const next = [...waiting.interactive, ...waiting.background, ...waiting.spare].find(canStart);
    next?.start();
  }

  function acquireHere(traits: CallTraits, signal: AbortSignal): Promise<() => void> {
    const { priority, isLong } = traits;
    if (signal.aborted) return Promise.reject(signal.reason);
    if (canStart(traits)) return Promise.resolve(occupy(isLong));
    return new Promise((resolve, reject) => {
      const queue = waiting[priority];
      const leave = () => {
        queue.delete(call);
        reject(signal.reason);
      };
      const call: WaitingCall = {
        ...traits,
        start() {
          queue.delete(call);
          signal.removeEventListener('abort', leave);
          resolve(occupy(isLong));
        },
      };
      queue.add(call);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    resize(next) {
      free += next - concurrency;
      freeForLong += Math.ceil(next / 2) - Math.ceil(concurrency / 2);
      const more = next - concurrency;
      concurrency = next;
      for (let started = 0; started < more; started++) startNext();
    },
    share(slots) {
      shared = slots;
    },
    hasRoomToSpare: () => free > 1 && freeForLong > 1 && (shared?.hasRoomToSpare() ?? true),
    async acquire(call, signal) {
      const release = await acquireHere(call, signal);
      try {
        const giveBack = await shared?.acquire(call.isLong, signal, call.priority === 'spare');
        return () => {
          giveBack?.();
          release();
        };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

interface WaitingCall extends CallTraits {
  start(): void;
}
