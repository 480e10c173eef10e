// A thread that misbehaves as the first byte it receives tells it to: never answers (0), exits (1), or fills its memory (any other).
import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../../src/recording-duration/worker.ts';

parentPort?.on('message', ({ bytes }: ToWorker) => {
  if (bytes?.[0] === 0) for (;;);
  if (bytes?.[0] === 1) process.exit(1);
  const hoard: number[][] = [];
  for (;;) hoard.push(Array<number>(100_000).fill(1));
});
