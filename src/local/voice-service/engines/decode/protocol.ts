// What the main thread and a decoding process say to each other, and the limits the process is held to.
import type { EngineErrorKind } from '../engine.ts';

export interface WatchdogLimits {
  /** Resident memory, WebAssembly and buffers included. */
  memoryBytes: number;
  /** Milliseconds of processor time without progress. Not wall-clock time: a busy machine is not a reason to give up. */
  stuckMs: number;
  /** Milliseconds of processor time for one upload. */
  totalMs: number;
}

/** The signal a process ends itself with says why; where signals cannot be told apart, either reason is possible. */
export const WATCHDOG_SIGNALS = { time: 'SIGTERM', memory: 'SIGKILL' } as const;

/** To the process. `scratch` is a folder that does not exist yet: the decoder may create it, the main thread removes it. */
export interface DecodeRequest {
  audio: Uint8Array;
  scratch: string;
}

/** From the process. After `done` or `failed` it takes the next request, unless it is `tainted`: then it must be replaced. */
export type DecodeMessage =
  | { type: 'ready' }
  | { type: 'samples'; block: Int16Array }
  | { type: 'done'; tainted: boolean }
  | { type: 'failed'; kind: EngineErrorKind; message: string; tainted: boolean };
