// The thread inside a decoding process that ends it when its decoder is stuck or takes too much memory: a decoder in an endless loop
// cannot be told anything.
import { workerData } from 'node:worker_threads';
import { WATCHDOG_SIGNALS, type WatchdogLimits } from './protocol.ts';

/** Milliseconds. A decoder allocates about 100 MB in it at most. */
const PERIOD = 50;

/** `state` is the number of the current job (0 = none) and a counter of its progress. */
const { state, limits } = workerData as { state: Int32Array; limits: WatchdogLimits };
let job = 0;
let progress = 0;
let startedAt = 0;
let progressAt = 0;

const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

setInterval(() => {
  if (process.memoryUsage.rss() > limits.memoryBytes) process.kill(process.pid, WATCHDOG_SIGNALS.memory);
  const now = processorMs();
  const currentJob = Atomics.load(state, 0);
  const currentProgress = Atomics.load(state, 1);
  if (currentJob !== job) startedAt = now;
  if (currentJob !== job || currentProgress !== progress) progressAt = now;
  job = currentJob;
  progress = currentProgress;
  const overTime = now - progressAt > limits.stuckMs || now - startedAt > limits.totalMs;
  if (job !== 0 && overTime) process.kill(process.pid, WATCHDOG_SIGNALS.time);
}, PERIOD);
