// How long a transcription takes, estimated from earlier ones of this process.

export interface Pace {
  /** Learns from a transcription. @param seconds of sound @param elapsedMs from the last byte sent to the response */
  note(seconds: number, elapsedMs: number): void;
  /** Milliseconds that so many seconds of sound are expected to take; null as long as nothing is known. */
  expect(seconds: number): number | null;
}

/** How much the latest transcription counts: enough to follow a service that gets slower, too little for one outlier to mislead. */
const WEIGHT = 0.4;
/** Shorter recordings say more about the connection than about the service. */
const MIN_SECONDS = 1;

export function createPace(): Pace {
  let msPerSecond: number | null = null;

  return {
    note(seconds, elapsedMs) {
      if (seconds < MIN_SECONDS) return;
      const latest = elapsedMs / seconds;
      msPerSecond = msPerSecond === null ? latest : msPerSecond + WEIGHT * (latest - msPerSecond);
    },
    expect: (seconds) => (msPerSecond === null ? null : msPerSecond * seconds),
  };
}
