// What was spoken and is kept: said again without a call, within its bound, over restarts, crashes and damage.
import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { resourcesInUse } from '../../src/audio/index.ts';
import { openSpeechCache, type SpeechCacheOptions } from '../../src/speech/cache.ts';
import { createSpeech, type Speech } from '../../src/speech/index.ts';
import { packedBytes, packPackets, unpackPackets } from '../../src/speech/packet-file.ts';
import { createPins } from '../../src/speech/pins.ts';
import { connect, start } from '../helpers/api-client.ts';
import { answer, answerJson, type Behaviour, stall } from '../helpers/misbehaving-service.ts';
import { pcm16, tone } from '../helpers/sound.ts';
import { wavWith } from '../helpers/speech.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

const never = new AbortController().signal;
const MB = 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;

afterEach(() => {
  expect(Object.values(resourcesInUse())).toEqual([0, 0, 0, 0, 0]);
});

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-cache-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function openIn(directory: string, options: Partial<SpeechCacheOptions> = {}) {
  const cache = await openSpeechCache({ directory, maxBytes: MB, service: 'a', ...options });
  onTestFinished(() => cache.close());
  return cache;
}

type Cache = Awaited<ReturnType<typeof openIn>>;

const packetsOf = (seed: number, count = 3, size = 100) => Array.from({ length: count }, () => new Uint8Array(size).fill(seed));

async function keep(cache: Cache, name: string, packets: Uint8Array[]): Promise<string> {
  const key = cache.keyOf(name);
  const recording = cache.record(key);
  for (const packet of packets) recording.add(packet);
  recording.save();
  await cache.close();
  return key;
}

const packetFiles = async (directory: string) => (await readdir(directory)).filter((name) => name !== 'secret');

describe('a sound that is kept', () => {
  test('is given back packet by packet, also by the next process', async () => {
    const directory = await newDirectory();
    const cache = await openIn(directory);
    const key = await keep(cache, 'hello', packetsOf(1));
    expect((await cache.get(key))?.map((packet) => Array.from(packet))).toEqual(packetsOf(1).map((packet) => Array.from(packet)));
    const next = await openIn(directory);
    expect(next.keyOf('hello')).toBe(key);
    expect(await next.get(key)).toHaveLength(3);
    expect(next.bytes).toBe(cache.bytes);
  });

  test('is there as soon as it is complete, unless it was deleted before it is on the disk', async () => {
    const cache = await openIn(await newDirectory());
    const save = (name: string) => {
      const recording = cache.record(cache.keyOf(name));
      for (const packet of packetsOf(1)) recording.add(packet);
      recording.save();
      return cache.keyOf(name);
    };
    const key = save('hello');
    expect(await cache.get(key)).toEqual(packetsOf(1));
    const deleted = cache.delete(save('delete me'));
    expect(await cache.get(cache.keyOf('delete me'))).toBeNull();
    await deleted;
    save('clear me');
    const cleared = cache.clear();
    expect(await cache.get(cache.keyOf('clear me'))).toBeNull();
    await cleared;
    for (const name of ['hello', 'delete me', 'clear me']) expect(await cache.get(cache.keyOf(name))).toBeNull();
  });

  test('is not the sound of another request, nor of another service', async () => {
    const directory = await newDirectory();
    const cache = await openIn(directory);
    const key = await keep(cache, 'hello', packetsOf(1));
    expect(await cache.get(cache.keyOf('hello!'))).toBeNull();
    expect((await openIn(directory, { service: 'b' })).keyOf('hello')).not.toBe(key);
  });

  test('has a name that nobody can guess from what was said', async () => {
    const [one, other] = [await openIn(await newDirectory()), await openIn(await newDirectory())];
    expect(one.keyOf('hello')).not.toBe(other.keyOf('hello'));
    expect(one.keyOf('hello')).toMatch(/^[0-9a-f]{40}$/);
  });

  test.skipIf(process.platform === 'win32')('is for its owner alone to read', async () => {
    const directory = await newDirectory();
    await keep(await openIn(directory), 'hello', packetsOf(1));
    const paths = [directory, ...(await readdir(directory)).map((name) => join(directory, name))];
    expect(paths).toHaveLength(3);
    const openOnes = async () => (await Promise.all(paths.map((path) => stat(path)))).filter(({ mode }) => mode & 0o077).length;
    expect(await openOnes()).toBe(0);
    for (const path of paths) await chmod(path, path === directory ? 0o755 : 0o644);
    await openIn(directory);
    expect(await openOnes()).toBe(0);
  });

  test('is deleted after thirty days without being said again', async () => {
    const directory = await newDirectory();
    let now = Date.now();
    const cache = await openIn(directory, { now: () => now });
    const key = await keep(cache, 'hello', packetsOf(1));
    now += 29 * DAY_MS;
    expect(await cache.get(key)).not.toBeNull();
    now += 29 * DAY_MS;
    expect(await cache.get(key)).not.toBeNull();
    now += 31 * DAY_MS;
    expect(await cache.get(cache.keyOf('something else'))).toBeNull();
    expect(await packetFiles(directory)).toEqual([]);
    expect(cache.bytes).toBe(0);
  });

  test('is gone after clear, and so is what was being recorded then', async () => {
    const directory = await newDirectory();
    const cache = await openIn(directory);
    const key = await keep(cache, 'hello', packetsOf(1));
    const recording = cache.record(cache.keyOf('in the middle'));
    recording.add(new Uint8Array(10));
    const saved = cache.record(cache.keyOf('just ended'));
    saved.add(new Uint8Array(10));
    saved.save();
    await cache.clear();
    recording.save();
    await cache.close();
    expect(await cache.get(key)).toBeNull();
    expect(await packetFiles(directory)).toEqual([]);
    expect(cache.bytes).toBe(0);
    expect(await cache.get(await keep(cache, 'afterwards', packetsOf(2)))).not.toBeNull();
  });
});

