// How long a recording really is, measured while its bytes pass: no claim of the file, its name or its sender is trusted.
// Bytes are parsed in a worker thread, which is reused, and terminated if it hangs.
import { createTasks } from '../async/tasks.ts';
import { type Duration, estimate } from './duration.ts';

interface DurationMeter {
  /** Takes the next bytes; resolves with the duration so far. Never rejects: what can't be measured is estimated. */
  add(bytes: Uint8Array): Promise<Duration>;
  /** There are no more bytes; resolves with the whole duration. Never rejects. */
  end(): Promise<Duration>;
  /** Discards the recording. */
  close(): void;
}

export interface DurationMeters {
  /** Opens a meter for one recording. */
  open(): DurationMeter;
  close(): Promise<void>;
}

/** Milliseconds without a reply after which the worker counts as hanging; a busy machine takes some of that. */
const REPLY_TIMEOUT_MS = 10_000;
/** Milliseconds until the worker is there; a busy machine takes most of that. */
const START_MS = 60_000;
/** Megabytes; a counter keeps less than one. */
const WORKER_MEMORY = 128;

/** @param options `onLost` is called when a worker ended by itself or hung; its recordings are estimated from then on */
export function createDurationMeters(options: { onLost?: (cause: Error) => void; deadlineMs?: number; script?: URL } = {}): DurationMeters {
  const { onLost = () => {}, deadlineMs = REPLY_TIMEOUT_MS, script = new URL('./worker.ts', import.meta.url) } = options;
  const tasks = createTasks<null, Duration, Uint8Array | null | undefined>({
    spawn: { file: script, runsIn: 'thread' },
    memory: { heapMb: WORKER_MEMORY },
    timeouts: { startMs: START_MS, answerMs: deadlineMs },
    // The bytes are gone by then.
    secondTries: 0,
    onLost: ({ reason }) => onLost(new Error(`the worker that measures recordings: ${reason}`)),
  });

  return {
    open() {
      const durations = tasks.run(null);
      let all = 0;
      let latest: Duration = { seconds: 0, isMeasured: true };

      async function update(bytes: Uint8Array | null | undefined): Promise<Duration> {
        const measured = await durations.next(bytes).catch(() => null);
        latest = measured?.value ?? { seconds: Math.max(latest.seconds, estimate(all).seconds), isMeasured: false };
        return latest;
      }

      const close = () => void durations.return().catch(() => {});
      void update(undefined);
      return {
        add(bytes) {
          all += bytes.length;
          // A copy, because the whole underlying buffer would be sent.
          return update(new Uint8Array(bytes));
        },
        end: () => update(null).finally(close),
        close,
      };
    },
    close: tasks.close,
  };
}
