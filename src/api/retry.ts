// When a call is repeated, and after how long.
import type { ApiError } from './errors.ts';

export interface RetryOptions {
  /** How often a call is tried in all; 1 = never repeated. */
  attempts: number;
  /** Milliseconds before the second try; doubled for each one after it, each with jitter. */
  firstWait: number;
  /** Milliseconds. A service that asks for a longer wait is not waited for: the caller learns `retryAfterMs` at once. */
  longestWait: number;
}

export const defaultRetries: RetryOptions = { attempts: 3, firstWait: 300, longestWait: 10_000 };

/**
 * Milliseconds to wait before trying again after `error`, or null when the call has failed for good.
 * `tries` were made so far; `random` gives 0 to 1.
 */
export function waitBeforeRetry(error: ApiError, tries: number, options: RetryOptions, random: () => number): number | null {
  if (tries >= options.attempts || !isWorthRepeating(error)) return null;
  if (error.retryAfterMs !== null) {
    // Never earlier than asked; the jitter keeps calls that were refused together from coming back together.
    return error.retryAfterMs > options.longestWait ? null : error.retryAfterMs + random() * options.firstWait;
  }
  const ceiling = Math.min(options.firstWait * 2 ** (tries - 1), options.longestWait);
  return ceiling * (0.5 + random() / 2);
}

/**
 * 408, 429, 5xx and broken connections, but nothing that may have been billed: another try would be billed again, unnoticed. Of the client's own limits only the one for connecting: after the others the service
 * may still be at work on the call, and another try would cost twice.
 */
function isWorthRepeating(error: ApiError): boolean {
  if (!error.retryable || error.mayHaveBeenBilled) return false;
  return error.kind !== 'timeout' || error.status === 408 || codeOf(error.cause) === 'UND_ERR_CONNECT_TIMEOUT';
}

const codeOf = (cause: unknown) => (cause instanceof Error && 'code' in cause ? cause.code : undefined);

/** Milliseconds named by a Retry-After header (seconds or an HTTP date), or null. `now` in milliseconds since 1970. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Sleeps; an abort ends it at once with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const wake = () => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
