// Which failed calls are repeated, and after how long.
import { codeOf } from './error-mapping.ts';
import type { ApiError } from './errors.ts';

export interface RetryOptions {
  /** Number of attempts in total; 1 = never repeated. */
  attempts: number;
  /** Milliseconds before the second attempt; doubled for each one after it, each with jitter. */
  firstDelay: number;
  /** Milliseconds. If the service asks for more, the call isn't repeated: its error carries `retryAfterMs`. */
  maxDelay: number;
}

export const defaultRetries: RetryOptions = { attempts: 3, firstDelay: 300, maxDelay: 10_000 };

/**
 * Milliseconds to wait before repeating a call that failed with `error`, or null if it has failed for good.
 * @param attempts that failed so far: for being too many at once if this one did, otherwise for any other reason
 * @param random returns 0 to 1
 */
export function retryDelay(error: ApiError, attempts: number, options: RetryOptions, random: () => number): number | null {
  if (attempts >= options.attempts || !isWorthRepeating(error)) return null;
  if (error.retryAfterMs !== null) {
    // Never earlier than asked; the jitter keeps calls that were refused together from coming back together.
    return error.retryAfterMs > options.maxDelay ? null : error.retryAfterMs + random() * options.firstDelay;
  }
  const ceiling = Math.min(options.firstDelay * 2 ** (attempts - 1), options.maxDelay);
  return ceiling * (0.5 + random() / 2);
}

/**
 * 408, 429, 5xx and broken connections, but nothing that may have been billed: it could be billed again, unnoticed. Of the client's own
 * timeouts only the one for connecting: after the others the service may still be working on the call.
 */
function isWorthRepeating(error: ApiError): boolean {
  if (!error.retryable || error.mayHaveBeenBilled) return false;
  return error.kind !== 'timeout' || error.status === 408 || codeOf(error.cause) === 'UND_ERR_CONNECT_TIMEOUT';
}
