// How long a recording really is, counted while its bytes pass: nothing that a file, its name or its sender says of that is believed.
// The bytes are taken apart in a thread of their own, which is used again, and ended when it stands still.
import { Worker } from 'node:worker_threads';
import type { FromThread, ToThread } from './thread-messages.ts';
import { estimate, type Length } from './types.ts';

export { ESTIMATED_RATE, estimate, type Length, LONGEST_ESTIMATE } from './types.ts';

interface LengthMeter {
  /** Takes the next bytes; resolves with the length until then. Never rejects: what cannot be counted is estimated. */
  add(bytes: Uint8Array): Promise<Length>;
  /** No more bytes come; resolves with the whole length. Never rejects. */
  end(): Promise<Length>;
  /** Lets go of what is not wanted any more. */
  close(): void;
}

export interface LengthMeters {
  /** For one recording, from its first byte on. */
  open(): LengthMeter;
  close(): Promise<void>;
}

/** Milliseconds without an answer, after which the thread is taken to hang: starting it and a busy machine take a part of them. */
const DEADLINE_MS = 10_000;
/** Megabytes; a counter keeps less than one. */
const THREAD_MEMORY = 128;

interface Thread {
  worker: Worker;
  /** Those who wait for the answer about a recording. */
  waiting: Map<number, (length: Length | null) => void>;
  hasEnded: boolean;
}

/** @param onLost told when a thread has ended by itself or was ended because it hung; what it counted is estimated from then on */
export function createLengthMeters(options: { onLost?: (cause: Error) => void; deadlineMs?: number; script?: URL } = {}): LengthMeters {
  const { onLost = () => {}, deadlineMs = DEADLINE_MS, script = new URL('./thread.ts', import.meta.url) } = options;
  let current: Thread | null = null;
  let lastId = 0;
  let isClosed = false;

  function start(): Thread {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY } });
    const thread: Thread = { worker, waiting: new Map(), hasEnded: false };
    let cause = new Error('the thread that counts recordings ended');
    worker.unref();
    worker.on('message', ({ id, length }: FromThread) => {
      const answer = thread.waiting.get(id);
      thread.waiting.delete(id);
      answer?.(length);
    });
    worker.on('error', (error: Error) => {
      cause = error;
    });
    worker.once('exit', () => {
      lose(thread);
      if (!isClosed) onLost(cause);
    });
    return thread;
  }

  /** Whoever waits for it goes on without it. */
  function lose(thread: Thread): void {
    thread.hasEnded = true;
    if (current === thread) current = null;
    for (const answer of thread.waiting.values()) answer(null);
    thread.waiting.clear();
  }

  /** The thread's answer; null if it will give none. */
  function ask(thread: Thread, order: ToThread): Promise<Length | null> {
    if (thread.hasEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        lose(thread);
        void thread.worker.terminate();
      }, deadlineMs);
      thread.waiting.set(order.id, (length) => {
        clearTimeout(timer);
        resolve(length);
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
      let known: Length = { seconds: 0, isMeasured: true };

      async function update(order: ToThread): Promise<Length> {
        const counted = await ask(thread, order);
        known = counted ?? { seconds: Math.max(known.seconds, estimate(all).seconds), isMeasured: false };
        return known;
      }

      return {
        add(bytes) {
          all += bytes.length;
          // A copy, since the whole memory that it is a part of would be handed over.
          return update({ id, what: 'bytes', bytes: new Uint8Array(bytes) });
        },
        end: () => update({ id, what: 'end' }),
        close() {
          if (!thread.hasEnded) thread.worker.postMessage({ id, what: 'close' } satisfies ToThread);
        },
      };
    },
    async close() {
      isClosed = true;
      const thread = current;
      if (!thread) return;
      lose(thread);
      await thread.worker.terminate();
    },
  };
}
