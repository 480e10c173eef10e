// Messages between the main thread and the worker threads that prepare sound for it.
import { BATCH_PACKETS } from '../batches.ts';
import type { AudioErrorKind } from '../errors.ts';
import type { LoudnessCopy } from '../level/loudness-meter.ts';
import type { AudioPart, PacketOptions } from '../types.ts';

/** Packets that a worker prepares beyond those that the main thread has taken. */
export const PACKETS_AHEAD = BATCH_PACKETS;

/** `id` identifies a sound; messages about one that has ended are ignored. */
export type ToWorker =
  | { type: 'open'; id: number; options: Pick<PacketOptions, 'stallMs' | 'volume'>; loudness: LoudnessCopy | null }
  /** Answers to `request`; null after the last one. */
  | { type: 'part'; id: number; part: Omit<AudioPart, 'source'> | null }
  | { type: 'bytes'; id: number; bytes: Uint8Array | null }
  /** Answer to `request`: the source failed. */
  | { type: 'source-failed'; id: number }
  /** The main thread has taken this many packets. */
  | { type: 'taken'; id: number; packets: number }
  | { type: 'close'; id: number };

export type FromWorker =
  /** Warmed up: the first sound does not wait for compilation. */
  | { type: 'ready' }
  | { type: 'request'; id: number; what: 'part' | 'bytes' }
  /** `learnt`: powers of blocks to add to the main thread's VoiceLoudness. */
  | { type: 'packets'; id: number; packets: Uint8Array[]; learnt: number[] }
  /** All of the sound's resources are freed. */
  | { type: 'ended'; id: number; failure: { kind: AudioErrorKind | null; message: string } | null };
