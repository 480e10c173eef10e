// What goes into the sound path, what passes between its stages, and its errors.
import type { VoiceLoudness } from './level/loudness-meter.ts';

/** One of several sounds that are joined into a single stream of packets. */
export interface AudioPart {
  source: AsyncIterable<Uint8Array>;
  /** The label the bytes came with; the bytes themselves take precedence. */
  contentType?: string;
  /** Hz of headerless PCM; default 44 100, the Voice Service API's. A `rate=` in `contentType` takes precedence. */
  sampleRate?: number;
}

export interface PacketOptions {
  signal?: AbortSignal;
  /** Longest wait for the source's next bytes before AudioError `stalled`; default 20 s. */
  stallMs?: number;
  /** What is known about the voice, which is updated: decoded sound is normalised to −16 LUFS. Absent: loudness is left alone. */
  loudness?: VoiceLoudness | undefined;
  /** A factor, 0 to 2; default 1. Any other value disables passing Opus packets through unchanged. */
  volume?: number;
}

/** A short stretch of mono sound, ±1. `rate` in Hz. Valid until the next one is pulled: its memory may be reused. */
export interface Sound {
  mono: Float32Array;
  rate: number;
  /** An encoder added an unknown amount of silence before and after the whole sound. */
  padded?: boolean;
}

/** A 20 ms Opus packet that is passed through unchanged. */
interface PassedPacket {
  packet: Uint8Array;
}

export type Piece = Sound | PassedPacket;

/** Turns bytes into sound. Computes only as far as its results are pulled, so a large chunk blocks no longer than a small one. */
export interface Decoder {
  push(bytes: Uint8Array): Iterable<Piece>;
  /** Call after the last byte. Throws AudioError `truncated` if the format says that more should have come. */
  end(): Iterable<Piece>;
  free(): void;
}

// The error type of the sound path.

export type AudioErrorKind =
  /** Text, a web page, or bytes that no decoder recognises. */
  | 'not-audio'
  /** Audio in a format that cannot be decoded here. */
  | 'unsupported'
  /** No bytes for too long. */
  | 'stalled'
  /** The sound ends earlier than its format says; everything up to there was returned. */
  | 'truncated'
  /** No bytes, or no sound in them. */
  | 'empty'
  /** It is longer than the spoken text can possibly be. */
  | 'endless';

export class AudioError extends Error {
  readonly kind: AudioErrorKind;

  constructor(kind: AudioErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AudioError';
    this.kind = kind;
  }
}

// Counts resources that must be freed explicitly: the garbage collector does not see WebAssembly memory and processes.

type Resource = 'encoder' | 'mp3 decoder' | 'opus decoder' | 'ffmpeg process';

const counts: Record<Resource, number> = { encoder: 0, 'mp3 decoder': 0, 'opus decoder': 0, 'ffmpeg process': 0 };

/** Counts one more. Returns a function that counts it off again, once. */
export function trackResource(resource: Resource): () => void {
  let isHeld = true;
  counts[resource]++;
  return () => {
    if (isHeld) counts[resource]--;
    isHeld = false;
  };
}

/** How many encoders, decoders and ffmpeg processes this thread holds; all 0 while nothing plays. */
export function resourcesInUse(): Readonly<Record<Resource, number>> {
  return { ...counts };
}
