// Notices that the service is down, so that calls fail at once instead of finding out one by one, each after a long wait.
import { ApiError } from './errors.ts';
import type { CircuitBreakerOptions, OutageOf } from './options.ts';
import type { Operation } from './types.ts';

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
export interface ServiceBreaker extends Omit<CircuitBreaker, 'check' | 'failed'> {
  /** @throws ApiError `server` with `downForMs` while the service, or this operation, counts as down */
  check(operation: Operation): void;
  /** Returns the milliseconds to the first probe if something counts as down from now on, else null. */
  failed(operation: Operation, error: ApiError): number | null;
}

/** @param onChange called when the service, or transcription alone, is considered down, and when it is back */
export function createServiceBreaker(
  options: CircuitBreakerOptions,
  now: () => number,
  onChange: (isDown: boolean, outage: OutageOf) => void = () => {},
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
