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
  toPower,
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
/** Before so much of a voice is known (a second of speech), it is only made quieter: what comes first is often a breath. */
const KNOWN_BLOCKS = 7;
/** The beginning of an unknown voice is watched in steps of 10 ms. */
const STEPS_PER_HOP = 10;
/** A second: what is listened to of an unknown voice before it begins, as far as it is there. */
const LISTEN_STEPS = STEPS_PER_HOP * HOPS_PER_SECOND;
/** As loud as that second may become, if other sound of the voice was quieter. */
const FIRST_LUFS = -15;
/** A hop and a half above all, 400 ms: what a voice that is not known yet is judged by. */
const ONSET_STEPS = 40;
/** Fewer count as so many: a single one may be a click. */
const LEAST_STEPS = 5;
/** Steps that are this much quieter than the loudest are pauses. */
const PAUSE_LU = 10;
/** What the onset is held down to: a voice as loud as sound can be is then under −14 LUFS in its first second. */
const ONSET_LUFS = -16.5;
// Decibels a hop. Too loud is mended fast; a voice that rises is not noticed if it does so slowly.
const FALL_DB = 3;
const RISE_DB = 0.6;

/** How loud a voice has been, kept from one sound to the next. Several may add to it at a time. */
export type VoiceLoudness = LoudnessMemory;

/** @param from what is known of it already. */
export function createVoiceLoudness(from?: LoudnessCopy): VoiceLoudness {
  return createLoudnessMemory({ memoryBlocks: MEMORY_BLOCKS, floor: FLOOR_LUFS, ...(from ? { from } : {}) });
}

/** A voice of which so much was heard before, at this loudness. @param blocks tenths of a second */
export function recallVoiceLoudness(lufs: number, blocks: number): VoiceLoudness {
  const voice = createVoiceLoudness();
  for (let count = 0; count < Math.min(blocks, MEMORY_BLOCKS - 1); count++) voice.add(toPower(lufs));
  return voice;
}

/** Is so little known of this voice that it should be listened to before it begins? */
export function isUnknown(voice: VoiceLoudness): boolean {
  return voice.blocks < KNOWN_BLOCKS;
}

/** Holds the beginning of an unknown voice back and measures it. */
export interface Listener {
  /** Takes a copy. */
  hear(mono: Float32Array): void;
  /** More would make no difference. */
  readonly isDone: boolean;
  /** What was heard: the sound, and the mean squares of its steps of 10 ms, K-weighted. */
  heard(): { sound: Float32Array[]; powers: number[] };
}

/** @param rate Hz, a multiple of 1000 */
export function createListener(rate: number): Listener {
  const step = rate / HOPS_PER_SECOND / STEPS_PER_HOP;
  const weigh = createKWeighting(rate);
  const sound: Float32Array[] = [];
  const powers: number[] = [];
  let position = 0;
  let power = 0;
  return {
    hear(mono) {
      sound.push(mono.slice());
      for (let at = 0; at < mono.length; ) {
        const end = Math.min(mono.length, at + step - position);
        power += weigh(mono, at, end);
        position += end - at;
        at = end;
        if (position < step) continue;
        powers.push(power / step);
        position = 0;
        power = 0;
      }
    },
    get isDone() {
      return powers.length >= LISTEN_STEPS;
    },
    heard: () => ({ sound, powers }),
  };
}

export interface Leveller {
  /** Gives what is ready: as much as came in, less 5 ms that are looked ahead. The next call overwrites it. */
  push(mono: Float32Array): Float32Array;
  /** The rest, at the end of the sound. Not a sample is added or lost, and none is moved. */
  flush(): Float32Array;
}

/**
 * @param options `rate` in Hz, a multiple of 1000. `voice`: the sound is brought to −16 LUFS by what is known of the voice, which learns from
 * it; null leaves it as it is. `ahead`: what a listener has heard of its beginning. `volume`: a factor, 1 = neither louder nor quieter. Peaks are held under −1 dBFS in any case.
 */
