// Which shards this process has. A shard is a lease in the shared store: the process that holds it renews it, and stops acting on it before
// it can expire, so no two processes ever act on the same shard. There is no leader: each process looks at the leases and takes what is free.
// In a handoff, the shard stays where it is until another process has opened a second session for it and said so; then the first process
// stops acting on it and hands it off. Until the other one notices, within a second, nobody acts on the shard, and interactions wait
// (claims.ts).
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createUnderWay, within } from '../async/waiting.ts';
import type { Log } from '../log.ts';
import { readAs, type Store, StoreError, type Value } from '../store/index.ts';
import { createLiveProcesses, type LiveProcess, surplusOf, wantedShards } from './live-processes.ts';
import {
  type Deadline,
  deadlineIn,
  differingShardCount,
  hasNotPassed,
  type LeaseOptions,
  type Leases,
  type LeaseTiming,
  shuffled,
} from './types.ts';

/** Milliseconds between two reconciliations during a handoff. */
const HANDOFF_RECONCILE_INTERVAL_MS = 500;
/** Milliseconds between two checks of a shard that is about to be handed off, while nobody acts on it. */
const HANDOFF_POLL_INTERVAL_MS = 200;
/** Milliseconds for which a shard may still be handed off to a process that has said that it is no longer ready. */
const HANDOFF_GRACE_MS = 1_000;
/** A killed process is replaced after 15 s, plus the time to identify; a pause of 9 s, as when a virtual machine is moved, does no harm. */
const DEFAULT_TIMING: LeaseTiming = { leaseMs: 15_000, renewMs: 3_000, marginMs: 3_000, deadMs: 120_000 };
/** After so many milliseconds, a session that is still opening no longer keeps the process from taking another shard. */
const OPENING_MS = 30_000;

/** Who has a shard, as it is in the store. */
export const holderShape = z.object({
  process: z.string(),
  /** The number of the claim, which no other claim has. */
  token: z.number(),
  /** The process that has handed it off; absent once the new one has claimed it. */
  from: z.string().optional(),
});

type Holder = z.infer<typeof holderShape>;
type OwnHolder = Pick<Holder, 'process' | 'token'>;

/**
 * What this process has to do with a shard. It acts on those that it holds, and on no others:
 *
 *     none ── nobody has it: claimed ─────────────────────────────▶ held ── another process is ready ──▶ handing off ──▶ none
 *       │                                                          ▲   │                                     │
 *       │                                                          │   └─ lost, or given up ──▶ none         │
 *       └─ another process offers it ──▶ taking over ── claimed ───┘                                         │
 *                                             │                    ▲                                         │
 *                                             └─ withdrawn ─▶ none └──────── the other process is gone ──────┘
 */
type Shard =
  | {
      state: 'held';
      holder: OwnHolder;
      /** `performance.now()` */
      since: number;
      /** Until when this process may act on it. */
      until: Deadline;
    }
  /** A second session is opened, to act on it once the other process has handed it off. */
  | { state: 'taking over'; since: number; isReady: boolean }
  /** This process has stopped acting on it, which the store may not know yet. */
  | { state: 'handing off'; holder: OwnHolder };

type InState<S extends Shard['state']> = Extract<Shard, { state: S }>;

/** Prefix of the key of a shard's lease, whose value is a `holderShape`. */
export const SHARD = 'shard:';
const CLAIM_COUNT = 'shard-tokens';

/**
 * Keeps leases on shards: `start` begins to claim and renew them, `leave` offers all of them to other processes, and `close` gives up what
 * is left.
 */
