// Erases deleted data from the files of a database: rows and log before anybody is told that the data is deleted, and the copies that the
// database has left elsewhere a little later, because rewriting takes longer the more is stored.
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Checkpoints, createCheckpoints, runSqliteTask } from './sqlite-thread.ts';
import { StoreError } from './types.ts';

/** Milliseconds. */
export const REWRITE_EVERY_MS = 10 * 60_000;
/** Milliseconds to wait while another process, or the thread that rewrites, is writing. */
export const BUSY_MS = 2_000;
/** Attempts, and the pause between them, to truncate the write-ahead log while another process reads it: 2 s in all. */
const TRUNCATE_TRIES = 20;
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
    for (let tries = 1; !truncateLog(); tries++) {
      if (tries === TRUNCATE_TRIES) throw new StoreError('what was deleted may still be readable: another process is reading the store');
      await sleep(TRUNCATE_PAUSE_MS);
    }
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
