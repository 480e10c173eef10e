// Bytes of sound in, 20 ms Opus packets out, as they are asked for: nothing is read or computed ahead.
import { DETECT_BYTES, type Detected, detectFormat } from './detect.ts';
import { type FrameEncoder, openFrameEncoder } from './encode.ts';
import { AudioError } from './errors.ts';
import { decodeWithFfmpeg, hasFfmpeg } from './ffmpeg.ts';
import { createVoiceLoudness, type VoiceLoudness } from './level.ts';
import { createMp3Decoder, SILENT_FRAME } from './mp3.ts';
import { createOpusStreamDecoder } from './opus-stream.ts';
import { createPcmDecoder, createWavDecoder, wrapInWav } from './pcm.ts';
import { type ByteReader, openReader } from './reader.ts';
import type { Decoder, Piece } from './types.ts';

export { detectFormat } from './detect.ts';
export { FRAME_MS } from './encode.ts';
export { AudioError, type AudioErrorKind } from './errors.ts';
export { hasFfmpeg } from './ffmpeg.ts';
export { resourcesInUse } from './gauge.ts';
export { createVoiceLoudness, type VoiceLoudness } from './level.ts';

/** One of the sounds that follow each other in a stream of frames. */
export interface AudioPart {
  source: AsyncIterable<Uint8Array>;
  /** What it is labelled as; the bytes themselves are believed first. */
  contentType?: string;
  /** Hz of PCM without a header; default 44 100, the service's own. A `rate=` in the label comes first. */
  sampleRate?: number;
}

export interface FrameOptions {
  signal?: AbortSignal;
  /** How long the source may give nothing before AudioError `stalled`; default 10 s. */
  stallMs?: number;
  /** What is known of the voice: what is decoded is brought to −16 LUFS by it, and it learns. Absent: as loud as it comes. */
  loudness?: VoiceLoudness;
  /** A factor, 0 to 2; default 1. With any other, what would pass through untouched is decoded too. */
  volume?: number;
}

const DEFAULT_STALL_MS = 10_000;
const DEFAULT_PCM_RATE = 44_100;

/**
 * Turns a sound into Opus packets of 20 ms: 48 kHz, mono (or as they come, where the source is Ogg/Opus with such packets).
 * The last one is filled up with silence. Leaving the loop, `return()` even while a packet is waited for, and the signal free
 * decoder, encoder, process and source at once. Throws AudioError, what the source throws, or the signal's reason.
 */
export function toOpusFrames(
  source: AsyncIterable<Uint8Array>,
  options: FrameOptions & Omit<AudioPart, 'source'> = {},
): AsyncGenerator<Uint8Array> {
  const { contentType, sampleRate, ...rest } = options;
  async function* one(): AsyncGenerator<AudioPart> {
    yield { source, ...(contentType === undefined ? {} : { contentType }), ...(sampleRate === undefined ? {} : { sampleRate }) };
  }
  return joinOpusFrames(one(), rest);
}

/** As toOpusFrames, for sounds that follow each other without a gap: one encoder runs through all of them. The next part is asked for when one has ended. */
export function joinOpusFrames(parts: AsyncIterable<AudioPart>, options: FrameOptions = {}): AsyncGenerator<Uint8Array> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const frames = run(parts, { ...options, signal });
  // A generator's own return() would wait for a read that may take for ever: here it ends the read.
  return {
    async next() {
      try {
        return await frames.next();
      } catch (error) {
        if (stop.signal.aborted) return { done: true, value: undefined };
        throw error;
      }
    },
    return(value) {
      stop.abort();
      return frames.return(value);
    },
    throw(error) {
      stop.abort();
      return frames.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined);
    },
  };
}

async function* run(parts: AsyncIterable<AudioPart>, options: FrameOptions & { signal: AbortSignal }): AsyncGenerator<Uint8Array> {
  const { signal, stallMs = DEFAULT_STALL_MS, loudness: voice = null, volume = 1 } = options;
  const level = voice || volume !== 1 ? { voice, volume } : null;
  let encoder: FrameEncoder | null = null;
  try {
    for await (const part of parts) {
      const reader = openReader(part.source, { signal, stallMs });
      try {
        let heard = false;
        for await (const piece of decode(reader, part, volume !== 1)) {
          signal.throwIfAborted();
          heard = true;
          if ('packet' in piece) {
            encoder?.finish();
            if (encoder) yield* drain(encoder);
            yield piece.packet;
          } else {
            encoder ??= await openFrameEncoder(piece.rate, level);
            encoder.add(piece);
            yield* drain(encoder);
          }
        }
        if (!heard) throw new AudioError('empty', 'There is no sound in what came');
      } finally {
        reader.close();
      }
    }
    encoder?.finish();
    if (encoder) yield* drain(encoder);
  } finally {
    encoder?.free();
  }
}

function* drain(encoder: FrameEncoder): Generator<Uint8Array> {
  for (let packet = encoder.take(); packet; packet = encoder.take()) yield packet;
}

/** @param decodeAll also what could be passed through as it is. */
async function* decode(reader: ByteReader, part: AudioPart, decodeAll: boolean): AsyncGenerator<Piece> {
  const detected = await detect(reader, part.contentType);
  if (detected.format === 'text') throw new AudioError('not-audio', 'What came is text, not sound');
  if (detected.format === 'other') {
    yield* decodeWithFfmpeg(reader, detected.name);
    return;
  }
  const decoder = await createDecoder(detected.format, part, decodeAll);
  try {
    for (let bytes = await reader.next(); bytes; bytes = await reader.next()) yield* decoder.push(bytes);
    yield* decoder.end();
  } finally {
    decoder.free();
  }
}

/** Looks at the first bytes and gives them back. */
async function detect(reader: ByteReader, contentType: string | undefined): Promise<Detected> {
  let start: Uint8Array = new Uint8Array(0);
  for (;;) {
    const bytes = await reader.next();
    if (bytes) start = start.length === 0 ? bytes : Buffer.concat([start, bytes]);
    if (!bytes && start.length === 0) throw new AudioError('empty', 'Not a single byte of sound came');
    const detected = detectFormat(start.subarray(0, DETECT_BYTES), !bytes, contentType);
    if (detected) {
      reader.unread(start);
      return detected;
    }
  }
}

async function createDecoder(format: 'mp3' | 'wav' | 'opus' | 'pcm', part: AudioPart, decodeAll: boolean): Promise<Decoder> {
  if (format === 'mp3') return createMp3Decoder();
  if (format === 'opus') return createOpusStreamDecoder({ decodeAll });
  if (format === 'wav') return createWavDecoder();
  return createPcmDecoder(pcmRate(part));
}

function pcmRate({ contentType = '', sampleRate = DEFAULT_PCM_RATE }: Omit<AudioPart, 'source'>): number {
  return Number(/;\s*rate=(\d{4,6})\b/i.exec(contentType)?.[1] ?? sampleRate);
}

/** A WAV file around headerless PCM, of the rate that toOpusFrames would take it for. */
export function pcmToWav(pcm: Uint8Array, label: Omit<AudioPart, 'source'>): Uint8Array {
  return wrapInWav(pcm, pcmRate(label));
}

/**
 * Lets a short silence run through decoder, filter and encoder, so that the first sound of the process does not wait for them to be
 * compiled (about 50 ms), and looks for ffmpeg, which would keep everybody waiting later.
 */
export async function warmUp(): Promise<void> {
  hasFfmpeg();
  async function* silence(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 40; count++) yield SILENT_FRAME;
  }
  for await (const _packet of toOpusFrames(silence(), { contentType: 'audio/mpeg', loudness: createVoiceLoudness() }));
}
