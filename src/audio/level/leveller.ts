// Brings sound to one level: normalises its voice's loudness, then applies the volume, then limits peaks.
import {
  createBlocks,
  createKWeighting,
  createLoudnessMemory,
  HOPS_PER_SECOND,
  isUnknown,
  toLufs,
  type VoiceLoudness,
} from './loudness-meter.ts';

/** What podcasts and players have settled on for speech (AES TD1008: −16 LUFS for stereo; dual mono counts as such). */
const TARGET_LUFS = -16;
/** A voice quieter than this can amend is probably a whisper, and its noise should not be raised further. */
const MAX_GAIN_DB = 15;
const MIN_GAIN_DB = -30;
/** The loudest that the first second of a voice may become, even if other sound of the voice was quieter. */
const MAX_FIRST_LUFS = -15;
/** 400 ms, the block of BS.1770: what an unknown voice is judged by. */
const ONSET_STEPS = 40;
/** Fewer steps count as this many: a single one may be a click. */
const MIN_STEPS = 5;
/** Steps quieter than the loudest by this much are pauses. */
const PAUSE_LU = 10;
/** Limit for the onset: keeps the first second of even a full-scale voice under −14 LUFS. */
const MAX_ONSET_LUFS = -16.5;
// Decibels per hop. Too loud is corrected fast; a voice that rises slowly is not noticed.
const FALL_DB = 3;
const RISE_DB = 0.6;

export interface Leveller {
  /** Returns as many samples as came in, less the 5 ms of look-ahead. The next call overwrites them. */
  push(mono: Float32Array): Float32Array;
  /** The rest, at the end of the sound. No sample is added, lost or shifted. */
  flush(): Float32Array;
}

/**
 * @param options `rate` in Hz, a multiple of 1000. `voice`: normalises to −16 LUFS by what is known about the voice, which learns from the
 * sound; null leaves loudness alone. `ahead`: the powers of a preview of the same sound. `volume`: a factor. Peaks are always kept under
 * −1 dBFS.
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

/** Applies the voice's gain and the volume, and lets the voice learn. */
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
  /** Only until the voice is known; a complete preview tells as much. */
  let onset = isUnknown(voice) && ahead.length < PREVIEW_STEPS ? createOnset(ahead) : null;
  const first = learnAhead(voice, ahead);
  /** Blocks to come that the voice has learnt from already. */
  let learntBlocks = first.blocks;
  let targetDb = targetGain(0);
  let gainDb = Math.min(targetDb, onset ? onset.maxGainDb() : MAX_FIRST_LUFS - (first.lufs ?? Number.NEGATIVE_INFINITY));
  let gain = volume * toFactor(gainDb);
  /** Change of the gain from one sample to the next. */
  let slope = 0;
  /** Samples between changes of the slope: a hop, or a step while the onset is watched. */
  let span = onset ? hop / STEPS_PER_HOP : hop;
  let position = 0;
  let power = 0;
  let steps = 0;
  let hopPower = 0;

  /** The gain to aim at, in dB. */
  function targetGain(current: number): number {
    const known = voice.integrated();
    if (known === null) return current;
    const normalising = Math.max(MIN_GAIN_DB, Math.min(MAX_GAIN_DB, TARGET_LUFS - known));
    return isUnknown(voice) ? Math.min(current, normalising) : normalising;
  }

  function endHop(meanPower: number): void {
    const block = blocks.addHop(meanPower);
    if (block.isWhole && learntBlocks > 0) learntBlocks--;
    else if (block.isWhole) voice.add(block.power);
    targetDb = targetGain(gainDb);
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
    gainDb = Math.max(gainDb - FALL_DB * part, Math.min(gainDb + RISE_DB * part, targetDb));
    if (onset) gainDb = Math.min(gainDb, onset.maxGainDb());
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
      // Offset by the beginning of the span, so that the result does not depend on how the sound is chunked.
      amplify(mono, into, { start: at, end, gain, slope, offset: position - at });
      position += end - at;
      at = end;
      if (position === span) endSpan();
    }
  };
}

/** Lets the voice learn from a preview. Returns how many blocks that were, and their loudness. */
function learnAhead(voice: VoiceLoudness, powers: number[]): { blocks: number; lufs: number | null } {
  const heard = createLoudnessMemory();
  const blocks = createBlocks();
  let count = 0;
  for (let at = 0; at + STEPS_PER_HOP <= powers.length; at += STEPS_PER_HOP) {
    const { power, isWhole } = blocks.addHop(meanOf(powers.slice(at, at + STEPS_PER_HOP)));
    if (!isWhole) continue;
    voice.add(power);
    heard.add(power);
    count++;
  }
  return { blocks: count, lufs: heard.integrated() };
}

