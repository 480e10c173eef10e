// The store in one SQLite file. Changes survive a kill -9 once they have resolved; a power cut may lose the last ones but leaves the file
// intact.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { makePrivate, makePrivateFile, makePrivateFolder } from './private-files.ts';
import { type Store, StoreError, type Value } from './types.ts';
import { BUSY_MS, createCheckpoints, createSqliteErasure, RARE_CHECKPOINTS, SECURE_DELETE } from './upkeep.ts';

/** One step per schema version, in order; a published step never changes. */
const MIGRATIONS = [
  `CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER) STRICT, WITHOUT ROWID;
   CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;`,
];

const IN_MEMORY = ':memory:';
/** A blob sorts after any text: https://sqlite.org/datatype3.html#sort_order */
const AFTER_ALL_TEXT = new Uint8Array();
const PURGE_EVERY_MS = 10 * 60_000;
/**
 * Keys deleted per step, which blocks the process. Measured with 300,000 keys on two busy cores: a step of 100 takes 0.6 ms and all
 * of them 6 s; one statement for all takes 4 s, in which no audio would be sent.
 */
const DELETE_BATCH = 100;
/** Entries read per step. */
const PAGE = 500;
/** SQLITE_BUSY: https://sqlite.org/rescode.html#busy */
const BUSY = 5;
/** Milliseconds between attempts at what SQLite doesn't wait for by itself. */
const BUSY_PAUSE_MS = 5;

interface Row {
  key: string;
  value: string;
  expires_at: number | null;
}

/**
 * Opens the file, creating or migrating it as needed.
 * @param now milliseconds since 1970
 * @param isVisitor for a moment, beside the process that the file belongs to: it isn't rewritten because of what other processes left
 * @throws Error of node:sqlite or of the file system if it cannot be used; StoreError if a later version of Parley wrote it
 */
