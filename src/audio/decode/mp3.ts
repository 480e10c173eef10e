// Decodes MP3, with mpg123 compiled to WebAssembly.
import { MPEGDecoder } from 'mpg123-decoder';
import { createMp3Framer, type Mp3Frame } from '../containers/mpeg-frames.ts';
import { AudioError, type Decoder, type Sound, trackResource } from '../types.ts';

/** If no sound begins within this, there is none: web pages and pictures contain no frames. */
const MAX_GARBAGE_BYTES = 65_536;
/** A frame of silence: MPEG-1 layer III, 64 kbit/s, 44.1 kHz, mono, all zeros. */
export const SILENT_FRAME = Uint8Array.from({ length: 208 }, (_, index) => [0xff, 0xfb, 0x50, 0xc4][index] ?? 0);

/** Yields one frame (26 ms at 44.1 kHz) at a time. Trims the encoder's padding if the file says how much it is. */
export async function createMp3Decoder(): Promise<Decoder> {
  const mpg123 = await openMpg123();
  const framer = createMp3Framer();
  let hasSound = false;
  /** Samples still to be trimmed off the start. */
  let skip = 0;
  /** Samples to trim off the end: as many are always held back. */
  let hold = 0;
  /** [spent, end) is held back; what is before it was returned last. One buffer for all: two per frame would be 8 KB of garbage. */
  let buffer = new Float32Array(0);
  let end = 0;
  let spent = 0;
  let padded = true;

  function* decode(frames: Mp3Frame[]): Generator<Sound> {
    for (const { frame, mono } of frames) {
      const trim = parseInfoFrame(frame);
      if (trim) {
        skip = trim.start;
        hold = trim.end;
        padded = trim.start === 0 && trim.end === 0;
        continue;
      }
      const decoded = mpg123.decode(frame, mono);
      if (!decoded) continue;
      hasSound = true;
      const sound = trimmed(decoded.mono);
      if (sound.length > 0) yield { mono: sound, rate: decoded.rate, padded };
    }
    if (framer.lost > MAX_GARBAGE_BYTES && !hasSound) throw new AudioError('not-audio', 'There is no MP3 sound in what came');
  }

  function trimmed(samples: Float32Array): Float32Array {
    const from = Math.min(skip, samples.length);
    skip -= from;
    const rest = samples.subarray(from);
    if (hold === 0) return rest;
    buffer.copyWithin(0, spent, end);
    end -= spent;
    if (end + rest.length > buffer.length) {
      const larger = new Float32Array(end + 2 * rest.length + hold);
      larger.set(buffer.subarray(0, end));
      buffer = larger;
    }
    buffer.set(rest, end);
    end += rest.length;
    spent = Math.max(0, end - hold);
    return buffer.subarray(0, spent);
  }

  return {
    push: (bytes) => decode(framer.push(bytes)),
    *end() {
      yield* decode(framer.end());
      if (!hasSound) throw new AudioError('not-audio', 'There is no MP3 sound in what came');
      if (framer.cut) throw new AudioError('truncated', 'The MP3 ends in the middle of a frame');
    },
    free: mpg123.free,
  };
}

// The information frame at the start of many MP3s: a frame without sound that says how much to trim off both ends.

/** Samples to trim off both ends; 0 if the encoder does not say. */
interface Mp3Trim {
  start: number;
  end: number;
}

/** The decoder's own delay, which the encoder's does not include (LAME's technical FAQ: 528 + 1). */
const DECODER_DELAY = 529;
/** Sizes of the optional fields after the name: number of frames, number of bytes, table of contents, quality. */
const FIELD_BYTES = [4, 4, 100, 4];

/** Parses a whole MPEG frame as an information frame (`Xing`, `Info`). Returns null if it is a frame of sound. */
function parseInfoFrame(frame: Uint8Array): Mp3Trim | null {
  const second = frame[1] ?? 0;
  const fourth = frame[3] ?? 0;
  const isVersion1 = ((second >> 3) & 3) === 3;
  const isMono = fourth >> 6 === 3;
  const hasChecksum = (second & 1) === 0;
  const sideBytes = isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const start = 4 + (hasChecksum ? 2 : 0) + sideBytes;
  // `X` or `I`: rules out nearly all frames cheaply.
  if (frame[start] !== 0x58 && frame[start] !== 0x49) return null;
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  const name = bytes.toString('latin1', start, start + 4);
  if (name !== 'Xing' && name !== 'Info') return null;
  const flags = bytes[start + 7] ?? 0;
  const encoder = FIELD_BYTES.reduce((at, size, bit) => at + (flags & (1 << bit) ? size : 0), start + 8);
  // LAME's part: its name in 9 bytes; at 21 the delay before and the padding after the sound, 12 bits each.
  if (encoder + 24 > bytes.length || !/^[A-Za-z]{3,4}/.test(bytes.toString('latin1', encoder, encoder + 4))) return { start: 0, end: 0 };
  const both = bytes.readUIntBE(encoder + 21, 3);
  const [delay, padding] = [both >> 12, both & 0xfff];
  if (delay === 0 && padding === 0) return { start: 0, end: 0 };
  return { start: delay + DECODER_DELAY, end: Math.max(0, padding - DECODER_DELAY) };
}

