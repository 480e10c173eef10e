// How many calls the voice service allows, as all processes of a bot know it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { openCallLimit } from '../../src/processes/call-limit.ts';
import { createCallSlots } from '../../src/processes/call-slots.ts';
import { openSqliteStore, type Store, StoreError } from '../../src/store/index.ts';

let store: Store;
beforeEach(() => {
  store = openSqliteStore(':memory:');
});
afterEach(() => store.close());

/** A process, and what it was told to keep to. */
async function open(most: number | 'auto' = 'auto', own = store) {
  const told: number[] = [];
  const limit = await openCallLimit({ store: own, service: 'test', most, onChange: (calls) => told.push(calls), log: createLog('silent') });
  return { limit, told };
}

describe('the limit', () => {
  it('is five until the first answer, and then what the latest answer says, up or down', async () => {
    const { limit, told } = await open();
    for (const calls of [5, 15, 15, 3]) limit.note(calls);
    expect(told).toEqual([5, 15, 3]);
    expect(limit.current()).toBe(3);
  });

  it('is never more than the operator wants', async () => {
    const { limit, told } = await open(8);
    for (const calls of [15, 3, 50]) limit.note(calls);
    expect(told).toEqual([8, 3, 8]);
  });

  it('holds after a restart, and for the other processes', async () => {
    const [one, other] = [await open(), await open()];
    one.limit.note(15);
    await expect.poll(() => store.get('call-limit:test')).toBe(15);
    await other.limit.refresh();
    expect(other.told).toEqual([5, 15]);
    expect((await open()).told).toEqual([15]);
    other.limit.note(2);
    await expect.poll(() => store.get('call-limit:test')).toBe(2);
    await one.limit.refresh();
    expect(one.limit.current()).toBe(2);
  });

  it.each([0, -1, 1_001, 2.5, 'many', [5], { calls: 5 }, true])('ignores %j in the store', async (nonsense) => {
    await store.set('call-limit:test', nonsense as never);
    const { limit, told } = await open();
    await limit.refresh();
    expect(told).toEqual([5]);
  });

  it('holds here if the store fails', async () => {
    let isCut = false;
    const cut = new Proxy(store, {
      get: (target, name) => (isCut ? () => Promise.reject(new StoreError('cut')) : Reflect.get(target, name)),
    });
    const { limit } = await open('auto', cut);
    isCut = true;
    limit.note(9);
    await limit.refresh();
    expect(limit.current()).toBe(9);
  });
});

it('divides among the processes as soon as it changes', async () => {
  const shares: number[] = [];
  const slots = createCallSlots(store, { total: 5, setConcurrency: (calls) => shares.push(calls) });
  await slots.review(2);
  slots.resize(50);
  expect(shares).toEqual([5, 25]);
  slots.resize(4);
  const ends = await Promise.all([1, 2, 3, 4].map(() => slots.acquire(false, new AbortController().signal)));
  expect(shares.at(-1)).toBe(4);
  expect(await store.list('call-slot:')).toHaveLength(4);
  for (const end of ends) end();
});
