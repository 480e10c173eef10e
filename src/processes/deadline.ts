// Deadlines, such as the end of a lease, on a machine that may be suspended.

/** By two clocks, the earlier of which counts: the monotonic one stands still while a machine is suspended, and the other one can be set. */
export interface Deadline {
  /** As `performance.now()`. */
  monotonic: number;
  /** Milliseconds since 1970. */
  wall: number;
}

export function deadlineIn(ms: number): Deadline {
  return { monotonic: performance.now() + ms, wall: Date.now() + ms };
}

export function hasNotPassed({ monotonic, wall }: Deadline): boolean {
  return performance.now() < monotonic && Date.now() < wall;
}
