// The sound path, from bytes to 20 ms Opus packets.
import { within } from '../async/waiting.ts';
import { slices } from './bytes.ts';
import { DETECT_BYTES, type Detected, detectFormat } from './containers/formats.ts';
import { decodeWithFfmpeg } from './decode/ffmpeg.ts';
import { createMp3Decoder, createPaddingTrimmer, SILENT_FRAME } from './decode/mp3.ts';
import { createOggOpusDecoder } from './decode/ogg-opus.ts';
import { createPcmDecoder, createWavDecoder, isSoundRate } from './decode/pcm.ts';
import { openPacketEncoder, type PacketEncoder } from './frame-encoder.ts';
import { createVoiceLoudness } from './level/loudness-meter.ts';
import { OPUS_RATE } from './opus.ts';
import { AudioError, type AudioPart, type Decoder, type PacketOptions, type Piece } from './types.ts';
import { wrapInWav } from './wav.ts';

/**
 * Turns a sound into 20 ms Opus packets: 48 kHz, mono, unless the source is Ogg/Opus with 20 ms packets, which pass through unchanged.
 * The last packet is padded with silence. Leaving the loop and the signal, even while a packet is awaited, free decoder, encoder, process
 * and source at once. Throws AudioError, what the source throws, or the signal's reason.
 */
export function toOpusPackets(
  source: AsyncIterable<Uint8Array>,
  options: PacketOptions & Omit<AudioPart, 'source'> = {},
): AsyncGenerator<Uint8Array> {
  async function* parts(): AsyncGenerator<AudioPart> {
    yield { ...options, source };
  }
  return joinOpusPackets(parts(), options);
}

/** Like joinOpusBatches, one packet at a time. */
export async function* joinOpusPackets(parts: AsyncIterable<AudioPart>, options: PacketOptions = {}): AsyncGenerator<Uint8Array> {
  for await (const batch of joinOpusBatches(parts, options)) {
    for (const packet of batch) {
      options.signal?.throwIfAborted();
      yield packet;
    }
  }
}

/**
 * Like toOpusPackets, for sounds that follow each other without a gap: one encoder runs through all of them. The next part is pulled when
 * the one before has ended. The first packets come one by one, later ones in batches of up to a second, as far as the source has got.
 *
 * All on this thread: with fifty servers speaking, five alternating runs in which those beyond sixteen had a thread took 6.7 ms of CPU for a
 * second of sound (5.9 to 7.0) and as many late packets; 6.2 ms (5.8 to 9.8) without.
 */
export async function* joinOpusBatches(parts: AsyncIterable<AudioPart>, options: PacketOptions = {}): AsyncGenerator<Uint8Array[]> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const batches = encodeParts(parts, { ...options, signal });
  /** If nobody pulls again after the abort, nothing else would free the pipeline's resources. */
  const free = () => void batches.return(undefined).catch(() => {});
  signal.addEventListener('abort', free, { once: true });
  try {
    for (let count = 0; ; count++) {
      if (count >= SINGLE_PACKETS) await ownTurn();
      const { done, value } = await batches.next();
      if (done) break;
      yield value;
    }
    options.signal?.throwIfAborted();
  } finally {
    // While it has a listener, a composite signal is kept alive by its sources, and with it everything the listener references.
    signal.removeEventListener('abort', free);
    // Ends a read that is under way.
    left.abort();
    await batches.return(undefined);
  }
}

const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop in which no other sound makes a batch: what is due in between is sent on time. */
function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startNext);
  });
}

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}

/** Puts a WAV header before headerless PCM, at the rate that toOpusPackets would assume. Throws AudioError if the rate is implausible. */
export function pcmToWav(pcm: Uint8Array, label: Omit<AudioPart, 'source'>): Uint8Array {
  return wrapInWav(pcm, { rate: pcmRate(label) });
}

// One sound after the other: detected, decoded, normalised and encoded, as far as packets are pulled.

/** Longer than the API client waits for the next byte (15 s), whose error says more. */
const DEFAULT_STALL_MS = 20_000;
/** How long the first sound of an unknown voice may be held back to measure more of it. */
const PREVIEW_MS = 15;
const DEFAULT_PCM_RATE = 44_100;

/**
 * The packets of all parts, one part after the other, in batches. What is ready is never held back while the source is awaited. Leaving
 * the loop waits for a read that is under way; the signal ends it.
 */
