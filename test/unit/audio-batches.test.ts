// Batching keeps the packets, their order, and how they end.
import { expect, test } from 'vitest';
import { type AudioPart, joinOpusBatches, joinOpusPackets } from '../../src/audio/index.ts';
import { pcm16, tone } from '../helpers/sound.ts';

const RATE = 48_000;
const FRAME_SAMPLES = 960;

/** This many packets of sound. */
const pcmOf = (packets: number) => pcm16(tone(440, (packets * FRAME_SAMPLES) / RATE, RATE));

async function* partOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<AudioPart> {
  yield { source, contentType: 'audio/pcm', sampleRate: RATE };
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

test('the first packets come one by one, later ones in batches of a second', async () => {
  async function* source() {
    yield pcmOf(100);
  }
  const batches = await Array.fromAsync(joinOpusBatches(partOf(source())));
  expect(batches.slice(0, 11).map(({ length }) => length)).toEqual([...range(10).map(() => 1), 50]);
  expect(await Array.fromAsync(joinOpusPackets(partOf(source())))).toEqual(batches.flat());
});

test('a failure comes once, after all packets before it', async () => {
  const failure = new Error('broken');
  async function* source() {
    yield pcmOf(30);
    throw failure;
  }
  const packets = joinOpusPackets(partOf(source()));
  let heard = 0;
  const hearing = (async () => {
    for (;;) {
      await packets.next();
      heard++;
    }
  })();
  await expect(hearing).rejects.toBe(failure);
  expect(heard).toBe(30);
  expect(await packets.next()).toEqual({ done: true, value: undefined });
});

test('sounds that make batches at the same time take turns', async () => {
  const order: string[] = [];
  async function* named(name: string) {
    for (;;) {
      order.push(name);
      yield pcmOf(10);
    }
  }
  const sounds = ['a', 'b'].map((name) => joinOpusBatches(partOf(named(name))));
  for (let first = 0; first < 10; first++) for (const sound of sounds) await sound.next();
  expect(order).toEqual(['a', 'b']);
  const turn = new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  const both = Promise.all(sounds.map((sound) => sound.next()));
  expect(order, 'no batch is made before the next turn of the event loop').toEqual(['a', 'b']);
  await Promise.all([both, turn]);
  expect(order).toEqual(['a', 'b', 'a', 'b']);
  for (const sound of sounds) await sound.return(undefined);
});