// mpg123 for many sounds at once, sharing WebAssembly memories. By its public API, mpg123-decoder makes a memory of 17 MB for each decoder:
// at fifty sounds, the garbage collector sees a gigabyte to reclaim, and its pauses are audible in all guilds. Sharing needs the package's
// private exports. What that is worth: `npx vitest run test/unit/audio.test.ts -t sixty` (sixty decoders in 3 memories, not 60),
// `npm run bench -- --only memory`, and CPU: 3.1 ms for a second of sound (3.0 to 3.3 in five runs of `npm run bench -- --only cpu`), with the
// public API 4.9 (4.6 to 5.0), which allocates several arrays for each frame. What keeps it safe: the exact version in package.json, and
// test/unit/audio-mpg123.test.ts.

/** The package's private exports. */
interface Library {
  HEAP: ArrayBuffer;
  malloc(bytes: number): number;
  mpeg_frame_decoder_create(handleOut: number, gapless: 0 | 1): number;
  mpeg_decoder_feed(handle: number, bytes: number, length: number): number;
  mpeg_decoder_read(handle: number, out: number, outLength: number, samplesOut: number, rateOut: number, errorOut: number): number;
  mpeg_frame_decoder_destroy(handle: number): void;
}

interface Memory {
  library: Library;
  /** Addresses of a frame's bytes, and of its sound: all of the left channel, then all of the right one. */
  input: number;
  output: number;
  /** Address of four numbers that the library writes: a handle, samples, rate, error text. */
  numbers: number;
  bytes: Uint8Array;
  words: Uint32Array;
  samples: Float32Array;
  handles: number;
  /** A WebAssembly trap left it in an unknown state: it gets no new decoders. */
  broken: boolean;
}

export interface Mpg123 {
  /**
   * Returns the sound of one MPEG frame, both channels averaged, or null if it yields none; the next call overwrites it. `isMono`: both
   * channels are the same. Throws AudioError if the library traps.
   */
  decode(frame: Uint8Array, isMono: boolean): Sound | null;
  free(): void;
}

/** A memory has 17 MB and cannot grow; 32 active decoders were seen to fit, 34 were not. */
const HANDLES_PER_MEMORY = 24;
/** The largest possible frame has 2881 bytes (MPEG-2.5 layer II, 160 kbit/s, 8 kHz). */
const INPUT_BYTES = 4096;
/** Per channel, at most. */
const FRAME_SAMPLES = 1152;
const OUTPUT_SAMPLES = 2 * 4 * FRAME_SAMPLES;
/** Returned before the first sound and when the rate changes (mpg123.h). */
const NEW_FORMAT = -11;
/** One read may report the format, the next returns the sound: beyond that it would loop. */
const MAX_READS = 4;
// Indexes into `words`.
const HANDLE = 0;
const SAMPLES = 1;
const RATE = 2;

const memories: Memory[] = [];
let opening: Promise<void> | null = null;

/** Opens a decoder for one sound, with a state of its own. Takes microseconds if a memory has room. */
export async function openMpg123(): Promise<Mpg123> {
  const memory = await reserveMemory();
  let handle: number;
  try {
    handle = createHandle(memory);
  } catch (error) {
    memory.handles--;
    throw error;
  }
  const release = trackResource('mp3 decoder');
  // Other decoders overwrite the shared memory before this sound is used.
  const own = new Float32Array(FRAME_SAMPLES);
  let freed = false;
  return {
    decode(frame, isMono) {
      const sound = decode(memory, handle, frame, isMono);
      if (!sound) return null;
      const mono = own.subarray(0, sound.mono.length);
      mono.set(sound.mono);
      return { mono, rate: sound.rate };
    },
    free() {
      if (freed) return;
      freed = true;
      release();
      destroyHandle(memory, handle);
      memory.handles--;
      dropEmptyMemories();
    },
  };
}

/** Returns a memory with room, with the new handle already counted: others look for room before the caller continues. */
async function reserveMemory(): Promise<Memory> {
  for (;;) {
    const withRoom = memories.find((memory) => !memory.broken && memory.handles < HANDLES_PER_MEMORY);
    if (withRoom) {
      withRoom.handles++;
      return withRoom;
    }
    // Concurrent callers await the same memory; those that then find it full await the next one together.
    opening ??= openMemory()
      .then((memory) => void memories.push(memory))
      .finally(() => {
        opening = null;
      });
    await opening;
  }
}

async function openMemory(): Promise<Memory> {
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  // The package's own decoder stays unused and is never freed: its `free` destroys the handle twice, which corrupts later ones.
  const library = (decoder as unknown as { _common: { wasm: Library } })._common.wasm;
  const [input, output, numbers] = [library.malloc(INPUT_BYTES), library.malloc(OUTPUT_SAMPLES * 4), library.malloc(4 * 4)];
  return {
    library,
    input,
    output,
    numbers,
    bytes: new Uint8Array(library.HEAP, input, INPUT_BYTES),
    words: new Uint32Array(library.HEAP, numbers, 4),
    samples: new Float32Array(library.HEAP, output, OUTPUT_SAMPLES),
    handles: 0,
    broken: false,
  };
}

