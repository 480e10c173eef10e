// What leases on shards are for, and what they need.

import { ConfigError } from '../config.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import type { LiveProcess, ProcessFacts } from './live-processes.ts';

export interface LeaseTiming {
  /** After this long without renewal, in milliseconds by the store's clock, another process may take the shard. */
  leaseMs: number;
  /** Between two renewals, in milliseconds. */
  renewMs: number;
  /** The shard is given up this long before its lease ends: the clocks of two processes may differ by as much, in milliseconds. */
  marginMs: number;
  /** Once a process has had a shard for this long, in milliseconds, without even opening a session of it, only a restart can help. */
  deadMs: number;
}

export interface LeaseOptions {
  store: Store;
  log: Log;
  shardCount: number;
  /** The most that this process takes; null = its even share. */
  maxShards: number | null;
  /** How many sessions Discord lets the bot open at once. */
  atOnce: number;
  timing?: Partial<LeaseTiming>;
  /** Opens the session of a shard. Resolves when it is ready to act on. */
  open(shardId: number): Promise<void>;
  /** Closes it, because its lease is given up. Must not reject. */
  close(shardId: number): Promise<void>;
  /** Another process acts on it from now on: hands off what waits, and closes it once nothing plays. Must not reject. */
  drain(shardId: number): Promise<void>;
  /** `none`: it is not even being opened. */
  sessionOf(shardId: number): 'open' | 'opening' | 'none';
  /** Whether nothing is spoken on this shard, so it can be handed off to another process. */
  isSilent(shardId: number): boolean;
  /** Whether shards may be handed off just to spread them evenly; each handoff costs a session. @throws StoreError */
  maySpread(): Promise<boolean>;
  facts(): ProcessFacts;
  /** Called with all live processes, every few seconds. */
  onProcesses(processes: readonly LiveProcess[], ownId: string): void;
}

export interface Leases {
  /** Of this process. */
  readonly id: string;
  /** The shards this process has and may act on now. */
  held(): number[];
  has(shardId: number): boolean;
  /** False if nothing but a restart will open a session for one of them. */
  isAlive(): boolean;
  /** All processes that renewed lately, this one included. @throws StoreError */
  processes(): Promise<LiveProcess[]>;
  /**
   * Takes what is free, and keeps at it until `close`. Resolves with the first shard to open, for which `open` is called as well; that may
   * take as long as other processes have all of them. @throws StoreError at the first look; ConfigError if another process has another number of shards
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

// Deadlines, such as the end of a lease, on a machine that may be suspended.

/** By two clocks, the earlier of which counts: the monotonic one stands still while a machine is suspended, and the other one can be set. */
export interface Deadline {
  /** As `performance.now()`. */
  monotonic: number;
  /** Milliseconds since 1970. */
  wall: number;
}

export function deadlineIn(ms: number): Deadline {
  return { monotonic: performance.now() + ms, wall: Date.now() + ms };
}

export function hasNotPassed({ monotonic, wall }: Deadline): boolean {
  return performance.now() < monotonic && Date.now() < wall;
}

// How many shards the whole bot has: decided once for all its processes, and changed only while none of them runs.

const COUNT = 'shard-count';

/**
 * @param wanted SHARD_COUNT; null = Discord's recommendation, unless processes run already
 * @param recommend asks Discord
 * @throws ConfigError if processes with another number run; StoreError
 */
export async function decideShardCount(store: Store, wanted: number | null, recommend: () => Promise<number>): Promise<number> {
  for (;;) {
    const before = await store.get(COUNT);
    const decided = typeof before === 'number' ? before : null;
    const areOthersRunning = (await store.list('process:')).length > 0;
    if (decided !== null && areOthersRunning) {
      if (wanted === null || wanted === decided) return decided;
      throw differingShardCount(decided, wanted);
    }
    const count = wanted ?? (await recommend());
    // Another process may have been faster: then its number counts.
    if (await store.compareAndSet(COUNT, before, count)) return count;
  }
}

export function differingShardCount(decided: number, wanted: number): ConfigError {
  return new ConfigError(
    `SHARD_COUNT: the processes that run already have ${decided} shards, and this one was given ${wanted}. Stop all of them first, or set ${decided}.`,
  );
}
