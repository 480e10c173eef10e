// mpg123 for many sounds at once, sharing WebAssembly memories. By its public API, mpg123-decoder makes a memory of 17 MB for each decoder:
// at fifty sounds, the garbage collector sees a gigabyte to reclaim, and its pauses are audible in all guilds. Sharing needs the package's
// private exports. What that is worth: `npx vitest run test/unit/audio.test.ts -t sixty` (sixty decoders in 3 memories, not 60) and
// `npm run bench -- --only memory`. What keeps it safe: the exact version in package.json, and test/unit/audio-mpg123.test.ts.
import { MPEGDecoder } from 'mpg123-decoder';
import { AudioError } from '../errors.ts';
import { trackResource } from '../resources.ts';
import type { Sound } from '../types.ts';

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
    const found = memories.find((memory) => !memory.broken && memory.handles < HANDLES_PER_MEMORY);
    if (found) {
      found.handles++;
      return found;
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
