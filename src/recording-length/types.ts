// What is known of a recording's length while its bytes pass.

export interface Length {
  /** Of sound, so far. Rather too many than too few: never taken from what a file says of its length alone. */
  seconds: number;
  /** Counted; false = an estimate by the bytes, because nothing here can count them. */
  isMeasured: boolean;
}

/** Counts the sound of one container. Pure, with bounded memory; it never throws, whatever the bytes are. */
export interface Counter {
  push(bytes: Uint8Array): void;
  /** No more bytes come. */
  end(): void;
  /** So far. */
  length(): Length;
}

/** What cannot be counted is taken for sound of this rate: 24 kbit/s, the lowest that is usual for speech. In bytes a second. */
export const ESTIMATED_RATE = 3000;
/** Seconds: the longest recording that services of this kind take, and so the most that is estimated. */
export const LONGEST_ESTIMATE = 3600;

/** For bytes that cannot be counted. */
export function estimate(bytes: number): Length {
  return { seconds: Math.min(LONGEST_ESTIMATE, bytes / ESTIMATED_RATE), isMeasured: false };
}

/** For a container that is made so that it cannot be counted: as long as a recording can be. */
export const UNCOUNTABLE: Length = { seconds: LONGEST_ESTIMATE, isMeasured: false };