describe('the bound', () => {
  test('is kept by letting go of what was not said for longest', async () => {
    const directory = await newDirectory();
    // A file of 5000 bytes takes two blocks of the disk: four of them have room.
    const cache = await openIn(directory, { maxBytes: 4 * 8192 });
    const keys: string[] = [];
    for (let count = 0; count < 4; count++) keys.push(await keep(cache, `text ${count}`, packetsOf(count, 50)));
    expect(cache.bytes).toBe(4 * 8192);
    await cache.get(keys[0] as string);
    await keep(cache, 'one more', packetsOf(9, 50));
    expect(await Promise.all(keys.map(async (key) => (await cache.get(key)) !== null))).toEqual([true, false, true, true]);
    expect(cache.bytes).toBe(4 * 8192);
  });

  test('holds for what an earlier process left, in the order it was used', async () => {
    const directory = await newDirectory();
    const cache = await openIn(directory);
    const keys: string[] = [];
    for (let count = 0; count < 5; count++) {
      const key = await keep(cache, `text ${count}`, packetsOf(count, 50));
      await utimes(join(directory, `${key}.packets`), new Date(), new Date(Date.now() - (100 - count) * 1000));
      keys.push(key);
    }
    const smaller = await openIn(directory, { maxBytes: 2 * 8192 });
    expect(smaller.bytes).toBe(2 * 8192);
    expect((await packetFiles(directory)).sort()).toEqual(
      keys
        .slice(3)
        .map((key) => `${key}.packets`)
        .sort(),
    );
  });

  test('of nothing keeps nothing, and deletes what was kept before', async () => {
    const directory = await newDirectory();
    await keep(await openIn(directory), 'hello', packetsOf(1));
    const off = await openIn(directory, { maxBytes: 0 });
    expect(await packetFiles(directory)).toEqual([]);
    expect(await off.get(await keep(off, 'hello', packetsOf(1)))).toBeNull();
    expect(await packetFiles(directory)).toEqual([]);
  });

  test('of one sound is eight minutes or so', async () => {
    const directory = await newDirectory();
    const cache = await openIn(directory, { maxBytes: 100 * MB });
    await keep(cache, 'a whole book', packetsOf(1, 5000, 1000));
    expect(cache.bytes).toBe(0);
    await keep(cache, 'a chapter', packetsOf(1, 4000, 1000));
    expect(cache.bytes).toBeGreaterThan(4_000_000);
  });
});

