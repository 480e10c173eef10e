// A thread that counts recordings and does as its first byte says: answers never again (0), ends (1), or fills its memory (2).
import { parentPort } from 'node:worker_threads';
import type { ToThread } from '../../src/recording-length/thread-messages.ts';

parentPort?.on('message', ({ bytes }: ToThread) => {
  if (bytes?.[0] === 0) for (;;);
  if (bytes?.[0] === 1) process.exit(1);
  const hoard: number[][] = [];
  for (;;) hoard.push(Array<number>(100_000).fill(1));
});
