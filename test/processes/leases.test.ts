// Leases on shards: who has one, for how long, and how it passes to another process. On one store in memory.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createLeases, TAKEOVER } from '../../src/processes/leases.ts';
import { processFacts, surplusOf, wantedShards } from '../../src/processes/live-processes.ts';
import type { LeaseOptions } from '../../src/processes/types.ts';
import { openSqliteStore, type Store, StoreError } from '../../src/store/index.ts';

/** No lease ends by itself, however busy the machine is. */
const timing = { leaseMs: 60_000, renewMs: 20, marginMs: 500 };
const wait = { interval: 10 };

let store: Store;
beforeEach(() => {
  store = openSqliteStore(':memory:');
});
afterEach(() => store.close());

/** A process whose connection to the store can be cut. */
function join(shardCount: number, options: Partial<LeaseOptions> = {}) {
  let isCut = false;
  const own = new Proxy(store, {
    get: (target, name) => (isCut ? () => Promise.reject(new StoreError('cut')) : Reflect.get(target, name)),
  });
  const opened: number[] = [];
  const closed: number[] = [];
  const handedOver: number[] = [];
  let looks = 0;
  const leases = createLeases({
    store: own,
    log: createLog('silent'),
    shardCount,
    maxShards: null,
    timing,
    open: async (shardId) => void opened.push(shardId),
    close: async (shardId) => void closed.push(shardId),
    drain: async (shardId) => void handedOver.push(shardId),
    atOnce: 1,
    sessionOf: () => 'open',
    isSilent: () => true,
    facts: () => processFacts.parse({}),
    maySpread: async () => true,
    onProcesses: () => void looks++,
    ...options,
  });
  onTestFinished(() => leases.close());
  /** Resolves once it has looked so many times more at what others do. */
  const looksAgain = (times: number) => {
    const before = looks;
    return expect.poll(() => looks - before, wait).toBeGreaterThan(times);
  };
  return { leases, opened, closed, handedOver, looksAgain, cut: (cut: boolean) => (isCut = cut) };
}

