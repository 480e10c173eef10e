// What outlives the process, as names and values: narrow enough that a shared server of keys can take the place of the file.

/** Anything that JSON can hold. */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** Everything rejects with StoreError where it fails. Names are of whole characters, without half of a pair. */
export interface Store {
  /** The value under this name, or null. */
  get(key: string): Promise<Value>;
  /** Is there after a kill -9 once it has resolved. `expiresInMs` from now; absent = never. */
  set(key: string, value: Value, options?: { expiresInMs?: number }): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Deletes all names that begin with `prefix`, however many, without holding up anything else for long. What is set meanwhile may stay.
   * Where it rejects, some may be deleted already.
   */
  deleteAll(prefix: string): Promise<void>;
  /**
   * Adds to the number under this name (0 where there is none) in one step, also with others doing the same, and gives the sum. The
   * expiry is set when the number is begun, and not moved later. Rejects where something else than a number stands there.
   */
  increment(key: string, by: number, options?: { expiresInMs?: number }): Promise<number>;
  /** All names that begin with `prefix`, in the order of their code points, with their values. */
  list(prefix: string): Promise<[key: string, value: Value][]>;
  /**
   * Makes what was deleted or has expired unreadable in whatever the store is kept in. Everything else waits meanwhile: 6 ms for each
   * megabyte that is kept.
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

/** The store could not be read or written: disk full, file damaged, not allowed. */
export class StoreError extends Error {
  override name = 'StoreError';
}
