// Packets made in batches are the same packets, in the same order, with the same end.
import { expect, test } from 'vitest';
import { inBatches } from '../../src/audio/batches.ts';

async function* numbered(count: number, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield Uint8Array.of(index);
  if (failure) throw failure;
}

async function numbersOf(packets: AsyncIterable<Uint8Array>, into: number[] = []): Promise<number[]> {
  for await (const [number = -1] of packets) into.push(number);
  return into;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([0, 1, 10, 11, 36, 100])('%i packets come out as they went in', async (count) => {
  expect(await numbersOf(inBatches(numbered(count)))).toEqual(range(count));
});

test('a failure comes after all packets before it, once', async () => {
  const failure = new Error('broken');
  const heard: number[] = [];
  const packets = inBatches(numbered(30, failure));
  await expect(numbersOf(packets, heard)).rejects.toBe(failure);
  expect(heard).toEqual(range(30));
  expect(await packets.next()).toEqual({ done: true, value: undefined });
});

test('whoever leaves ends the source', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Uint8Array.of(1);
    } finally {
      ended = true;
    }
  }
  let count = 0;
  for await (const _packet of inBatches(endless())) if (++count === 20) break;
  expect(ended).toBe(true);
});
