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