export function createLeases(options: LeaseOptions): Leases {
  const { store, log, shardCount, maxShards, atOnce, open, close, drain, sessionOf, isSilent, maySpread, facts, onProcesses } = options;
  const { leaseMs, renewMs, marginMs, deadMs } = { ...DEFAULT_TIMING, ...options.timing };
  const id = randomUUID();
  const shards = new Map<number, Shard>();
  const stopping = new AbortController();
  const first = Promise.withResolvers<number>();
  /** Shards that processes with fewer may take. */
  let offered: number[] = [];
  /**
   * `performance.now()` when each shard was last on offer: another process may not know yet that it no longer is, and prepare to take it.
   */
  const offeredAt = new Map<number, number>();
  /** Sessions that are open and waiting until the shard is handed off, or certainly won't be. */
  const awaitingHandoff = createUnderWay();
  /** Resolves when this process is ending and has no shard any more, or when all others are ending as well. */
  const left = Promise.withResolvers<void>();
  /** All live processes, as of the last reconciliation. */
  let live: readonly LiveProcess[] = [];
  let isLeaving = false;
  let loop = Promise.resolve();
  /** `performance.now()` of the last successful reconciliation, and of the first one after the last long interruption. */
  let reconciledAt = performance.now();
  let stableSince = Number.NEGATIVE_INFINITY;
  /** `performance.now()` since when a shard of this process has had no session. */
  let missingSince = Number.POSITIVE_INFINITY;
  const heartbeats = createLiveProcesses(store, { id, log, expiresInMs: leaseMs, isSettled });
  // They are renewed every HANDOFF_POLL_INTERVAL_MS, independently of the leases.
  const claims = createTakeoverClaims(store, { id, log, leaseMs, readyMs: Math.max(renewMs, 5 * HANDOFF_POLL_INTERVAL_MS) });
  const expiry = { expiresInMs: leaseMs };
  /** The shards that a process offers; undefined if it isn't known to be running. */
  const offersOf = (processId: string) => live.find((one) => one.id === processId)?.offers;
  const inState = <S extends Shard['state']>(state: S) =>
    new Map([...shards].filter((entry): entry is [number, InState<S>] => entry[1].state === state));
  const isHeld = (shardId: number) => shards.get(shardId)?.state === 'held';
  const isHeldOrTakenOver = (shardId: number) => isHeld(shardId) || shards.get(shardId)?.state === 'taking over';
  const isOver = () => isLeaving || stopping.signal.aborted;

  /**
   * After an outage of the store, leases may be missing that others still act on or are about to renew: they have expired, or a failover
   * has lost them. So nobody takes free shards until every process has had time to come back.
   */
  function isSettled(): boolean {
    return performance.now() - Math.max(stableSince, store.reconnectedAt) > leaseMs;
  }

  /** Tells other processes about this one, and reads what they say. @throws StoreError */
  async function publishHeartbeat(): Promise<void> {
    const held = [...inState('held').keys()];
    await heartbeats.publishHeartbeat({
      shardCount,
      shards: held,
      most: maxShards,
      isLeaving,
      offers: isLeaving ? held : offered,
      facts: facts(),
    });
    live = await heartbeats.list();
    onProcesses(live, id);
    if (isLeaving && live.every((one) => one.isLeaving)) left.resolve();
  }

  const readHolder = (value: Value | undefined) => readAs(holderShape, value ?? null, log, 'shard lease');

  /** Claims a lease if its value is still `before`. @throws StoreError */
  async function claim(shardId: number, before: Value): Promise<boolean> {
    const claimNumber = await store.increment(CLAIM_COUNT, 1);
    const holder = { process: id, token: claimNumber };
    const until = deadlineIn(leaseMs - marginMs);
    if (!(await store.compareAndSet(SHARD + shardId, before, holder, expiry))) return false;
    shards.set(shardId, { state: 'held', holder, since: performance.now(), until });
    log.info({ shard: shardId, claimNumber }, 'took a shard');
    return true;
  }

  /** @throws StoreError */
  async function renew(): Promise<void> {
    await Promise.all(
      [...inState('held')].map(async ([shardId, shard]) => {
        const { holder } = shard;
        const until = deadlineIn(leaseMs - marginMs);
        let isMine = await store.compareAndSet(SHARD + shardId, holder, holder, expiry);
        if (shards.get(shardId) !== shard) return;
        // The lease may have expired while the store was gone. If nobody has claimed it since, it stays here.
        isMine ||= await store.compareAndSet(SHARD + shardId, null, holder, expiry);
        if (isMine) shard.until = until;
        else if (shards.get(shardId) === shard) {
          drop(shardId, 'lost a shard to another process');
          void drain(shardId);
        }
      }),
    );
  }

  /** Hands shards off to the processes that are ready to act on them. @throws StoreError */
  async function handOff(takeovers: ReadonlyMap<number, Takeover>): Promise<void> {
    for (const [shardId, { process: processId, isReady }] of takeovers) {
      const shard = shards.get(shardId);
      const isOffered = shard?.state === 'handing off' || (shard?.state === 'held' && (isLeaving || offered.includes(shardId)));
      // Checked again, because its session may just have ended.
      if (!isOffered || !isReady || !(await claims.isReady(shardId, processId))) continue;
      const { holder } = shard;
      if (isHeld(shardId)) {
        drop(shardId, 'handed off a shard to another process');
        void drain(shardId);
      }
      // It has stopped acting on it, whatever happens to the store.
      shards.set(shardId, { state: 'handing off', holder });
      await store.compareAndSet(SHARD + shardId, holder, { process: processId, token: holder.token, from: id }, expiry);
      shards.delete(shardId);
    }
  }

  function drop(shardId: number, why: string): void {
    shards.delete(shardId);
    log.info({ shard: shardId }, why);
  }

  async function giveUp(shardId: number, why: string): Promise<void> {
    const shard = shards.get(shardId);
    if (shard?.state !== 'held') return;
    drop(shardId, why);
    await close(shardId);
    await store.compareAndSet(SHARD + shardId, shard.holder, null).catch(() => {});
  }

  /** Takes shards that nobody has. @throws StoreError */
  async function takeFree(stored: ReadonlyMap<number, Value>, isWanting: () => boolean): Promise<void> {
    const startedAt = performance.now();
    const free = Array.from({ length: shardCount }, (_, shardId) => shardId).filter((shardId) => {
      // A lease of its own that it doesn't know about counts as free: the answer to its claim was lost.
      const isFree = (readHolder(stored.get(shardId))?.process ?? id) === id;
      return isFree && isSettled() && !isHeldOrTakenOver(shardId);
    });
    // Shuffled, so processes that start together mostly try different ones.
    for (const shardId of shuffled(free)) {
      // The leases must be renewed in between.
      if (!isWanting() || performance.now() - startedAt > renewMs) return;
      if (!(await claim(shardId, stored.get(shardId) ?? null))) continue;
      first.resolve(shardId);
      // Not awaited, because identifying has to wait for its turn.
      void openFree(shardId).catch((error: unknown) => failToOpen(shardId, error));
    }
  }

  async function openFree(shardId: number): Promise<void> {
    await open(shardId);
    // The shard may have been lost before there was anything to close.
    if (!isHeldOrTakenOver(shardId)) await close(shardId);
  }

  /** How many shards this process acts on, or is about to. */
  const countAll = () => inState('held').size + inState('taking over').size;

  /** How many sessions this process is opening. */
  function countOpening(): number {
    const since = performance.now() - OPENING_MS;
    const isOpening = ([shardId, shard]: [number, Shard]) => {
      if (shard.state === 'handing off' || shard.since <= since) return false;
      return shard.state === 'held' ? sessionOf(shardId) !== 'open' : !shard.isReady;
    };
    return [...shards].filter(isOpening).length;
  }

  /**
   * Opens a second session for a shard that another process offers, to take the shard over once the session is ready. @throws StoreError
   */
  async function takeOverOffered(stored: ReadonlyMap<number, Value>): Promise<void> {
    for (const [shardId, value] of stored) {
      const processId = readHolder(value)?.process;
      const from = live.find((one) => one.id === processId && one.id !== id);
      if (!from?.offers.includes(shardId) || isHeldOrTakenOver(shardId)) continue;
      // Taking one wouldn't make the distribution more even.
      if (!from.isLeaving && from.shards.length - countAll() < 2) continue;
      if (!(await claims.claim(shardId))) continue;
      shards.set(shardId, { state: 'taking over', since: performance.now(), isReady: false });
      first.resolve(shardId);
      void takeOverFrom(from.id, shardId);
      return;
    }
  }

  async function takeOverFrom(processId: string, shardId: number): Promise<void> {
    try {
      await open(shardId);
      shards.set(shardId, { state: 'taking over', since: performance.now(), isReady: true });
      if (!(await awaitingHandoff.add(awaitHandoff(shardId, processId)))) await close(shardId);
    } catch (error) {
      await failToOpen(shardId, error);
    }
    if (shards.get(shardId)?.state === 'taking over') shards.delete(shardId);
    await claims.release(shardId);
  }

  /** Waits, even through an outage of the store, because the session is already open. @returns false if the shard won't be handed off */
  async function awaitHandoff(shardId: number, from: string): Promise<boolean> {
    /**
     * `performance.now()` since when the other process has no longer offered it, and since when this one, which is ending, is no longer
     * ready.
     */
    let [withdrawnAt, endedAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (; ; await sleep(HANDOFF_POLL_INTERVAL_MS)) {
      try {
        if (!isOver()) await claims.renew(shardId, sessionOf(shardId) === 'open');
        else if (endedAt === Number.POSITIVE_INFINITY) {
          await claims.release(shardId);
          endedAt = performance.now();
        }
        const value = await store.get(SHARD + shardId);
        const holder = readHolder(value);
        const isHandedOff = holder?.process === id && holder.from === from;
        // Without a holder, the other process has ended, or hasn't been able to renew its lease yet.
        if (isHandedOff || (!isOver() && (holder?.process ?? id) === id && isSettled())) {
          if (!(await claim(shardId, value))) continue;
          if (stopping.signal.aborted) await giveUp(shardId, 'gave up a shard');
          return true;
        }
        // A third process has it.
        if (holder && holder.process !== id && holder.process !== from) return false;
        const isOffered = offersOf(from)?.includes(shardId) ?? true;
        withdrawnAt = isOffered ? Number.POSITIVE_INFINITY : Math.min(withdrawnAt, performance.now());
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
      // The other process may not know yet, or may be handing it off at this very moment.
      if (performance.now() - withdrawnAt > leaseMs || performance.now() - endedAt > HANDOFF_GRACE_MS) return false;
    }
  }

  async function failToOpen(shardId: number, error: unknown): Promise<void> {
    log.error({ shard: shardId, reason: String(error) }, 'a shard could not be connected');
    if (isHeld(shardId)) await giveUp(shardId, 'gave up a shard that can’t be connected');
    else await close(shardId);
  }

  /** Takes shards if this process has less than its share, and offers some if another has two less. @throws StoreError */
  async function balance(takeovers: ReadonlyMap<number, Takeover>): Promise<void> {
    const wanted = wantedShards(live, shardCount, maxShards);
    // Shards that it can't open yet are left to processes that start at the same time.
    const isWanting = () => !isOver() && countAll() < wanted && countOpening() < atOnce;
    if (isWanting()) {
      const stored = new Map((await store.list(SHARD)).map(([key, value]) => [Number(key.slice(SHARD.length)), value]));
      await takeFree(stored, isWanting);
      if (isWanting()) await takeOverOffered(stored);
    }
    const held = [...inState('held').keys()];
    const surplus = surplusOf(
      held.length,
      live.filter((one) => one.id !== id),
      shardCount,
    );
    // A shard that somebody is about to take stays on offer: otherwise the session opened for it would be wasted.
    const mayBeTaken = (shardId: number) => performance.now() - (offeredAt.get(shardId) ?? Number.NEGATIVE_INFINITY) < leaseMs;
    const taken = held.filter((shardId) => takeovers.has(shardId) && mayBeTaken(shardId));
    const still = offered.filter((shardId) => isHeld(shardId) && !taken.includes(shardId));
    const silent = held.filter((shardId) => {
      return sessionOf(shardId) === 'open' && isSilent(shardId) && !still.includes(shardId) && !taken.includes(shardId);
    });
    const more = surplus > taken.length && (await maySpread()) ? surplus - taken.length : 0;
    offered = [...taken, ...[...still, ...silent].slice(0, more)];
    for (const shardId of offered) offeredAt.set(shardId, performance.now());
    for (const shardId of offeredAt.keys()) if (!mayBeTaken(shardId)) offeredAt.delete(shardId);
  }

  /** Brings leases, handoffs and offers up to date. @returns milliseconds until the next time @throws StoreError */
  async function reconcile(): Promise<number> {
    await renew();
    const isMissing = [...inState('held').keys()].some((shardId) => sessionOf(shardId) === 'none');
    missingSince = isMissing ? Math.min(missingSince, performance.now()) : Number.POSITIVE_INFINITY;
    const mayHandOff = isLeaving || offeredAt.size > 0 || inState('handing off').size > 0;
    const takeovers = mayHandOff ? await claims.list() : new Map<number, Takeover>();
    await handOff(takeovers);
    if (isLeaving && inState('held').size + inState('handing off').size + awaitingHandoff.size === 0) left.resolve();
    // After an interruption this long, somebody's lease may have expired.
    if (performance.now() - reconciledAt > leaseMs / 2) stableSince = performance.now();
    await publishHeartbeat();
    for (const [shardId, { isReady }] of inState('taking over')) {
      if (!isReady) await (isLeaving ? claims.release(shardId) : claims.renew(shardId, false));
    }
    if (!isLeaving) await balance(takeovers);
    reconciledAt = performance.now();
    const hasHandoffs = offered.length + inState('handing off').size > 0 || live.some((one) => one.isLeaving || one.offers.length > 0);
    return hasHandoffs ? Math.min(renewMs, HANDOFF_RECONCILE_INTERVAL_MS) : renewMs;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = await reconcile().catch((error: unknown) => {
        if (!(error instanceof StoreError)) log.error({ reason: String(error) }, 'shards could not be reconciled; trying again');
        return Math.min(renewMs, 1_000);
      });
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    id,
    held: () => [...inState('held')].filter(([, { until }]) => hasNotPassed(until)).map(([shardId]) => shardId),
    has(shardId) {
      const shard = shards.get(shardId);
      return shard?.state === 'held' && hasNotPassed(shard.until);
    },
    isAlive: () => performance.now() - missingSince < deadMs,
    processes: heartbeats.list,
    async start() {
      await publishHeartbeat();
      // Another process that started at the same moment has decided on another number, which this one hadn't seen yet.
      const other = live.find((one) => one.shardCount !== shardCount);
      if (other) {
        await heartbeats.leave();
        throw differingShardCount(other.shardCount, shardCount);
      }
      loop = run();
      return first.promise;
    },
    async leave(maxMs) {
      isLeaving = true;
      try {
        await publishHeartbeat();
      } catch {
        return;
      }
      await within(maxMs, left.promise);
    },
    async close() {
      stopping.abort();
      await Promise.all([loop, awaitingHandoff.current()]);
      for (const shardId of inState('taking over').keys()) await claims.release(shardId);
      for (const shardId of inState('held').keys()) await giveUp(shardId, 'gave up a shard');
      await heartbeats.leave();
    },
  };
}

// Which process prepares to take over which shard: only one of them may open a second session for it.

const takeover = z.object({
  process: z.string(),
  /** Whether its session is open. */
  isReady: z.boolean(),
});

type Takeover = z.infer<typeof takeover>;

interface TakeoverClaims {
  /** @returns false if another process is already preparing @throws StoreError */
  claim(shardId: number): Promise<boolean>;
  /** Call regularly: a claim that isn't renewed expires, and another process may take over. @throws StoreError */
  renew(shardId: number, isReady: boolean): Promise<void>;
  /** Never rejects. */
  release(shardId: number): Promise<void>;
  /** All takeovers, by shard. @throws StoreError */
  list(): Promise<Map<number, Takeover>>;
  /** Whether this process has an open session of the shard. @throws StoreError */
  isReady(shardId: number, processId: string): Promise<boolean>;
}

export const TAKEOVER = 'shard-successor:';

/** @param id of this process @param readyMs how long a process that has died still counts as ready */
function createTakeoverClaims(
  store: Store,
  { id, log, leaseMs, readyMs }: { id: string; log: Log; leaseMs: number; readyMs: number },
): TakeoverClaims {
  const read = (value: Value) => readAs(takeover, value, log, 'takeover claim');
  const own = (isReady: boolean) => ({ process: id, isReady });
  return {
    claim: (shardId) => store.compareAndSet(TAKEOVER + shardId, null, own(false), { expiresInMs: leaseMs }),
    renew: (shardId, isReady) => store.set(TAKEOVER + shardId, own(isReady), { expiresInMs: isReady ? readyMs : leaseMs }),
    async release(shardId) {
      for (const isReady of [false, true]) await store.compareAndSet(TAKEOVER + shardId, own(isReady), null).catch(() => {});
    },
    async list() {
      const all = (await store.list(TAKEOVER)).map(([key, value]) => [Number(key.slice(TAKEOVER.length)), read(value)] as const);
      return new Map(all.flatMap(([shardId, claim]) => (claim ? [[shardId, claim]] : [])));
    },
    async isReady(shardId, processId) {
      const claim = read(await store.get(TAKEOVER + shardId));
      return claim?.process === processId && claim.isReady;
    },
  };
}
