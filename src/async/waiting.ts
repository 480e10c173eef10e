// Waiting for one another: in turn, together, within a time, once each, again until it works, until there is something.
import type { TimerOptions } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';

export type InTurn = <T>(act: () => T | Promise<T>) => Promise<T>;

/** Runs functions one after another, in the order of the calls. One that fails fails for its caller alone. */
export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const done = last.then(act);
    last = done.catch(() => {});
    return done;
  };
}

/** The same for each key. A key whose functions have all ended takes no memory. */
export function createInTurnByKey<K>(): <T>(key: K, act: () => T | Promise<T>) => Promise<T> {
  const lines = new Map<K, { inTurn: InTurn; waiting: number }>();
  return (key, act) => {
    const line = lines.get(key) ?? { inTurn: createInTurn(), waiting: 0 };
    lines.set(key, line);
    line.waiting++;
    return line.inTurn(act).finally(() => {
      line.waiting--;
      if (line.waiting === 0) lines.delete(key);
    });
  };
}

/** Runs a function for each key only once at a time: those who call meanwhile get the same promise. */
export function createTogetherByKey<K, T>(): (key: K, act: () => Promise<T>) => Promise<T> {
  const running = new Map<K, Promise<T>>();
  return (key, act) => {
    const earlier = running.get(key);
    if (earlier) return earlier;
    const work = act().finally(() => running.delete(key));
    running.set(key, work);
    return work;
  };
}

export interface Remembered<K, T> {
  /** Rejects as `find` does. */
  get(key: K): Promise<T>;
  /** It is looked for again the next time. */
  forget(key: K): void;
}

/**
 * Remembers what is found for each key; those who ask while it is looked for get the same promise.
 * @param keepMs milliseconds for which this is remembered; Infinity = until it is forgotten. A failure isn't remembered
 */
export function createRemembered<K, T>(find: (key: K) => Promise<T>, keepMs: (value: T) => number): Remembered<K, T> {
  const all = new Map<K, Promise<T>>();
  return {
    get(key) {
      const earlier = all.get(key);
      if (earlier) return earlier;
      const finding = find(key);
      all.set(key, finding);
      const forget = () => {
        // Another may have taken its place.
        if (all.get(key) === finding) all.delete(key);
      };
      finding.then((value) => {
        const ms = keepMs(value);
        if (ms < Number.POSITIVE_INFINITY) setTimeout(forget, ms).unref();
      }, forget);
      return finding;
    },
    forget: (key) => void all.delete(key),
  };
}

export interface UnderWay<K> {
  /** Returns a promise that settles in the same way. */
  add<T>(work: Promise<T>, key: K): Promise<T>;
  readonly size: number;
  /** Resolves when what is under way now has ended in some way. @param isMeant only what has such a key */
  current(isMeant?: (key: K) => boolean): Promise<void>;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
}

/** Knows what has begun and not ended yet. */
export function createUnderWay<K = void>(): UnderWay<K> {
  const all = new Map<Promise<unknown>, K>();

  async function current(isMeant: (key: K) => boolean = () => true): Promise<void> {
    await Promise.allSettled([...all].flatMap(([work, key]) => (isMeant(key) ? [work] : [])));
  }

  return {
    add(work, key) {
      const done = work.finally(() => all.delete(done));
      all.set(done, key);
      return done;
    },
    get size() {
      return all.size;
    },
    current,
    async settled() {
      while (all.size > 0) await current();
    },
  };
}

/**
 * Waits for a promise, but no longer than this. A promise that is late may go unobserved.
 * @param late what it resolves with then @throws what the promise rejects with in time
 */
export async function within<T, L = undefined>(ms: number, promise: Promise<T>, late?: L): Promise<T | L> {
  const { promise: timeout, resolve } = Promise.withResolvers<L>();
  const timer = setTimeout(() => resolve(late as L), Math.max(0, ms));
  promise.catch(() => {});
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a promise until the signal is aborted. @throws what the promise rejects with, or the signal's reason if that comes first */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return promise;
  promise.catch(() => {});
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Milliseconds until the next attempt; null = there is none. */
export type PauseAfter = (error: unknown) => number | null;

/**
 * Tries until it works. `options` are those of the pauses between two attempts.
 * @throws what the last attempt failed with; AbortError if the signal is aborted in a pause
 */
export async function retry<T>(attempt: () => Promise<T>, pauseAfter: PauseAfter, options: TimerOptions = {}): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const pause = pauseAfter(error);
      if (pause === null) throw error;
      await sleep(pause, undefined, options);
    }
  }
}

/**
 * The same for what the caller doesn't wait for: resolves after the first attempt with whether that worked. The others keep no process
 * alive. Never rejects.
 */
export async function keepTrying(attempt: () => Promise<unknown>, pauseAfter: PauseAfter): Promise<boolean> {
  const { promise: hasWorked, resolve } = Promise.withResolvers<boolean>();
  const noteFailure = (error: unknown) => {
    resolve(false);
    return pauseAfter(error);
  };
  retry(attempt, noteFailure, { ref: false }).then(
    () => resolve(true),
    () => {},
  );
  return hasWorked;
}

interface PollOptions extends TimerOptions {
  /** Milliseconds between two looks. */
  everyMs: number;
  /** Milliseconds after which nobody looks again; defaults to no limit. */
  maxMs?: number;
}

/**
 * Looks until there is something, at least once. Resolves with what there is; null if that takes too long.
 * @param look null or false = not yet @throws what `look` does; AbortError if the signal is aborted between two looks
 */
export async function poll<T>(
  look: () => Promise<T | null | false> | T | null | false,
  { everyMs, maxMs = Number.POSITIVE_INFINITY, ...options }: PollOptions,
): Promise<T | null> {
  for (const until = performance.now() + maxMs; ; await sleep(everyMs, undefined, options)) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen;
    if (performance.now() >= until) return null;
  }
}

/** Tells the first time that an id comes from all others. Remembers the latest thousand: after a reconnect, Discord may send recent events again. */
export function createOnceEach(most = 1000): (id: string) => boolean {
  const seen = new Set<string>();
  return (id) => {
    if (seen.has(id)) return false;
    seen.add(id);
    if (seen.size > most) seen.delete(seen.values().next().value as string);
    return true;
  };
}