async function* encodeParts(
  parts: AsyncIterable<AudioPart>,
  options: PacketOptions & { signal: AbortSignal },
): AsyncGenerator<Uint8Array[]> {
  const { signal, stallMs = DEFAULT_STALL_MS, loudness: voice = null, volume = 1 } = options;
  const level = voice || volume !== 1 ? { voice, volume } : null;
  const padding = createPaddingTrimmer();
  const batch = createBatch();
  let encoder: PacketEncoder | null = null;
  let rate = OPUS_RATE;
  let previewUntil = 0;
  /** Milliseconds left of the preview; null if there is none. */
  const previewMsLeft = () => (encoder?.isPreviewing ? previewUntil - performance.now() : null);

  /** Takes the encoder's packets; yields each full batch. */
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
        let hasSound = false;
        for await (const pieces of withTimeouts(decode(reader, part, volume !== 1), previewMsLeft)) {
          signal.throwIfAborted();
          if (pieces === null) encoder?.endPreview();
          for (const piece of pieces ?? []) {
            if (!hasSound) padding.begin('mono' in piece && piece.padded === true);
            hasSound = true;
            if ('packet' in piece) {
              encoder?.finish();
              yield* fill();
              batch.add(piece.packet);
              if (batch.isFull) yield batch.take();
              continue;
            }
            if (!encoder) {
              encoder = await openPacketEncoder(piece.rate, level);
              previewUntil = performance.now() + PREVIEW_MS;
            }
            rate = piece.rate;
            for (const mono of padding.push(piece.mono)) {
              encoder.add({ mono, rate });
              yield* fill();
            }
            if (encoder.isPreviewing && performance.now() >= previewUntil) encoder.endPreview();
          }
          // The source's next bytes may take long.
          yield* flush();
        }
        if (!hasSound) throw new AudioError('empty', 'There is no sound in what came');
        // The next part may not be pulled before this one has been played.
        encoder?.endPreview();
        yield* flush();
      } catch (error) {
        // Everything before the error is still played.
        if (!signal.aborted) {
          if (encoder?.isPreviewing) encoder.endPreview();
          yield* flush();
        }
        throw error;
      } finally {
        reader.close();
      }
    }
    encoder?.add({ mono: padding.flush(), rate });
    encoder?.finish();
    yield* flush();
  } finally {
    encoder?.free();
  }
}

/** The same chunks, and a null whenever the next one is not there within `msLeft()`, which is called before each; null = no limit. */
async function* withTimeouts(chunks: AsyncGenerator<Iterable<Piece>>, msLeft: () => number | null): AsyncGenerator<Iterable<Piece> | null> {
  try {
    for (;;) {
      const next = chunks.next();
      const ms = msLeft();
      if (ms !== null && (await isLate(next, ms))) yield null;
      const { done, value } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return(undefined);
  }
}

async function isLate(next: Promise<unknown>, ms: number): Promise<boolean> {
  const onTime = () => false;
  const hasTimedOut = await within(ms, next.then(onTime, onTime), true);
  // If every chunk is there immediately, the timer never gets to fire.
  return hasTimedOut || ms <= 0;
}

/**
 * Bytes that a decoder is given at once. It finds all frames in them before it decodes the first, so a whole file would delay the first packet:
 * to 0.75 ms from 0.53 for MP3, to 1.5 from 0.25 for Ogg/Opus (medians of `npm run bench -- --only first`).
 */
const DECODED_BYTES = 2048;

function* decodeInSlices(decoder: Decoder, bytes: Uint8Array): Generator<Piece> {
  for (const slice of slices(bytes, DECODED_BYTES)) yield* decoder.push(slice);
}

/** Decodes each chunk of bytes, lazily. @param decodeAll decodes even what could be passed through */
async function* decode(reader: ByteReader, part: AudioPart, decodeAll: boolean): AsyncGenerator<Iterable<Piece>> {
  const detected = await detect(reader, part.contentType);
  if (detected.format === 'text') throw new AudioError('not-audio', 'What came is text, not sound');
  if (detected.format === 'other') {
    for await (const piece of decodeWithFfmpeg(reader, detected)) yield [piece];
    return;
  }
  const decoder = await createDecoder(detected.format, part, decodeAll);
  try {
    for (let bytes = await reader.next(); bytes; bytes = await reader.next()) yield decodeInSlices(decoder, bytes);
    yield decoder.end();
  } finally {
    decoder.free();
  }
}

/** Detects the format by the first bytes, and returns them to the reader. */
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
  if (format === 'opus') return createOggOpusDecoder({ decodeAll });
  if (format === 'wav') return createWavDecoder();
  return createPcmDecoder(pcmRate(part));
}

