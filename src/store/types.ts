// A key-value store: narrow enough that Redis can take the place of the SQLite file.
import type { z } from 'zod';
import type { PauseAfter } from '../async/waiting.ts';

/** Any JSON value. */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

interface Counter {
  key: string;
  /** Absent = none. */
  max?: number;
}

type Increment = { sums: number[]; exceeded: null } | { sums: null; exceeded: { place: number; value: number } };

/** What is stored under one key; `expiresAt` in milliseconds since 1970, null = never. */
export interface Entry {
  key: string;
  value: Value;
  expiresAt: number | null;
}

/** All methods reject with StoreError on failure. Keys are well-formed strings, without lone surrogates. */
export interface Store {
  /** Returns null if there is no value. */
  get(key: string): Promise<Value>;
  /** Survives a kill -9 once it has resolved. `expiresInMs`: from now; absent = never. */
  set(key: string, value: Value, options?: { expiresInMs?: number }): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Deletes all keys that begin with `prefix` in small steps that hold nothing up. Keys set meanwhile may remain. If it rejects, some may
   * already be deleted.
   */
  deleteAll(prefix: string): Promise<void>;
  /**
   * Adds to the number under this key (0 if there is none) atomically, and returns the sum. The expiry is set with the first addition and
   * does not move. Rejects if the value is not a number.
   */
  increment(key: string, by: number, options?: { expiresInMs?: number }): Promise<number>;
  /**
   * Adds to several numbers as one step, or to none if one would exceed its `max`; otherwise like `increment`.
   * @returns the sums; or which one is exceeded, by its place in `counters`, and its present value
   */
  incrementAll(counters: readonly Counter[], by: number, options?: { expiresInMs?: number }): Promise<Increment>;
  /**
   * Sets the value only if it is still `expected`, as one step, and returns whether it was. null stands for no value: as `expected`, it
   * lets only the first caller claim the key; as the new value, it deletes the key.
   */
  compareAndSet(key: string, expected: Value, value: Value, options?: { expiresInMs?: number }): Promise<boolean>;
  /** All entries whose key begins with `prefix`, in code point order. */
  list(prefix: string): Promise<[key: string, value: Value][]>;
  /** The same page by page, without holding up others; by default everything. Entries that are set meanwhile may or may not be included. */
  entries(prefix?: string): AsyncIterable<Entry>;
  /**
   * Erases deleted and expired data from the storage itself: rows and the log of a file before this resolves. Other copies in the database
   * are gone once it is rewritten: within 10 minutes, at most every 10 minutes, and before `close` resolves. Rewriting a file delays writes
   * by about 6 ms per stored megabyte, and nothing else.
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
  /** `performance.now()` when a lost connection was last restored: earlier writes may be missing. -Infinity = it was never lost. */
  readonly reconnectedAt: number;
}

/** The store could not be read or written: disk full, file damaged, no permission. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Milliseconds after the first failure; each further one doubles it. A store that is only restarted is back sooner. */
const AGAIN_MS = 1_000;
const MOST_MS = 10_000;

/**
 * When to try again what the store must not miss: for as long as it fails, less and less often.
 * @param warn called with the first failure of the store, and with any other error, after which there is no further attempt
 */
export function whileStoreFails(warn: (error: unknown) => void): PauseAfter {
  let failures = 0;
  return (error) => {
    const isStores = error instanceof StoreError;
    if (failures === 0 || !isStores) warn(error);
    return isStores ? Math.min(MOST_MS, AGAIN_MS * 2 ** failures++) : null;
  };
}

// Reading and changing a value as one step.

/** Far more than there can be processes or parallel changes of one value. */
const MAX_ATTEMPTS = 1_000;

/**
 * Sets what `change` makes of the value, and returns it. `change` runs again if the value was changed meanwhile, here or in another process.
 * @throws StoreError, and whatever `change` throws
 */
export async function update<T extends Value>(
  store: Store,
  key: string,
  change: (value: Value) => T,
  options: { expiresInMs?: number } = {},
): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await store.get(key);
    const after = change(before);
    if (await store.compareAndSet(key, before, after, options)) return after;
  }
  throw new StoreError('the value was changed by others each time');
}

// Reads what another process wrote, which may be of another version.

/** Schemas for which a mismatch was already reported. */
const reported = new WeakSet<z.ZodType>();

/**
 * The value, if it has the shape of the schema. Any other value counts as missing, which is logged once for each schema, without the value:
 * it may hold what members said.
 * @param name describes the value in the log @returns null if it is missing
 */
export function readAs<T>(
  schema: z.ZodType<T>,
  value: Value | object,
  log: { warn(details: object, message: string): void },
  name: string,
): T | null {
  if (value === null) return null;
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  if (!reported.has(schema)) {
    reported.add(schema);
    const fields = error.issues.map(({ path }) => String(path[0] ?? ''));
    log.warn(
      { value: name, fields: [...new Set(fields)] },
      'ignoring a stored value that has an unexpected shape; another version may have written it',
    );
  }
  return null;
}
