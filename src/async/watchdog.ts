// The thread inside a supervised process that ends it when its work is stuck or takes too much memory: a process in an endless loop cannot be
// told anything.
import { workerData } from 'node:worker_threads';
import { WATCHDOG_SIGNALS, type WatchdogLimits } from './protocol.ts';

/** Milliseconds. A decoder allocates about 100 MB in it at most. */
const PERIOD = 50;

/** `state` is the number of the current work (0 = none) and a counter of its progress. */
const { state, limits } = workerData as { state: Int32Array; limits: WatchdogLimits };
const { residentBytes = Infinity, stuckMs = Infinity, processorMs = Infinity } = limits;
let work = 0;
let progress = 0;
let startedAt = 0;
let progressAt = 0;

const usedMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

setInterval(() => {
  if (process.memoryUsage.rss() > residentBytes) process.kill(process.pid, WATCHDOG_SIGNALS.memory);
  const now = usedMs();
  const currentWork = Atomics.load(state, 0);
  const currentProgress = Atomics.load(state, 1);
  if (currentWork !== work) startedAt = now;
  if (currentWork !== work || currentProgress !== progress) progressAt = now;
  work = currentWork;
  progress = currentProgress;
  const isOverTime = now - progressAt > stuckMs || now - startedAt > processorMs;
  if (work !== 0 && isOverTime) process.kill(process.pid, WATCHDOG_SIGNALS.time);
}, PERIOD);
