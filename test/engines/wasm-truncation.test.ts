// The rewriting of trapping WebAssembly conversions.
import { describe, expect, it } from 'vitest';
import { saturateTruncations } from '../../src/local/voice-service/engines/pocketsphinx/wasm-truncation.ts';

type Functions = Record<'from_f32' | 'from_f64', (value: number) => number>;

// (func (param f32) (result i32) local.get 0, <op>) and the same for f64, with 300 bytes of padding so that sizes take two bytes.
const PADDING = Array(150).fill([0x41, 0x2a, 0x1a]).flat(); // i32.const 42, drop: 0x2a would be a load if it were read as an opcode
const body = (op: number) => [0, ...PADDING, 0x20, 0, op, 0x0b];
const leb = (value: number) => [(value & 0x7f) | 0x80, value >> 7];
const withSize = (bytes: number[]) => [...leb(bytes.length), ...bytes];
const name = (text: string, index: number) => [text.length, ...Buffer.from(text), 0, index];
const MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, ...withSize([2, 0x60, 1, 0x7d, 1, 0x7f, 0x60, 1, 0x7c, 1, 0x7f])],
  ...[3, ...withSize([2, 0, 1])],
  ...[7, ...withSize([2, ...name('from_f32', 0), ...name('from_f64', 1)])],
  ...[10, ...withSize([2, ...withSize(body(0xa8)), ...withSize(body(0xaa))])],
]);

const load = (bytes: Uint8Array<ArrayBuffer>) => new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Functions;

describe('conversions from float to integer in WebAssembly', () => {
  it('trap out of range, and saturate once they are rewritten', () => {
    expect(() => load(MODULE).from_f32(1e20)).toThrow(WebAssembly.RuntimeError);
    const rewritten = load(saturateTruncations(MODULE));
    for (const convert of [rewritten.from_f32, rewritten.from_f64]) {
      expect([1e20, -1e20, Number.NaN, 41.9, -3.5].map(convert)).toEqual([2_147_483_647, -2_147_483_648, 0, 41, -3]);
    }
  });

  it('are not rewritten in a module that is cut off or newer than 1.0', () => {
    expect(() => saturateTruncations(MODULE.subarray(0, MODULE.length - 40))).toThrow(/cut off|Unknown/);
    const newer = MODULE.slice();
    newer[newer.length - 2] = 0xfd;
    expect(() => saturateTruncations(newer)).toThrow(/newer/);
  });
});
