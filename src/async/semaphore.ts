// Limits how many callers hold something at once; the others wait, first come, first served, unless they say which of them is the most urgent.

export interface Semaphore {
  /**
   * Resolves with the function that releases the permit; rejects with the signal's reason if it is aborted first.
   * @param order of those that wait, the smallest has the next permit; read when one is released, defaults to 0
   */
  acquire(signal?: AbortSignal, order?: () => number): Promise<() => void>;
}

export function createSemaphore(permits: number): Semaphore {
  const waiting = new Map<() => void, () => number>();
  let free = permits;

  function take(): () => void {
    free--;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      free++;
      const [first, ...others] = waiting;
      const next = others.reduce((best, one) => (best && one[1]() >= best[1]() ? best : one), first);
      next?.[0]();
    };
  }

  return {
    async acquire(signal, order = () => 0) {
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
      waiting.set(proceed, order);
      signal?.addEventListener('abort', cancel, { once: true });
      return promise.finally(() => signal?.removeEventListener('abort', cancel));
    },
  };
}
