// Containers made of chunks: WAV (RIFF, RF64) and AIFF. What they say about the length of their samples is only a hint.
import { createByteParser } from './byte-parser.ts';

/** How a container writes its chunks, and which of them hold the format and the samples. */
export interface ChunkNames {
  isBigEndian: boolean;
  format: string;
  samples: string;
}

export const WAV_CHUNKS: ChunkNames = { isBigEndian: false, format: 'fmt ', samples: 'data' };
export const AIFF_CHUNKS: ChunkNames = { isBigEndian: true, format: 'COMM', samples: 'SSND' };

export interface ChunkReader {
  /** Takes bytes chunked anywhere. Returns those that are samples; they, and what follows them, are not copied. */
  push(bytes: Uint8Array): Uint8Array;
  /** There are no more bytes. Returns the samples that were held back. */
  end(): Uint8Array;
  /** The size of all samples as the file states it; null before the first one. */
  readonly statedBytes: number | null;
}

/** As much of a format chunk as is read. */
export const WAV_FORMAT_BYTES = 40;
const NOTHING = new Uint8Array(0);

/** Reads a file from its first byte. All chunks but the format (pictures, cue lists) are skipped without being buffered. */
export function createChunkReader({ isBigEndian, format, samples }: ChunkNames, onFormat: (content: Buffer) => void): ChunkReader {
  let hasBegun = false;
  let statedBytes: number | null = null;
  let untaken: Uint8Array = NOTHING;

  const parser = createByteParser(8 + WAV_FORMAT_BYTES, (bytes, at, isLast) => {
    if (!hasBegun) {
      hasBegun = true;
      return 12;
    }
    if (statedBytes !== null) {
      untaken = bytes.subarray(at);
      return untaken.length;
    }
    if (bytes.length - at < 8) return isLast ? bytes.length - at : 0;
    const name = bytes.toString('latin1', at, at + 4);
    const size = isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    if (name === samples) {
      statedBytes = size;
      return 8;
    }
    if (name === format) {
      const end = at + 8 + Math.min(size, WAV_FORMAT_BYTES);
      if (bytes.length < end && !isLast) return 0;
      onFormat(bytes.subarray(at + 8, end));
    }
    return 8 + size + (size & 1);
  });

  const take = () => {
    const taken = untaken;
    untaken = NOTHING;
    return taken;
  };

  return {
    push(bytes) {
      if (statedBytes !== null) return bytes;
      parser.push(bytes);
      return take();
    },
    end() {
      parser.end();
      return take();
    },
    get statedBytes() {
      return statedBytes;
    },
  };
}

/** How the samples of a WAV file are stored, as it says. */
export interface WavFormat {
  encoding: number;
  channels: number;
  /** Hz */
  rate: number;
  bytesPerSecond: number;
  bits: number;
}

/** WAV encodings with samples of fixed size. */
export const WAV_ENCODING = { pcm: 1, float: 3, aLaw: 6, muLaw: 7 } as const;
const FIXED_SIZE: readonly number[] = Object.values(WAV_ENCODING);

/** Whether samples in this encoding have a fixed size; others are compressed. */
export const isFixedSize = (encoding: number): boolean => FIXED_SIZE.includes(encoding);

/** The actual encoding is at the start of a GUID further on. */
const EXTENSIBLE = 0xfffe;

/** @param content of a format chunk @returns null if it is too short */
export function readWavFormat(content: Buffer): WavFormat | null {
  if (content.length < 16) return null;
  const tag = content.readUInt16LE(0);
  return {
    encoding: tag === EXTENSIBLE && content.length >= 26 ? content.readUInt16LE(24) : tag,
    channels: content.readUInt16LE(2),
    rate: content.readUInt32LE(4),
    bytesPerSecond: content.readUInt32LE(8),
    bits: content.readUInt16LE(14),
  };
}

/** A chunk reader that also returns the last format it has read; null = none yet. */
export function createWavReader(): ChunkReader & { readonly format: WavFormat | null } {
  let format: WavFormat | null = null;
  const reader = createChunkReader(WAV_CHUNKS, (content) => {
    format = readWavFormat(content);
  });
  return {
    push: reader.push,
    end: reader.end,
    get statedBytes() {
      return reader.statedBytes;
    },
    get format() {
      return format;
    },
  };
}
