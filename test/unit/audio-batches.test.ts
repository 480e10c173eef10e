// Batching keeps the packets, their order, and how they end.
import { expect, test } from 'vitest';
import { BATCH_PACKETS, createBatch, scheduleFairly, unbatch } from '../../src/audio/pipeline.ts';

async function* batchesOf(count: number, failure?: Error): AsyncGenerator<Uint8Array[]> {
  const batch = createBatch();
  for (let index = 0; index < count; index++) {
    batch.add(Uint8Array.of(index));
    if (batch.isFull) yield batch.take();
  }
  if (!batch.isEmpty) yield batch.take();
  if (failure) throw failure;
}

async function numbersOf(packets: AsyncIterable<Uint8Array>, into: number[] = []): Promise<number[]> {
  for await (const [number = -1] of packets) into.push(number);
  return into;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

test('the first packets come one by one, later ones in batches', async () => {
  const sizes: number[] = [];
  for await (const packets of batchesOf(10 + BATCH_PACKETS + 3)) sizes.push(packets.length);
  expect(sizes).toEqual([...range(10).map(() => 1), BATCH_PACKETS, 3]);
});

test.each([0, 1, 10, 11, 36, 200])('unbatching returns %i packets in order', async (count) => {
  expect(await numbersOf(unbatch(scheduleFairly(batchesOf(count))))).toEqual(range(count));
});

test('a failure comes once, after all packets before it', async () => {
  const failure = new Error('broken');
  const heard: number[] = [];
  const packets = unbatch(scheduleFairly(batchesOf(30, failure)));
  await expect(numbersOf(packets, heard)).rejects.toBe(failure);
  expect(heard).toEqual(range(30));
  expect(await packets.next()).toEqual({ done: true, value: undefined });
});

test('leaving the loop ends the source', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<Uint8Array[]> {
    try {
      for (;;) yield [Uint8Array.of(1), Uint8Array.of(2)];
    } finally {
      ended = true;
    }
  }
  let count = 0;
  for await (const _packet of unbatch(scheduleFairly(endless()))) if (++count === 25) break;
  expect(ended).toBe(true);
});

test('sounds that make batches at the same time take turns', async () => {
  const order: string[] = [];
  async function* named(name: string): AsyncGenerator<Uint8Array[]> {
    for (;;) {
      order.push(name);
      yield [Uint8Array.of(0)];
    }
  }
  const sounds = ['a', 'b'].map((name) => scheduleFairly(named(name)));
  for (let first = 0; first < 10; first++) for (const sound of sounds) await sound.next();
  order.length = 0;
  const turn = new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  const both = Promise.all(sounds.map((sound) => sound.next()));
  expect(order, 'no batch is made before the next turn of the event loop').toEqual([]);
  await Promise.all([both, turn]);
  expect(order).toEqual(['a', 'b']);
});
