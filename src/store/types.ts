// A key-value store: narrow enough that Redis can take the place of the SQLite file.

/** Any JSON value. */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

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
  /** All entries whose key begins with `prefix`, in code point order. */
  list(prefix: string): Promise<[key: string, value: Value][]>;
  /**
   * Erases deleted and expired data from the storage itself. Blocks everything else for about 6 ms per stored megabyte.
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

/** The store could not be read or written: disk full, file damaged, no permission. */
export class StoreError extends Error {
  override name = 'StoreError';
}
