// A time limit that counts only while it runs.

export interface Deadline {
  /** Does nothing if it is running. */
  resume(): void;
  pause(): void;
}

/** Starts paused. @param ms in total */
export function createDeadline(ms: number, onExpired: () => void): Deadline {
  let remaining = ms;
  let resumedAt = 0;
  let timer: NodeJS.Timeout | null = null;
  return {
    resume() {
      if (timer !== null) return;
      resumedAt = performance.now();
      timer = setTimeout(onExpired, Math.max(0, remaining));
    },
    pause() {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      remaining -= performance.now() - resumedAt;
    },
  };
}
