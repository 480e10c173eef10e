// The speech cache on disk: what it keeps, its bound, restarts, crashes and damage.
import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteStore, StoreError } from '../../src/store/index.ts';
import { createSoundOwners } from '../../src/synthesis/index.ts';
import { packedBytes, packPackets, unpackPackets } from '../../src/synthesis/packet-file.ts';
import { createPins } from '../../src/synthesis/pins.ts';
import { makeFolder } from '../helpers/folder.ts';
import { expectNoResourcesInUse, openCacheIn } from '../helpers/utterances.ts';

const MB = 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;

afterEach(expectNoResourcesInUse);

type Cache = Awaited<ReturnType<typeof openCacheIn>>;

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

describe('a cached sound', () => {
  test('is returned packet by packet, even by the next process', async () => {
    const directory = await makeFolder();
    const cache = await openCacheIn(directory);
    const key = await keep(cache, 'hello', packetsOf(1));
    expect((await cache.get(key))?.map((packet) => Array.from(packet))).toEqual(packetsOf(1).map((packet) => Array.from(packet)));
    const next = await openCacheIn(directory);
    expect(next.keyOf('hello')).toBe(key);
    expect(await next.get(key)).toHaveLength(3);
    expect(next.bytes).toBe(cache.bytes);
  });

  test('is available as soon as it is complete, unless it was deleted before it reached the disk', async () => {
    const cache = await openCacheIn(await makeFolder());
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

  test('is not used for another request or another service', async () => {
    const directory = await makeFolder();
    const cache = await openCacheIn(directory);
    const key = await keep(cache, 'hello', packetsOf(1));
    expect(await cache.get(cache.keyOf('hello!'))).toBeNull();
    expect((await openCacheIn(directory, { service: 'b' })).keyOf('hello')).not.toBe(key);
  });

  test('has a name that cannot be guessed from the text', async () => {
    const [one, other] = [await openCacheIn(await makeFolder()), await openCacheIn(await makeFolder())];
    expect(one.keyOf('hello')).not.toBe(other.keyOf('hello'));
    expect(one.keyOf('hello')).toMatch(/^[0-9a-f]{40}$/);
  });

  test.skipIf(process.platform === 'win32')('is readable only by its owner', async () => {
    const directory = await makeFolder();
    await keep(await openCacheIn(directory), 'hello', packetsOf(1));
    const paths = [directory, ...(await readdir(directory)).map((name) => join(directory, name))];
    expect(paths).toHaveLength(3);
    const openOnes = async () => (await Promise.all(paths.map((path) => stat(path)))).filter(({ mode }) => mode & 0o077).length;
    expect(await openOnes()).toBe(0);
    for (const path of paths) await chmod(path, path === directory ? 0o755 : 0o644);
    await openCacheIn(directory);
    expect(await openOnes()).toBe(0);
  });

  test('is deleted after thirty days without use', async () => {
    const directory = await makeFolder();
    let now = Date.now();
    const cache = await openCacheIn(directory, { now: () => now });
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

  test('is gone after clear, like what was being recorded then', async () => {
    const directory = await makeFolder();
    const cache = await openCacheIn(directory);
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

describe('the size limit', () => {
  test('is kept by evicting what was not said for longest', async () => {
    const directory = await makeFolder();
    // A file of 5000 bytes takes two blocks of the disk: four of them have room.
    const cache = await openCacheIn(directory, { maxBytes: 4 * 8192 });
    const keys: string[] = [];
    for (let count = 0; count < 4; count++) keys.push(await keep(cache, `text ${count}`, packetsOf(count, 50)));
    expect(cache.bytes).toBe(4 * 8192);
    await cache.get(keys[0] as string);
    await keep(cache, 'one more', packetsOf(9, 50));
    expect(await Promise.all(keys.map(async (key) => (await cache.get(key)) !== null))).toEqual([true, false, true, true]);
    expect(cache.bytes).toBe(4 * 8192);
  });

  test('also holds for what an earlier process left, in order of use', async () => {
    const directory = await makeFolder();
    const cache = await openCacheIn(directory);
    const keys: string[] = [];
    for (let count = 0; count < 5; count++) {
      const key = await keep(cache, `text ${count}`, packetsOf(count, 50));
      await utimes(join(directory, `${key}.packets`), new Date(), new Date(Date.now() - (100 - count) * 1000));
      keys.push(key);
    }
    const smaller = await openCacheIn(directory, { maxBytes: 2 * 8192 });
    expect(smaller.bytes).toBe(2 * 8192);
    expect((await packetFiles(directory)).sort()).toEqual(
      keys
        .slice(3)
        .map((key) => `${key}.packets`)
        .sort(),
    );
  });

  test('of 0 stores nothing, and deletes what was stored before', async () => {
    const directory = await makeFolder();
    await keep(await openCacheIn(directory), 'hello', packetsOf(1));
    const off = await openCacheIn(directory, { maxBytes: 0 });
    expect(await packetFiles(directory)).toEqual([]);
    expect(await off.get(await keep(off, 'hello', packetsOf(1)))).toBeNull();
    expect(await packetFiles(directory)).toEqual([]);
  });

  test('for one sound is about eight minutes', async () => {
    const directory = await makeFolder();
    const cache = await openCacheIn(directory, { maxBytes: 100 * MB });
    await keep(cache, 'a whole book', packetsOf(1, 5000, 1000));
    expect(cache.bytes).toBe(0);
    await keep(cache, 'a chapter', packetsOf(1, 4000, 1000));
    expect(cache.bytes).toBeGreaterThan(4_000_000);
  });
});

describe('after a crash', () => {
  test('half a file is deleted', async () => {
    const directory = await makeFolder();
    const cache = await openCacheIn(directory);
    const key = await keep(cache, 'hello', packetsOf(1));
    const path = join(directory, `${key}.packets`);
    const whole = await readFile(path);
    const damaged = [Buffer.alloc(0), whole.subarray(0, 5), whole.subarray(0, 200), Buffer.from(whole).fill(0, 150, 160)];
    for (const bytes of damaged) {
      await writeFile(path, bytes);
      expect(await (await openCacheIn(directory)).get(key)).toBeNull();
      expect(await packetFiles(directory)).toEqual([]);
    }
  });

  test('deletes what was half-written, and nothing that belongs to others', async () => {
    const directory = await makeFolder();
    await writeFile(join(directory, `${'a'.repeat(40)}.packets.${'b'.repeat(16)}.tmp`), 'half');
    await writeFile(join(directory, 'holiday.jpg'), 'mine');
    const cache = await openCacheIn(directory);
    await cache.clear();
    expect((await readdir(directory)).sort()).toEqual(['holiday.jpg', 'secret']);
  });

  test('is left alone while its secret or a sound cannot be read', async () => {
    const directory = await makeFolder();
    const told: unknown[] = [];
    const options = { warn: (error: unknown) => told.push(error) };
    const cache = await openCacheIn(directory, options);
    const key = await keep(cache, 'hello', packetsOf(1));
    const [sound, secret] = [join(directory, `${key}.packets`), join(directory, 'secret')];
    // A folder in the place of a file can't be read, not even by root.
    const hide = async (path: string) => {
      await rename(path, `${path}.away`);
      await mkdir(path);
    };
    const restore = async (path: string) => {
      await rmdir(path);
      await rename(`${path}.away`, path);
    };
    await hide(sound);
    expect(await cache.get(key)).toBeNull();
    expect(told).toMatchObject([{ code: 'EISDIR' }]);
    await restore(sound);
    expect(await cache.get(key)).toHaveLength(3);
    await hide(secret);
    await expect(openCacheIn(directory, options)).rejects.toMatchObject({ code: 'EISDIR' });
    await restore(secret);
    expect(await (await openCacheIn(directory, options)).get(key)).toHaveLength(3);
  });

  test('replaces half a secret', async () => {
    const told: unknown[] = [];
    const directory = await makeFolder();
    const before = (await openCacheIn(directory)).keyOf('hello');
    await truncate(join(directory, 'secret'), 5);
    const cache = await openCacheIn(directory, { warn: (error) => told.push(error) });
    expect(told).toMatchObject([{ message: expect.stringContaining('5 bytes') }]);
    expect(cache.keyOf('hello')).not.toBe(before);
    expect((await readFile(join(directory, 'secret'))).length).toBe(32);
  });

  test('reads any bytes as the packets that were written, or as none', () => {
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

  test('share the memory of one sound, and stay within the limit', async () => {
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

  test('are dropped for their member, and for everybody if the sound itself is deleted', async () => {
    const pins = createPins(10_000);
    const pin = (key: string, memberId: string) => pins.pin(key, memberId, load(1));
    const all = await Promise.all([pin('a', 'robin'), pin('a', 'sam'), pin('b', 'sam'), pin('c', 'robin')]);
    pins.drop('robin', ['b']);
    expect(all.map((one) => one?.packets !== null)).toEqual([false, true, false, false]);
  });

  test('are refused if they are dropped while being loaded', async () => {
    const pins = createPins(10_000);
    const loaded = Promise.withResolvers<Uint8Array[]>();
    const pin = pins.pin('a', 'robin', () => loaded.promise);
    pins.drop('robin', []);
    loaded.resolve(packetsOf(1));
    expect(await pin).toBeNull();
  });
});

test('a disk that cannot be written does not stop the sound, and is reported', async () => {
  const directory = await makeFolder();
  const told: unknown[] = [];
  const cache = await openCacheIn(directory, { warn: (error) => told.push(error) });
  await rm(directory, { recursive: true });
  await writeFile(directory, 'a file in its place');
  const key = await keep(cache, 'hello', packetsOf(1));
  expect(told).toHaveLength(1);
  expect(await cache.get(key)).toBeNull();
});

test('it is noted whose a sound is although the store is away at first, so that it is deleted with what else is theirs', async () => {
  const store = openSqliteStore(':memory:');
  onTestFinished(() => store.close());
  const told: unknown[] = [];
  let isAway = true;
  const owners = createSoundOwners(
    {
      ...store,
      async set(...given) {
        if (!isAway) return store.set(...given);
        isAway = false;
        throw new StoreError('the store is away');
      },
    },
    (error) => told.push(error),
  );
  owners.note('robin', 'hello');
  owners.note('sam', 'bye');
  expect(await owners.keysOf('sam')).toEqual(['bye']);
  await owners.forget('sam');
  const noted = async () => (await store.list('sound:')).map(([key]) => key);
  await expect.poll(noted).toEqual(['sound:robin:hello']);
  expect(told).toHaveLength(1);
});
