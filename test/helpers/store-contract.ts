// The contract of every store, whatever its backend.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Store, StoreError, type Value } from '../../src/store/index.ts';

/** Another client of the same data, like a second process. */
export interface StoreUnderTest {
  store: Store;
  second: Store;
  close(): Promise<void>;
}

/**
 * Runs the contract. `open` returns an empty store with the clock `now`, in milliseconds since 1970, which it reads at each call.
 */
export function describeStore(name: string, open: (now: () => number) => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let clock: number;
    let opened: StoreUnderTest;
    let store: Store;
    beforeEach(async () => {
      clock = Date.UTC(2030, 0, 1);
      opened = await open(() => clock);
      store = opened.store;
    });
    afterEach(() => opened.close());

    it('returns the last value set, and null for a name that was never set', async () => {
      expect(await store.get('a')).toBeNull();
      await store.set('a', 1);
      await store.set('a', { list: ['x', null, true, 1.5], empty: {} });
      expect(await store.get('a')).toEqual({ list: ['x', null, true, 1.5], empty: {} });
      expect(await opened.second.get('a')).toEqual(await store.get('a'));
    });

    it('keeps any value and any name as they are', async () => {
      const name = fc.string({ unit: 'binary', maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(name, fc.jsonValue(), async (key, value) => {
          await store.set(key, value as Value);
          expect(await store.get(key)).toEqual(JSON.parse(JSON.stringify(value)));
          expect(Object.fromEntries(await store.list(key))).toHaveProperty([key]);
        }),
        { numRuns: 200 },
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
        { numRuns: 200 },
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
        { numRuns: 100 },
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
      expect(await opened.second.list('')).toEqual([]);
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
      const steps = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? store : opened.second).increment('n', 1));
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
