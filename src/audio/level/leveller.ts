// Brings sound to one level: normalises its voice's loudness, then applies the volume, then limits peaks.
import { createLimiter } from './limiter.ts';
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
