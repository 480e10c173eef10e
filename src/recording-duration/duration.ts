// The duration of a recording as far as it is known while its bytes pass.

export interface Duration {
  /** Audio so far: too long rather than too short, and never just what a file claims. */
  seconds: number;
  /** False: estimated from the number of bytes, because the format can't be measured. */
  isMeasured: boolean;
}

/** Measures the audio in one container. Pure, with bounded memory; never throws, whatever the bytes are. */
export interface Counter {
  push(bytes: Uint8Array): void;
  /** There are no more bytes. */
  end(): void;
  /** The duration so far. */
  duration(): Duration;
}

/** Bytes per second assumed for what can't be measured: 24 kbit/s, the lowest usual rate for speech. */
export const ESTIMATED_BYTE_RATE = 3000;
/** Seconds: the longest recording that known services accept. */
export const MAX_ESTIMATE = 3600;

/** The duration of audio that can't be measured. */
export function estimate(bytes: number): Duration {
  return { seconds: Math.min(MAX_ESTIMATE, bytes / ESTIMATED_BYTE_RATE), isMeasured: false };
}

/** The duration of a container built to defeat measuring: as long as a recording can be. */
export const UNCOUNTABLE: Duration = { seconds: MAX_ESTIMATE, isMeasured: false };
