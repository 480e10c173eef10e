// The worker thread that measures recordings, so that files from members are never parsed in the main thread.
import { parentPort } from 'node:worker_threads';
import { createCounter } from './counter.ts';
import type { Counter, Duration } from './duration.ts';

/** `id` identifies a recording. The worker replies to `bytes` and `end` with the duration so far. */
export type ToWorker = { id: number; what: 'bytes'; bytes: Uint8Array } | { id: number; what: 'end' | 'close'; bytes?: never };

export interface FromWorker {
  id: number;
  duration: Duration;
}

const counters = new Map<number, Counter>();

parentPort?.on('message', ({ id, bytes, what }: ToWorker) => {
  const counter = counters.get(id) ?? createCounter();
  if (what === 'bytes') {
    counters.set(id, counter);
    counter.push(bytes);
  } else {
    counters.delete(id);
    if (what === 'close') return;
    counter.end();
  }
  parentPort?.postMessage({ id, duration: counter.duration() } satisfies FromWorker);
});
