// Preloaded into the bot by main-thread.ts: tells it how long the main thread was busy at a stretch since it last asked.
import { isMainThread } from 'node:worker_threads';

/** Milliseconds: by the clock, and of the processor's time alone, which doesn't count what other processes of the machine take. */
export interface LongestBlock {
  clock: number;
  processor: number;
}

if (isMainThread && process.send) {
  let longest: LongestBlock = { clock: 0, processor: 0 };
  let [ranAt, used] = [performance.now(), usedMs()];
  // Timers have their turn between any two pieces of work.
  setInterval(() => {
    const [now, usedNow] = [performance.now(), usedMs()];
    longest = { clock: Math.max(longest.clock, now - ranAt - 1), processor: Math.max(longest.processor, usedNow - used) };
    [ranAt, used] = [now, usedNow];
  }, 1).unref();
  process.on('message', () => {
    process.send?.(longest);
    longest = { clock: 0, processor: 0 };
  });
  process.channel?.unref();
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
