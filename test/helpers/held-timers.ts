// Timers of one length that run out when a test says so, in place of times that nobody wants to wait for.
import { onTestFinished, vi } from 'vitest';

/** Far more than a test takes. */
const NEVER_MS = 2 ** 31 - 1;

export type HeldTimers = ReturnType<typeof holdTimers>;

/** What the timers of a first length go through if a second one is held: to spy on a spy changes what it does. */
const current = <T>(act: T): T => (vi.isMockFunction(act) ? ((act.getMockImplementation() as T | undefined) ?? act) : act);

/** Holds all timers and intervals of exactly this length that are set from now on, until the test ends; the default is nobody else's. */
export function holdTimers(ms = 77_777) {
  const held = new Map<unknown, { run: () => void; isOnce: boolean }>();
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const set = current(globalThis[name]) as (run: () => void, after?: number, ...rest: unknown[]) => unknown;
    const hold = (run: () => void, after?: number, ...rest: unknown[]) => {
      if (after !== ms) return set(run, after, ...rest);
      const timer = set(run, NEVER_MS);
      held.set(timer, { run, isOnce: name === 'setTimeout' });
      return timer;
    };
    const spy = vi.spyOn(globalThis, name).mockImplementation(hold as never);
    onTestFinished(() => void spy.mockRestore());
  }
  for (const name of ['clearTimeout', 'clearInterval'] as const) {
    const clear = current(globalThis[name]);
    const spy = vi.spyOn(globalThis, name).mockImplementation((timer) => {
      held.delete(timer);
      clear(timer);
    });
    onTestFinished(() => void spy.mockRestore());
  }
  return {
    ms,
    /** How many timers and intervals are under way. */
    count: () => held.size,
    /** Runs each of them out, intervals once. */
    expire() {
      for (const [timer, { run, isOnce }] of [...held]) {
        if (isOnce) clearTimeout(timer as NodeJS.Timeout);
        run();
      }
    },
  };
}