describe('shards', () => {
  it('are spread evenly, whichever process comes first', async () => {
    const all = [join(7)];
    await all[0]?.leases.start();
    await expect.poll(() => all[0]?.leases.held().length, wait).toBe(7);
    for (let count = 0; count < 2; count++) {
      const next = join(7);
      all.push(next);
      await next.leases.start();
    }
    await expect.poll(() => all.map(({ leases }) => leases.held().length).sort(), wait).toEqual([2, 2, 3]);
    const held = all.flatMap(({ leases }) => leases.held()).sort();
    expect(held).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('are free if their lease has an unexpected shape, and a process whose entry has one doesn’t count', async () => {
    await store.set('shard:0', { holder: 'another' });
    await store.set('process:another', { shards: 'all' });
    const { leases } = join(1);
    expect(await leases.start()).toBe(0);
    expect(await leases.processes()).toMatchObject([{ id: leases.id }]);
    await expect.poll(async () => store.get('shard:0'), wait).toMatchObject({ process: leases.id });
  });

  it('stay where something is spoken', async () => {
    const first = join(4, { isSilent: (shardId) => shardId === 3 });
    await first.leases.start();
    await expect.poll(() => first.leases.held().length, wait).toBe(4);
    const second = join(4);
    expect(await second.leases.start()).toBe(3);
    await expect.poll(() => second.leases.held(), wait).toEqual([3]);
    await expect.poll(() => first.leases.held().sort(), wait).toEqual([0, 1, 2]);
    expect(first.handedOver).toEqual([3]);
  });

  it('stay where they are while few sessions are left', async () => {
    let asked = 0;
    const maySpread = async () => ++asked < 0;
    const first = join(2, { maySpread });
    await first.leases.start();
    await expect.poll(() => first.leases.held().length, wait).toBe(2);
    const second = join(2, { maySpread });
    void second.leases.start();
    await expect.poll(() => asked, wait).toBeGreaterThan(5);
    await first.leases.close();
    await expect.poll(() => second.leases.held().length, wait).toBe(2);
    expect(first.handedOver).toEqual([]);
    expect(second.opened.sort()).toEqual([0, 1]);
  });

  it('stay with the process that opens them until they are open', async () => {
    const sessions: Record<string, 'open' | 'opening'> = {};
    let looks = 0;
    const first = join(2, {
      atOnce: 2,
      sessionOf: (shardId) => sessions[shardId] ?? 'opening',
      onProcesses(live) {
        if (live.length > 1) looks++;
      },
    });
    expect(await first.leases.start()).toBeTypeOf('number');
    await expect.poll(() => first.leases.held().length, wait).toBe(2);
    const second = join(2);
    void second.leases.start();
    await expect.poll(() => looks, wait).toBeGreaterThan(5);
    expect((await first.leases.processes()).flatMap(({ offers }) => offers)).toEqual([]);
    expect([first.handedOver, second.opened]).toEqual([[], []]);
    sessions[1] = 'open';
    await expect.poll(() => second.leases.held(), wait).toEqual([1]);
    expect(first.handedOver).toEqual([1]);
  });

  it('are left to processes that start at the same time while they can’t be opened', async () => {
    const isOpen = [false, false];
    const all = [0, 1].map((index) => join(4, { sessionOf: () => (isOpen[index] ? 'open' : 'opening') }));
    const [first, second] = all as [ReturnType<typeof join>, ReturnType<typeof join>];
    await first.leases.start();
    await second.leases.start();
    expect(all.map(({ leases }) => leases.held().length)).toEqual([1, 1]);
    isOpen.fill(true);
    await expect.poll(() => all.map(({ leases }) => leases.held().length), wait).toEqual([2, 2]);
    expect([...first.closed, ...first.handedOver, ...second.closed, ...second.handedOver]).toEqual([]);
  });

  it('pass over once a session was opened for that, though they would no longer have to', async () => {
    let maySpread = true;
    const first = join(2, { maySpread: async () => maySpread });
    await first.leases.start();
    await expect.poll(() => first.leases.held().length, wait).toBe(2);
    const opening = Promise.withResolvers<void>();
    const second = join(2, { open: () => opening.promise });
    await second.leases.start();
    maySpread = false;
    const third = join(2, { maySpread: async () => false });
    void third.leases.start();
    await third.looksAgain(5);
    opening.resolve();
    await expect.poll(() => second.leases.held().length, wait).toBe(1);
    expect(second.closed).toEqual([]);
  });

  it('pass over only to a session that is still open', async () => {
    const first = join(1);
    await first.leases.start();
    await expect.poll(() => first.leases.has(0), wait).toBe(true);
    let session: 'open' | 'opening' = 'opening';
    const opened = Promise.withResolvers<void>();
    const second = join(1, { open: async () => opened.resolve(), sessionOf: () => session });
    void second.leases.start();
    const left = first.leases.leave(60_000);
    await opened.promise;
    await second.looksAgain(10);
    expect(first.leases.has(0)).toBe(true);
    const lost = Promise.withResolvers<void>();
    const list = store.list.bind(store);
    const spy = vi.spyOn(store, 'list').mockImplementation(async (prefix) => {
      const entries = await list(prefix);
      const ready = entries.find(([key, value]) => key.startsWith(TAKEOVER) && JSON.stringify(value).includes('true'));
      if (ready && prefix === TAKEOVER) {
        // It is lost just after the first process has read that it is open.
        session = 'opening';
        await store.set(ready[0], { process: second.leases.id, isReady: false });
        spy.mockRestore();
        lost.resolve();
      }
      return entries;
    });
    session = 'open';
    await lost.promise;
    await second.looksAgain(10);
    expect(first.leases.has(0)).toBe(true);
    session = 'open';
    await left;
    await expect.poll(() => second.leases.has(0), wait).toBe(true);
  });

  it('are not more than a process is allowed to take, and others take the rest', async () => {
    const first = join(4, { maxShards: 1 });
    await first.leases.start();
    await expect.poll(async () => (await first.leases.processes())[0]?.shards.length, wait).toBe(1);
    const second = join(4);
    await second.leases.start();
    await expect.poll(() => second.leases.held().length, wait).toBe(3);
    expect(first.leases.held()).toHaveLength(1);
  });

  it('pass over without a moment in which two processes act on one', async () => {
    const first = join(3);
    await first.leases.start();
    await expect.poll(() => first.leases.held().length, wait).toBe(3);
    const second = join(3);
    let isShared = false;
    const watch = setInterval(() => (isShared ||= second.leases.held().some(first.leases.has)), 1);
    onTestFinished(() => clearInterval(watch));
    void second.leases.start();
    await first.leases.leave(60_000);
    await expect.poll(() => second.leases.held().length, wait).toBe(3);
    await expect.poll(() => first.handedOver.length, wait).toBe(3);
    expect(isShared).toBe(false);
  });

  it('are acted on no more after the machine was suspended, while the steady clock stood still', async () => {
    const only = join(1);
    await only.leases.start();
    await expect.poll(() => only.leases.has(0), wait).toBe(true);
    only.cut(true);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + timing.leaseMs });
    onTestFinished(() => void vi.useRealTimers());
    expect(only.leases.has(0)).toBe(false);
    only.cut(false);
    await expect.poll(() => only.leases.has(0), wait).toBe(true);
  });
});

