// What the main thread and the one that counts tell each other.
import type { Length } from './types.ts';

/** `id` is that of a recording. Its bytes and its end are each answered with the length until then. */
export type ToThread = { id: number; what: 'bytes'; bytes: Uint8Array } | { id: number; what: 'end' | 'close'; bytes?: never };

export interface FromThread {
  id: number;
  length: Length;
}
