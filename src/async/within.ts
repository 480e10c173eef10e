// Waiting for no longer than that.
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the promise is settled, or after so many milliseconds. Never rejects. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const settled = promise.then(
    () => {},
    () => {},
  );
  await Promise.race([settled, sleep(ms, undefined, { signal: done.signal }).catch(() => {})]);
  done.abort();
}