/** Keeps the beginning of an unknown voice from being too loud. */
interface Onset {
  /** @param power mean square of the next 10 ms; previewed steps are ignored, since they are known already */
  add(power: number): void;
  /** The highest gain in dB that isn't too loud. */
  maxGainDb(): number;
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
    maxGainDb() {
      const pause = Math.max(...powers, 0) / 10 ** (PAUSE_LU / 10);
      const spoken = powers.filter((power) => power > pause);
      if (spoken.length === 0) return MAX_GAIN_DB;
      const mean = (meanOf(spoken) * spoken.length) / Math.max(MIN_STEPS, spoken.length);
      return Math.max(MIN_GAIN_DB, MAX_ONSET_LUFS - toLufs(mean));
    },
  };
}

function meanOf(powers: number[]): number {
  return powers.reduce((sum, power) => sum + power, 0) / powers.length;
}

/** `gain` is that of the sample at −`offset`, and changes by `slope` from sample to sample. */
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

// Holds back the beginning of an unknown voice, and measures it before anything is played.

/** The beginning of an unknown voice is measured in steps of 10 ms. */
const STEPS_PER_HOP = 10;
/** Steps to look ahead: at most a second. */
const PREVIEW_STEPS = STEPS_PER_HOP * HOPS_PER_SECOND;

export interface Preview {
  /** Takes a copy. */
  add(mono: Float32Array): void;
  /** More sound would make no difference. */
  readonly isComplete: boolean;
  /** The sound, and the K-weighted mean square of each of its 10 ms steps. */
  result(): { sound: Float32Array[]; powers: number[] };
}