export function openSqliteStore(file: string, now: () => number = Date.now, { isVisitor = false } = {}): Store {
  if (file !== IN_MEMORY) {
    makePrivateFolder(dirname(file));
    // SQLite creates the files beside it with the same mode.
    makePrivateFile(file);
    for (const beside of ['-wal', '-shm', '-journal']) makePrivate(file + beside);
  }
  const wasKilled = existsSync(`${file}-wal`);
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    useLog(db);
    db.exec(`PRAGMA synchronous = NORMAL; ${RARE_CHECKPOINTS} ${SECURE_DELETE}`);
    migrate(db, file);
  } catch (error) {
    db.close();
    throw error;
  }
  const alive = '(expires_at IS NULL OR expires_at > :now)';
  const sql = {
    get: db.prepare(`SELECT value FROM entries WHERE key = :key AND ${alive}`),
    set: db.prepare('INSERT INTO entries VALUES (:key, :value, :expires) ON CONFLICT DO UPDATE SET value = :value, expires_at = :expires'),
    delete: db.prepare('DELETE FROM entries WHERE key = :key'),
    deleteSome: db.prepare(`
      DELETE FROM entries WHERE key IN (SELECT key FROM entries WHERE key >= :from AND key < :to ORDER BY key LIMIT ${DELETE_BATCH})`),
    // Starts over if the current number has expired.
    increment: db.prepare(`
      INSERT INTO entries VALUES (:key, json(:by), :expires) ON CONFLICT DO UPDATE SET
        value = CASE WHEN ${alive} THEN json(value + :by) ELSE json(:by) END,
        expires_at = CASE WHEN ${alive} THEN expires_at ELSE :expires END
      WHERE json_type(value) IN ('integer', 'real') OR NOT ${alive} RETURNING value`),
    // Also if what is there has expired, or is null.
    claim: db.prepare(`
      INSERT INTO entries VALUES (:key, :value, :expires) ON CONFLICT DO UPDATE SET value = :value, expires_at = :expires
      WHERE NOT ${alive} OR entries.value = 'null'`),
    swap: db.prepare(`UPDATE entries SET value = :value, expires_at = :expires WHERE key = :key AND value = :expected AND ${alive}`),
    drop: db.prepare(`DELETE FROM entries WHERE key = :key AND value = :expected AND ${alive}`),
    list: db.prepare(`SELECT key, value FROM entries WHERE key >= :from AND key < :to AND ${alive} ORDER BY key`),
    page: db.prepare(`SELECT key, value, expires_at FROM entries WHERE key >= :from AND key < :to AND ${alive} ORDER BY key LIMIT ${PAGE}`),
    purgeSome: db.prepare(`DELETE FROM entries WHERE key IN (SELECT key FROM entries WHERE expires_at <= :now LIMIT ${DELETE_BATCH})`),
  };
  const checkpoints = createCheckpoints(db.location());
  const erasure = createSqliteErasure(db, checkpoints);
  // A clean end leaves no log. If there is one, what that process still had to rewrite is unknown; or it is still running.
  if (wasKilled && !isVisitor) erasure.rewriting.request();
  let purgedAt = Number.NEGATIVE_INFINITY;

  /** @throws StoreError for whatever `act` throws */
  async function attempt<T>(act: () => T | Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw error instanceof StoreError ? error : new StoreError('the store failed', { cause: error });
    }
  }

  function write<T>(act: () => T): Promise<T> {
    return attempt(async () => {
      // SQLite would wait in this thread. Reads still work meanwhile.
      while (erasure.rewriting.running) await erasure.rewriting.running;
      // `abs`: a clock that was set back must not stop the purging.
      if (Math.abs(now() - purgedAt) > PURGE_EVERY_MS) {
        // The rest is purged with the next writes.
        if (Number(sql.purgeSome.run({ now: now() }).changes) < DELETE_BATCH) purgedAt = now();
      }
      checkpoints.noteWrite();
      return act();
    });
  }

  async function purgeAll(): Promise<void> {
    while ((await write(() => sql.purgeSome.run({ now: now() }).changes)) === DELETE_BATCH) await setImmediate();
  }

  const range = (prefix: string) => ({ from: prefix, to: firstAfter(prefix) ?? AFTER_ALL_TEXT });
  const expiry = (ms: number | undefined) => (ms === undefined ? null : Math.ceil(now() + ms));

  /** @throws StoreError if there is a value that is not a number */
  function add(key: string, by: number, expiresInMs: number | undefined): number {
    // Not `get`: it stops after the first row, and an error in the commit after it would be lost.
    const [row] = sql.increment.all({ key, by, expires: expiry(expiresInMs), now: now() }) as unknown as Row[];
    if (!row) throw new StoreError('the value under this key is not a number');
    return Number(row.value);
  }

  return {
    get: (key) =>
      attempt(() => {
        const row = sql.get.get({ key, now: now() }) as Row | undefined;
        return row ? (JSON.parse(row.value) as Value) : null;
      }),
    set: (key, value, { expiresInMs } = {}) =>
      write(() => void sql.set.run({ key, value: JSON.stringify(value), expires: expiry(expiresInMs) })),
    delete: (key) => write(() => void sql.delete.run({ key })),
    async deleteAll(prefix) {
      const names = range(prefix);
      while ((await write(() => sql.deleteSome.run(names).changes)) === DELETE_BATCH) await setImmediate();
    },
    increment: (key, by, { expiresInMs } = {}) =>
      write(() => {
        if (!Number.isFinite(by)) throw new StoreError('only a number can be added');
        return add(key, by, expiresInMs);
      }),
    incrementAll: (counters, by, { expiresInMs } = {}) =>
      write(() => {
        if (!Number.isFinite(by)) throw new StoreError('only a number can be added');
        db.exec('BEGIN IMMEDIATE');
        try {
          for (const [place, { key, max = Number.POSITIVE_INFINITY }] of counters.entries()) {
            const row = sql.get.get({ key, now: now() }) as Row | undefined;
            const value: unknown = row ? JSON.parse(row.value) : 0;
            if (typeof value === 'number' && value + by > max) return { sums: null, exceeded: { place, value } };
          }
          const sums = counters.map(({ key }) => add(key, by, expiresInMs));
          db.exec('COMMIT');
          return { sums, exceeded: null };
        } finally {
          if (db.isTransaction) db.exec('ROLLBACK');
        }
      }),
    compareAndSet: (key, expected, value, { expiresInMs } = {}) =>
      write(() => {
        const names = { key, now: now() };
        const texts = { value: JSON.stringify(value), expires: expiry(expiresInMs) };
        if (expected === null && value === null) return ((sql.get.get(names) as Row | undefined)?.value ?? 'null') === 'null';
        if (expected === null) return Number(sql.claim.run({ ...names, ...texts }).changes) === 1;
        const before = { ...names, expected: JSON.stringify(expected) };
        const { changes } = value === null ? sql.drop.run(before) : sql.swap.run({ ...before, ...texts });
        return Number(changes) === 1;
      }),
    list: (prefix) =>
      attempt(() => (sql.list.all({ ...range(prefix), now: now() }) as unknown as Row[]).map(({ key, value }) => [key, JSON.parse(value)])),
    async *entries(prefix = '') {
      for (let { from, to } = range(prefix); ; await setImmediate()) {
        const rows = await attempt(() => sql.page.all({ from, to, now: now() }) as unknown as Row[]);
        for (const { key, value, expires_at: expiresAt } of rows) yield { key, value: JSON.parse(value) as Value, expiresAt };
        if (rows.length < PAGE) return;
        // The first key that can come after it.
        from = `${rows.at(-1)?.key}\0`;
      }
    },
    async scrub() {
      await purgeAll();
      await attempt(erasure.erase);
    },
    async close() {
      if (!db.isOpen) return;
      await erasure.rewriting.finish();
      // Only the last connection removes the log.
      await checkpoints.running;
      db.close();
      // So that the next process still finds that one was killed.
      if (wasKilled && isVisitor) makePrivateFile(`${file}-wal`);
    },
    reconnectedAt: Number.NEGATIVE_INFINITY,
  };
}

/** Blocks for up to `BUSY_MS` while another process creates the file: changing the mode of a new one doesn't wait for its lock by itself. */
function useLog(db: DatabaseSync): void {
  for (const until = performance.now() + BUSY_MS; ; ) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== BUSY || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS);
    }
  }
}

function migrate(db: DatabaseSync, file: string): void {
  // Locks out other processes; closing the file rolls back a failure.
  db.exec('BEGIN IMMEDIATE');
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  if (version > MIGRATIONS.length)
    throw new StoreError(`${file} was written by a later version of Parley. Start that one, or set DATA_DIR to another folder.`);
  for (const step of MIGRATIONS.slice(version)) db.exec(step);
  db.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT;`);
}

/** The first string after all that begin with `prefix`, in code point order, which is their byte order; null if there is none. */
function firstAfter(prefix: string): string | null {
  const characters = [...prefix];
  for (;;) {
    const last = characters.pop()?.codePointAt(0);
    if (last === undefined) return null;
    // Skips the surrogates, which are not characters.
    if (last < 0x10ffff) return characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
  }
}
