// Waiting for one another: in turn, together, within a time, once each.

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
    const known = running.get(key);
    if (known) return known;
    const begun = act().finally(() => running.delete(key));
    running.set(key, begun);
    return begun;
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
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  promise.catch(() => {});
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
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
