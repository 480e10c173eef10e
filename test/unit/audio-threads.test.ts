// Sound prepared in worker threads: same packets, same clean-up, and what happens when a worker dies.
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AudioPart, joinOpusPackets, type PacketOptions, resourcesInUse } from '../../src/audio/index.ts';
import { BATCH_PACKETS } from '../../src/audio/pipeline.ts';
import { createThreadPool, type ThreadPool } from '../../src/audio/threads/pool.ts';
import { inChunks, knownVoice, mp3Of, oggOpusOf, pcm16, tone } from '../helpers/sound.ts';

const inThisThread = createThreadPool({ localLimit: Number.POSITIVE_INFINITY });
let elsewhere: ThreadPool;
let worker: Worker;
let mp3: Uint8Array;

beforeAll(async () => {
  elsewhere = createThreadPool({ localLimit: 0, maxThreads: 1 });
  worker = await startOf(elsewhere);
  mp3 = await mp3Of([tone(440, 2, 44_100)], 44_100);
});
afterAll(() => elsewhere.close());
afterEach(freed);

/** Makes the pool start a thread, and waits until it is ready. */
async function startOf(threads: ThreadPool): Promise<Worker> {
  const started = once(process, 'worker');
  threads.assign().settled();
  const [thread] = (await started) as [Worker];
  // Its first message says that it is ready.
  await once(thread, 'message');
  return thread;
}

/** Resolves when no resource is in use any more. */
async function freed(): Promise<void> {
  while (Object.values(resourcesInUse()).some((count) => count > 0)) await turn();
}

async function* partsOf(...parts: AudioPart[]): AsyncGenerator<AudioPart> {
  yield* parts;
}

async function packetsOf(threads: ThreadPool, parts: AsyncIterable<AudioPart>, options: PacketOptions = {}): Promise<Uint8Array[]> {
  return Array.fromAsync(joinOpusPackets(parts, options, threads));
}

