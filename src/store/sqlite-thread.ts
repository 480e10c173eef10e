// What SQLite does in a thread, because it waits for the disk: meanwhile the main thread sends audio.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type SqliteTask = 'checkpoint' | 'rewrite';

/** Rejects if it fails. */
export async function runSqliteTask(file: string, task: SqliteTask): Promise<void> {
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