export function createLeveller(options: { rate: number; voice: VoiceLoudness | null; volume: number; ahead?: number[] }): Leveller {
  const { rate, voice, volume, ahead = [] } = options;
  const limiter = createLimiter(rate);
  const applyGain = voice ? createGainRider({ rate, voice, volume, ahead }) : applyVolume;
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
function createGainRider(options: {
  rate: number;
  voice: VoiceLoudness;
  volume: number;
  ahead: number[];
}): (mono: Float32Array, into: Float32Array) => void {
  const { rate, voice, volume, ahead } = options;
  const hop = rate / HOPS_PER_SECOND;
  const weigh = createKWeighting(rate);
  const blocks = createBlocks();
  /** Until the voice is known; what was heard in advance tells as much. */
  let onset = isUnknown(voice) && ahead.length < LISTEN_STEPS ? createOnset(ahead) : null;
  const first = learnAhead(voice, ahead);
  /** Blocks to come that the voice has learnt from already. */
  let learnt = first.blocks;
  let wanted = wantedGain(0);
  let gainDb = Math.min(wanted, onset ? onset.mostDb() : FIRST_LUFS - (first.lufs ?? Number.NEGATIVE_INFINITY));
  let gain = volume * toFactor(gainDb);
  /** Change of the gain from one sample to the next. */
  let slope = 0;
  /** Of the hop, or of the step while the onset is watched. */
  let span = onset ? hop / STEPS_PER_HOP : hop;
  let position = 0;
  let power = 0;
  let steps = 0;
  let hopPower = 0;

  /** dB. */
  function wantedGain(now: number): number {
    const known = voice.integrated();
    if (known === null) return now;
    const gainOfKnown = Math.max(MIN_GAIN_DB, Math.min(MAX_GAIN_DB, TARGET_LUFS - known));
    return isUnknown(voice) ? Math.min(now, gainOfKnown) : gainOfKnown;
  }

  function endHop(meanPower: number): void {
    const block = blocks.addHop(meanPower);
    if (block.whole && learnt > 0) learnt--;
    else if (block.whole) voice.add(block.power);
    wanted = wantedGain(gainDb);
  }

  function endSpan(): void {
    const part = span / hop;
    if (onset) {
      onset.add(power / span);
      hopPower += power / hop;
      steps = (steps + 1) % STEPS_PER_HOP;
      if (steps === 0) {
        endHop(hopPower);
        hopPower = 0;
      }
    } else {
      endHop(power / hop);
    }
    gain = volume * toFactor(gainDb);
    gainDb = Math.max(gainDb - FALL_DB * part, Math.min(gainDb + RISE_DB * part, wanted));
    if (onset) gainDb = Math.min(gainDb, onset.mostDb());
    if (onset && steps === 0 && !isUnknown(voice)) {
      onset = null;
      span = hop;
    }
    slope = (volume * toFactor(gainDb) - gain) / span;
    position = 0;
    power = 0;
  }

  return (mono, into) => {
    for (let at = 0; at < mono.length; ) {
      const end = Math.min(mono.length, at + span - position);
      power += weigh(mono, at, end);
      // Counted from the beginning of the span, so that it makes no difference how the sound was cut.
      amplify(mono, into, { start: at, end, gain, slope, offset: position - at });
      position += end - at;
      at = end;
      if (position === span) endSpan();
    }
  };
}

/** Lets the voice learn from what was heard of it in advance; returns how many blocks that were, and how loud they are together. */
function learnAhead(voice: VoiceLoudness, powers: number[]): { blocks: number; lufs: number | null } {
  const heard = createLoudnessMemory();
  const blocks = createBlocks();
  let count = 0;
  for (let at = 0; at + STEPS_PER_HOP <= powers.length; at += STEPS_PER_HOP) {
    const { power, whole } = blocks.addHop(meanOf(powers.slice(at, at + STEPS_PER_HOP)));
    if (!whole) continue;
    voice.add(power);
    heard.add(power);
    count++;
  }
  return { blocks: count, lufs: heard.integrated() };
}

/** Watches the beginning of a voice, which nobody knows anything of, for being too loud. */
interface Onset {
  /** @param power mean square of the next 10 ms; those that were heard in advance are known already. */
  add(power: number): void;
  /** dB: more gain would be too loud. */
  mostDb(): number;
}

function createOnset(ahead: number[]): Onset {
  const powers = ahead.slice(-ONSET_STEPS);
  let known = ahead.length;
  return {
    add(power) {
      if (known > 0) {
        known--;
        return;
      }
      powers.push(power);
      if (powers.length > ONSET_STEPS) powers.shift();
    },
    mostDb() {
      const pause = Math.max(...powers, 0) / 10 ** (PAUSE_LU / 10);
      const spoken = powers.filter((power) => power > pause);
      if (spoken.length === 0) return MAX_GAIN_DB;
      const mean = (meanOf(spoken) * spoken.length) / Math.max(LEAST_STEPS, spoken.length);
      return Math.max(MIN_GAIN_DB, ONSET_LUFS - toLufs(mean));
    },
  };
}

function meanOf(powers: number[]): number {
  return powers.reduce((sum, power) => sum + power, 0) / powers.length;
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