/** Memories are filled in order, so the later ones become empty. One empty memory is kept for the next sound. */
function dropEmptyMemories(): void {
  const empty = memories.filter((memory) => memory.handles === 0);
  for (const memory of empty) if (memory.broken || memory !== empty[0]) memories.splice(memories.indexOf(memory), 1);
}

function createHandle(memory: Memory): number {
  const { library, numbers, words } = memory;
  words[HANDLE] = 0;
  // 0: the caller trims the padding.
  const failure = library.mpeg_frame_decoder_create(numbers, 0);
  const handle = words[HANDLE];
  if (failure !== 0 || !handle) throw new Error(`mpg123 made no decoder (${failure})`);
  return handle;
}

function destroyHandle({ library, broken }: Memory, handle: number): void {
  if (!broken) library.mpeg_frame_decoder_destroy(handle);
}

function decode(memory: Memory, handle: number, frame: Uint8Array, isMono: boolean): Sound | null {
  const { library, bytes, words, samples, input, output, numbers } = memory;
  if (memory.broken || frame.length > INPUT_BYTES) return null;
  try {
    bytes.set(frame);
    library.mpeg_decoder_feed(handle, input, frame.length);
    let outcome = NEW_FORMAT;
    words[SAMPLES] = 0;
    for (let reads = 0; reads < MAX_READS && outcome === NEW_FORMAT; reads++) {
      outcome = library.mpeg_decoder_read(handle, output, OUTPUT_SAMPLES, numbers + 4, numbers + 8, numbers + 12);
    }
    const count = words[SAMPLES] as number;
    if (count === 0) return null;
    if (!isMono) for (let at = 0; at < count; at++) samples[at] = ((samples[at] as number) + (samples[count + at] as number)) / 2;
    return { mono: samples.subarray(0, count), rate: words[RATE] as number };
  } catch (cause) {
    memory.broken = true;
    throw new AudioError('not-audio', 'The MP3 is damaged beyond reading', { cause });
  }
}

// Trims the silence that MP3 encoders add around a sound, at the joins between sounds, if the file does not say how much it is.

/** Samples before the sound: the delays of encoder and decoder (LAME's technical FAQ: 576 + 529). */
const MAX_BEFORE = 1105;
/** Samples after it: LAME pads by up to 1727, of which the decoder's delay shifts 529 into the sound. */
const MAX_AFTER = 1198;
/** The padding contains echoes of the adjacent sound up to −50 dB, so sound up to this level may be cut with it. */
const QUIET = 10 ** (-50 / 20);

export interface PaddingTrimmer {
  /** A sound begins, with or without padding. Drops what was held back of the previous one. */
  begin(isPadded: boolean): void;
  /** Yields what is ready: silence at the end is held back, for it may be padding. The next call overwrites it. */
  push(mono: Float32Array): Generator<Float32Array>;
  /** What is still held back, when nothing follows. */
  flush(): Float32Array;
}

export function createPaddingTrimmer(): PaddingTrimmer {
  let held = new Float32Array(0);
  let heldLength = 0;
  let isFirst = true;
  let isPadded = false;
  /** How much more silence may be dropped before the sound. */
  let skip = 0;

  function hold(quiet: Float32Array): void {
    if (held.length < heldLength + quiet.length) {
      const larger = new Float32Array(2 * (heldLength + quiet.length));
      larger.set(held.subarray(0, heldLength));
      held = larger;
    }
    held.set(quiet, heldLength);
    heldLength += quiet.length;
  }

  /** Yields the oldest held samples, all but the last `keep`. */
  function* release(keep: number): Generator<Float32Array> {
    const ready = heldLength - keep;
    if (ready <= 0) return;
    yield held.subarray(0, ready);
    held.copyWithin(0, ready, heldLength);
    heldLength = keep;
  }

  return {
    begin(padded) {
      skip = padded && !isFirst ? MAX_BEFORE : 0;
      isPadded = padded;
      isFirst = false;
      heldLength = 0;
    },
    *push(mono) {
      const start = Math.min(skip, quietBefore(mono));
      skip = start === mono.length ? skip - start : 0;
      const rest = mono.subarray(start);
      if (!isPadded) {
        if (rest.length > 0) yield rest;
        return;
      }
      const end = rest.length - quietAfter(rest);
      if (end > 0) {
        yield* release(0);
        yield rest.subarray(0, end);
      }
      hold(rest.subarray(end));
      yield* release(MAX_AFTER);
    },
    flush() {
      const last = held.slice(0, heldLength);
      heldLength = 0;
      return last;
    },
  };
}

function quietBefore(mono: Float32Array): number {
  let count = 0;
  while (count < mono.length && Math.abs(mono[count] as number) < QUIET) count++;
  return count;
}

function quietAfter(mono: Float32Array): number {
  let count = 0;
  while (count < mono.length && Math.abs(mono[mono.length - 1 - count] as number) < QUIET) count++;
  return count;
}
