// Limits on msgpack and JSON, checked on their bytes before they are parsed.
import { decode, ExtData, encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectJson, inspectMsgpack } from '../../src/api/http.ts';
import { anyCharacter } from '../helpers/arbitrary-text.ts';

const anything = { depth: 100, values: 1_000_000 };

/** Anything msgpack can encode, with every width of integers, strings, binaries, extensions and containers. */
const value = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    fc.integer({ min: -70_000, max: 70_000 }),
    fc.double(),
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(31, 32, 255, 256, 65_535, 65_536).map((length) => 'x'.repeat(length)),
    fc.constantFrom(0, 255, 256, 65_535, 65_536).map((length) => new Uint8Array(length)),
    fc.constantFrom(1, 2, 3, 4, 8, 16, 17, 255, 256, 65_536).map((length) => new ExtData(5, new Uint8Array(length))),
    fc.date({ noInvalidDate: true, min: new Date(0) }),
  ),
  node: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('node'), { maxLength: 20 }),
    fc.dictionary(fc.string(), tie('node'), { maxKeys: 20 }),
    fc.constantFrom(15, 16, 65_536).map((length) => Array.from({ length }, () => 1)),
  ),
})).node;

/** Nesting depth and total values of a decoded value, the keys of maps included. */
function measure(root: unknown): { depth: number; values: number } {
  if (typeof root !== 'object' || root === null || root instanceof Uint8Array || root instanceof ExtData || root instanceof Date)
    return { depth: 0, values: 1 };
  const inner = Object.values(root).map(measure);
  const keys = Array.isArray(root) ? 0 : inner.length;
  return {
    depth: inner.length === 0 ? 0 : 1 + Math.max(...inner.map(({ depth }) => depth)),
    values: 1 + keys + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

function decodes(bytes: Uint8Array): boolean {
  try {
    decode(bytes);
    return true;
  } catch {
    return false;
  }
}

describe('msgpack', () => {
  test('written by an encoder passes exactly up to the limits', () => {
    fc.assert(
      fc.property(value, (given) => {
        const bytes = encode(given);
        const { depth, values } = measure(given);
        expect(inspectMsgpack(bytes, { depth, values })).toBeNull();
        if (values > 1) expect(inspectMsgpack(bytes, { depth, values: values - 1 })).toBe('too-many-values');
        if (depth > 0) expect(inspectMsgpack(bytes, { depth: depth - 1, values })).toBe('too-deep');
      }),
      { numRuns: 40 },
    );
  });

  test('that is cut off, or continues after its end, is malformed, as the decoder agrees', () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 5 }), (given, cut, more) => {
        const bytes = encode(given);
        for (const wrong of [bytes.subarray(0, cut % bytes.length), Buffer.concat([bytes, more])]) {
          expect(decodes(wrong)).toBe(false);
          expect(inspectMsgpack(wrong, anything)).toBe('malformed');
        }
      }),
      { numRuns: 25 },
    );
  });

  test('of any bytes passes exactly if the decoder accepts it', () => {
    const heads = fc.constantFrom(0x80, 0x81, 0x91, 0x92, 0xa1, 0xc0, 0xc1, 0xc4, 0xc7, 0xd4, 0xd9, 0xdc, 0xdd, 0xde, 0xdf);
    const bytes = fc.array(fc.oneof(heads, fc.nat(3), fc.nat(255)), { maxLength: 24 }).map((list) => Uint8Array.from(list));
    fc.assert(
      fc.property(bytes, (given) => {
        if (decodes(given)) expect(inspectMsgpack(given, anything)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['nested arrays, each of which claims all that the body could hold', nestedClaims(262_080, 256 * 1024), 'too-many-values'],
    ['twenty megabytes of arrays in arrays', Buffer.alloc(20 * 1024 * 1024, 0x91), 'too-deep'],
    ['four thousand million entries in five bytes', Buffer.of(0xdf, 0xff, 0xff, 0xff, 0xff), 'malformed'],
    ['a string of four gigabytes', Buffer.of(0xdb, 0xff, 0xff, 0xff, 0xff), 'malformed'],
    ['a flat list of a million empty maps', flatList(1_000_000, 0x80), 'too-many-values'],
    ['the byte that msgpack never uses', Buffer.of(0xc1), 'malformed'],
    ['nothing', Buffer.alloc(0), 'malformed'],
  ])('%s is found out', (_, bytes, complaint) => {
    expect(inspectMsgpack(bytes, { depth: 16, values: 10_000 })).toBe(complaint);
  });
});

function nestedClaims(claimed: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 5 <= length; at += 5) {
    bytes[at] = 0xdd;
    bytes.writeUInt32BE(claimed, at + 1);
  }
  return bytes;
}

function flatList(count: number, entry: number): Buffer {
  const head = Buffer.alloc(5);
  head[0] = 0xdd;
  head.writeUInt32BE(count, 1);
  return Buffer.concat([head, Buffer.alloc(count, entry)]);
}

describe('JSON', () => {
  /** As it is measured above, but without keys and with two for an empty container. */
  const countOf = (root: unknown): number =>
    typeof root === 'object' && root !== null
      ? 1 +
        (Object.values(root)
          .map(countOf)
          .reduce((a, b) => a + b, 0) || 1)
      : 1;
  const depthOf = (root: unknown): number =>
    typeof root === 'object' && root !== null ? 1 + Math.max(0, ...Object.values(root).map(depthOf)) : 0;

  test('passes exactly up to the limits, whatever its strings contain', () => {
    const json = fc.jsonValue({ stringUnit: fc.oneof(fc.constantFrom('"', '\\', '[', '{', ',', ']', '\n', 'é'), fc.string()) });
    fc.assert(
      fc.property(json, fc.boolean(), (given, isIndented) => {
        const bytes = Buffer.from(JSON.stringify(given, null, isIndented ? 2 : 0));
        const bounds = { depth: depthOf(given), values: countOf(given) };
        expect(inspectJson(bytes, bounds)).toBeNull();
        if (bounds.values > 1) expect(inspectJson(bytes, { ...bounds, values: bounds.values - 1 })).toBe('too-many-values');
        if (bounds.depth > 0) expect(inspectJson(bytes, { ...bounds, depth: bounds.depth - 1 })).toBe('too-deep');
      }),
      { numRuns: 100 },
    );
  });

  test('with unclosed strings or brackets is left to the parser', () => {
    for (const text of ['"a', '"\\', '[1', '{"a":', '', ']]]']) expect(inspectJson(Buffer.from(text), anything)).toBeNull();
  });
});