describe('after a crash', () => {
  test('half a file is no sound, and is deleted', async () => {
    const directory = await newDirectory();
    const cache = await openIn(directory);
    const key = await keep(cache, 'hello', packetsOf(1));
    const path = join(directory, `${key}.packets`);
    const whole = await readFile(path);
    const damaged = [Buffer.alloc(0), whole.subarray(0, 5), whole.subarray(0, 200), Buffer.from(whole).fill(0, 150, 160)];
    for (const bytes of damaged) {
      await writeFile(path, bytes);
      expect(await (await openIn(directory)).get(key)).toBeNull();
      expect(await packetFiles(directory)).toEqual([]);
    }
  });

  test('what was being written is deleted, and nothing that belongs to others', async () => {
    const directory = await newDirectory();
    await writeFile(join(directory, `${'a'.repeat(40)}.packets.${'b'.repeat(16)}.tmp`), 'half');
    await writeFile(join(directory, 'holiday.jpg'), 'mine');
    const cache = await openIn(directory);
    await cache.clear();
    expect((await readdir(directory)).sort()).toEqual(['holiday.jpg', 'secret']);
  });

  test('half a secret is replaced', async () => {
    const directory = await newDirectory();
    const before = (await openIn(directory)).keyOf('hello');
    await truncate(join(directory, 'secret'), 5);
    const cache = await openIn(directory);
    expect(cache.keyOf('hello')).not.toBe(before);
    expect((await readFile(join(directory, 'secret'))).length).toBe(32);
  });

  test('any bytes are either the packets that were written or none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (packets, at, change) => {
          const file = packPackets(packets);
          expect(file.length).toBe(
            packedBytes(
              packets.length,
              packets.reduce((sum, packet) => sum + packet.length, 0),
            ),
          );
          expect(unpackPackets(file)?.map((packet) => Buffer.from(packet))).toEqual(packets.map((packet) => Buffer.from(packet)));
          expect(unpackPackets(file.subarray(0, at % file.length))).toBeNull();
          file[at % file.length] = (file[at % file.length] as number) ^ change;
          expect(unpackPackets(file)).toBeNull();
        },
      ),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => unpackPackets(Buffer.from(bytes)) === null));
  });
});

describe('pinned sounds', () => {
  const load = (seed: number) => async () => packetsOf(seed, 10, 100);

  test('share the memory of one sound, and take no more than they may', async () => {
    const pins = createPins(2000);
    const [one, same, other] = [
      await pins.pin('a', 'robin', load(1)),
      await pins.pin('a', 'sam', load(1)),
      await pins.pin('b', 'sam', load(2)),
    ];
    expect(same?.packets).toBe(one?.packets);
    expect(await pins.pin('c', 'sam', load(3))).toBeNull();
    other?.release();
    expect(await pins.pin('c', 'sam', load(3))).not.toBeNull();
  });

  test('are dropped for their member, and for everybody if the sound itself is to go', async () => {
    const pins = createPins(10_000);
    const pin = (key: string, memberId: string) => pins.pin(key, memberId, load(1));
    const all = await Promise.all([pin('a', 'robin'), pin('a', 'sam'), pin('b', 'sam'), pin('c', 'robin')]);
    pins.drop('robin', ['b']);
    expect(all.map((one) => one?.packets !== null)).toEqual([false, true, false, false]);
  });

  test('are none if they are dropped while they are being loaded', async () => {
    const pins = createPins(10_000);
    const loaded = Promise.withResolvers<Uint8Array[]>();
    const pin = pins.pin('a', 'robin', () => loaded.promise);
    pins.drop('robin', []);
    loaded.resolve(packetsOf(1));
    expect(await pin).toBeNull();
  });
});

test('a disk that may not be written costs the sound nothing, and is told', async () => {
  const directory = await newDirectory();
  const told: unknown[] = [];
  const cache = await openIn(directory, { warn: (error) => told.push(error) });
  await rm(directory, { recursive: true });
  await writeFile(directory, 'a file in its place');
  const key = await keep(cache, 'hello', packetsOf(1));
  expect(told).toHaveLength(1);
  expect(await cache.get(key)).toBeNull();
});

