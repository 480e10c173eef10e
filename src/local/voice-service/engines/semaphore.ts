// Limits how many callers hold something at once; the others wait, first come, first served.

export interface Semaphore {
  /** Resolves with the function that releases the permit; rejects with the signal's reason if it is aborted first. */
  acquire(signal?: AbortSignal): Promise<() => void>;
}

export function createSemaphore(permits: number): Semaphore {
  const waiting = new Set<() => void>();
  let free = permits;

  function take(): () => void {
    free--;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      free++;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      if (free > 0) return take();
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const proceed = () => {
        waiting.delete(proceed);
        resolve(take());
      };
      const cancel = () => {
        waiting.delete(proceed);
        reject(signal?.reason);
      };
      waiting.add(proceed);
      signal?.addEventListener('abort', cancel, { once: true });
      return promise.finally(() => signal?.removeEventListener('abort', cancel));
    },
  };
}
