// Which shards this process has. A shard is a lease in the shared store: whoever has it renews it, and stops acting on it before it can
// expire, so that no two processes ever act on the same one. No process leads: each looks at the leases and takes what is free. A shard that
// moves stays where it is until another process has opened a session beside the first one; then it passes over at one instant. The first one
// learns of it within half a second: what must happen once is claimed besides.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type Store, StoreError, type Value } from '../store/index.ts';
import type { ProcessFacts } from './process-facts.ts';

interface LeaseTiming {
  /** After this long without renewal, in milliseconds by the store's clock, another process may take the shard. */
  leaseMs: number;
  /** Between two renewals, in milliseconds. */
  renewMs: number;
  /** The shard is given up this long before its lease ends: the clocks of two processes may differ by as much, in milliseconds. */
  marginMs: number;
}

/** Between two looks while shards move, in milliseconds. */
const MOVING_MS = 500;
/** A killed process is replaced in 15 s, plus the time to identify; a pause of 9 s (a virtual machine that is moved) does no harm. */
const DEFAULT_TIMING: LeaseTiming = { leaseMs: 15_000, renewMs: 3_000, marginMs: 3_000 };

export interface LeaseOptions {
  store: Store;
  log: Log;
  shardCount: number;
  /** The most that this process takes; null = its even share. */
  most: number | null;
  timing?: Partial<LeaseTiming>;
  /** Opens the session of a shard. Resolves when it is ready to act on. */
  open(shardId: number): Promise<void>;
  /** Closes it, because its lease is given up. Must not reject. */
  close(shardId: number): Promise<void>;
  /** Another process acts on it from now on: hands over what waits, and closes it once nothing plays. Must not reject. */
  handOver(shardId: number): Promise<void>;
  /** Whether nothing is spoken on this shard, so that it may move to another process. */
  isSilent(shardId: number): boolean;
  facts(): ProcessFacts;
  /** Called with all live processes, every few seconds. */
  onProcesses(processes: readonly LiveProcess[], ownId: string): void;
}

/** A process as others see it. */
export interface LiveProcess {
  id: string;
  shards: number[];
  most: number | null;
  /** About to end. */
  isLeaving: boolean;
  /** Shards that are to be taken over. */
  offers: number[];
  facts: ProcessFacts;
}

export interface Leases {
  /** Of this process. */
  readonly id: string;
  /** The shards this process has and may act on now. */
  held(): number[];
  has(shardId: number): boolean;
  /** All processes that renewed lately, this one included. @throws StoreError */
  processes(): Promise<LiveProcess[]>;
  /**
   * Takes what is free, and keeps at it until `close`. Resolves with the first shard to open, for which `open` is called as well; that may
   * take as long as other processes have all of them. @throws StoreError at the first look
   */
  start(): Promise<number>;
  /**
   * Lets others take over: this process acts on each shard until another one is ready to, and its session stays open. Resolves once all are
   * taken over, as soon as there is no other process that stays, and after `maxMs` at the latest. Never rejects.
   */
  leave(maxMs: number): Promise<void>;
  /** Gives up what is left. Never rejects. */
  close(): Promise<void>;
}

interface Lease {
  value: { process: string; token: number };
  /** `performance.now()` until which it may be acted on. */
  until: number;
}

/** Followed by the id of a process that runs. */
export const PROCESS = 'process:';
export const SHARD = 'shard:';
/** Which process prepares to take a shard over. */
export const SUCCESSOR = 'shard-successor:';
const TOKENS = 'shard-tokens';
/** For a session to be opened and its guilds to arrive, in milliseconds; by then another process may try. */
const SUCCESSION_MS = 60_000;