describe('an utterance', () => {
  const SENTENCE = 'Here is a sentence that goes on for a while, so that only one of its kind fits into the first of all the pieces.';
  const LONG = Array(3).fill(SENTENCE).join(' ');

  const answerWav = (seconds: number): Behaviour =>
    answer(200, wavWith(pcm16(tone(440, seconds, 48_000)), { encoding: 1, bits: 16, channels: 1, sampleRate: 48_000 }), {
      'content-type': 'audio/wav',
    });

  async function speaking(...behaviours: [Behaviour, ...Behaviour[]]) {
    const service = await start(...behaviours);
    const api = connect(service.url);
    const cache = await openIn(await newDirectory());
    return { service, api, cache, speech: createSpeech({ api, format: 'wav', model: 's1', cache }) };
  }

  test('that was said before costs no call, and is the same sound', async () => {
    const { speech, service, cache } = await speaking(answerWav(0.5), answerWav(0.4));
    const first = speech.utterance({ text: LONG, referenceId: 'v', scope: 'shared' });
    const frames = await Array.fromAsync(first.open(never));
    expect(first.facts).toMatchObject({ calls: 2, fromCache: false });
    await cache.close();
    const again = speech.utterance({ text: LONG, referenceId: 'v', scope: 'shared' });
    again.prepare();
    await again.ready;
    const repeated = await Array.fromAsync(again.open(never));
    expect(repeated.map((packet) => Array.from(packet))).toEqual(frames.map((packet) => Array.from(packet)));
    expect(again.facts).toMatchObject({ calls: 0, characters: 0, bytes: 0, firstByteMs: null, fromCache: true });
    expect(service.requests.length).toBe(2);
  });

  test('of another text, voice, speed, volume, model or format, or in another server, is asked of the service', async () => {
    const { speech, service, api, cache } = await speaking(answerWav(0.1));
    const said = { text: 'Hello.', referenceId: 'v', speed: 1, scope: 'shared' } as const;
    const variants = [
      () => speech.utterance(said),
      () => speech.utterance({ ...said, text: 'Hello!' }),
      () => speech.utterance({ ...said, referenceId: 'w' }),
      () => speech.utterance({ ...said, referenceId: null }),
      () => speech.utterance({ ...said, speed: 1.2 }),
      () => speech.utterance({ ...said, volume: 0.5 }),
      () => speech.utterance({ ...said, scope: { guildId: '1' } }),
      () => speech.utterance({ ...said, scope: { guildId: '2' } }),
      () => speech.utterance({ ...said, scope: { userId: '1' } }),
      () => createSpeech({ api, format: 'wav', model: 's1', cache, loudness: false }).utterance(said),
      () => createSpeech({ api, format: 'wav', model: 's2', cache }).utterance(said),
      () => createSpeech({ api, format: 'pcm', model: 's1', cache }).utterance(said),
    ];
    for (let round = 0; round < 2; round++) {
      for (const variant of variants) await Array.fromAsync(variant().open(never));
      await cache.close();
      expect(service.requests.length).toBe(variants.length);
    }
  });

  /** Says it, waits until it is kept, and pins it for Robin. */
  async function pinned({ speech, cache }: Awaited<ReturnType<typeof speaking>>) {
    const request = { text: 'Hello.', scope: { guildId: '1' } };
    const frames = await Array.fromAsync(speech.utterance(request).open(never));
    await cache.close();
    return { request, frames, pin: await speech.pin(request, 'robin') };
  }

  test('that is pinned costs no call, though the cache has lost it, and is released when it has been played', async () => {
    const all = await speaking(answerWav(0.3));
    const { request, frames, pin } = await pinned(all);
    await all.cache.clear();
    const again = all.speech.utterance(request, { pin, permit: () => Promise.reject(new Error('never asked')) });
    const repeated = await Array.fromAsync(again.open(never));
    expect(repeated.map((packet) => Array.from(packet))).toEqual(frames.map((packet) => Array.from(packet)));
    expect(again.facts).toMatchObject({ calls: 0, fromCache: true });
    expect(pin?.packets).toBeNull();
    expect(await all.speech.pin(request, 'robin')).toBeNull();
    expect(all.service.requests.length).toBe(1);
  });

  test('is not pinned for another server', async () => {
    const all = await speaking(answerWav(0.1));
    const { request } = await pinned(all);
    expect(await all.speech.pin({ ...request, scope: { guildId: '2' } }, 'robin')).toBeNull();
    expect(await all.speech.pin({ text: request.text }, 'robin')).toBeNull();
  });

  test.each([
    ['by its member', (speech: Speech) => speech.forget('robin'), false],
    ['by its member, after it was made ready', (speech: Speech) => speech.forget('robin'), true],
    ['with all others', (speech: Speech) => speech.clearCache(), true],
  ])('that was pinned and deleted %s is asked for only if it is permitted', async (_, remove, isReady) => {
    const all = await speaking(answerWav(0.3));
    const { request, frames, pin } = await pinned(all);
    const next = await all.speech.pin(request, 'robin');
    const refusal = new Error('no budget left');
    const refused = all.speech.utterance(request, { pin, permit: () => Promise.reject(refusal) });
    const permitted = all.speech.utterance(request, { pin: next, permit: async () => {} });
    for (const one of isReady ? [refused, permitted] : []) {
      one.prepare();
      await one.ready;
    }
    await all.cache.close();
    await remove(all.speech);
    await all.cache.clear();
    await expect(Array.fromAsync(refused.open(never))).rejects.toBe(refusal);
    expect(all.service.requests.length).toBe(1);
    expect(await Array.fromAsync(permitted.open(never))).toHaveLength(frames.length);
    expect(permitted.facts).toMatchObject({ calls: 1, fromCache: false });
    expect(all.service.requests.length).toBe(2);
  });

  test('that its member has deleted while it is played is played to its end', async () => {
    const all = await speaking(answerWav(0.3));
    const { request, frames, pin } = await pinned(all);
    const heard = all.speech.utterance(request, { pin }).open(never)[Symbol.asyncIterator]();
    await heard.next();
    await all.speech.forget('robin');
    let count = 1;
    while (!(await heard.next()).done) count++;
    expect(count).toBe(frames.length);
  });

  test('that its member has deleted while it is being made is not kept', async () => {
    const { speech, cache } = await speaking(answerWav(0.3));
    const being = speech.utterance({ text: 'Hello.', scope: 'shared' }, { memberId: 'robin' });
    const frames = being.open(never)[Symbol.asyncIterator]();
    await frames.next();
    await speech.forget('robin');
    while (!(await frames.next()).done);
    await cache.close();
    expect(cache.bytes).toBe(0);
  });

  test('that was skipped is not kept', async () => {
    const { speech, service, cache } = await speaking(answerWav(1));
    for await (const _frame of speech.utterance({ text: 'Hello.', scope: 'shared' }).open(never)) break;
    await cache.close();
    const again = speech.utterance({ text: 'Hello.', scope: 'shared' });
    await Array.fromAsync(again.open(never));
    expect(again.facts.fromCache).toBe(false);
    expect(service.requests.length).toBe(2);
  });

  test('that broke off is not kept', async () => {
    const { speech, cache } = await speaking(
      answerWav(0.3),
      answerJson(402, { status: 402, message: 'out of credit' }),
      answerWav(0.3),
      answerWav(0.3),
    );
    await expect(Array.fromAsync(speech.utterance({ text: LONG, scope: 'shared' }).open(never))).rejects.toMatchObject({ kind: 'credit' });
    await cache.close();
    expect(cache.bytes).toBe(0);
  });

  test('that is kept can be skipped and cancelled like any other', async () => {
    const { speech, cache } = await speaking(answerWav(0.5), stall(0));
    await Array.fromAsync(speech.utterance({ text: 'Hello.', scope: 'shared' }).open(never));
    await cache.close();
    const abort = new AbortController();
    const reason = new Error('skipped');
    const again = speech.utterance({ text: 'Hello.', scope: 'shared' });
    const frames = again.open(abort.signal)[Symbol.asyncIterator]();
    await frames.next();
    abort.abort(reason);
    await expect(
      (async () => {
        while (!(await frames.next()).done);
      })(),
    ).rejects.toBe(reason);
    const third = speech.utterance({ text: 'Hello.', scope: 'shared' });
    third.cancel();
    await expect(third.ready).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('what the local voice service spoke once costs no credit the second time', async () => {
  await using service = await startTestVoiceService();
  const api = connect(service.url, { apiKey: service.key });
  const cache = await openIn(await newDirectory());
  const balances: string[] = [];
  for (let count = 0; count < 2; count++) {
    const speech = createSpeech({ api, format: 'mp3', model: 's1', cache });
    await Array.fromAsync(speech.utterance({ text: 'Good morning.', scope: 'shared' }).open(never));
    await cache.close();
    balances.push(String((await api.getCredit()).credit));
  }
  expect(balances[1]).toBe(balances[0]);
  expect(Number(balances[0])).toBeLessThan(1000);
});
