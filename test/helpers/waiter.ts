// Waits for an event that a test expects, and reports what happened instead if it never comes.

/** How long tests wait for any one event, less than their time limit (vitest.config.ts). Only failing ones take this long. */
export const WAIT_MS = 1000 * Number(process.env.WAIT_SECONDS ?? 45);

export type Waiter = ReturnType<typeof createWaiter>;

export function createWaiter() {
  const waiting = new Set<() => void>();
  return {
    /** Makes all waiting calls look again. Call it after each event. */
    notify() {
      for (const check of [...waiting]) check();
    },
    /**
     * Resolves with the first value of `look` that is not undefined, now or after an event.
     * @param expected the expected event, and what came instead; called only for the error
     * @throws Error after `WAIT_MS`
     */
    until: <T>(look: () => T | undefined, expected: () => string): Promise<T> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`Waited ${WAIT_MS / 1000} s for ${expected()}`));
        }, WAIT_MS);
        const check = () => {
          const found = look();
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}
