// Brings sound to one level: the loudness its voice is known for is evened out, then the volume is applied, then peaks are held down.
import { createLimiter } from './limiter.ts';
import {
  createBlocks,
  createKWeighting,
  createLoudnessMemory,
  HOPS_PER_SECOND,
  type LoudnessCopy,
  type LoudnessMemory,
  toLufs,
} from './loudness.ts';

/** What podcasts and players have settled on for speech (AES TD1008: −16 LUFS for stereo, dual mono counting as such). */
const TARGET_LUFS = -16;
/** A voice that is quieter than this allows is a whisper on purpose, and its noise should not be raised further. */
const MAX_GAIN_DB = 15;
const MIN_GAIN_DB = -30;
/** Quieter than this is no speech, and says nothing about a voice. */
const FLOOR_LUFS = -50;
/** Half a minute or more of speech is remembered. */
const MEMORY_BLOCKS = 600;
/** Before so much of a voice is known, it is only made quieter: what comes first is often a breath. */
const KNOWN_BLOCKS = 10;
/** While nothing whole is known, only what is this far too loud is taken for the voice. */
const SURELY_LOUD_LU = 3;
// Decibels a hop. Too loud is mended fast; a voice that rises is not noticed if it does so slowly.
const FALL_DB = 3;
const RISE_DB = 0.6;

/** How loud a voice has been, kept from one sound to the next. Several may add to it at a time. */
export type VoiceLoudness = LoudnessMemory;

/** @param from what is known of it already. */
export function createVoiceLoudness(from?: LoudnessCopy): VoiceLoudness {
  return createLoudnessMemory({ memoryBlocks: MEMORY_BLOCKS, floor: FLOOR_LUFS, ...(from ? { from } : {}) });
}

export interface Leveller {
  /** Gives what is ready: as much as came in, less 5 ms that are looked ahead. The next call overwrites it. */
  push(mono: Float32Array): Float32Array;
  /** The rest, at the end of the sound. Not a sample is added or lost, and none is moved. */
  flush(): Float32Array;
}

/**
 * @param options `rate` in Hz, a multiple of 1000. `voice`: the sound is brought to −16 LUFS by what is known of the voice, which learns from
 * it; null leaves it as it is. `volume`: a factor, 1 = neither louder nor quieter. Peaks are held under −1 dBFS in any case.
 */
export function createLeveller(options: { rate: number; voice: VoiceLoudness | null; volume: number }): Leveller {
  const { rate, voice, volume } = options;
  const limiter = createLimiter(rate);
  const applyGain = voice ? createGainRider(rate, voice, volume) : applyVolume;
  let levelled = new Float32Array(0);

  function applyVolume(mono: Float32Array, into: Float32Array): void {
    amplify(mono, into, { start: 0, end: mono.length, gain: volume, slope: 0, offset: 0 });
  }

  return {
    push(mono) {
      if (levelled.length < mono.length) levelled = new Float32Array(mono.length);
      applyGain(mono, levelled);
      return limiter.push(levelled.subarray(0, mono.length));
    },
    flush: () => limiter.flush(),
  };
}

/** Applies the voice's gain and the volume, and learns from what it is given. */
function createGainRider(rate: number, voice: VoiceLoudness, volume: number): (mono: Float32Array, into: Float32Array) => void {
  const hop = rate / HOPS_PER_SECOND;
  const weigh = createKWeighting(rate);
  const blocks = createBlocks();
  let gainDb = wantedGain(0, null);
  let gain = volume * toFactor(gainDb);
  /** Change of the gain from one sample to the next. */
  let slope = 0;
  let position = 0;
  let power = 0;

  /** dB. `begun` is the loudness of what is not yet a whole block. */
  function wantedGain(now: number, begun: number | null): number {
    const known = voice.integrated();
    if (known === null) return begun === null ? now : Math.max(MIN_GAIN_DB, Math.min(now, TARGET_LUFS + SURELY_LOUD_LU - begun));
    const gainOfKnown = Math.max(MIN_GAIN_DB, Math.min(MAX_GAIN_DB, TARGET_LUFS - known));
    return voice.blocks < KNOWN_BLOCKS ? Math.min(now, gainOfKnown) : gainOfKnown;
  }

  function endHop(): void {
    const block = blocks.addHop(power / hop);
    if (block.whole) voice.add(block.power);
    const wanted = wantedGain(gainDb, block.whole ? null : toLufs(block.power));
    gain = volume * toFactor(gainDb);
    gainDb = Math.max(gainDb - FALL_DB, Math.min(gainDb + RISE_DB, wanted));
    slope = (volume * toFactor(gainDb) - gain) / hop;
    position = 0;
    power = 0;
  }

  return (mono, into) => {
    for (let at = 0; at < mono.length; ) {
      const end = Math.min(mono.length, at + hop - position);
      power += weigh(mono, at, end);
      // Counted from the beginning of the hop, so that it makes no difference how the sound was cut.
      amplify(mono, into, { start: at, end, gain, slope, offset: position - at });
      position += end - at;
      at = end;
      if (position === hop) endHop();
    }
  };
}

/** `gain` is that of the sample at −`offset`, and grows by `slope` from sample to sample. */
function amplify(
  mono: Float32Array,
  into: Float32Array,
  { start, end, gain, slope, offset }: { start: number; end: number; gain: number; slope: number; offset: number },
): void {
  for (let index = start; index < end; index++) into[index] = (mono[index] as number) * (gain + slope * (index + offset));
}

function toFactor(db: number): number {
  return 10 ** (db / 20);
}
