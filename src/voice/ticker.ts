// One timer for all players in the process: the thread wakes up once every 20 ms, however many guilds are playing.

const PACKET_MS = 20;
/** After a standstill shorter than this, missed packets are sent in a burst; after a longer one, playback resumes where it was. */
const CATCH_UP_MS = 100;

/** Each player's step, with the time before which it takes no part in a tick. */
const steps = new Map<() => void, number>();
let timer: NodeJS.Timeout | undefined;
/** When the next tick is due (`performance.now()`). */
let due = 0;

/**
 * Calls `step` on every tick from the one nearest to `at` (`performance.now()`) until `leaveTicker`. The first player sets the phase. A step
 * must not throw: it would end the tick, and no timer would be set for the next one.
 */
export function joinTicker(step: () => void, at: number): void {
  steps.set(step, at - PACKET_MS / 2);
  if (timer) return;
  due = at;
  schedule();
}

export function leaveTicker(step: () => void): void {
  steps.delete(step);
}

/** Milliseconds from `at` to the nearest tick, −10 to 10; 0 if the ticker is not running. */
export function tickOffset(at: number): number {
  if (!timer) return 0;
  const distance = due - at;
  return distance - PACKET_MS * Math.round(distance / PACKET_MS);
}

/** When the packet after the one due at `previous` is due. */
export function nextDue(previous: number): number {
  const now = performance.now();
  return previous + PACKET_MS < now - CATCH_UP_MS ? now : previous + PACKET_MS;
}

function schedule(): void {
  timer = setTimeout(tick, Math.max(1, due - performance.now()));
}

function tick(): void {
  for (const [step, from] of steps) if (from <= due) step();
  if (steps.size === 0) {
    timer = undefined;
    return;
  }
  due = nextDue(due);
  schedule();
}
