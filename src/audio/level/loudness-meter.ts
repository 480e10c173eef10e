// Loudness by ITU-R BS.1770: K-weighted, in blocks of 400 ms that overlap by three quarters, with silence excluded by two gates.
//
// What is played here is mono and heard on both sides, so it counts as two channels with the same sound (dual mono): a 997 Hz sine peaking
// at −18 dBFS has −18 LUFS. Meters that treat a mono file as a single loudspeaker show 3 LU less.

/** A hop is a tenth of a second. Blocks overlap, so that one ends with each hop. */
export const HOPS_PER_SECOND = 10;
const HOPS_PER_BLOCK = 4;
const DUAL_MONO = 2;
const OFFSET_DB = -0.691;
/** The absolute gate: blocks below this are not counted. */
const SILENCE_LUFS = -70;
/** The relative gate: blocks this far below the mean of the others are not counted. */
const GATE_LU = 10;

const BINS_PER_LU = 10;
const BIN_COUNT = 80 * BINS_PER_LU; // −70 to +10 LUFS
/** The power of a block in the middle of each bin. */
const binPower = Float64Array.from({ length: BIN_COUNT }, (_, bin) => toPower(SILENCE_LUFS + (bin + 0.5) / BINS_PER_LU));

/** The power of a block of this loudness. */
function toPower(lufs: number): number {
  return 10 ** ((lufs - OFFSET_DB) / 10) / DUAL_MONO;
}

/** @param power mean square of K-weighted mono samples */
export function toLufs(power: number): number {
  return OFFSET_DB + 10 * Math.log10(DUAL_MONO * power);
}

/** The integrated loudness of everything added to it, in constant memory. */
export interface LoudnessMemory {
  /** @param power of one block */
  add(power: number): void;
  /** Blocks that count; half-forgotten ones count half. */
  readonly blocks: number;
  /** LUFS, within 0.1; null if there are no blocks. */
  integrated(): number | null;
}

/**
 * @param options `memoryBlocks`: after this many, everything before counts half (default: never). `floor`: quieter blocks are not counted,
 * in LUFS.
 */
export function createLoudnessMemory(options: { memoryBlocks?: number; floor?: number } = {}): LoudnessMemory {
  const { memoryBlocks = Number.POSITIVE_INFINITY, floor = SILENCE_LUFS } = options;
  // A histogram by loudness instead of the blocks themselves, since the relative gate moves as blocks are added.
  const counts = new Float32Array(BIN_COUNT);
  let blocks = 0;

  function meanPowerFrom(first: number): number {
    let sum = 0;
    let count = 0;
    for (let bin = first; bin < BIN_COUNT; bin++) {
      const inBin = counts[bin] as number;
      sum += inBin * (binPower[bin] as number);
      count += inBin;
    }
    return count === 0 ? 0 : sum / count;
  }

  return {
    add(power) {
      const lufs = toLufs(power);
      if (!(lufs > floor)) return;
      counts[binOf(lufs)] = (counts[binOf(lufs)] as number) + 1;
      blocks++;
      if (blocks < memoryBlocks) return;
      for (let bin = 0; bin < BIN_COUNT; bin++) counts[bin] = (counts[bin] as number) / 2;
      blocks /= 2;
    },
    get blocks() {
      return blocks;
    },
    integrated() {
      if (blocks === 0) return null;
      return toLufs(meanPowerFrom(binOf(toLufs(meanPowerFrom(0)) - GATE_LU)));
    },
  };
}

function binOf(lufs: number): number {
  return Math.max(0, Math.min(BIN_COUNT - 1, Math.floor((lufs - SILENCE_LUFS) * BINS_PER_LU)));
}

export interface Blocks {
  /** @param power mean square of the hop. Returns that of the block that ends with it, or of the first block so far. */
  addHop(power: number): { power: number; isWhole: boolean };
}

