// How many calls may be in flight, and which of those that wait goes next.
import type { CallOptions } from './types.ts';

export interface Places {
  /** Resolves with the function that gives the place back; rejects with the signal's reason when it is aborted first. */
  take(priority: NonNullable<CallOptions['priority']>, signal: AbortSignal): Promise<() => void>;
}

/** `count` places. Interactive calls go before background ones, and within each, first come, first served. */
export function createPlaces(count: number): Places {
  const waiting = { interactive: new Set<() => void>(), background: new Set<() => void>() };
  let free = count;

  const next = () => {
    for (const line of [waiting.interactive, waiting.background]) {
      for (const start of line) {
        line.delete(start);
        start();
        return;
      }
    }
    free += 1;
  };

  const givenOnce = () => {
    let given = false;
    return () => {
      if (!given) next();
      given = true;
    };
  };

  return {
    take(priority, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (free > 0) {
        free -= 1;
        return Promise.resolve(givenOnce());
      }
      return new Promise((resolve, reject) => {
        const line = waiting[priority];
        const start = () => {
          signal.removeEventListener('abort', leave);
          resolve(givenOnce());
        };
        const leave = () => {
          line.delete(start);
          reject(signal.reason);
        };
        line.add(start);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
