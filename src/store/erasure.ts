// How what was deleted leaves the files of a database: its rows and the log before anybody is told that it's deleted, the copies that the
// database has left elsewhere a little later, as rewriting everything takes longer the more there is.
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Checkpoints, createCheckpoints, runSqliteTask } from './sqlite-thread.ts';
import { StoreError } from './types.ts';

/** Milliseconds. */
export const REWRITE_EVERY_MS = 10 * 60_000;
/** Milliseconds to wait for another process, or the thread that rewrites, while it writes. */
export const BUSY_MS = 2_000;
/** Attempts, and the pause between them, to truncate the write-ahead log while another process reads it: 2 s in all. */
const TRUNCATE_TRIES = 20;
const TRUNCATE_PAUSE_MS = 100;

export interface Rewriting {
  /** Rewrites within 10 minutes, and not more often than every 10. */
  request(): void;
  /** While everything is being rewritten; never rejects. */
  readonly running: Promise<void> | undefined;
  /** Rewrites now, if that was requested. Never rejects. Call it before the database is closed. */
  finish(): Promise<void>;
}

/** @param rewrite may resolve to the milliseconds after which it is to be tried again; if it rejects, it is tried again as well */
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

/** @param db opened with `BUSY_MS` as its timeout: what writes without awaiting `rewriting.running` first blocks this thread for up to that */
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
      // It has the log for that long.
      await rewriting.running;
      await emptyLog();
    },
    rewriting,
  };
}
