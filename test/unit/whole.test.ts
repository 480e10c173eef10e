// Sources of bytes are read whole, up to a limit.
import { expect, it } from 'vitest';
import { readBeginning, readWhole } from '../../src/async/whole.ts';

let isLeft = false;

/** Fails after the last of them, if told so. */
async function* chunks(lengths: number[], failure?: Error): AsyncGenerator<Uint8Array> {
  isLeft = false;
  try {
    let next = 0;
    for (const length of lengths) yield Uint8Array.from({ length }, () => next++ % 256);
    if (failure) throw failure;
  } finally {
    isLeft = true;
  }
}

const counting = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, index) => index % 256));
const tooLong = () => new Error('too long');

it.each([[[]], [[10]], [[0, 3, 0]], [new Array(40_000).fill(1)], [[20_000, 1, 19_999]]])(
  'reads all chunks in their order',
  async (lengths) => {
    const length = lengths.reduce((sum, one) => sum + one, 0);
    expect(await readWhole(chunks(lengths), length, tooLong)).toEqual(counting(length));
    expect(await readBeginning(chunks(lengths), length)).toEqual(counting(length));
  },
);

it('leaves a source at the first byte beyond the limit', async () => {
  await expect(readWhole(chunks([10, 10, 10]), 19, tooLong)).rejects.toThrow('too long');
  expect(isLeft).toBe(true);
});

it('throws what the source throws', async () => {
  await expect(readWhole(chunks([10], new Error('cut off')), 100, tooLong)).rejects.toThrow('cut off');
});

it('reads as much as comes of a source that fails, and no more than the limit of one that is longer', async () => {
  expect(await readBeginning(chunks([10, 5], new Error('cut off')), 100)).toEqual(counting(15));
  expect(await readBeginning(chunks([10, 10, 10]), 15)).toEqual(counting(15));
  expect(isLeft).toBe(true);
});
