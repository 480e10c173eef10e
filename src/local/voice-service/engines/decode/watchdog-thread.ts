// The thread that watches over a decoding process: ends it when its decoder is stuck or takes too much memory, since a decoder in a loop
// can be told nothing.
import { workerData } from 'node:worker_threads';
import { ENDED_BY, type WatchLimits } from './protocol.ts';

/** Milliseconds. A decoder fills some 100 MB in it at most. */
const PERIOD = 50;

const { watched, limits } = workerData as { watched: Int32Array; limits: WatchLimits };
let job = 0;
let life = 0;
let begun = 0;
let seen = 0;

const computed = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

setInterval(() => {
  if (process.memoryUsage.rss() > limits.memoryBytes) process.kill(process.pid, ENDED_BY.memory);
  const now = computed();
  const current = Atomics.load(watched, 0);
  const signs = Atomics.load(watched, 1);
  if (current !== job) begun = now;
  if (current !== job || signs !== life) seen = now;
  job = current;
  life = signs;
  if (job !== 0 && (now - seen > limits.stuckMs || now - begun > limits.wholeMs)) process.kill(process.pid, ENDED_BY.time);
}, PERIOD);
