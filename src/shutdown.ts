// How the process ends: quickly on SIGINT, once current speech has ended on SIGTERM, immediately on a second signal.
import type { Log } from './log.ts';

/** Milliseconds after SIGTERM for other processes to take over all shards. Each has to identify in its turn and receive its guilds. */
export const LEAVE_MS = 120_000;
/** How long utterances may keep playing after SIGTERM, in milliseconds. */
export const DRAIN_MS = 60_000;
/** Milliseconds after the drain until the process exits, even if something has not ended. */
export const EXIT_MS = 3_000;
/** Ctrl-C reaches this process twice, from the terminal and from npm: signals this close together count as one. */
const SAME_SIGNAL_MS = 500;

/** Lets utterances play for at most `drain` ms, then exits the process; only the first call counts. */
export interface Stop {
  (drain: number, exitCode?: number): Promise<void>;
  readonly isStopping: boolean;
}

/**
 * Handles signals from now on, because speech may begin before everything has started.
 * @param steps `leave`: lets other processes take over before anything is refused, if there are any; `close`: ends everything
 */
export function handleShutdown(log: Log, steps: { leave(maxMs: number): Promise<unknown>; close(drain: number): Promise<void> }): Stop {
  let stopping: Promise<void> | null = null;
  let firstSignal: number | null = null;

  async function shutDown(drain: number, exitCode: number): Promise<void> {
    log.info({ drain }, drain > 0 ? 'shutting down once current speech has ended; a second signal exits immediately' : 'shutting down');
    if (drain > 0) await steps.leave(LEAVE_MS);
    setTimeout(() => process.exit(exitCode), drain + EXIT_MS).unref();
    await steps.close(drain);
    process.exit(exitCode);
  }

  const stop = (drain: number, exitCode = 0): Promise<void> => {
    stopping ??= shutDown(drain, exitCode);
    return stopping;
  };

  function onSignal(drain: number): void {
    firstSignal ??= performance.now();
    if (performance.now() - firstSignal > SAME_SIGNAL_MS) process.exit(1);
    void stop(drain);
  }
  process.on('SIGINT', () => onSignal(0));
  process.on('SIGTERM', () => onSignal(DRAIN_MS));

  return Object.defineProperty(stop, 'isStopping', { get: () => stopping !== null }) as Stop;
}