it('a process is refused that was started with another number of shards at the same moment', async () => {
  const started = [join(4), join(5)].map(({ leases }) =>
    leases.start().then(
      () => 'started',
      (error: unknown) => String(error),
    ),
  );
  expect(await Promise.race(started)).toMatch(/SHARD_COUNT: the processes that run already have \d shards, and this one was given \d\./);
});

describe('while the store is gone', () => {
  const STEP_MS = timing.marginMs / 5;
  const short = { timing: { ...timing, leaseMs: 2_000 } };

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await store.close();
    store = openSqliteStore(':memory:', () => Date.now());
  });

  /** Time passes only in steps between which this process, at least, looks at what others do. */
  async function pass(process: ReturnType<typeof join>, isOver: () => boolean): Promise<void> {
    for (; !isOver(); await process.looksAgain(1)) vi.advanceTimersByTime(STEP_MS);
  }

  it('a process acts on its shards no more by the time another can take them, and hands them over once it knows', async () => {
    const first = join(1, short);
    await first.leases.start();
    let heldWhenOpened: boolean | null = null;
    const second = join(1, {
      ...short,
      open: async () => {
        heldWhenOpened = first.leases.has(0);
      },
    });
    first.cut(true);
    void second.leases.start();
    await pass(second, () => heldWhenOpened !== null);
    expect(heldWhenOpened).toBe(false);
    await expect.poll(() => second.leases.has(0), wait).toBe(true);
    expect(first.closed).toEqual([]);
    first.cut(false);
    await expect.poll(() => first.handedOver, wait).toEqual([0]);
    expect(first.leases.has(0)).toBe(false);
    await second.looksAgain(1);
    expect(second.leases.has(0)).toBe(true);
  });

  it('a process keeps its shards if nobody else has come, and its sessions stay open', async () => {
    const only = join(2, short);
    await only.leases.start();
    await expect.poll(() => only.leases.held().length, wait).toBe(2);
    only.cut(true);
    vi.advanceTimersByTime(short.timing.leaseMs);
    expect(only.leases.held()).toEqual([]);
    only.cut(false);
    await expect.poll(() => only.leases.held().length, wait).toBe(2);
    expect(only.closed).toEqual([]);
    expect(only.opened.sort()).toEqual([0, 1]);
  });

  it('everybody stays where they were, although all leases end', async () => {
    const [one, other] = [join(4, short), join(4, short)];
    await Promise.all([one.leases.start(), other.leases.start()]);
    await expect.poll(() => [one.leases.held().length, other.leases.held().length], wait).toEqual([2, 2]);
    const before = other.leases.held().sort();
    for (const process of [one, other]) process.cut(true);
    vi.advanceTimersByTime(short.timing.leaseMs);
    // Leases and processes are gone for everybody.
    expect([...(await store.list('shard:')), ...(await store.list('process:'))]).toEqual([]);
    one.cut(false);
    await expect.poll(() => one.leases.held().length, wait).toBe(2);
    await one.looksAgain(5);
    expect((await one.leases.processes()).map(({ id }) => id).sort()).toEqual([one.leases.id, other.leases.id].sort());
    other.cut(false);
    await expect.poll(() => other.leases.held().sort(), wait).toEqual(before);
    expect(one.leases.held()).toHaveLength(2);
    expect([...one.handedOver, ...other.handedOver]).toEqual([]);
  });
});

