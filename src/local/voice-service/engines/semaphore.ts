// Bounds how many pieces of work hold something at once: the others wait, first come, first served.

export interface Seats {
  /** Resolves with the function that gives the seat back; rejects with the signal's reason when it is aborted first. */
  take(signal?: AbortSignal): Promise<() => void>;
}

export function createSeats(count: number): Seats {
  const waiting = new Set<() => void>();
  let free = count;

  function occupy(): () => void {
    free--;
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      free++;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    take(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (free > 0) return Promise.resolve(occupy());
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(sit);
          reject(signal?.reason);
        };
        const sit = () => {
          waiting.delete(sit);
          signal?.removeEventListener('abort', leave);
          resolve(occupy());
        };
        waiting.add(sit);
        signal?.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
