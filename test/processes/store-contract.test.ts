// The contract of every store, whatever its backend.
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore, type Store, StoreError, type Value } from '../../src/store/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { anyCharacters } from '../helpers/arbitrary-text.ts';
import { makeFolder } from '../helpers/folder.ts';
import { type RedisServer, startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';

let redis: RedisServer | undefined;
let databases = 0;
beforeAll(async () => {
  if (redisServer.isMet) redis = await startRedisServer('--databases', '1000');
});
afterAll(() => redis?.close());

interface Backend {
  name: string;
  isMet: boolean;
  /** An empty store with this clock, which it reads at each call, and a second client of the same data, as of another process. */
  open(now: () => number): Promise<[Store, Store]>;
}

const backends: Backend[] = [
  {
    name: 'a store on SQLite',
    isMet: true,
    async open(now) {
      const file = join(await makeFolder(), 'parley.db');
      return [openSqliteStore(file, now), openSqliteStore(file, now)];
    },
  },
  {
    name: titled('a store in Redis', redisServer),
    isMet: redisServer.isMet,
    async open(now) {
      const options = { url: `${redis?.url}/${databases++}`, botId: '100000000000000001', now };
      return [await openRedisStore(options), await openRedisStore(options)];
    },
  },
];

for (const { name: backend, isMet, open } of backends) {
  describe.skipIf(!isMet)(backend, () => {
    let clock: number;
    let store: Store;
    let second: Store;
    beforeEach(async () => {
      clock = Date.UTC(2030, 0, 1);
      [store, second] = await open(() => clock);
    });
    afterEach(async () => {
      await store.close();
      await second.close();
    });

    it('returns the last value set, and null for a name that was never set', async () => {
      expect(await store.get('a')).toBeNull();
      await store.set('a', 1);
      await store.set('a', { list: ['x', null, true, 1.5], empty: {} });
      expect(await store.get('a')).toEqual({ list: ['x', null, true, 1.5], empty: {} });
      expect(await second.get('a')).toEqual(await store.get('a'));
    });

    it('keeps any value and any name as they are', async () => {
      const name = anyCharacters(20);
      await fc.assert(
        fc.asyncProperty(name, fc.jsonValue(), async (key, value) => {
          await store.set(key, value as Value);
          expect(await store.get(key)).toEqual(JSON.parse(JSON.stringify(value)));
          expect(Object.fromEntries(await store.list(key))).toHaveProperty([key]);
        }),
        { numRuns: 50 },
      );
    });

    it('forgets deleted values, and can delete a name that does not exist', async () => {
      await store.set('a', 1);
      await store.delete('a');
      await store.delete('a');
      expect(await store.get('a')).toBeNull();
      expect(await store.list('')).toEqual([]);
    });

    /** With characters that are special in patterns, or that sort differently in UTF-16 and UTF-8. */
    const name = fc.array(
      fc.constantFrom('a', 'b', ':', '%', '_', '*', '?', '[', '\\', 'é', '😀', '\ud7ff', '\ue000', '\u{10ffff}', '\0'),
      { maxLength: 4 },
    );

    it('lists all names with a prefix, and no others, in order', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(name, { maxLength: 20 }), name, async (names, prefix) => {
          await store.deleteAll('');
          const keys = new Set(names.map((parts) => parts.join('')));
          for (const key of keys) await store.set(key, key);
          const wanted = [...keys].filter((key) => key.startsWith(prefix.join(''))).sort(byCodePoints);
          expect(await store.list(prefix.join(''))).toEqual(wanted.map((key) => [key, key]));
        }),
        { numRuns: 50 },
      );
    });

    it('deletes all names with a prefix, and no others', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(name, { maxLength: 20 }), name, async (names, prefix) => {
          for (const [key] of await store.list('')) await store.delete(key);
          const keys = new Set(names.map((parts) => parts.join('')));
          for (const key of keys) await store.set(key, key);
          await store.deleteAll(prefix.join(''));
          const left = [...keys].filter((key) => !key.startsWith(prefix.join(''))).sort(byCodePoints);
          expect((await store.list('')).map(([key]) => key)).toEqual(left);
        }),
        { numRuns: 30 },
      );
    });

    it.each([999, 1000, 1001])('deletes %i names without keeping other calls waiting', async (count) => {
      for (let index = 0; index < count; index++) await store.set(`many:${index}`, index);
      let turns = 0;
      const ended = new AbortController();
      const turn = () => {
        turns++;
        if (!ended.signal.aborted) setImmediate(turn);
      };
      setImmediate(turn);
      await store.deleteAll('many:');
      ended.abort();
      expect(turns).toBeGreaterThan(3);
      expect(await second.list('')).toEqual([]);
    });

    it('counts from 0, up and down, in fractions and beyond 32 bits', async () => {
      expect(await store.increment('n', 5)).toBe(5);
      expect(await store.increment('n', -7)).toBe(-2);
      expect(await store.increment('n', 0.25)).toBe(-1.75);
      expect(await store.increment('big', 2 ** 40)).toBe(2 ** 40);
      expect(await store.increment('big', 1)).toBe(2 ** 40 + 1);
      await store.set('set', 10);
      expect(await store.increment('set', 1)).toBe(11);
      expect(await store.get('n')).toBe(-1.75);
    });

    it('loses no step if many count at the same time', async () => {
      const steps = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? store : second).increment('n', 1));
      const sums = await Promise.all(steps);
      expect([...sums].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    });

    it('refuses to count if the value or the step is not a number, and leaves the value unchanged', async () => {
      for (const value of ['12', true, null, [1], { n: 1 }]) {
        await store.set('other', value);
        await expect(store.increment('other', 1)).rejects.toThrow(StoreError);
        expect(await store.get('other')).toEqual(value);
      }
      for (const by of [Number.NaN, Number.POSITIVE_INFINITY]) await expect(store.increment('n', by)).rejects.toThrow(StoreError);
      expect(await store.get('n')).toBeNull();
    });

    it('adds to several numbers, or to none if one would exceed its maximum', async () => {
      await store.increment('b', 4);
      const counters = [{ key: 'a', max: 10 }, { key: 'b', max: 10 }, { key: 'c' }];
      expect(await store.incrementAll(counters, 6)).toEqual({ sums: [6, 10, 6], exceeded: null });
      expect(await store.incrementAll(counters, 1)).toEqual({ sums: null, exceeded: { place: 1, value: 10 } });
      expect(await store.incrementAll(counters, -2.5)).toEqual({ sums: [3.5, 7.5, 3.5], exceeded: null });
      expect(await store.list('')).toEqual([
        ['a', 3.5],
        ['b', 7.5],
        ['c', 3.5],
      ]);
      await store.set('c', 'text');
      await expect(store.incrementAll(counters, 1)).rejects.toThrow(StoreError);
      expect(await store.get('a')).toBe(3.5);
    });

    it('never exceeds a maximum, however many add at the same time', async () => {
      const tries = Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? store : second).incrementAll(
          [
            { key: 'member', max: 100 },
            { key: 'guild', max: 70 },
          ],
          7,
        ),
      );
      const done = (await Promise.all(tries)).filter(({ sums }) => sums !== null);
      expect(done).toHaveLength(10);
      expect([await store.get('member'), await store.get('guild')]).toEqual([70, 70]);
    });

    it('keeps the expiry that each number has', async () => {
      await store.increment('a', 1, { expiresInMs: 1000 });
      clock += 500;
      await store.incrementAll([{ key: 'a' }, { key: 'b' }], 1, { expiresInMs: 1000 });
      clock += 500;
      expect(await store.list('')).toEqual([['b', 1]]);
      clock += 500;
      expect(await store.list('')).toEqual([]);
    });

    it('replaces a value only if it still is what was expected', async () => {
      expect(await store.compareAndSet('a', null, { n: 1 })).toBe(true);
      expect(await store.compareAndSet('a', null, { n: 2 })).toBe(false);
      expect(await second.compareAndSet('a', { n: 1 }, { n: 2 })).toBe(true);
      expect(await store.compareAndSet('a', { n: 1 }, { n: 3 })).toBe(false);
      expect(await store.get('a')).toEqual({ n: 2 });
      expect(await store.compareAndSet('a', { n: 1 }, null)).toBe(false);
      expect(await store.compareAndSet('a', { n: 2 }, null)).toBe(true);
      expect(await store.list('')).toEqual([]);
      expect(await store.compareAndSet('a', null, null)).toBe(true);
      await store.set('a', null);
      expect(await store.compareAndSet('a', null, 1)).toBe(true);
    });

    it('reads out all there is, in order, with the time each entry has left', async () => {
      const keys = Array.from({ length: 1203 }, (_, index) => `key:${String(index).padStart(5, '0')}`);
      for (const key of keys) await store.set(key, key);
      await store.set('', 'empty', { expiresInMs: 1000 });
      await store.set('gone', 1, { expiresInMs: 1 });
      clock += 1;
      const entries = await Array.fromAsync(store.entries());
      expect(entries.map(({ key }) => key)).toEqual(['', ...keys]);
      expect(entries[0]).toEqual({ key: '', value: 'empty', expiresAt: clock + 999 });
      expect(entries[1]).toEqual({ key: keys[0], value: keys[0], expiresAt: null });
    });

    it('lets one of many claim a key, and the next one once the claim has expired', async () => {
      const claims = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : second).compareAndSet('claim', null, index, { expiresInMs: 1000 }),
      );
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
      clock += 1000;
      expect(await store.compareAndSet('claim', null, 'next', { expiresInMs: 1000 })).toBe(true);
      expect(await second.compareAndSet('claim', 'next', 'next', { expiresInMs: 5000 })).toBe(true);
      clock += 4999;
      expect(await store.get('claim')).toBe('next');
    });

    it('forgets a value at the moment it expires', async () => {
      await store.set('a', 1, { expiresInMs: 1000 });
      await store.set('b', 1);
      clock += 999;
      expect(await store.get('a')).toBe(1);
      clock += 1;
      expect(await store.get('a')).toBeNull();
      expect(await store.list('')).toEqual([['b', 1]]);
    });

    it('keeps a value forever if it is set again without an expiry', async () => {
      await store.set('a', 1, { expiresInMs: 1000 });
      await store.set('a', 2);
      clock += 5000;
      expect(await store.get('a')).toBe(2);
    });

    it('counts until the first step expires, and then from 0', async () => {
      await store.increment('n', 5, { expiresInMs: 1000 });
      clock += 900;
      expect(await store.increment('n', 1, { expiresInMs: 1000 })).toBe(6);
      clock += 100;
      expect(await store.get('n')).toBeNull();
      expect(await store.increment('n', 2, { expiresInMs: 1000 })).toBe(2);
      clock += 999;
      expect(await store.get('n')).toBe(2);
      // Also if the expired value was not a number.
      await store.set('text', 'x', { expiresInMs: 1 });
      clock += 1;
      expect(await store.increment('text', 1)).toBe(1);
    });

    it('loses nothing when the clock is set back', async () => {
      await store.set('a', 1, { expiresInMs: 1000 });
      await store.increment('n', 1, { expiresInMs: 1000 });
      clock -= 3_600_000;
      await store.set('b', 1);
      expect(await store.get('a')).toBe(1);
      expect(await store.increment('n', 1)).toBe(2);
      clock += 3_601_000;
      expect(await store.list('')).toEqual([['b', 1]]);
    });

    it('fails clearly once it is closed, and can be closed twice', async () => {
      await store.close();
      await store.close();
      await expect(store.get('a')).rejects.toThrow(StoreError);
      await expect(store.set('a', 1)).rejects.toThrow(StoreError);
      await expect(store.deleteAll('')).rejects.toThrow(StoreError);
    });
  });
}

function byCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
