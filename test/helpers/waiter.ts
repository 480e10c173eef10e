// Waits for what a test expects to happen, and says what happened instead if it never does.

const DEFAULT_TIMEOUT_MS = 30_000;

export interface Waiter {
  /** Makes everyone who waits look again. Call it after each event. */
  notify(): void;
  /**
   * Resolves with the first value of `look` that is not undefined, now or after an event.
   * @param expected what is waited for, and what came instead: called only for the error
   * @throws Error after `timeoutMs`
   */
  until<T>(look: () => T | undefined, expected: () => string, timeoutMs?: number): Promise<T>;
}

export function createWaiter(defaultTimeoutMs = DEFAULT_TIMEOUT_MS): Waiter {
  const waiting = new Set<() => void>();
  return {
    notify() {
      for (const check of [...waiting]) check();
    },
    until: (look, expected, timeoutMs = defaultTimeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`Waited ${timeoutMs / 1000} s in vain for ${expected()}`));
        }, timeoutMs);
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
