// Changes the sample rate of mono sound: a polyphase windowed-sinc filter that streams.
import { createFilterKernel, type FilterKernel } from './filter-kernel.ts';

export interface Resampler {
  /** Takes mono samples at the `from` rate. Returns what can be computed so far at the `to` rate. Does not keep `mono`. */
  push(mono: Float32Array): Float32Array;
  /** The rest, at the end of the sound; the resampler is then ready for a new one. In all, n samples become ceil(n × to / from). */
  flush(): Float32Array;
}

interface Filter {
  /** Coefficients, phase by phase, each phase in the order of its input samples. */
  table: Float32Array;
  phases: number;
  /** Coefficients per phase; a multiple of 8. */
  taps: number;
  /** Input and output buffers, shared by all resamplers of these rates, each within one call. */
  samples: Float32Array;
  out: Float32Array;
  /** Null if the processor has no SIMD, or if there are more positions than phases. */
  kernel: FilterKernel | null;
}

// Attenuation that the Kaiser window is designed for; the tests require 60 dB, which leaves room for the table's rounding.
const STOP_BAND_DB = 72;
// Band edges as fractions of the lower rate. Upwards, images land above the old Nyquist frequency, where they are inaudible, so the stop
// band may mirror the pass band around it (for 44.1 kHz it begins at 25.1 kHz: 32 multiplications per sample). Downwards, aliases fold back
// into the audible range, so the stop band begins at the new Nyquist frequency.
const UP = { pass: 0.43, stop: 0.57 };
const DOWN = { pass: 0.42, stop: 0.5 };
// Odd ratios (44 101 → 48 000) would need a phase for each sample of a second; the error of using the nearest of these is below −74 dB.
const MAX_PHASES = 4096;
const CACHED_FILTERS = 8;
/** Input samples processed at once. */
const CHUNK = 2048;
const PAGE_BYTES = 65_536;

const filters = new Map<string, Filter>();

/**
 * The sound is not delayed: sample 0 stays at time 0. Throws RangeError if a rate is not a positive integer.
 * @param options `from` and `to` in Hz. `reuse`: each call overwrites what the previous one returned.
 */
export function createResampler(options: { from: number; to: number; reuse?: boolean }): Resampler {
  const { from, to, reuse = false } = options;
  if (!(Number.isInteger(from) && Number.isInteger(to) && from > 0 && to > 0)) {
    throw new RangeError(`Cannot resample from ${from} Hz to ${to} Hz`);
  }
  if (from === to) return { push: (mono) => mono.slice(), flush: () => new Float32Array(0) };

  const divisor = greatestCommonDivisor(from, to);
  const up = to / divisor;
  const down = from / divisor;
  const filter = filterFor(from, to, up);
  const { taps, samples } = filter;
  const before = taps / 2 - 1;

  /** Input that later outputs still need; silence at first. */
  const held = new Float32Array(taps);
  let heldLength = before;
  /** The position of the next output: its first input sample, counted from `held`, and a fraction in units of 1/`up`. */
  let at = 0;
  let part = 0;
  let consumed = 0;
  let produced = 0;
  let buffer = new Float32Array(0);

  /** How many outputs can be computed from `length` samples: those whose window [at, at + taps) lies within them. */
  function countOutputs(length: number): number {
    const lastStart = length - taps;
    return lastStart < at ? 0 : Math.floor(((lastStart - at + 1) * up - part - 1) / down) + 1;
  }

  function run(input: Float32Array, most: number): Float32Array {
    const wanted = Math.min(most, countOutputs(heldLength + input.length));
    const out = outputBuffer(wanted);
    let done = 0;
    for (let from = 0; from < input.length; from += CHUNK) {
      const chunk = input.subarray(from, from + CHUNK);
      samples.set(held.subarray(0, heldLength));
      samples.set(chunk, heldLength);
      const length = heldLength + chunk.length;
      const count = Math.min(countOutputs(length), wanted - done);
      if (count > 0) {
        applyFilter(filter, { at, part, count, up, down });
        out.set(filter.out.subarray(0, count), done);
        done += count;
        const position = at * up + part + count * down;
        at = Math.floor(position / up);
        part = position % up;
      }
      const used = Math.min(Math.max(at, length - taps), length);
      held.set(samples.subarray(used, length));
      heldLength = length - used;
      at -= used;
    }
    produced += wanted;
    return out;
  }

  function outputBuffer(length: number): Float32Array {
    if (!reuse) return new Float32Array(length);
    if (buffer.length < length) buffer = new Float32Array(length);
    return buffer.subarray(0, length);
  }

  return {
    push(mono) {
      consumed += mono.length;
      return run(mono, Number.POSITIVE_INFINITY);
    },
    flush() {
      const out = run(new Float32Array(taps + Math.floor(down / up) + 1), Math.ceil((consumed * up) / down) - produced);
      held.fill(0);
      heldLength = before;
      at = part = consumed = produced = 0;
      return out;
    },
  };
}

