// The log: JSON lines, or readable ones on a terminal. Never tokens, keys, names, or what members said or heard.
import { type Logger, pino } from 'pino';

/** Loaded only on a terminal, because it has 30 files. */
const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : null;

export type Log = Logger;

export function createLog(level: string): Log {
  // Synchronous, not in a worker: the last lines before an exit must not be lost.
  return pretty
    ? pino({ level }, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }))
    : pino({ level }, pino.destination({ sync: true }));
}

/** For operations that are retried until they work: they must neither fill the log nor fail silently. */
export interface FailureLog {
  /** Logs the first of several failures in a row, with its cause. */
  failed(error: unknown): void;
  succeeded(): void;
}

/** @param message what failed, and what happens next */
export function createFailureLog(log: Pick<Log, 'warn'>, message: string): FailureLog {
  let isFailing = false;
  return {
    failed(error) {
      if (isFailing) return;
      isFailing = true;
      const { cause } = error instanceof Error ? error : {};
      log.warn({ reason: String(error), ...(cause instanceof Error && { cause: cause.message }) }, message);
    },
    succeeded() {
      isFailing = false;
    },
  };
}
