// What uploads are decoded to.

/** Samples per second: the rate that speech models are trained on. */
export const RATE = 16_000;
/** Seconds of the longest recording: the limit of known services. */
export const MAX_SECONDS = 3600;
/** An hour of any kind of sound takes at most 20 s of computing and 150 MB; an idle process has 90 MB. All in milliseconds but the memory, in bytes. */
export const DECODE_LIMITS = {
  /** Resident, WebAssembly and buffers included. */
  memoryBytes: 512 * 1024 * 1024,
  /** Of processor time without progress. */
  stuckMs: 3_000,
  /** Of processor time. */
  totalMs: 60_000,
  /** By the clock. */
  deadlineMs: 300_000,
};
