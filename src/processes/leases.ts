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
import { createSuccessions } from './successions.ts';
import type { LeaseOptions, Leases, LeaseTiming } from './types.ts';

/** Between two looks while shards move, in milliseconds. */
const MOVING_MS = 500;
/** Between two looks while a shard is about to pass over, when nobody acts on it, in milliseconds. */
const PASSING_MS = 200;
/** A killed process is replaced in 15 s, plus the time to identify; a pause of 9 s (a virtual machine that is moved) does no harm. */
const DEFAULT_TIMING: LeaseTiming = { leaseMs: 15_000, renewMs: 3_000, marginMs: 3_000 };

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
  /** Until when it may be acted on. */
  until: Moment;
}

/** What the name of a shard's lease begins with; its value is a `Holder`. */
export const SHARD = 'shard:';
const TOKENS = 'shard-tokens';

export function createLeases(options: LeaseOptions): Leases {
  const { store, log, shardCount, most, open, close, handOver, isSilent, maySpread, facts, onProcesses } = options;
  const { leaseMs, renewMs, marginMs } = { ...DEFAULT_TIMING, ...options.timing };
  const id = randomUUID();
  const leases = new Map<number, Lease>();
  const stopping = new AbortController();
  const first = Promise.withResolvers<number>();
  /** Shards that processes with fewer may take. */
  let offered: number[] = [];
  /** Sessions for a shard of another process, and whether they are open. */
  const opening = new Map<number, boolean>();
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
  const others = createLiveProcesses(store, { id, expiresInMs: leaseMs, isSteady });
  const successions = createSuccessions(store, id, { leaseMs, readyMs: renewMs });
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
    leases.set(shardId, { holder, until });
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
  async function passOver(): Promise<void> {
    for (const [shardId, process] of await successions.ready()) {
      const isOffered = isLeaving || offered.includes(shardId);
      const holder = passing.get(shardId) ?? (isOffered ? leases.get(shardId)?.holder : undefined);
      if (!holder) continue;
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
      void open(shardId).catch((error: unknown) => failToOpen(shardId, error));
    }
  }

  /** Opens a session beside that of a process that offers a shard, to take it over once that is ready. @throws StoreError */
  async function takeOver(taken: Map<number, Holder>): Promise<void> {
    for (const [shardId, { process }] of taken) {
      const isOffered = process !== id && offersOf(process)?.includes(shardId);
      if (!isOffered || opening.has(shardId) || leases.has(shardId)) continue;
      if (!(await successions.begin(shardId))) continue;
      opening.set(shardId, false);
      first.resolve(shardId);
      void succeed(shardId, process);
      return;
    }
  }

  async function succeed(shardId: number, process: string): Promise<void> {
    try {
      await open(shardId);
      opening.set(shardId, true);
      if (!(await awaitPassing(shardId, process))) await close(shardId);
    } catch (error) {
      await failToOpen(shardId, error);
    }
    opening.delete(shardId);
    await successions.end(shardId);
  }

  /** The session is open, so it is worth waiting for the store. @returns false if that is for nothing */
  async function awaitPassing(shardId: number, from: string): Promise<boolean> {
    for (; !isOver(); await sleep(PASSING_MS, undefined, { signal: stopping.signal }).catch(() => {})) {
      try {
        await successions.goOn(shardId, true);
        const holder = (await store.get(SHARD + shardId)) as Holder | null;
        const isPassed = holder?.process === id && holder.from === from;
        // Without a holder, the other process has ended meanwhile, or cannot say yet that it has not.
        if (isPassed || ((holder?.process ?? id) === id && isSteady())) {
          if (!(await claim(shardId, holder))) continue;
          if (stopping.signal.aborted) await giveUp(shardId, 'gave up a shard');
          return true;
        }
        // Another one has come, or this one has too few shards to pass any on.
        if (holder && holder.process !== id && (holder.process !== from || offersOf(from)?.includes(shardId) === false)) return false;
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
    }
    return false;
  }

  async function failToOpen(shardId: number, error: unknown): Promise<void> {
    log.error({ shard: shardId, reason: String(error) }, 'a shard could not be connected');
    if (leases.has(shardId)) await giveUp(shardId, 'gave up a shard that can’t be connected');
    else await close(shardId);
  }

  /** Takes shards if this process has less than its share, and offers some if another has two less. @throws StoreError */
  async function balance(): Promise<void> {
    const staying = live.filter((one) => !one.isLeaving);
    const mosts = staying.map((one) => one.most ?? shardCount);
    const even = evenShare(shardCount, mosts);
    const isWanting = () => !isOver() && leases.size + opening.size < Math.min(most ?? shardCount, even);
    if (isWanting()) {
      const taken = new Map((await store.list(SHARD)).map(([key, value]) => [Number(key.slice(SHARD.length)), value as unknown as Holder]));
      await takeFree(taken, isWanting);
      if (isWanting()) await takeOver(taken);
    }
    const takers = staying.filter((one) => one.id !== id && one.shards.length < (one.most ?? shardCount));
    const fewest = Math.min(...takers.map(({ shards }) => shards.length));
    const surplus = Math.max(0, Math.floor((leases.size - fewest) / 2));
    // One that somebody may be about to take stays on offer, even if something has begun to play.
    const still = offered.filter((shardId) => leases.has(shardId));
    const silent = [...leases.keys()].filter((shardId) => isSilent(shardId) && !still.includes(shardId));
    offered = surplus > 0 && (await maySpread()) ? [...still, ...silent].slice(0, surplus) : [];
  }

  /** @returns milliseconds to the next one @throws StoreError */
  async function lookAfterAll(): Promise<number> {
    await renew();
    if (isLeaving || offered.length > 0 || passing.size > 0) await passOver();
    if (isLeaving && leases.size + passing.size === 0) left.resolve();
    // Longer than a lease can go without renewal, somebody's may have ended.
    if (performance.now() - lookedAt > leaseMs / 2) steadySince = performance.now();
    await announce();
    for (const [shardId, isReady] of opening) if (!isReady) await successions.goOn(shardId, false);
    if (!isLeaving) await balance();
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
      await loop;
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
