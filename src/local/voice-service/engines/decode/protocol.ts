// How far a decoding process may go, and how it tells that it went too far.

export interface WatchLimits {
  /** Of resident memory, WebAssembly and buffers included. */
  memoryBytes: number;
  /** Computing without a sign of life, in milliseconds of processor time: a busy machine is no reason to give up. */
  stuckMs: number;
  /** Computing for one upload, in milliseconds of processor time. */
  wholeMs: number;
}

/** How the process ends tells whoever started it why; where signals cannot be told apart, either reason is possible. */
export const ENDED_BY = { time: 'SIGTERM', memory: 'SIGKILL' } as const;
