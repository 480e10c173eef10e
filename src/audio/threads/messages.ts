// What the main thread and the threads that prepare sound for it tell each other.
import { BATCH } from '../batches.ts';
import type { AudioErrorKind } from '../errors.ts';
import type { LoudnessCopy } from '../level/loudness.ts';
import type { AudioPart, FrameOptions } from '../pipeline.ts';

/** Packets that are prepared beyond those handed over and not yet begun to be played. */
export const AHEAD = BATCH;

/** `id` is that of a sound; what is told of one that has ended is passed over. */
export type ToThread =
  | { to: 'open'; id: number; options: Pick<FrameOptions, 'stallMs' | 'volume'>; loudness: LoudnessCopy | null }
  /** Answers to `wants`; null after the last one. */
  | { to: 'part'; id: number; part: Omit<AudioPart, 'source'> | null }
  | { to: 'bytes'; id: number; bytes: Uint8Array | null }
  /** There is an error instead of what it wants. */
  | { to: 'broken'; id: number }
  /** So many packets are being played. */
  | { to: 'taken'; id: number; packets: number }
  | { to: 'close'; id: number };

export type FromThread =
  /** Warm: what comes next does not wait for anything to be compiled. */
  | { from: 'ready' }
  | { from: 'wants'; id: number; what: 'part' | 'bytes' }
  /** `learnt` are blocks of the voice's loudness, as VoiceLoudness takes them. */
  | { from: 'packets'; id: number; packets: Uint8Array[]; learnt: number[] }
  /** Everything it had is free. */
  | { from: 'ended'; id: number; failure: { kind: AudioErrorKind | null; message: string } | null };
