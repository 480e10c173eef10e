// mpg123 for many sounds at once, in as few WebAssembly memories as hold them. The package makes one of 17 MB for each decoder: at fifty
// sounds the garbage collector then believes that a gigabyte waits for it, and its pauses are heard in all guilds.
import { MPEGDecoder } from 'mpg123-decoder';
import { AudioError } from '../errors.ts';
import { trackResource } from '../resources.ts';
import type { Sound } from '../types.ts';

/** What the package exports from libmpg123; private to it, so its version is fixed in package.json. */
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
  /** Where a frame is put in, and sound is put out: first all of the left channel, then all of the right one. */
  input: number;
  output: number;
  /** Four numbers that the library writes: a handle, samples, rate, error text. */
  numbers: number;
  bytes: Uint8Array;
  words: Uint32Array;
  samples: Float32Array;
  handles: number;
  /** A trap leaves it in an unknown state: nobody new is let in. */
  broken: boolean;
}

export interface Mpg123 {
  /**
   * Sound of one MPEG frame, both channels averaged, or null where it gives none; the next call overwrites it. `isMono`: both channels
   * are the same. Throws AudioError when the library breaks down.
   */
  decode(frame: Uint8Array, isMono: boolean): Sound | null;
  free(): void;
}

/** A memory has 17 MB and cannot grow; 32 decoders at work have been seen to fit, 34 have not. */
const HANDLES_PER_MEMORY = 24;
/** The largest frames there are have 2881 bytes (layer II of MPEG 2.5, 160 kbit/s, 8 kHz). */
const INPUT_BYTES = 4096;
/** Of each channel, at most. */
const FRAME_SAMPLES = 1152;
const OUTPUT_SAMPLES = 2 * 4 * FRAME_SAMPLES;
/** What the library says before the first sound, and where the rate changes (mpg123.h). */
const NEW_FORMAT = -11;
/** The format is told once, then the sound is given: anything beyond that runs in circles. */
const MOST_READS = 4;
// Of `words`.
const HANDLE = 0;
const SAMPLES = 1;
const RATE = 2;

const memories: Memory[] = [];
let opening: Promise<void> | null = null;

/** A decoder of its own for one sound: nothing of another sound is in it. Costs microseconds where a memory has room. */
export async function openMpg123(): Promise<Mpg123> {
  const memory = await takePlace();
  let handle: number;
  try {
    handle = createHandle(memory);
  } catch (error) {
    memory.handles--;
    throw error;
  }
  const release = trackResource('mp3 decoder');
  // Others decode into the library's memory before this sound is used.
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
      letGo();
    },
  };
}

/** A memory with room, in which one handle more is counted already: others look for room before the caller goes on. */
async function takePlace(): Promise<Memory> {
  for (;;) {
    const found = memories.find((memory) => !memory.broken && memory.handles < HANDLES_PER_MEMORY);
    if (found) {
      found.handles++;
      return found;
    }
    // Who finds none at the same time waits for the same one; who then finds it full, for the same next one.
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
  // What it has made for itself stays unused: its `free` gives the handle back twice, which breaks what is made after that.
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

/** Memories are filled in their order, so the later ones become empty; one that is may stay for the next sound. */
function letGo(): void {
  const empty = memories.filter((memory) => memory.handles === 0);
  for (const memory of empty) if (memory.broken || memory !== empty[0]) memories.splice(memories.indexOf(memory), 1);
}

function createHandle(memory: Memory): number {
  const { library, numbers, words } = memory;
  words[HANDLE] = 0;
  // Silence at the ends is trimmed outside.
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
    for (let reads = 0; reads < MOST_READS && outcome === NEW_FORMAT; reads++) {
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