export function createBlocks(): Blocks {
  const hops: number[] = [];
  return {
    addHop(power) {
      hops.push(power);
      if (hops.length > HOPS_PER_BLOCK) hops.shift();
      return { power: hops.reduce((sum, hop) => sum + hop, 0) / hops.length, isWhole: hops.length === HOPS_PER_BLOCK };
    },
  };
}

/** Returns the sum of squares of `mono` from `start` to `end` after the K filter, whose state carries over to the next call. */
export type KWeighting = (mono: Float32Array, start: number, end: number) => number;

/** @param rate Hz */
export function createKWeighting(rate: number): KWeighting {
  const coefficients = Float64Array.of(...shelf(rate), ...highPass(rate));
  const state = new Float64Array(6);
  return (mono, start, end) => {
    // Local variables, and direct form I, whose critical path is one multiplication per sample. Destructuring, or another filter form, takes
    // two to three times as long.
    const b0 = coefficients[0] as number;
    const b1 = coefficients[1] as number;
    const b2 = coefficients[2] as number;
    const a1 = coefficients[3] as number;
    const a2 = coefficients[4] as number;
    const c1 = coefficients[5] as number;
    const c2 = coefficients[6] as number;
    let x1 = state[0] as number;
    let x2 = state[1] as number;
    let y1 = state[2] as number;
    let y2 = state[3] as number;
    let z1 = state[4] as number;
    let z2 = state[5] as number;
    let sum = 0;
    for (let index = start; index < end; index++) {
      const x = mono[index] as number;
      const y = b0 * x + b1 * x1 + b2 * x2 - a2 * y2 - a1 * y1;
      const z = y - 2 * y1 + y2 - c2 * z2 - c1 * z1;
      sum += z * z;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      z2 = z1;
      z1 = z;
    }
    // In digital silence the state would decay to denormal numbers, which are slow.
    const faded = Math.abs(y1) + Math.abs(z1) < 1e-20;
    if (faded) state.fill(0);
    else state.set([x1, x2, y1, y2, z1, z2]);
    return sum;
  };
}

// BS.1770 lists coefficients for 48 kHz only; these are derived for any rate from the underlying analogue filters, as in libebur128.

/** The head's effect: +4 dB above 1.7 kHz. */
function shelf(rate: number): [number, number, number, number, number] {
  const k = Math.tan((Math.PI * 1681.974450955533) / rate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return [
    (high + (band * k) / q + k * k) / a0,
    (2 * (k * k - high)) / a0,
    (high - (band * k) / q + k * k) / a0,
    (2 * (k * k - 1)) / a0,
    (1 - k / q + k * k) / a0,
  ];
}

/** High-pass at 38 Hz. Only the feedback coefficients: those of the feed-forward part are 1, −2, 1. */
function highPass(rate: number): [number, number] {
  const k = Math.tan((Math.PI * 38.13547087602444) / rate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0];
}

// What is known about the loudness of a voice, kept from one sound to the next.

/** Anything quieter is not speech, and says nothing about a voice. */
const FLOOR_LUFS = -50;
/** After this many blocks (half a minute of speech or more), everything heard before counts half. */
const MEMORY_BLOCKS = 600;
/** A second of speech. Before that, a voice is unknown and only made quieter: the first sound is often a breath. */
const KNOWN_BLOCKS = 7;

/** The loudness of a voice. Several sounds may add to it at a time. */
export type VoiceLoudness = LoudnessMemory;

export function createVoiceLoudness(): VoiceLoudness {
  return createLoudnessMemory({ memoryBlocks: MEMORY_BLOCKS, floor: FLOOR_LUFS });
}

/** Recreates a voice from its stored loudness. @param blocks tenths of a second that were heard at this loudness */
export function recallVoiceLoudness(lufs: number, blocks: number): VoiceLoudness {
  const voice = createVoiceLoudness();
  for (let count = 0; count < Math.min(blocks, MEMORY_BLOCKS - 1); count++) voice.add(toPower(lufs));
  return voice;
}

export function isUnknown(voice: VoiceLoudness): boolean {
  return voice.blocks < KNOWN_BLOCKS;
}
