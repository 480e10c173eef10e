// ApiError, the one error of the API module.
import type { ValidationError } from './schemas.ts';
import type { Operation } from './types.ts';

export const apiErrorKinds = [
  /** 401: the key is wrong or expired. */
  'auth',
  /** 403: the key is right, but may not do this, or what the request names isn't its account's. */
  'forbidden',
  /** 402: the balance doesn't cover the call. */
  'credit',
  /** 400, 413, 415, 422 and every other 4xx: the request itself is refused; `details` may name the fields, `code` the cause. */
  'validation',
  /** 404, 410: no such voice model, user or path. Also a 400 or 403 for speech in a voice that the service doesn't have, or not for this key. */
  'not-found',
  /** 405, 501, and 404 if the request names no voice model or user: the service lacks this `operation` (call.ts). */
  'unsupported',
  /** 429: too many calls; `retryAfterMs` if the service says how long to wait. */
  'rate-limited',
  /** 5xx, or no response at all (`status` is null): refused, reset, unknown host, or not asked because it is down (`downForMs`). */
  'server',
  /** 408, or one of the client's own timeouts. */
  'timeout',
  /** The caller's signal, `close()`, or the caller's own upload stream ended the call. */
  'aborted',
  /** The response breaks the spec: JSON, nothing or too little instead of audio, cut off, a redirect. */
  'protocol',
] as const;

export type ApiErrorKind = (typeof apiErrorKinds)[number];

export interface ApiErrorFacts {
  status?: number | null;
  requestId?: string | null;
  code?: string | null;
  retryable?: boolean;
  retryAfterMs?: number | null;
  downForMs?: number | null;
  details?: ValidationError[];
  operation?: Operation | null;
  isWrongAddress?: boolean;
  mayHaveBeenBilled?: boolean;
  cause?: unknown;
}

/** What every API method rejects with. Its message, details, cause and stack contain neither the API key nor the request's text. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  /** HTTP status; null if the failure isn't a response. */
  readonly status: number | null;
  /** The service's own id of the call, to quote to its support. */
  readonly requestId: string | null;
  /** What the service calls the failure, such as `audio_too_long`; null if it has no name for it. */
  readonly code: string | null;
  /** The same call may succeed later. The client has already repeated it if that is safe. */
  readonly retryable: boolean;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | null;
  /** Set if the call wasn't sent because the service has been down for this long (the breaker in call.ts). */
  readonly downForMs: number | null;
  /** The offending fields of a refused request; empty if the service names none. */
  readonly details: ValidationError[];
  /** With kind `unsupported`: what the service lacks. With `forbidden`: what the key may not do. */
  readonly operation: Operation | null;
  /** With kind `protocol`: what answers at the base address is something else, such as a web server, so no call will succeed. */
  readonly isWrongAddress: boolean;
  /**
   * The service may have charged for the call although it failed. True if the call costs credit, its request was written to the socket
   * to the last byte, and no refusal came back. A response of 3xx, 4xx or 5xx is a refusal, except for those with which a proxy says that
   * the service behind it fell silent or broke off (502, 504, 520, 524). So a timeout, a reset or an abort after the last byte may have
   * been billed, and so may an unusable 200; a connection that was never made, or an upload that broke off, can't have been. The client
   * never repeats such a call.
   */
  readonly mayHaveBeenBilled: boolean;

  constructor(kind: ApiErrorKind, message: string, facts: ApiErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.kind = kind;
    this.status = facts.status ?? null;
    this.requestId = facts.requestId ?? null;
    this.code = facts.code ?? null;
    this.retryable = facts.retryable ?? false;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.downForMs = facts.downForMs ?? null;
    this.details = facts.details ?? [];
    this.operation = facts.operation ?? null;
    this.isWrongAddress = facts.isWrongAddress ?? false;
    this.mayHaveBeenBilled = facts.mayHaveBeenBilled ?? false;
  }

  /** The same error, with what is known only of the call that it ended. */
  with(facts: Pick<ApiErrorFacts, 'mayHaveBeenBilled'>): ApiError {
    const error = new ApiError(this.kind, this.message, { ...this, cause: this.cause, ...facts });
    if (this.stack !== undefined) error.stack = this.stack;
    return error;
  }
}

/** Whether the service may have charged for what failed with this. Nothing is known about other errors, so they count as charged. */
export function mayHaveBeenBilled(error: unknown): boolean {
  return !(error instanceof ApiError) || error.mayHaveBeenBilled;
}

/** Whether the service lacks the voice model or user that it was asked for. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'not-found';
}

/** Milliseconds; doubled with each pause. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Pauses for one piece of work, each longer than the one before it unless the service says how long.
 * @param error why the call failed @param maxMs how long may be waited at most
 * @returns milliseconds until a busy service is asked again; null if the call failed for another reason, may have been charged for, or would
 * have to wait for `maxMs` or longer
 */
export type Pauses = (error: unknown, maxMs: number) => number | null;

/** @param random 0 to 1: what was refused together mustn't come back together */
export function createPauses(random: () => number = Math.random): Pauses {
  let ceiling = FIRST_PAUSE_MS;
  return (error, maxMs) => {
    if (!(error instanceof ApiError) || error.kind !== 'rate-limited' || error.mayHaveBeenBilled) return null;
    const pause = error.retryAfterMs ?? ceiling * (0.5 + random() / 2);
    ceiling = Math.min(2 * ceiling, LONGEST_PAUSE_MS);
    return pause < maxMs ? pause : null;
  };
}