export function createLeases({
  store,
  log,
  shardCount,
  most,
  open,
  close,
  handOver,
  isSilent,
  facts,
  onProcesses,
  ...options
}: LeaseOptions): Leases {
  const { leaseMs, renewMs, marginMs } = { ...DEFAULT_TIMING, ...options.timing };
  const id = randomUUID();
  const leases = new Map<number, Lease>();
  const stopping = new AbortController();
  const first = Promise.withResolvers<number>();
  /** Shards that processes with fewer may take. */
  let offered: number[] = [];
  /** Sessions that are being opened for a shard of another process. */
  const opening = new Set<number>();
  /** Resolves when this process is to end and has no shard any more, or all others are to end as well. */
  const left = Promise.withResolvers<void>();
  let isLeaving = false;
  let loop = Promise.resolve();

  const isValid = ({ until }: Lease) => performance.now() < until;
  const expiry = { expiresInMs: leaseMs };

  /** Tells the others about this process. @returns all of them @throws StoreError */
  async function announce(): Promise<LiveProcess[]> {
    const shards = [...leases.keys()];
    const told = { shards, most, isLeaving, offers: isLeaving ? shards : offered, facts: { ...facts() } };
    await store.set(PROCESS + id, told, expiry);
    const live = await listProcesses();
    onProcesses(live, id);
    if (isLeaving && live.every((one) => one.isLeaving)) left.resolve();
    return live;
  }

  async function listProcesses(): Promise<LiveProcess[]> {
    const entries = await store.list(PROCESS);
    return entries.map(([key, value]) => ({ id: key.slice(PROCESS.length), ...(value as unknown as Omit<LiveProcess, 'id'>) }));
  }

  /** Makes a lease this process's own, if it still is `before`. @throws StoreError */
  async function claim(shardId: number, before: Value): Promise<boolean> {
    const value = { process: id, token: await store.increment(TOKENS, 1) };
    const asked = performance.now();
    if (!(await store.replace(SHARD + shardId, before, value, expiry))) return false;
    leases.set(shardId, { value, until: asked + leaseMs - marginMs });
    log.info({ shard: shardId, token: value.token }, 'took a shard');
    return true;
  }

  /** @throws StoreError */
  async function renew(): Promise<void> {
    for (const [shardId, lease] of leases) {
      const asked = performance.now();
      const isMine = await store.replace(SHARD + shardId, lease.value, lease.value, expiry);
      // It may have expired, while the store was gone. If nobody else has come, it stays here.
      if (isMine || (await store.replace(SHARD + shardId, null, lease.value, expiry))) lease.until = asked + leaseMs - marginMs;
      else {
        drop(shardId, 'passed a shard over to another process');
        void handOver(shardId);
      }
    }
    if (isLeaving && leases.size === 0) left.resolve();
  }

  function drop(shardId: number, why: string): void {
    leases.delete(shardId);
    log.info({ shard: shardId }, why);
  }

  async function giveUp(shardId: number, why: string): Promise<void> {
    const lease = leases.get(shardId);
    if (!lease) return;
    drop(shardId, why);
    await close(shardId);
    await store.replace(SHARD + shardId, lease.value, null).catch(() => {});
  }

  /** Takes a shard that nobody has. @throws StoreError */
  async function takeFree(taken: Map<number, Value>): Promise<boolean> {
    const free = Array.from({ length: shardCount }, (_, shardId) => shardId).filter((shardId) => !taken.has(shardId));
    // Processes that start together mostly try different ones.
    for (const shardId of shuffled(free)) {
      if (!(await claim(shardId, null))) continue;
      first.resolve(shardId);
      // Not awaited: identifying takes its turn, and the leases must be renewed meanwhile.
      void open(shardId).catch((error: unknown) => failToOpen(shardId, error));
      return true;
    }
    return false;
  }

  /** Opens a session beside that of a process that offers a shard, and takes it over once it is ready. @throws StoreError */
  async function takeOver(taken: Map<number, Value>, live: readonly LiveProcess[]): Promise<void> {
    const offers = new Set(live.flatMap((one) => (one.id === id ? [] : one.offers)));
    for (const [shardId, value] of taken) {
      if (!offers.has(shardId) || opening.has(shardId) || leases.has(shardId)) continue;
      if (!(await store.replace(SUCCESSOR + shardId, null, id, { expiresInMs: SUCCESSION_MS }))) continue;
      opening.add(shardId);
      first.resolve(shardId);
      void open(shardId)
        .then(async () => {
          // The other process may have ended meanwhile.
          const isMine = (await claim(shardId, value)) || (await claim(shardId, null));
          if (!isMine) await close(shardId);
        })
        .catch((error: unknown) => failToOpen(shardId, error))
        .finally(() => {
          opening.delete(shardId);
          void store.delete(SUCCESSOR + shardId).catch(() => {});
        });
      return;
    }
  }

  async function failToOpen(shardId: number, error: unknown): Promise<void> {
    log.error({ shard: shardId, reason: String(error) }, 'a shard could not be connected');
    if (leases.has(shardId)) await giveUp(shardId, 'gave up a shard that can’t be connected');
    else await close(shardId);
  }

  /** Takes a shard if this process has less than its share, and offers some if another has two less. @throws StoreError */
  async function balance(live: readonly LiveProcess[]): Promise<void> {
    const staying = live.filter((one) => !one.isLeaving);
    const share = Math.min(most ?? shardCount, Math.ceil(shardCount / Math.max(1, staying.length)));
    while (leases.size + opening.size < share && !stopping.signal.aborted) {
      const taken = new Map((await store.list(SHARD)).map(([key, value]) => [Number(key.slice(SHARD.length)), value]));
      if (await takeFree(taken)) continue;
      await takeOver(taken, live);
      break;
    }
    const others = staying.filter((one) => one.id !== id && one.shards.length < (one.most ?? shardCount));
    const fewest = Math.min(...others.map(({ shards }) => shards.length));
    const surplus = Math.max(0, Math.floor((leases.size - fewest) / 2));
    // One that somebody may be about to take stays on offer, even if something has begun to play.
    const still = offered.filter((shardId) => leases.has(shardId));
    const silent = [...leases.keys()].filter((shardId) => isSilent(shardId) && !still.includes(shardId));
    offered = [...still, ...silent].slice(0, surplus);
  }

  async function run(live: LiveProcess[]): Promise<void> {
    for (let known = live; !stopping.signal.aborted; ) {
      try {
        if (!isLeaving) await balance(known);
        const isMoving = known.some((one) => one.isLeaving || one.offers.length > 0);
        await sleep(isMoving ? Math.min(renewMs, MOVING_MS) : renewMs, undefined, { signal: stopping.signal });
        await renew();
        known = await announce();
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (!(error instanceof StoreError)) log.error({ reason: String(error) }, 'the shards could not be looked after');
        await sleep(Math.min(renewMs, 1_000), undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  return {
    id,
    held: () => [...leases].filter(([, lease]) => isValid(lease)).map(([shardId]) => shardId),
    has(shardId) {
      const lease = leases.get(shardId);
      return lease !== undefined && isValid(lease);
    },
    processes: listProcesses,
    async start() {
      loop = run(await announce());
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
      await store.delete(PROCESS + id).catch(() => {});
    },
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
