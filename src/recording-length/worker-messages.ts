// Messages between the main thread and the worker.
import type { Duration } from './duration.ts';

/** `id` identifies a recording. The worker replies to `bytes` and `end` with the duration so far. */
export type ToWorker = { id: number; what: 'bytes'; bytes: Uint8Array } | { id: number; what: 'end' | 'close'; bytes?: never };

export interface FromWorker {
  id: number;
  duration: Duration;
}
