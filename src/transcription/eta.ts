// How long a transcription takes, estimated from earlier ones of this process.
import type { Sentence } from '../locales/index.ts';

export interface TranscriptionEta {
  /** Learns from a transcription. @param seconds of sound @param elapsedMs from the last byte sent to the response */
  note(seconds: number, elapsedMs: number): void;
  /** Milliseconds that so many seconds of sound are expected to take; null as long as nothing is known. */
  expect(seconds: number): number | null;
}

/** How much the latest transcription counts: enough to follow a service that gets slower, too little for one outlier to mislead. */
const WEIGHT = 0.4;
/** Seconds between two changes of the time shown. */
const STEP_SECONDS = 5;
/** Shorter recordings say more about the connection than about the service. */
const MIN_SECONDS = 1;

export function createTranscriptionEta(): TranscriptionEta {
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

/**
 * How long the service has been at it, of what it usually takes. Every few seconds are enough: each change is an edit of the message.
 * @param sentAt milliseconds since 1970
 */
export function waitingStage(sentAt: number, expectedMs: number | null): Sentence {
  return (t) => {
    if (expectedMs === null) return t.transcription.transcribingSince(sentAt);
    const elapsed = Math.floor((Date.now() - sentAt) / 1000 / STEP_SECONDS) * STEP_SECONDS;
    const expected = Math.max(STEP_SECONDS, Math.ceil(expectedMs / 1000));
    return elapsed > expected ? t.transcription.takingLonger(elapsed) : t.transcription.transcribing(elapsed, expected);
  };
}
