// Which shards this process has. A shard is a lease in the shared store: whoever has it renews it, and stops acting on it before it can
// expire, so that no two processes ever act on the same one. No process leads: each looks at the leases and takes what is free. A shard that
// moves stays where it is until another process has opened a session beside the first one and said so; then the first one stops acting on it
// and passes it over. Until the other one knows, less than a second later, nobody acts on it: answers wait for that (answers.ts).
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../store/index.ts';
import { createLiveProcesses, evenShare, type LiveProcess } from './live-processes.ts';
import { isAhead, type Moment, momentIn } from './moments.ts';
import { differingShardCount } from './shard-count.ts';
import { createSuccessions, type Successor } from './successions.ts';
import type { LeaseOptions, Leases, LeaseTiming } from './types.ts';

/** Between two looks while shards move, in milliseconds. */
const MOVING_MS = 500;
/** Between two looks while a shard is about to pass over, when nobody acts on it, in milliseconds. */
const PASSING_MS = 200;
/** For how long a shard may still be passed to a process that has said that it is no longer ready, in milliseconds. */
const PASSED_MS = 1_000;
/** A killed process is replaced in 15 s, plus the time to identify; a pause of 9 s (a virtual machine that is moved) does no harm. */
const DEFAULT_TIMING: LeaseTiming = { leaseMs: 15_000, renewMs: 3_000, marginMs: 3_000, deadMs: 120_000 };
/** A session that takes longer to open, in milliseconds, doesn't keep a process from taking another shard. */
const OPENING_MS = 30_000;

/** Who has a shard, as it is in the store. */
interface Holder {
  process: string;
  /** Another one for each claim. */
  token: number;
  /** Which process has passed it over; absent once it is claimed. */
  from?: string;
}

interface Lease {
  holder: Holder;
  /** `performance.now()` */
  since: number;
  /** Until when it may be acted on. */
  until: Moment;
}

/** What the name of a shard's lease begins with; its value is a `Holder`. */
export const SHARD = 'shard:';
const TOKENS = 'shard-tokens';

