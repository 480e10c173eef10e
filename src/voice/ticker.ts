// One timer for all players of the process: the thread wakes up once every 20 ms, however many servers are spoken in.

/** Between two frames. */
const FRAME_MS = 20;
/** A process that stood still for less than this sends what it missed at once; for longer, it goes on from where it was. */
const CATCH_UP_MS = 100;

/** Each with the moment before which no beat is its own. */
const players = new Map<() => void, number>();
let timer: NodeJS.Timeout | undefined;
/** When the next beat is due, in the time of `performance.now()`. */
let due = 0;

/** Calls `step` on every beat from the one nearest to `at` (`performance.now()`) on, until `leaveTicker`. The first player sets the beat. */
export function joinTicker(step: () => void, at: number): void {
  players.set(step, at - FRAME_MS / 2);
  if (timer) return;
  due = at;
  wait();
}

export function leaveTicker(step: () => void): void {
  players.delete(step);
}

/** Milliseconds from a moment to the nearest beat, −10 to 10; 0 if there is none. */
export function tickOffset(at: number): number {
  if (!timer) return 0;
  const distance = due - at;
  return distance - FRAME_MS * Math.round(distance / FRAME_MS);
}

/** When the frame after the one that was due at `before` is due. */
export function nextDue(before: number): number {
  const now = performance.now();
  return before + FRAME_MS < now - CATCH_UP_MS ? now : before + FRAME_MS;
}

function wait(): void {
  timer = setTimeout(beat, Math.max(1, due - performance.now()));
}

function beat(): void {
  for (const [step, from] of [...players]) if (from <= due) step();
  if (players.size === 0) {
    timer = undefined;
    return;
  }
  due = nextDue(due);
  wait();
}