describe('a process that leaves', () => {
  it('acts on each shard until another is ready to, and closes nothing', async () => {
    const first = join(3);
    await first.leases.start();
    await expect.poll(() => first.leases.held().length, wait).toBe(3);
    const opening = Promise.withResolvers<void>();
    const actors: number[] = [];
    const second = join(3, {
      isSilent: () => true,
      open: async (shardId) => {
        await opening.promise;
        actors.push(Number(first.leases.has(shardId)));
      },
    });
    // It gets its share at once; what is left is taken over.
    void second.leases.start();
    const left = first.leases.leave(60_000);
    opening.resolve();
    await left;
    await expect.poll(() => second.leases.held().sort(), wait).toEqual([0, 1, 2]);
    expect(first.leases.held()).toEqual([]);
    // Those that were taken over were in the first one's hands while they were opened.
    expect(actors.filter(Boolean).length).toBeGreaterThanOrEqual(2);
  });

  it('does not wait for others if there are none, or if they take too long', async () => {
    const alone = join(1);
    await alone.leases.start();
    await alone.leases.leave(60_000);
    expect(alone.leases.has(0)).toBe(true);
    await alone.leases.close();
    const first = join(1);
    await first.leases.start();
    await expect.poll(() => first.leases.has(0), wait).toBe(true);
    const slow = join(1, { open: () => new Promise(() => {}) });
    void slow.leases.start();
    await expect.poll(async () => (await first.leases.processes()).length, wait).toBe(2);
    await first.leases.leave(300);
    expect(first.leases.has(0)).toBe(true);
  });

  it('does not wait for others that are told to end a little later', async () => {
    const [first, second] = [join(1), join(1)];
    await first.leases.start();
    void second.leases.start();
    await expect.poll(async () => (await first.leases.processes()).length, wait).toBe(2);
    const leaving = first.leases.leave(600_000);
    await expect.poll(async () => (await first.leases.processes()).filter(({ isLeaving }) => isLeaving).length, wait).toBe(1);
    await Promise.all([leaving, second.leases.leave(600_000)]);
  });

  it('leaves a shard to the next process if its successor ends during the handoff', async () => {
    const closed = Promise.withResolvers<void>();
    const second = join(1);
    const first = join(1, { drain: async () => closed.resolve(second.leases.close()) });
    await first.leases.start();
    await expect.poll(() => first.leases.has(0), wait).toBe(true);
    void second.leases.start();
    await first.leases.leave(60_000);
    await closed.promise;
    expect(await store.get('shard:0')).toBeNull();
  });

  it('passes over what its successor could not open to the next one', async () => {
    const first = join(1);
    await first.leases.start();
    const broken = join(1, { open: () => Promise.reject(new Error('refused')) });
    void broken.leases.start();
    const left = first.leases.leave(60_000);
    const third = join(1);
    void third.leases.start();
    await left;
    await expect.poll(() => third.leases.has(0), wait).toBe(true);
    expect(broken.leases.has(0)).toBe(false);
  });
});

it('a process without a session for one of its shards is beyond help after a while', async () => {
  let session: 'open' | 'opening' | 'none' = 'opening';
  const only = join(2, { timing: { ...timing, deadMs: 3 * timing.renewMs }, sessionOf: () => session });
  await only.leases.start();
  await expect.poll(() => only.leases.held().length, wait).toBe(1);
  // Discord may take its time.
  await only.looksAgain(5);
  expect(only.leases.isAlive()).toBe(true);
  session = 'none';
  await expect.poll(only.leases.isAlive, wait).toBe(false);
  session = 'open';
  await expect.poll(only.leases.isAlive, wait).toBe(true);
});

describe('shares of shards', () => {
  /** A process with so many shards. */
  const having = (count: number, { most = null, isLeaving = false }: { most?: number | null; isLeaving?: boolean } = {}) => ({
    isLeaving,
    most,
    shards: Array.from({ length: count }, (_, shardId) => shardId),
  });

  it('are even among the processes that stay', () => {
    expect(wantedShards([having(4), having(0)], 4, null)).toBe(2);
    expect(wantedShards([having(4, { isLeaving: true }), having(0)], 4, null)).toBe(4);
  });

  it('are larger where others take fewer, but never larger than a process allows', () => {
    expect(wantedShards([having(0, { most: 1 }), having(0)], 6, null)).toBe(5);
    expect(wantedShards([having(0), having(0)], 6, 2)).toBe(2);
  });

  it('are offered until nobody who could take one has two fewer', () => {
    expect(surplusOf(4, [having(0)], 4)).toBe(2);
    expect(surplusOf(3, [having(2)], 5)).toBe(0);
    expect(surplusOf(4, [having(1, { most: 1 }), having(2)], 7)).toBe(1);
    expect(surplusOf(4, [having(0, { isLeaving: true })], 4)).toBe(0);
    expect(surplusOf(4, [], 4)).toBe(0);
  });
});
