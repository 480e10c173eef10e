// Looks after what a store has on disk: SQLite's log is copied into its file, and what was deleted is erased.

import { once } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { poll } from '../async/waiting.ts';
import { StoreError } from './types.ts';

// Erases deleted data from the files of a database: rows and log before anybody is told that the data is deleted, and the copies that the
// database has left elsewhere a little later, because rewriting takes longer the more is stored.

/** Milliseconds. */
export const REWRITE_EVERY_MS = 10 * 60_000;
/** Milliseconds to wait while another process, or the thread that rewrites, is writing. */
export const BUSY_MS = 2_000;
/** Milliseconds for which the write-ahead log may be read by another process before it is truncated, and between two attempts. */
const TRUNCATE_MS = 2_000;
const TRUNCATE_PAUSE_MS = 100;

export interface Rewriting {
  /** Has everything rewritten within 10 minutes, at most every 10 minutes. */
  request(): void;
  /** Pending while everything is being rewritten, otherwise undefined; never rejects. */
  readonly running: Promise<void> | undefined;
  /** Rewrites now, if that was requested. Never rejects. Call it before the database is closed. */
  finish(): Promise<void>;
}

/** @param rewrite may resolve with the milliseconds after which to try again; if it rejects, it is tried again, too */
export function createRewriting(rewrite: (options: { isLast: boolean }) => Promise<number | undefined>): Rewriting {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function requestIn(ms: number): void {
    timer ??= setTimeout(() => void run(false), ms).unref();
  }

  function run(isLast: boolean): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    running = rewrite({ isLast })
      .catch(() => REWRITE_EVERY_MS)
      .then((again) => {
        running = undefined;
        if (again !== undefined && !isLast) requestIn(again);
      });
    return running;
  }

  return {
    request: () => requestIn(REWRITE_EVERY_MS),
    get running() {
      return running;
    },
    async finish() {
      await running;
      if (timer) await run(true);
    },
  };
}

/** Set before anything is written. */
export const SECURE_DELETE = 'PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;';

/**
 * @param db opened with `BUSY_MS` as its timeout: a write that doesn't await `rewriting.running` first may block this thread for that long
 */
export function createSqliteErasure(db: DatabaseSync, checkpoints: Pick<Checkpoints, 'run'> = createCheckpoints(db.location())) {
  /** Copies what is left of the write-ahead log into the file and empties it, without waiting. @returns false while another process reads the log */
  function truncateLog(): boolean {
    db.exec('PRAGMA busy_timeout = 0');
    try {
      return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    } finally {
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    }
  }

  async function emptyLog(): Promise<void> {
    // Most of it.
    await checkpoints.run();
    if (!(await poll(truncateLog, { everyMs: TRUNCATE_PAUSE_MS, maxMs: TRUNCATE_MS })))
      throw new StoreError('what was deleted may still be readable: another process is reading the store');
  }

  const rewriting = createRewriting(async () => {
    const file = db.location();
    if (file === null) return;
    // Deleting overwrites the row, but not the copies left within pages when rows were moved: incremental_vacuum, which moves whole pages,
    // keeps those. VACUUM takes 1.1 s for 180 MB, in which this thread would send no audio.
    await runSqliteTask(file, 'rewrite');
  });

  return {
    /** @throws StoreError while another process reads the log; Error of node:sqlite */
    async erase(): Promise<void> {
      rewriting.request();
      // The rewriting thread uses the log for as long as it runs.
      await rewriting.running;
      await emptyLog();
    },
    rewriting,
  };
}

// What SQLite does in a thread, because it waits for the disk: meanwhile the main thread sends audio.

export type SqliteTask = 'checkpoint' | 'rewrite';

/** Rejects if it fails. */
async function runSqliteTask(file: string, task: SqliteTask): Promise<void> {
  await once(new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData: { file, task } }), 'exit');
}

// Checkpoints: copying the write-ahead log into the file. By itself SQLite does so in the middle of a write, about every thousand pages,
// which took 33 to 127 ms on two busy cores; with a thread, no write took longer than 13 ms.

/** Writes after which the log is copied. Most change one page of 4 KB or two. */
const WRITES = 500;
/**
 * Pages after which SQLite copies the log in the middle of a write after all, which begins it anew: 16 MB. A log that is written to while it is
 * being copied would otherwise grow forever.
 */
const MAX_LOG_PAGES = 4000;

/** Set before anything is written. */
export const RARE_CHECKPOINTS = `PRAGMA wal_autocheckpoint = ${MAX_LOG_PAGES};`;

export interface Checkpoints {
  /** Call it with each write. */
  noteWrite(): void;
  /** Copies the log, unless that is under way. Never rejects: what could not be copied stays in the log. */
  run(): Promise<void>;
  /** While the log is being copied; never rejects. */
  readonly running: Promise<void> | undefined;
}

/** @param file null = the database is in memory, and has no log */
export function createCheckpoints(file: string | null): Checkpoints {
  let writes = 0;
  let running: Promise<void> | undefined;

  function run(): Promise<void> {
    if (file === null) return Promise.resolve();
    writes = 0;
    running ??= runSqliteTask(file, 'checkpoint')
      .catch(() => {})
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    noteWrite() {
      writes += 1;
      if (writes >= WRITES) void run();
    },
    run,
    get running() {
      return running;
    },
  };
}
