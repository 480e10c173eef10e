// How many calls may be in flight, and which of those that wait goes next.
import type { CallOptions } from './types.ts';

/** What is asked of a call before it gets a place. */
interface PlaceRequest {
  priority: NonNullable<CallOptions['priority']>;
  /** It may hold its place for many minutes. */
  isLong: boolean;
}

export interface Places {
  /** Resolves with the function that gives the place back; rejects with the signal's reason when it is aborted first. */
  take(request: PlaceRequest, signal: AbortSignal): Promise<() => void>;
}

/**
 * `count` places. Interactive calls go before background ones, and within each, first come, first served; but long calls have half of
 * the places at most, and whoever comes after one that waits for these goes before it.
 */
export function createPlaces(count: number): Places {
  const waiting = { interactive: new Set<Waiting>(), background: new Set<Waiting>() };
  let free = count;
  // A transcription may take an hour, a speech the few seconds in which the service makes it. With one place left for these, each slow
  // speech of one guild would be in the way of all others; with half of them it is not, and who transcribes waits for minutes anyway.
  // Rounded up: a single place is there for both.
  let freeForLong = Math.ceil(count / 2);

  const hasRoom = (isLong: boolean) => free > 0 && (!isLong || freeForLong > 0);

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

  /** One place was given back, and so there is room for one call at most. */
  function startNext(): void {
    const next = [...waiting.interactive, ...waiting.background].find(({ isLong }) => hasRoom(isLong));
    next?.start();
  }

  return {
    take({ priority, isLong }, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (hasRoom(isLong)) return Promise.resolve(occupy(isLong));
      return new Promise((resolve, reject) => {
        const line = waiting[priority];
        const leave = () => {
          line.delete(call);
          reject(signal.reason);
        };
        const call: Waiting = {
          isLong,
          start() {
            line.delete(call);
            signal.removeEventListener('abort', leave);
            resolve(occupy(isLong));
          },
        };
        line.add(call);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}

interface Waiting {
  isLong: boolean;
  start(): void;
}
