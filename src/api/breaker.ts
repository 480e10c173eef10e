// Notices that the service is down, so that calls need not find out one by one, each after its own long wait.
import { ApiError } from './errors.ts';

export interface BreakerOptions {
  /** Calls that failed in a row, repeated ones counted once, until the service is taken to be down. */
  failures: number;
  /** Milliseconds from then, and from each probe that failed, to the next probe. */
  rest: number;
}

export const defaultBreaker: BreakerOptions = { failures: 5, rest: 10_000 };

export interface Breaker {
  /** @throws ApiError of kind `server` with `downForMs` while the service is taken to be down */
  check(): void;
  /** A call, or a probe, has been answered: the service is not down (any more). */
  succeeded(): void;
  /** A call has failed for good. Gives the milliseconds to the first probe where the service is taken to be down from now on, else null. */
  failed(error: ApiError): number | null;
  /** A probe has failed. Gives the milliseconds to the next one, or null where none is needed any more. */
  probeFailed(error: ApiError): number | null;
}

/**
 * Counts and says; it makes no call and sets no timer. Only what an outage looks like counts: `server` and `timeout`. Any other answer,
 * also a refusal, shows that somebody is there; what was aborted shows nothing.
 * @param now milliseconds of a clock that is never set back
 * @param onChange told when the service is taken to be down, and when it is back
 */
export function createBreaker(
  { failures, rest }: BreakerOptions,
  now: () => number,
  onChange: (isDown: boolean) => void = () => {},
): Breaker {
  let inARow = 0;
  let down: { since: number; nextAt: number } | null = null;

  function succeeded(): void {
    inARow = 0;
    if (!down) return;
    down = null;
    onChange(false);
  }

  /** What this failure says of the service: null = nothing. */
  function looksDown({ kind }: ApiError): boolean | null {
    return kind === 'aborted' ? null : kind === 'server' || kind === 'timeout';
  }

  return {
    check() {
      if (!down) return;
      const downForMs = now() - down.since;
      throw new ApiError(
        'server',
        `The voice service has been down for ${Math.round(downForMs / 1000)} s, so it was not asked. It is tried again by itself.`,
        { retryable: true, retryAfterMs: Math.max(0, down.nextAt - now()), downForMs },
      );
    },
    succeeded,
    failed(error) {
      const isOutage = looksDown(error);
      if (isOutage === false) succeeded();
      // Calls that were under way when it was found out say nothing new.
      if (!isOutage || down) return null;
      inARow += 1;
      if (inARow < failures) return null;
      down = { since: now(), nextAt: now() + rest };
      onChange(true);
      return rest;
    },
    probeFailed(error) {
      if (looksDown(error) === false) succeeded();
      if (!down) return null;
      down.nextAt = now() + rest;
      return rest;
    },
  };
}