export function createLeases(options: LeaseOptions): Leases {
  const { store, log, shardCount, most, atOnce, open, close, handOver, sessionOf, isSilent, maySpread, facts, onProcesses } = options;
  const { leaseMs, renewMs, marginMs, deadMs } = { ...DEFAULT_TIMING, ...options.timing };
  const id = randomUUID();
  const leases = new Map<number, Lease>();
  const stopping = new AbortController();
  const first = Promise.withResolvers<number>();
  /** Shards that processes with fewer may take. */
  let offered: number[] = [];
  /** `performance.now()` when each was last on offer: those who have not heard yet that it no longer is may still prepare to take it. */
  const offeredAt = new Map<number, number>();
  /** Sessions for a shard of another process. */
  const opening = new Map<number, { since: number; isReady: boolean }>();
  /** Those of them that are open, until the shard passes over or it is certain that it won't. */
  const awaiting = new Set<Promise<boolean>>();
  /** What this process has stopped acting on, and the store may not know yet. */
  const passing = new Map<number, Holder>();
  /** Resolves when this process is to end and has no shard any more, or all others are to end as well. */
  const left = Promise.withResolvers<void>();
  /** When last heard of. */
  let live: readonly LiveProcess[] = [];
  let isLeaving = false;
  let loop = Promise.resolve();
  /** `performance.now()` of the last time that all went well, and of the last time that it did again after long. */
  let lookedAt = performance.now();
  let steadySince = Number.NEGATIVE_INFINITY;
  /** `performance.now()` since when there is no session for a shard of this process. */
  let missingSince = Number.POSITIVE_INFINITY;
  const others = createLiveProcesses(store, { id, expiresInMs: leaseMs, isSteady });
  // It is renewed every PASSING_MS, however often leases are.
  const successions = createSuccessions(store, id, { leaseMs, readyMs: Math.max(renewMs, 5 * PASSING_MS) });
  const expiry = { expiresInMs: leaseMs };
  /** Absent: it is not known to run. */
  const offersOf = (process: string) => live.find((one) => one.id === process)?.offers;
  const isOver = () => isLeaving || stopping.signal.aborted;

  /**
   * After the store was gone, leases may be missing that others still act on, or are about to renew: they ended meanwhile, or a server took
   * over that had not heard of them. So nobody takes what is free until all have had the time to come back.
   */
  function isSteady(): boolean {
    return performance.now() - Math.max(steadySince, store.reconnectedAt) > leaseMs;
  }

  /** Tells the others about this process, and hears about them. @throws StoreError */
  async function announce(): Promise<void> {
    const shards = [...leases.keys()];
    await others.announce({ shardCount, shards, most, isLeaving, offers: isLeaving ? shards : offered, facts: facts() });
    live = await others.list();
    onProcesses(live, id);
    if (isLeaving && live.every((one) => one.isLeaving)) left.resolve();
  }

  /** Makes a lease this process's own, if it still is `before`. @throws StoreError */
  async function claim(shardId: number, before: Holder | null): Promise<boolean> {
    const holder = { process: id, token: await store.increment(TOKENS, 1) };
    const until = momentIn(leaseMs - marginMs);
    if (!(await store.replace(SHARD + shardId, before && { ...before }, holder, expiry))) return false;
    leases.set(shardId, { holder, since: performance.now(), until });
    passing.delete(shardId);
    log.info({ shard: shardId, token: holder.token }, 'took a shard');
    return true;
  }

  /** @throws StoreError */
  async function renew(): Promise<void> {
    await Promise.all(
      [...leases].map(async ([shardId, lease]) => {
        const holder = { ...lease.holder };
        const until = momentIn(leaseMs - marginMs);
        let isMine = await store.replace(SHARD + shardId, holder, holder, expiry);
        if (leases.get(shardId) !== lease) return;
        // It may have expired, while the store was gone. If nobody else has come, it stays here.
        isMine ||= await store.replace(SHARD + shardId, null, holder, expiry);
        if (isMine) lease.until = until;
        else if (drop(shardId, 'lost a shard to another process')) void handOver(shardId);
      }),
    );
  }

  /** Passes shards over to those that are ready to act on them. @throws StoreError */
  async function passOver(successors: ReadonlyMap<number, Successor>): Promise<void> {
    for (const [shardId, { process, isReady }] of successors) {
      const isOffered = isLeaving || offered.includes(shardId);
      const holder = passing.get(shardId) ?? (isOffered ? leases.get(shardId)?.holder : undefined);
      // Asked again, because its session may just have ended.
      if (!holder || !isReady || !(await successions.isReady(shardId, process))) continue;
      // First of all, whatever becomes of the store.
      passing.set(shardId, holder);
      if (drop(shardId, 'passed a shard over to another process')) void handOver(shardId);
      await store.replace(SHARD + shardId, { ...holder }, { process, token: holder.token, from: id }, expiry);
      passing.delete(shardId);
    }
  }

  function drop(shardId: number, why: string): boolean {
    if (!leases.delete(shardId)) return false;
    log.info({ shard: shardId }, why);
    return true;
  }

  async function giveUp(shardId: number, why: string): Promise<void> {
    const holder = leases.get(shardId)?.holder;
    if (!holder || !drop(shardId, why)) return;
    await close(shardId);
    await store.replace(SHARD + shardId, { ...holder }, null).catch(() => {});
  }

  /** Takes shards that nobody has. @throws StoreError */
  async function takeFree(taken: Map<number, Holder>, isWanting: () => boolean): Promise<void> {
    const lookedAt = performance.now();
    const free = Array.from({ length: shardCount }, (_, shardId) => shardId).filter((shardId) => {
      // Or its own, and it doesn't know: the answer to a claim was lost.
      const isFree = (taken.get(shardId)?.process ?? id) === id;
      return isFree && isSteady() && !leases.has(shardId) && !opening.has(shardId);
    });
    // Processes that start together mostly try different ones.
    for (const shardId of shuffled(free)) {
      // The leases must be renewed in between.
      if (!isWanting() || performance.now() - lookedAt > renewMs) return;
      if (!(await claim(shardId, taken.get(shardId) ?? null))) continue;
      first.resolve(shardId);
      // Not awaited: identifying takes its turn.
      void openFree(shardId).catch((error: unknown) => failToOpen(shardId, error));
    }
  }

  async function openFree(shardId: number): Promise<void> {
    await open(shardId);
    // It may have been lost before there was anything to close.
    if (!leases.has(shardId) && !opening.has(shardId)) await close(shardId);
  }

  /** How many sessions are about to be opened here. */
  function countOpening(): number {
    const since = performance.now() - OPENING_MS;
    const unopened = [...leases].filter(([shardId, lease]) => lease.since > since && sessionOf(shardId) !== 'open');
    return unopened.length + [...opening.values()].filter((one) => one.since > since && !one.isReady).length;
  }

  /** Opens a session beside that of a process that offers a shard, to take it over once that is ready. @throws StoreError */
  async function takeOver(taken: Map<number, Holder>): Promise<void> {
    for (const [shardId, { process }] of taken) {
      const from = live.find((one) => one.id === process && one.id !== id);
      if (!from?.offers.includes(shardId) || opening.has(shardId) || leases.has(shardId)) continue;
      // It would not even anything out.
      if (!from.isLeaving && from.shards.length - leases.size - opening.size < 2) continue;
      if (!(await successions.begin(shardId))) continue;
      opening.set(shardId, { since: performance.now(), isReady: false });
      first.resolve(shardId);
      void succeed(shardId, process);
      return;
    }
  }

  async function succeed(shardId: number, process: string): Promise<void> {
    try {
      await open(shardId);
      opening.set(shardId, { since: performance.now(), isReady: true });
      const passed = awaitPassing(shardId, process);
      awaiting.add(passed);
      if (!(await passed.finally(() => awaiting.delete(passed)))) await close(shardId);
    } catch (error) {
      await failToOpen(shardId, error);
    }
    opening.delete(shardId);
    await successions.end(shardId);
  }

  /** The session is open, so it is worth waiting for the store. @returns false if that is for nothing */
  async function awaitPassing(shardId: number, from: string): Promise<boolean> {
    /** `performance.now()` since when the other process has not offered it, and since when this one has not been ready, as it is to end. */
    let [withdrawnAt, endedAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (; ; await sleep(PASSING_MS)) {
      try {
        if (!isOver()) await successions.goOn(shardId, sessionOf(shardId) === 'open');
        else if (endedAt === Number.POSITIVE_INFINITY) {
          await successions.end(shardId);
          endedAt = performance.now();
        }
        const holder = (await store.get(SHARD + shardId)) as Holder | null;
        const isPassed = holder?.process === id && holder.from === from;
        // Without a holder, the other process has ended meanwhile, or cannot say yet that it has not.
        if (isPassed || (!isOver() && (holder?.process ?? id) === id && isSteady())) {
          if (!(await claim(shardId, holder))) continue;
          if (stopping.signal.aborted) await giveUp(shardId, 'gave up a shard');
          return true;
        }
        // Another one has come.
        if (holder && holder.process !== id && holder.process !== from) return false;
        const isOffered = offersOf(from)?.includes(shardId) ?? true;
        withdrawnAt = isOffered ? Number.POSITIVE_INFINITY : Math.min(withdrawnAt, performance.now());
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
      // The other one may not have known yet, or may just be passing it over.
      if (performance.now() - withdrawnAt > leaseMs || performance.now() - endedAt > PASSED_MS) return false;
    }
  }

  async function failToOpen(shardId: number, error: unknown): Promise<void> {
    log.error({ shard: shardId, reason: String(error) }, 'a shard could not be connected');
    if (leases.has(shardId)) await giveUp(shardId, 'gave up a shard that can’t be connected');
    else await close(shardId);
  }

  /** Takes shards if this process has less than its share, and offers some if another has two less. @throws StoreError */
  async function balance(successors: ReadonlyMap<number, Successor>): Promise<void> {
    const staying = live.filter((one) => !one.isLeaving);
    const mosts = staying.map((one) => one.most ?? shardCount);
    const even = evenShare(shardCount, mosts);
    const wanted = Math.min(most ?? shardCount, even);
    // What can't be opened yet is left to those who start at the same time.
    const isWanting = () => !isOver() && leases.size + opening.size < wanted && countOpening() < atOnce;
    if (isWanting()) {
      const taken = new Map((await store.list(SHARD)).map(([key, value]) => [Number(key.slice(SHARD.length)), value as unknown as Holder]));
      await takeFree(taken, isWanting);
      if (isWanting()) await takeOver(taken);
    }
    const takers = staying.filter((one) => one.id !== id && one.shards.length < (one.most ?? shardCount));
    const fewest = Math.min(...takers.map(({ shards }) => shards.length));
    const surplus = Math.max(0, Math.floor((leases.size - fewest) / 2));
    // One that somebody is about to take stays on offer, whatever happens meanwhile: the session that was opened for it would be wasted.
    const mayBeTaken = (shardId: number) => performance.now() - (offeredAt.get(shardId) ?? Number.NEGATIVE_INFINITY) < leaseMs;
    const taken = [...leases.keys()].filter((shardId) => successors.has(shardId) && mayBeTaken(shardId));
    const still = offered.filter((shardId) => leases.has(shardId) && !taken.includes(shardId));
    const silent = [...leases.keys()].filter((shardId) => {
      return sessionOf(shardId) === 'open' && isSilent(shardId) && !still.includes(shardId) && !taken.includes(shardId);
    });
    const more = surplus > taken.length && (await maySpread()) ? surplus - taken.length : 0;
    offered = [...taken, ...[...still, ...silent].slice(0, more)];
    for (const shardId of offered) offeredAt.set(shardId, performance.now());
    for (const shardId of offeredAt.keys()) if (!mayBeTaken(shardId)) offeredAt.delete(shardId);
  }

  /** @returns milliseconds to the next one @throws StoreError */
  async function lookAfterAll(): Promise<number> {
    await renew();
    const isMissing = [...leases.keys()].some((shardId) => sessionOf(shardId) === 'none');
    missingSince = isMissing ? Math.min(missingSince, performance.now()) : Number.POSITIVE_INFINITY;
    const mayPass = isLeaving || offeredAt.size > 0 || passing.size > 0;
    const successors = mayPass ? await successions.list() : new Map<number, Successor>();
    await passOver(successors);
    if (isLeaving && leases.size + passing.size + awaiting.size === 0) left.resolve();
    // Longer than a lease can go without renewal, somebody's may have ended.
    if (performance.now() - lookedAt > leaseMs / 2) steadySince = performance.now();
    await announce();
    for (const [shardId, { isReady }] of opening) {
      if (!isReady) await (isLeaving ? successions.end(shardId) : successions.goOn(shardId, false));
    }
    if (!isLeaving) await balance(successors);
    lookedAt = performance.now();
    const isMoving = offered.length + passing.size > 0 || live.some((one) => one.isLeaving || one.offers.length > 0);
    return isMoving ? Math.min(renewMs, MOVING_MS) : renewMs;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = await lookAfterAll().catch((error: unknown) => {
        if (!(error instanceof StoreError)) log.error({ reason: String(error) }, 'the shards could not be looked after');
        return Math.min(renewMs, 1_000);
      });
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    id,
    held: () => [...leases].filter(([, { until }]) => isAhead(until)).map(([shardId]) => shardId),
    has(shardId) {
      const lease = leases.get(shardId);
      return lease !== undefined && isAhead(lease.until);
    },
    isAlive: () => performance.now() - missingSince < deadMs,
    processes: others.list,
    async start() {
      await announce();
      // One that is started at the same moment has decided otherwise, and this one had not heard of it.
      const other = live.find((one) => one.shardCount !== shardCount);
      if (other) {
        await others.leave();
        throw differingShardCount(other.shardCount, shardCount);
      }
      loop = run();
      return first.promise;
    },
    async leave(maxMs) {
      isLeaving = true;
      try {
        await announce();
      } catch {
        return;
      }
      await Promise.race([left.promise, sleep(maxMs, undefined, { ref: false })]);
    },
    async close() {
      stopping.abort();
      await Promise.allSettled([loop, ...awaiting]);
      for (const shardId of opening.keys()) await successions.end(shardId);
      for (const shardId of [...leases.keys()]) await giveUp(shardId, 'gave up a shard');
      await others.leave();
    },
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
