// The sound path of one thread: detects, decodes, evens out, encodes, as far as it is asked to.
import { createBatch } from './batches.ts';
import { type ByteReader, openByteReader } from './decode/byte-reader.ts';
import { DETECT_BYTES, type Detected, detectFormat } from './decode/detect.ts';
import { decodeWithFfmpeg } from './decode/ffmpeg.ts';
import { createMp3Decoder } from './decode/mp3.ts';
import { createOpusStreamDecoder } from './decode/ogg-opus.ts';
import { createPaddingTrimmer } from './decode/padding-trimmer.ts';
import { createPcmDecoder, createWavDecoder, isSoundRate } from './decode/pcm.ts';
import { AudioError } from './errors.ts';
import { type FrameEncoder, openFrameEncoder } from './frame-encoder.ts';
import type { VoiceLoudness } from './level/leveller.ts';
import { OPUS_RATE } from './ogg/opus-packet.ts';
import type { Decoder, Piece } from './types.ts';

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
  /** How long the source may give nothing before AudioError `stalled`; default 20 s. */
  stallMs?: number;
  /** What is known of the voice: what is decoded is brought to −16 LUFS by it, and it learns. Absent: as loud as it comes. */
  loudness?: VoiceLoudness;
  /** A factor, 0 to 2; default 1. With any other, what would pass through untouched is decoded too. */
  volume?: number;
}

/** Longer than the API client waits for the next byte (15 s), whose error says more. */
const DEFAULT_STALL_MS = 20_000;
/** How long the first sound of an unknown voice may wait for more of it. */
const LISTEN_MS = 15;
const DEFAULT_PCM_RATE = 44_100;

/**
 * Packets of the parts, one part after the other, in batches: what is ready is never kept back while the source is waited for. Leaving the
 * loop waits for a read that is under way; the signal ends it.
 */
export async function* encodeParts(
  parts: AsyncIterable<AudioPart>,
  options: FrameOptions & { signal: AbortSignal },
): AsyncGenerator<Uint8Array[]> {
  const { signal, stallMs = DEFAULT_STALL_MS, loudness: voice = null, volume = 1 } = options;
  const level = voice || volume !== 1 ? { voice, volume } : null;
  const seam = createPaddingTrimmer();
  const batch = createBatch();
  let encoder: FrameEncoder | null = null;
  let rate = OPUS_RATE;
  let listenUntil = 0;
  /** Milliseconds that are left to listen; null = it does not listen. */
  const listeningMs = () => (encoder?.isListening ? listenUntil - performance.now() : null);

  /** Takes what the encoder has; a batch whenever one is full. */
  function* fill(): Generator<Uint8Array[]> {
    for (let packet = encoder?.take(); packet; packet = encoder?.take()) {
      batch.add(packet);
      if (batch.isFull) yield batch.take();
    }
  }

  function* flush(): Generator<Uint8Array[]> {
    yield* fill();
    if (!batch.isEmpty) yield batch.take();
  }

  try {
    for await (const part of parts) {
      const reader = openByteReader(part.source, { signal, stallMs });
      try {
        let heard = false;
        for await (const pieces of orLate(decode(reader, part, volume !== 1), listeningMs)) {
          signal.throwIfAborted();
          if (pieces === null) encoder?.begin();
          for (const piece of pieces ?? []) {
            if (!heard) seam.begin('mono' in piece && piece.padded === true);
            heard = true;
            if ('packet' in piece) {
              encoder?.finish();
              yield* fill();
              batch.add(piece.packet);
              if (batch.isFull) yield batch.take();
              continue;
            }
            if (!encoder) {
              encoder = await openFrameEncoder(piece.rate, level);
              listenUntil = performance.now() + LISTEN_MS;
            }
            rate = piece.rate;
            for (const mono of seam.push(piece.mono)) {
              encoder.add({ mono, rate });
              yield* fill();
            }
            if (encoder.isListening && performance.now() >= listenUntil) encoder.begin();
          }
          // More may be long in coming.
          yield* flush();
        }
        if (!heard) throw new AudioError('empty', 'There is no sound in what came');
        // The next part may come only once this one is heard.
        encoder?.begin();
        yield* flush();
      } catch (error) {
        // What came before it is heard.
        if (!signal.aborted) {
          if (encoder?.isListening) encoder.begin();
          yield* flush();
        }
        throw error;
      } finally {
        reader.close();
      }
    }
    encoder?.add({ mono: seam.flush(), rate });
    encoder?.finish();
    yield* flush();
  } finally {
    encoder?.free();
  }
}

/** The same, and null whenever the next does not come in time. `leftMs` is asked before each; null = there is time. */
async function* orLate(chunks: AsyncGenerator<Iterable<Piece>>, leftMs: () => number | null): AsyncGenerator<Iterable<Piece> | null> {
  try {
    for (;;) {
      const next = chunks.next();
      const left = leftMs();
      if (left !== null && (await isLate(next, left))) yield null;
      const { done, value } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return(undefined);
  }
}

async function isLate(next: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), true);
  });
  const come = () => false;
  const outcome = await Promise.race([next.then(come, come), late]);
  clearTimeout(timer);
  // With sound that is there at once the timer would never have its turn.
  return outcome || ms <= 0;
}

/** What each chunk of bytes turns into, computed as it is iterated over. @param decodeAll also what could be passed through as it is. */
async function* decode(reader: ByteReader, part: AudioPart, decodeAll: boolean): AsyncGenerator<Iterable<Piece>> {
  const detected = await detect(reader, part.contentType);
  if (detected.format === 'text') throw new AudioError('not-audio', 'What came is text, not sound');
  if (detected.format === 'other') {
    for await (const piece of decodeWithFfmpeg(reader, detected)) yield [piece];
    return;
  }
  const decoder = await createDecoder(detected.format, part, decodeAll);
  try {
    for (let bytes = await reader.next(); bytes; bytes = await reader.next()) yield decoder.push(bytes);
    yield decoder.end();
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

/** Hz of PCM without a header. Throws AudioError `unsupported` where its label says what no sound has. */
export function pcmRate({ contentType = '', sampleRate = DEFAULT_PCM_RATE }: Omit<AudioPart, 'source'>): number {
  const rate = Number(/;\s*rate=(\d+)\b/i.exec(contentType)?.[1] ?? sampleRate);
  if (!isSoundRate(rate)) throw new AudioError('unsupported', `Cannot read PCM of ${rate} Hz`);
  return rate;
}
