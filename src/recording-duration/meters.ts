// How long a recording really is, measured while its bytes pass: no claim of the file, its name or its sender is trusted.
// Bytes are parsed in a worker thread, which is reused, and terminated if it hangs.
import { Worker } from 'node:worker_threads';
import { type Duration, estimate } from './duration.ts';
import type { FromWorker, ToWorker } from './worker.ts';

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

/** Milliseconds without a reply after which the worker counts as hanging; starting it and a busy machine take some of that. */
const REPLY_TIMEOUT_MS = 10_000;
/** Megabytes; a counter keeps less than one. */
const WORKER_MEMORY = 128;

interface Thread {
  worker: Worker;
  /** Waiting for a reply, by recording. */
  waiting: Map<number, (duration: Duration | null) => void>;
  hasEnded: boolean;
}

/** @param options `onLost` is called when a worker ended by itself or hung; its recordings are estimated from then on */
export function createDurationMeters(options: { onLost?: (cause: Error) => void; deadlineMs?: number; script?: URL } = {}): DurationMeters {
  const { onLost = () => {}, deadlineMs = REPLY_TIMEOUT_MS, script = new URL('./worker.ts', import.meta.url) } = options;
  let current: Thread | null = null;
  let lastId = 0;
  let isClosed = false;

  function start(): Thread {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: WORKER_MEMORY } });
    const thread: Thread = { worker, waiting: new Map(), hasEnded: false };
    let cause = new Error('the worker that measures recordings ended');
    worker.unref();
    worker.on('message', ({ id, duration }: FromWorker) => {
      const reply = thread.waiting.get(id);
      thread.waiting.delete(id);
      reply?.(duration);
    });
    worker.on('error', (error: Error) => {
      cause = error;
    });
    worker.once('exit', () => {
      abandon(thread);
      if (!isClosed) onLost(cause);
    });
    return thread;
  }

  /** Everything that waits for it continues without it. */
  function abandon(thread: Thread): void {
    thread.hasEnded = true;
    if (current === thread) current = null;
    for (const reply of thread.waiting.values()) reply(null);
    thread.waiting.clear();
  }

  /** The worker's reply; null if there won't be one. */
  function request(thread: Thread, order: ToWorker): Promise<Duration | null> {
    if (thread.hasEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        abandon(thread);
        void thread.worker.terminate();
      }, deadlineMs);
      thread.waiting.set(order.id, (duration) => {
        clearTimeout(timer);
        resolve(duration);
      });
      thread.worker.postMessage(order, order.bytes ? [order.bytes.buffer as ArrayBuffer] : []);
    });
  }

  return {
    open() {
      current ??= start();
      const thread = current;
      lastId += 1;
      const id = lastId;
      let all = 0;
      let known: Duration = { seconds: 0, isMeasured: true };

      async function update(order: ToWorker): Promise<Duration> {
        const measured = await request(thread, order);
        known = measured ?? { seconds: Math.max(known.seconds, estimate(all).seconds), isMeasured: false };
        return known;
      }

      return {
        add(bytes) {
          all += bytes.length;
          // A copy, because the whole underlying buffer would be transferred.
          return update({ id, what: 'bytes', bytes: new Uint8Array(bytes) });
        },
        end: () => update({ id, what: 'end' }),
        close() {
          if (!thread.hasEnded) thread.worker.postMessage({ id, what: 'close' } satisfies ToWorker);
        },
      };
    },
    async close() {
      isClosed = true;
      const thread = current;
      if (!thread) return;
      abandon(thread);
      await thread.worker.terminate();
    },
  };
}
