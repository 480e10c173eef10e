// Moments that a lease lasts until, on a machine that may be suspended.

/** By two clocks, the earlier of which counts: the steady one stands still while a machine is suspended, and the other one can be set. */
export interface Moment {
  /** As `performance.now()`. */
  steady: number;
  /** Milliseconds since 1970. */
  wall: number;
}

export function momentIn(ms: number): Moment {
  return { steady: performance.now() + ms, wall: Date.now() + ms };
}

export function isAhead({ steady, wall }: Moment): boolean {
  return performance.now() < steady && Date.now() < wall;
}