/** Hz of headerless PCM. Throws AudioError `unsupported` if its label has an implausible rate. */
function pcmRate({ contentType = '', sampleRate = DEFAULT_PCM_RATE }: Omit<AudioPart, 'source'>): number {
  const rate = Number(/;\s*rate=(\d+)\b/i.exec(contentType)?.[1] ?? sampleRate);
  if (!isSoundRate(rate)) throw new AudioError('unsupported', `Cannot read PCM of ${rate} Hz`);
  return rate;
}

// Packets are made in batches: decoder, filter and encoder run with warm caches instead of once every 20 ms from cold ones, and every
// stage hands over once instead of fifty times. One packet at a time, a whole bot in ten servers takes 10.6 ms of CPU for a second of sound
// (five runs of `npm run bench -- --only servers`: 10.1 to 11.4); in batches, 8.6 (8.1 to 9.2).

/** The first packets are made one by one, on demand, so that the sound starts as early as possible. */
const SINGLE_PACKETS = 10;
/** 1 s of sound, made in 3 ms (`npm run bench -- --only cpu`): the most that a skip wastes and that other guilds are delayed by. */
const BATCH_PACKETS = 50;

/** Packets made but not handed over yet. */
interface Batch {
  add(packet: Uint8Array): void;
  readonly isFull: boolean;
  readonly isEmpty: boolean;
  take(): Uint8Array[];
}

function createBatch(): Batch {
  let packets: Uint8Array[] = [];
  let taken = 0;
  return {
    add(packet) {
      packets.push(packet);
    },
    get isFull() {
      return packets.length >= (taken < SINGLE_PACKETS ? 1 : BATCH_PACKETS);
    },
    get isEmpty() {
      return packets.length === 0;
    },
    take() {
      const batch = packets;
      taken += batch.length;
      packets = [];
      return batch;
    },
  };
}

// Compiles everything that a first sound would otherwise wait for.

/** Runs a short silence through this thread's decoder, filter and encoder (about 50 ms). */
export async function warmUp(): Promise<void> {
  async function* silence(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 40; count++) yield SILENT_FRAME;
  }
  async function* parts() {
    yield { source: silence(), contentType: 'audio/mpeg' };
  }
  const never = new AbortController();
  for await (const _packet of encodeParts(parts(), { loudness: createVoiceLoudness(), signal: never.signal }));
}

// Reads a byte source chunk by chunk, with a limit to how long a read may take.

interface ByteReader {
  /** The next bytes, or null at the end. Throws what the source throws, the signal's reason, or AudioError `stalled`. */
  next(): Promise<Uint8Array | null>;
  /** Puts bytes back: `next` returns them again. */
  unread(bytes: Uint8Array): void;
  /** Ends a read that is under way, and closes the source. */
  close(): void;
}

const CLOSED = new Error('The sound is no longer read');

/** @param options `stallMs`: how long one read may take. */
function openByteReader(source: AsyncIterable<Uint8Array>, options: { signal: AbortSignal; stallMs: number }): ByteReader {
  const { signal, stallMs } = options;
  let iterator: AsyncIterator<Uint8Array> | null = source[Symbol.asyncIterator]();
  let returned: Uint8Array | null = null;
  let interrupt: ((reason: unknown) => void) | null = null;

  async function read(): Promise<Uint8Array | null> {
    while (iterator) {
      const result = await iterator.next();
      if (result.done) {
        iterator = null;
        return null;
      }
      if (result.value.length > 0) return result.value;
    }
    return null;
  }

  return {
    next() {
      if (returned) {
        const bytes = returned;
        returned = null;
        return Promise.resolve(bytes);
      }
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const settle = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          interrupt = null;
        };
        interrupt = (reason) => {
          settle();
          reject(reason);
        };
        const onAbort = () => interrupt?.(signal.reason);
        const timer = setTimeout(() => {
          interrupt?.(new AudioError('stalled', `The sound stopped coming: nothing for ${Math.round(stallMs / 100) / 10} s`));
        }, stallMs);
        signal.addEventListener('abort', onAbort, { once: true });
        read().then(
          (bytes) => {
            settle();
            resolve(bytes);
          },
          (error) => {
            iterator = null;
            settle();
            reject(error);
          },
        );
      });
    },
    unread(bytes) {
      returned = bytes;
    },
    close() {
      const open = iterator;
      iterator = null;
      returned = null;
      interrupt?.(CLOSED);
      // Not awaited: a generator returns only after its current read, which may hang.
      open?.return?.()?.then(undefined, () => {});
    },
  };
}
