// The one error of the API module, and how an answer of any kind becomes one.
import type { ValidationError } from './schemas.ts';
import type { Operation } from './types.ts';

export const apiErrorKinds = [
  /** 401, 403: the key is wrong, expired or may not do this. */
  'auth',
  /** 402: the balance does not pay for the call. */
  'credit',
  /** 400, 413, 415, 422 and every other 4xx: the request itself is refused; `details` may name the fields. */
  'validation',
  /** 404, 410: there is no such voice model, user or path. */
  'not-found',
  /** 405, 501, and 404 for a request that names no voice model and no user: the service does not have this `operation` (missing.ts). */
  'unsupported',
  /** 429: too many calls; `retryAfterMs` where the service says how long. */
  'rate-limited',
  /** 5xx, or no answer at all (`status` is then null): refused, reset, unknown host, or not asked since it is down (`downForMs`). */
  'server',
  /** 408, or one of the client's own limits: connecting, headers, silence, the whole. */
  'timeout',
  /** The caller's signal, `close()`, or the caller's own upload stream ended the call. */
  'aborted',
  /** An answer that is not what the spec promises: JSON, nothing or too little in place of audio, cut off, a redirect. */
  'protocol',
] as const;

export type ApiErrorKind = (typeof apiErrorKinds)[number];

export interface ApiErrorFacts {
  status?: number | null;
  requestId?: string | null;
  retryable?: boolean;
  retryAfterMs?: number | null;
  downForMs?: number | null;
  details?: ValidationError[];
  operation?: Operation | null;
  cause?: unknown;
}

/**
 * What every method of the API rejects with. Neither the API key nor the text of the request is in its message, its details,
 * its cause or its stack.
 */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  /** HTTP status; null when the failure is not an answer. */
  readonly status: number | null;
  /** The service's own name for the call, to quote to its support. */
  readonly requestId: string | null;
  /** The same call may succeed later. The client has already repeated it where that is safe. */
  readonly retryable: boolean;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | null;
  /** Not asked at all, for the service had been taken to be down for so long (breaker.ts); null = it was asked. */
  readonly downForMs: number | null;
  /** The offending fields of a refused request; empty where the service names none. */
  readonly details: ValidationError[];
  /** What the service does not have, with kind `unsupported`; else null. */
  readonly operation: Operation | null;
  /**
   * The service may have charged for the call, although it has failed. Exactly: the call is one that costs credit, its request was handed
   * to the connection to the last byte, and no refusal came back for it. An answer of 3xx, 4xx (429 too) or 5xx is a refusal, except for
   * those with which a proxy says that the service behind it went silent or broke off (502, 504, 520, 524). So a time-out, a reset, an
   * abort or the client's end after the last byte may have been billed, and so may an answer of 2xx that is no good; a connection that was
   * never made, or an upload that was broken off, cannot have been. Such a call is never repeated by the client. Set once the call has ended.
   */
  mayHaveBeenBilled = false;

  constructor(kind: ApiErrorKind, message: string, facts: ApiErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'ApiError';
    this.kind = kind;
    this.status = facts.status ?? null;
    this.requestId = facts.requestId ?? null;
    this.retryable = facts.retryable ?? false;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.downForMs = facts.downForMs ?? null;
    this.details = facts.details ?? [];
    this.operation = facts.operation ?? null;
  }
}

/** May the service have charged for what failed with this? Of what is no ApiError nobody knows, so it may. */
export function mayHaveBeenBilled(error: unknown): boolean {
  return !(error instanceof ApiError) || error.mayHaveBeenBilled;
}
