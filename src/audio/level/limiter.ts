// Keeps peaks under a ceiling: looks a few milliseconds ahead, so that the level is down when the peak comes, without a step.

/** As a part of full level. Half a decibel under −1 dBFS, for what the estimate of peaks between samples misses. */
const CEILING = 10 ** (-1.5 / 20);
/** Levels change at the borders of blocks of a millisecond, and in a straight line between them. */
const BLOCKS_PER_SECOND = 1000;
/** Blocks that the level takes to come down. Together with the one after them, they are what the limiter delays the sound by: 5 ms. */
const RAMP = 4;
/** What is left of a reduction after each block: a time constant of 80 ms. */
const RELEASE = Math.exp(-1 / 80);
/** Peaks between samples are looked for beside samples above this (3 dB under the ceiling). */
const NEAR_PEAK = CEILING * 10 ** (-3 / 20);
/** Samples before and after a place between samples that its value is made from. */
const REACH = 4;
/** Coefficients for the places at 1/4, 2/4 and 3/4 between two samples: sinc, with a Hann window over the reach. */
const BETWEEN = [0.25, 0.5, 0.75].map((place) =>
  Float64Array.from({ length: 2 * REACH }, (_, tap) => {
    const x = Math.PI * (tap - (REACH - 1) - place);
    return (Math.sin(x) / x) * Math.cos(x / (2 * REACH + 1)) ** 2;
  }),
);
/** A power of two, above the number of blocks that are looked at together. */
const RING = 8;

export interface Limiter {
  /** Gives what is ready: as much as came in, less what is looked ahead; the next call overwrites it. The given array may be reused. */
  push(mono: Float32Array): Float32Array;
  /** The rest, at the end of the sound; the limiter is then ready for a new one. Not a sample is added or lost, and nothing is overwritten. */
  flush(): Float32Array;
}

/** @param rate Hz, a multiple of 1000. The sound is not delayed: its first sample stays the first. */
export function createLimiter(rate: number): Limiter {
  const block = rate / BLOCKS_PER_SECOND;
  /** REACH samples before the next block to be given out, then all that came since. One buffer for all: making one costs more than limiting. */
  let samples = new Float32Array(1 << 12);
  let length = REACH;
  /** Of these, so many were given out by the last call. */
  let spent = 0;
  /** How much each of the latest blocks is too loud, as the part that must go (0 to 1), by its number. */
  const excess = new Float64Array(RING);
  let loudBefore = false;
  let measured = 0;
  let given = 0;
  /** Where the blocks given out so far end. */
  let reduction = 0;

  /** By how much the level must be down at the beginning of block `number`, for the blocks at both sides and the ramps to those after. */
  function wanted(number: number): number {
    let most = 0;
    for (let ahead = 0; ahead < RAMP; ahead++) {
      const at = number + ahead;
      // A peak between samples is found a block late when it is near the block's end.
      const here = Math.max(excessOf(at - 1), excessOf(at), excessOf(at + 1));
      most = Math.max(most, here * (1 - ahead / RAMP));
    }
    return most;
  }

  const excessOf = (number: number) => (number < 0 ? 0 : (excess[number % RING] as number));

  function run(input: Float32Array): Float32Array {
    append(input);
    const first = given;
    const whole = first + Math.floor((length - REACH) / block);
    const ready = Math.max(first, whole - RAMP - 1);
    const startOf = (number: number) => REACH + (number - first) * block;
    if (isCalm() && highest(samples, startOf(measured), length) < NEAR_PEAK) {
      measured = whole;
      given = ready;
    } else {
      while (measured < whole) {
        measure(startOf(measured));
        // What is behind it is measured already, so it may be changed where it is.
        if (measured - given > RAMP + 1) reduce(startOf(given));
      }
    }
    const outcome = samples.subarray(REACH, startOf(given));
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

  /** Nothing that has been measured makes a difference to what follows: the way that most speech takes, for a fifth of the work. */
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

  /** Brings down the next block, which begins at `start`. */
  function reduce(start: number): void {
    if (given === 0) reduction = wanted(0);
    const faded = reduction * RELEASE;
    const next = Math.max(wanted(given + 1), faded < 1e-6 ? 0 : faded);
    if (reduction !== 0 || next !== 0) scale(samples, start, start + block, 1 - reduction, (reduction - next) / block);
    reduction = next;
    given++;
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
      measured = given = reduction = 0;
      loudBefore = false;
      return rest;
    },
  };
}

/**
 * The highest level from `start` to `end`, and between samples as far as these are known: from REACH before the start to REACH before the
 * end. `loudBefore`: the block before has something near the ceiling.
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

/** Multiplies by `level`, which grows by `step` from sample to sample. */
function scale(samples: Float32Array, start: number, end: number, level: number, step: number): void {
  for (let index = start; index < end; index++) samples[index] = (samples[index] as number) * (level + step * (index - start));
}
