// What is tried again until it works must not fill the log, nor fail without a word.
import type { Log } from '../log.ts';

export interface FailureLog {
  /** Logs the first of several failures in a row, with its cause. */
  failed(error: unknown): void;
  succeeded(): void;
}

/** @param message what failed, and what happens next */
export function createFailureLog(log: Log, message: string): FailureLog {
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
