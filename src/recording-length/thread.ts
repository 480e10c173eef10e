// A thread that counts recordings, so that nothing a member sends is taken apart in the main one.
import { parentPort } from 'node:worker_threads';
import { createCounter } from './counter.ts';
import type { FromThread, ToThread } from './thread-messages.ts';
import type { Counter } from './types.ts';

const counters = new Map<number, Counter>();

parentPort?.on('message', ({ id, bytes, what }: ToThread) => {
  const counter = counters.get(id) ?? createCounter();
  if (what === 'bytes') {
    counters.set(id, counter);
    counter.push(bytes);
  } else {
    counters.delete(id);
    if (what === 'close') return;
    counter.end();
  }
  parentPort?.postMessage({ id, length: counter.length() } satisfies FromThread);
});