describe('a sound prepared in a worker', () => {
  test('is the same as in this one over all its parts, and the voice learns the same', async () => {
    const { file } = await oggOpusOf(tone(300, 0.5, 48_000));
    const parts = () =>
      partsOf(
        { source: inChunks(mp3, 3000), contentType: 'audio/mpeg' },
        { source: inChunks(file, 700) },
        { source: inChunks(pcm16(tone(200, 1, 24_000)), 999), contentType: 'audio/pcm', sampleRate: 24_000 },
      );
    const [here, there] = [knownVoice(-20), knownVoice(-20)];
    const expected = await packetsOf(inThisThread, parts(), { loudness: here, volume: 0.8 });
    expect(elsewhere.assign().thread).not.toBeNull();
    const packets = await packetsOf(elsewhere, parts(), { loudness: there, volume: 0.8 });
    expect(packets.length).toBeGreaterThan(150);
    expect(packets).toEqual(expected);
    expect(there.copy()).toEqual(here.copy());
  });

  test("leaves its source's bytes intact: the worker gets a copy", async () => {
    const bytes = mp3.slice();
    await packetsOf(elsewhere, partsOf({ source: inChunks(bytes, 5000) }));
    expect(bytes).toEqual(mp3);
  });

  test('is read only a little ahead of what is played', async () => {
    let pulled = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        pulled++;
        yield pcm16(tone(440, 0.05, 24_000));
      }
    }
    const frames = joinOpusPackets(partsOf({ source: endless(), contentType: 'audio/pcm', sampleRate: 24_000 }), {}, elsewhere);
    const taken = 50;
    for (let count = 0; count < taken; count++) await frames.next();
    // Another sound in many small chunks: for each the worker also has a turn to go on with this one, until it is as far ahead as it gets.
    await packetsOf(elsewhere, partsOf({ source: inChunks(mp3, 50) }));
    await frames.return(undefined);
    // A chunk is 50 ms, and is encoded to its end; the one after it may have been requested.
    expect(pulled).toBeGreaterThan((taken * 20) / 50);
    expect(pulled).toBeLessThanOrEqual(Math.ceil(((taken + BATCH_PACKETS) * 20) / 50) + 3);
  });

  test('fails in the same way', async () => {
    const page = Buffer.from('<!DOCTYPE html><html><body>Bad gateway, and a long explanation of it.</body></html>');
    await expect(packetsOf(elsewhere, partsOf({ source: inChunks(page, 1000) }))).rejects.toMatchObject({
      name: 'AudioError',
      kind: 'not-audio',
    });
    const broken = new Error('connection reset');
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield mp3.subarray(0, 4000);
      throw broken;
    }
    const frames = joinOpusPackets(partsOf({ source: breaking() }), {}, elsewhere);
    let heard = 0;
    const listening = (async () => {
      for await (const _packet of frames) heard++;
    })();
    await expect(listening).rejects.toBe(broken);
    expect(heard).toBeGreaterThan(15);
  });

  test('is freed when the listener leaves, and closes its source', async () => {
    const returned = Promise.withResolvers<void>();
    const abort = new AbortController();
    async function* hanging(): AsyncGenerator<Uint8Array> {
      try {
        yield mp3.subarray(0, 4000);
        await new Promise((_resolve, reject) => abort.signal.addEventListener('abort', reject));
      } finally {
        returned.resolve();
      }
    }
    const frames = joinOpusPackets(partsOf({ source: hanging() }), { signal: abort.signal }, elsewhere);
    await frames.next();
    expect(resourcesInUse()['sound in a worker']).toBe(1);
    const reason = new Error('skipped');
    const waiting = (async () => {
      for await (const _packet of frames);
    })();
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await returned.promise;
    await freed();
  });

  test('is freed when it is aborted between two packets, even if nobody pulls the next one', async () => {
    const abort = new AbortController();
    const frames = joinOpusPackets(partsOf({ source: inChunks(mp3, 1000) }), { signal: abort.signal }, elsewhere);
    await frames.next();
    const reason = new Error('skipped');
    abort.abort(reason);
    await freed();
    await expect(frames.next()).rejects.toBe(reason);
  });
});

test('only sounds beyond the local limit go to a worker', async () => {
  const threads = createThreadPool({ localLimit: 2, maxThreads: 1 });
  const open = () => joinOpusPackets(partsOf({ source: inChunks(mp3, 2000) }), {}, threads);
  const sounds = [open(), open()];
  const started = once(process, 'worker');
  for (const sound of sounds) await sound.next();
  expect(resourcesInUse()).toMatchObject({ encoder: 2, 'sound in a worker': 0 });
  // Sounds do not wait for the thread: until it is ready, all stay here.
  sounds.push(open());
  await sounds[2]?.next();
  expect(resourcesInUse()).toMatchObject({ encoder: 3, 'sound in a worker': 0 });
  await once((await started)[0] as Worker, 'message');
  sounds.push(open());
  await sounds[3]?.next();
  expect(resourcesInUse()).toMatchObject({ encoder: 3, 'sound in a worker': 1 });
  for (const sound of sounds) await sound.return(undefined);
  await freed();
  await threads.close();
});

test('a worker that dies fails its sounds, and is replaced', async () => {
  const frames = joinOpusPackets(partsOf({ source: inChunks(mp3, 2000) }), {}, elsewhere);
  await frames.next();
  await worker.terminate();
  const listening = (async () => {
    for await (const _packet of frames);
  })();
  await expect(listening).rejects.toMatchObject({ name: 'AudioError', kind: 'crashed' });
  await freed();
  // Until the next one is ready, sounds are prepared in this thread.
  worker = await startOf(elsewhere);
  expect(await packetsOf(elsewhere, partsOf({ source: inChunks(mp3, 2000) }))).toEqual(
    await packetsOf(inThisThread, partsOf({ source: inChunks(mp3, 2000) })),
  );
});
