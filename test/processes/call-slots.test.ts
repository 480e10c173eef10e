// The calls to the voice service that several processes have in flight together.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCallSlots } from '../../src/processes/call-slots.ts';
import { openSqliteStore, type Store, StoreError } from '../../src/store/index.ts';
import { connect, openMisbehavingService } from '../helpers/misbehaving-service.ts';

const never = new AbortController().signal;
const wait = { interval: 10 };

let now: number;
let store: Store;
beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  store = openSqliteStore(':memory:', () => now);
});
afterEach(() => store.close());

/** Processes whose steps in the store are counted, and whose way there can be cut. */
function run(count: number, total: number) {
  const state = { steps: 0, isCut: false };
  const own = new Proxy(store, {
    get(target, name) {
      state.steps++;
      return state.isCut ? () => Promise.reject(new StoreError('cut')) : Reflect.get(target, name);
    },
  });
  const limits: number[] = [];
  const all = Array.from({ length: count }, () => createCallSlots(own, { total, setConcurrency: (calls) => void limits.push(calls) }));
  const review = () => Promise.all(all.map((one) => one.review(count)));
  return { state, all, limits, review };
}

/** How many of these calls have started. */
function begin(calls: Promise<() => void>[]) {
  const ends: (() => void)[] = [];
  for (const call of calls) call.then((end) => ends.push(end)).catch(() => {});
  return ends;
}

describe('calls', () => {
  it('in flight are no more than the limit, however many processes there are, and each gets its turn', async () => {
    let peak = 0;
    const held: (() => void)[] = [];
    const service = await openMisbehavingService((_, response) => {
      held.push(() => response.end(JSON.stringify({ total: 0, items: [] })));
      peak = Math.max(peak, held.length);
    });
    const apis = Array.from({ length: 10 }, () => {
      const api = connect(service.url, { concurrency: 5 });
      const slots = createCallSlots(store, { total: 5, setConcurrency: api.setConcurrency });
      void slots.review(10);
      api.shareSlots(slots);
      return api;
    });
    const calls = apis.flatMap((api) => [api.listModels(), api.listModels()]);
    await service.request(5);
    for (let number = 1; number <= calls.length; number++) {
      await service.request(number);
      held.shift()?.();
    }
    await Promise.all(calls);
    expect(peak).toBe(5);
    await expect.poll(() => store.list('call-slot:'), wait).toEqual([]);
  });

  it('take no step in the store while a process is alone, or if all have many', async () => {
    for (const [count, total, share] of [
      [1, 5, 5],
      [4, 40, 10],
    ] as const) {
      const { state, all, limits, review } = run(count, total);
      await review();
      const ends = await Promise.all(all.map((one) => one.acquire(true, never)));
      expect(all.map((one) => one.hasRoomToSpare())).toEqual(all.map(() => true));
      for (const end of ends) end();
      expect(state.steps).toBe(0);
      expect(limits).toEqual(all.map(() => share));
    }
  });

  it('that take long leave half of the slots to others, in all processes together', async () => {
    const { all, review } = run(3, 5);
    await review();
    const [one, other, third] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
    expect(await one.hasRoomToSpare()).toBe(true);
    const caller = new AbortController();
    const long = begin([one, one, other, other, third].map((slots) => slots.acquire(true, caller.signal)));
    await expect.poll(() => long.length, wait).toBe(3);
    expect(await third.hasRoomToSpare()).toBe(false);
    await Promise.all([third.acquire(false, never), third.acquire(false, never)]);
    expect(await store.list('call-slot:')).toHaveLength(5);
    caller.abort();
    for (const end of long) end();
    await expect.poll(async () => (await store.list('call-slot:')).length, wait).toBe(2);
  });

  it('that are spare leave the last slot free, in all processes together', async () => {
    const { all, review } = run(3, 5);
    await review();
    const [one, other, third] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
    const ends = await Promise.all([one, other, third].map((slots) => slots.acquire(false, never)));
    await one.acquire(true, never, true);
    const waiting = begin([other.acquire(true, never, true), third.acquire(true, never, true)]);
    // Whenever these look, there is but one slot left, which any other call still gets.
    const last = await third.acquire(false, never);
    expect(waiting).toEqual([]);
    last();
    for (const end of ends) end();
    await expect.poll(() => waiting.length, wait).toBe(2);
  });

  it('of a process that has died make room for others', async () => {
    const { all, review } = run(2, 2);
    await review();
    const [dead, other] = all as [(typeof all)[0], (typeof all)[0]];
    await Promise.all([dead.acquire(false, never), dead.acquire(false, never)]);
    const waiting = begin([other.acquire(false, never)]);
    now += 14_000;
    expect(await store.list('call-slot:')).toHaveLength(2);
    now += 2_000;
    await expect.poll(() => waiting.length, wait).toBe(1);
  });

  it('that began while a process was alone count once others come', async () => {
    const { all } = run(2, 3);
    const [first, second] = all as [(typeof all)[0], (typeof all)[0]];
    await first.review(1);
    const ends = await Promise.all([first.acquire(false, never), first.acquire(false, never), first.acquire(false, never)]);
    expect(await store.list('call-slot:')).toEqual([]);
    await Promise.all([first.review(2), second.review(2)]);
    expect(await store.list('call-slot:')).toHaveLength(3);
    const waiting = begin([second.acquire(false, never)]);
    for (const end of ends) end();
    await expect.poll(() => waiting.length, wait).toBe(1);
  });

  it('keep a slot that was freed while it was being renewed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let answer: Promise<void> | null = null;
    const own = new Proxy(store, {
      get: (target, name) =>
        name === 'compareAndSet'
          ? async (...values: Parameters<Store['compareAndSet']>) => {
              const isReplaced = await target.compareAndSet(...values);
              const late = answer;
              answer = null;
              await late;
              return isReplaced;
            }
          : Reflect.get(target, name),
    });
    const slots = createCallSlots(own, { total: 1, setConcurrency: () => {} });
    await slots.review(2);
    const end = await slots.acquire(false, never);
    vi.advanceTimersByTime(5_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = promise;
    const renewed = slots.review(2);
    await expect.poll(() => answer, wait).toBeNull();
    end();
    await slots.acquire(false, never);
    resolve();
    await renewed;
    expect(await store.list('call-slot:')).toHaveLength(1);
  });

  it('continue without the store, up to the process’s share', async () => {
    const { all, review, state } = run(2, 5);
    await review();
    state.isCut = true;
    const [one] = all as [(typeof all)[0]];
    const caller = new AbortController();
    const begun = begin([one, one, one].map((slots) => slots.acquire(false, caller.signal)));
    await expect.poll(() => begun.length, wait).toBe(2);
    begun[0]?.();
    await expect.poll(() => begun.length, wait).toBe(3);
    expect(await one.hasRoomToSpare()).toBe(false);
  });
});