/** @param rate Hz, a multiple of 1000 */
export function createPreview(rate: number): Preview {
  const step = rate / HOPS_PER_SECOND / STEPS_PER_HOP;
  const weigh = createKWeighting(rate);
  const sound: Float32Array[] = [];
  const powers: number[] = [];
  let position = 0;
  let power = 0;
  return {
    add(mono) {
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
    get isComplete() {
      return powers.length >= PREVIEW_STEPS;
    },
    result: () => ({ sound, powers }),
  };
}

// A look-ahead limiter: keeps peaks under a ceiling by ramping the level down a few milliseconds before each peak.

/** As a factor. Half a decibel under −1 dBFS, for what the estimate of inter-sample peaks misses. */
const CEILING = 10 ** (-1.5 / 20);
/** The level is computed at the borders of 1 ms blocks, and interpolated linearly between them. */
const BLOCKS_PER_SECOND = 1000;
/** Blocks in which the level comes down. With one more block, these are the look-ahead: 5 ms. */
const RAMP = 4;
/** The part of a reduction that remains after each block: a time constant of 80 ms. */
const RELEASE = Math.exp(-1 / 80);
/** Inter-sample peaks are only looked for next to samples above this (3 dB under the ceiling). */
const NEAR_PEAK = CEILING * 10 ** (-3 / 20);
/** Samples on each side that a value between two samples is interpolated from. */
const REACH = 4;
/** Coefficients for the positions 1/4, 2/4 and 3/4 between two samples: a Hann-windowed sinc. */
const BETWEEN = [0.25, 0.5, 0.75].map((place) =>
  Float64Array.from({ length: 2 * REACH }, (_, tap) => {
    const x = Math.PI * (tap - (REACH - 1) - place);
    return (Math.sin(x) / x) * Math.cos(x / (2 * REACH + 1)) ** 2;
  }),
);
/** A power of two, above the number of blocks considered together. */
const RING = 8;

export interface Limiter {
  /** Returns as many samples as came in, less the look-ahead. The next call overwrites them. Does not keep `mono`. */
  push(mono: Float32Array): Float32Array;
  /** The rest, at the end of the sound; the limiter is then ready for a new one. No sample is added or lost, and nothing overwrites the result. */
  flush(): Float32Array;
}

/** @param rate Hz, a multiple of 1000. The first sample out is the first one in: look-ahead only delays when it is returned. */
export function createLimiter(rate: number): Limiter {
  const block = rate / BLOCKS_PER_SECOND;
  /** REACH samples of context, then everything from the next block to be returned on. Reused: allocating takes longer than limiting. */
  let samples = new Float32Array(1 << 12);
  let length = REACH;
  /** How many of these the last call returned. */
  let spent = 0;
  /** By how much each of the latest blocks must be reduced (0 to 1), by block number. */
  const excess = new Float64Array(RING);
  let loudBefore = false;
  let measured = 0;
  let done = 0;
  /** How much is taken off at the end of the blocks done so far. */
  let reduction = 0;

  /** The reduction needed at the start of block `number`, for its neighbours and for the ramps to the blocks after it. */
  function requiredReduction(number: number): number {
    let most = 0;
    for (let ahead = 0; ahead < RAMP; ahead++) {
      const at = number + ahead;
      // An inter-sample peak near a block's end is found one block late.
      const here = Math.max(excessOf(at - 1), excessOf(at), excessOf(at + 1));
      most = Math.max(most, here * (1 - ahead / RAMP));
    }
    return most;
  }

  const excessOf = (number: number) => (number < 0 ? 0 : (excess[number % RING] as number));

  function run(input: Float32Array): Float32Array {
    append(input);
    const first = done;
    const whole = first + Math.floor((length - REACH) / block);
    const ready = Math.max(first, whole - RAMP - 1);
    const startOf = (number: number) => REACH + (number - first) * block;
    if (isCalm() && highest(samples, startOf(measured), length) < NEAR_PEAK) {
      measured = whole;
      done = ready;
    } else {
      while (measured < whole) {
        measure(startOf(measured));
        // Everything that is measured from it has been measured, so it can be changed in place.
        if (measured - done > RAMP + 1) reduce(startOf(done));
      }
    }
    const outcome = samples.subarray(REACH, startOf(done));
    spent = outcome.length;
    return outcome;
  }

  function append(input: Float32Array): void {
    samples.copyWithin(0, spent, length);
    length -= spent;
    spent = 0;
    if (length + input.length > samples.length) {
      const larger = new Float32Array(2 * (length + input.length));
      larger.set(samples.subarray(0, length));
      samples = larger;
    }
    samples.set(input, length);
    length += input.length;
  }

  /** Nothing measured so far affects what follows. This fast path, which most speech takes, is a fifth of the work. */
  function isCalm(): boolean {
    if (reduction !== 0 || loudBefore) return false;
    for (let index = 0; index < RING; index++) if (excess[index] !== 0) return false;
    return true;
  }

  function measure(start: number): void {
    const peak = peakOf(samples, start, start + block, loudBefore);
    loudBefore = peak > NEAR_PEAK;
    excess[measured % RING] = peak > CEILING ? 1 - CEILING / peak : 0;
    measured++;
  }

  /** Reduces the next block, which begins at `start`. */
  function reduce(start: number): void {
    if (done === 0) reduction = requiredReduction(0);
    const faded = reduction * RELEASE;
    const next = Math.max(requiredReduction(done + 1), faded < 1e-6 ? 0 : faded);
    if (reduction !== 0 || next !== 0) scale(samples, start, start + block, 1 - reduction, (reduction - next) / block);
    reduction = next;
    done++;
  }

  return {
    push: run,
    flush() {
      const left = length - REACH - spent;
      const rest = run(new Float32Array((RAMP + 2) * block)).slice(0, left);
      samples.fill(0, 0, REACH);
      length = REACH;
      spent = 0;
      excess.fill(0);
      measured = done = reduction = 0;
      loudBefore = false;
      return rest;
    },
  };
}

/**
 * The peak from `start` to `end`, with inter-sample peaks as far as their context is known: from REACH before the start to REACH before
 * the end. `loudBefore`: the previous block came near the ceiling.
 */
function peakOf(samples: Float32Array, start: number, end: number, loudBefore: boolean): number {
  let peak = highest(samples, start, end);
  if (peak < NEAR_PEAK && !loudBefore) return peak;
  for (let index = Math.max(start - REACH, REACH - 1); index < end - REACH; index++) {
    if (Math.abs(samples[index] as number) < NEAR_PEAK && Math.abs(samples[index + 1] as number) < NEAR_PEAK) continue;
    for (const taps of BETWEEN) {
      let value = 0;
      for (let tap = 0; tap < 2 * REACH; tap++) value += (taps[tap] as number) * (samples[index - REACH + 1 + tap] as number);
      peak = Math.max(peak, Math.abs(value));
    }
  }
  return peak;
}

function highest(samples: Float32Array, start: number, end: number): number {
  let peak = 0;
  for (let index = start; index < end; index++) {
    const level = Math.abs(samples[index] as number);
    // Math.max takes three times as long.
    if (level > peak) peak = level;
  }
  return peak;
}

/** Multiplies by `level`, which changes by `step` from sample to sample. */
function scale(samples: Float32Array, start: number, end: number, level: number, step: number): void {
  for (let index = start; index < end; index++) samples[index] = (samples[index] as number) * (level + step * (index - start));
}
