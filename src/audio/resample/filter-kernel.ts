// The inner loop of the resampler in WebAssembly SIMD, eight multiplications at a time. `npm run bench -- --only resample` compares it
// with the JavaScript loop, with which an MP3 of 44.1 kHz takes half as much CPU again: 4.6 ms for a second of sound (4.5 to 5.2 in five
// runs of `npm run bench -- --only cpu`) instead of 3.1 (3.0 to 3.3). Assembled here, since it is 70 instructions and a compiler for them
// would be a tool chain of its own; test/unit/audio-resample.test.ts checks its results.

/**
 * Computes the outputs from `out` up to `end` (at least one), each the inner product of a row of coefficients and the samples from `at` on.
 * The row is number `part` of the table at address 0. After each output `part` grows by `partStep` and `at` by `step`; when `part` reaches
 * `up`, `up` is subtracted and `at` grows by one more sample. `rowBytes` is a multiple of 32. Addresses and steps of samples are in bytes.
 */
export type FilterKernel = (
  at: number,
  part: number,
  out: number,
  end: number,
  step: number,
  partStep: number,
  up: number,
  rowBytes: number,
) => void;

// Parameters by index, then local variables.
const AT = 0;
const PART = 1;
const OUT = 2;
const END = 3;
const STEP = 4;
const PART_STEP = 5;
const UP = 6;
const ROW_BYTES = 7;
const COEFFICIENT = 8;
const SAMPLE = 9;
const ROW_END = 10;
const SUM = 11;
const OTHER_SUM = 12;

// Instructions (https://webassembly.github.io/spec/core/binary/instructions.html).
const I32 = 0x7f;
const V128 = 0x7b;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, value];
const loop = [0x03, 0x40];
const when = [0x04, 0x40];
const end = [0x0b];
const againIf = [0x0d, 0x00];
const add = [0x6a];
const subtract = [0x6b];
const multiply = [0x6c];
const isLess = [0x49];
const isNotLess = [0x4f];
const addFloats = [0x92];
const storeFloat = [0x38, 2, 0];
const loadFour = (offset: number) => [0xfd, 0x00, 2, offset];
const noneOfFour = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
const oneOfFour = (lane: number) => [0xfd, 0x1f, lane];
const addFours = [0xfd, 0xe4, 0x01];
const multiplyFours = [0xfd, 0xe6, 0x01];

const addProductOfFours = (sum: number, offset: number) => [
  ...get(sum),
  ...get(COEFFICIENT),
  ...loadFour(offset),
  ...get(SAMPLE),
  ...loadFour(offset),
  ...multiplyFours,
  ...addFours,
  ...set(sum),
];
const advance = (local: number, by: number[]) => [...get(local), ...by, ...add, ...set(local)];

const body = [
  ...loop,
  ...[...get(PART), ...get(ROW_BYTES), ...multiply, ...tee(COEFFICIENT), ...get(ROW_BYTES), ...add, ...set(ROW_END)],
  ...[...get(AT), ...set(SAMPLE), ...noneOfFour, ...set(SUM), ...noneOfFour, ...set(OTHER_SUM)],
  ...[...loop, ...addProductOfFours(SUM, 0), ...addProductOfFours(OTHER_SUM, 16)],
  ...[...advance(SAMPLE, constant(32)), ...advance(COEFFICIENT, constant(32))],
  ...[...get(COEFFICIENT), ...get(ROW_END), ...isLess, ...againIf, ...end],
  ...[...get(OUT), ...get(SUM), ...get(OTHER_SUM), ...addFours, ...tee(SUM), ...oneOfFour(0), ...get(SUM), ...oneOfFour(1), ...addFloats],
  ...[...get(SUM), ...oneOfFour(2), ...get(SUM), ...oneOfFour(3), ...addFloats, ...addFloats, ...storeFloat],
  ...[...advance(AT, get(STEP)), ...advance(PART, get(PART_STEP))],
  ...[...get(PART), ...get(UP), ...isNotLess, ...when],
  ...[...get(PART), ...get(UP), ...subtract, ...set(PART), ...advance(AT, constant(4)), ...end],
  ...[...advance(OUT, constant(4)), ...get(OUT), ...get(END), ...isLess, ...againIf, ...end],
  ...end,
];

/** Prefixed with its length, as LEB128. */
function sized(bytes: number[]): number[] {
  return bytes.length < 0x80 ? [bytes.length, ...bytes] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7, ...bytes];
}

const variables = [2, 3, I32, 2, V128];
const module = [
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, ...sized([1, 0x60, ...sized(new Array<number>(COEFFICIENT).fill(I32)), 0])],
  // One memory, `m.m`, of any size.
  ...[2, ...sized([1, 1, 0x6d, 1, 0x6d, 2, 0, 1])],
  ...[3, ...sized([1, 0])],
  // The function, as `f`.
  ...[7, ...sized([1, 1, 0x66, 0, 0])],
  ...[10, ...sized([1, ...sized([...variables, ...body])])],
];

/** Compiled once; null on processors without SIMD instructions (or virtual machines that hide them). */
const compiled = compile();

function compile(): WebAssembly.Module | null {
  const bytes = Uint8Array.from(module);
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
}

/** Instantiates the loop over a memory. Returns null if the processor does not support it. */
export function createFilterKernel(memory: WebAssembly.Memory): FilterKernel | null {
  if (!compiled) return null;
  return new WebAssembly.Instance(compiled, { m: { m: memory } }).exports.f as FilterKernel;
}