/** Computes `count` outputs from `samples`, the first at `at` + `part`/`up`. */
function applyFilter(
  filter: Filter,
  { at, part, count, up, down }: { at: number; part: number; count: number; up: number; down: number },
): void {
  const { table, phases, taps, samples, out, kernel } = filter;
  const wholeStep = Math.floor(down / up);
  const partStep = down % up;
  if (kernel) {
    kernel(samples.byteOffset + 4 * at, part, out.byteOffset, out.byteOffset + 4 * count, 4 * wholeStep, partStep, up, 4 * taps);
    return;
  }
  for (let index = 0; index < count; index++) {
    const phase = phases === up ? part : Math.floor((part * phases) / up);
    out[index] = multiply(table, phase * taps, samples, at, taps);
    at += wholeStep;
    part += partStep;
    if (part >= up) {
      part -= up;
      at += 1;
    }
  }
}

/** The inner product of both from their offsets on. Four partial sums let the processor overlap the additions. */
function multiply(table: Float32Array, offset: number, samples: Float32Array, start: number, taps: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let tap = 0; tap < taps; tap += 4) {
    a += (table[offset + tap] as number) * (samples[start + tap] as number);
    b += (table[offset + tap + 1] as number) * (samples[start + tap + 1] as number);
    c += (table[offset + tap + 2] as number) * (samples[start + tap + 2] as number);
    d += (table[offset + tap + 3] as number) * (samples[start + tap + 3] as number);
  }
  return a + b + c + d;
}

function filterFor(from: number, to: number, up: number): Filter {
  const key = `${from}:${to}`;
  const known = filters.get(key);
  if (known) return known;
  const filter = designFilter(from, to, up);
  const oldest = filters.keys().next().value;
  if (filters.size >= CACHED_FILTERS && oldest !== undefined) filters.delete(oldest);
  filters.set(key, filter);
  return filter;
}

function designFilter(from: number, to: number, up: number): Filter {
  const edges = from < to ? UP : DOWN;
  // From here on, frequencies are in cycles per input sample.
  const scale = Math.min(1, to / from);
  const cutoff = ((edges.pass + edges.stop) / 2) * scale;
  // Kaiser's formula for the length of a filter: (A − 7.95) / (14.36 Δf).
  const width = (edges.stop - edges.pass) * scale;
  const taps = Math.ceil((STOP_BAND_DB - 7.95) / (14.36 * width) / 8) * 8;
  const beta = 0.1102 * (STOP_BAND_DB - 8.7);
  const phases = Math.min(up, MAX_PHASES);
  // Plus one: a window that begins within the last sample.
  const inputs = taps + CHUNK;
  const outputs = Math.ceil((inputs * to) / from) + 1;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((4 * (phases * taps + inputs + outputs)) / PAGE_BYTES) });
  const table = new Float32Array(memory.buffer, 0, phases * taps);
  for (let phase = 0; phase < phases; phase++) {
    let sum = 0;
    const coefficients: number[] = [];
    // With fewer phases than positions, a phase is computed for the middle of the positions that are rounded down to it.
    const fraction = phases === up ? phase / phases : (phase + 0.5) / phases;
    for (let tap = 0; tap < taps; tap++) {
      const time = tap - (taps / 2 - 1) - fraction;
      const value = sinc(2 * cutoff * time) * kaiser((2 * time) / taps, beta);
      coefficients.push(value);
      sum += value;
    }
    // Normalised to a gain of exactly 1 at 0 Hz: otherwise a constant would be modulated at the phase rate.
    coefficients.forEach((value, tap) => {
      table[phase * taps + tap] = value / sum;
    });
  }
  const samples = new Float32Array(memory.buffer, table.byteLength, inputs);
  const out = new Float32Array(memory.buffer, table.byteLength + samples.byteLength, outputs);
  return { table, phases, taps, samples, out, kernel: phases === up ? createFilterKernel(memory) : null };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(position: number, beta: number): number {
  return Math.abs(position) > 1 ? 0 : besselI0(beta * Math.sqrt(1 - position * position)) / besselI0(beta);
}

function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
