// What leases on shards are for, and what they need.

import { ConfigError } from '../config.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import type { LiveProcess, ProcessFacts } from './live-processes.ts';

export interface LeaseTiming {
  /** Milliseconds without renewal, by the store's clock, after which another process may take the shard. */
  leaseMs: number;
  /** Milliseconds between two renewals. */
  renewMs: number;
  /** Milliseconds before the end of its lease at which a shard is given up, because the clocks of two processes may differ by as much. */
  marginMs: number;
  /** Once a process has had a shard for so many milliseconds without even opening a session, only a restart can help. */
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
  /** Another process acts on the shard from now on: hands off what is queued, and closes the shard once nothing plays. Must not reject. */
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
  /** Id of this process. */
  readonly id: string;
  /** The shards this process has and may act on now. */
  held(): number[];
  has(shardId: number): boolean;
  /** False if only a restart would open a session for one of them. */
  isAlive(): boolean;
  /** All processes that renewed lately, this one included. @throws StoreError */
  processes(): Promise<LiveProcess[]>;
  /**
   * Takes free shards from now on, until `close`. Resolves with the first shard to open, for which `open` is called as well; while other
   * processes have all shards, that takes until one is free. @throws StoreError at the first look; ConfigError if another process has
   * another number of shards
   */
  start(): Promise<number>;
  /**
   * Lets others take over: this process acts on each shard until another one is ready to, and its session stays open. Resolves once all
   * shards are taken over, once no other process is going to stay, or after `maxMs`. Never rejects.
   */
  leave(maxMs: number): Promise<void>;
  /** Gives up what is left. Never rejects. */
  close(): Promise<void>;
}

// Deadlines, such as the end of a lease, on a machine that may be suspended.

/**
 * On two clocks, whichever is reached first: the monotonic one stands still while a machine is suspended, and the wall clock can be set.
 */
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

// How many shards the whole bot has: decided once for all its processes, and changed only while none of them is running.

const COUNT = 'shard-count';

/**
 * @param wanted SHARD_COUNT; null = Discord's recommendation, unless processes are already running
 * @param recommended by Discord
 * @throws ConfigError if processes with another number are running; StoreError
 */
export async function decideShardCount(store: Store, wanted: number | null, recommended: number): Promise<number> {
  for (;;) {
    const before = await store.get(COUNT);
    const decided = typeof before === 'number' ? before : null;
    const areOthersRunning = (await store.list('process:')).length > 0;
    if (decided !== null && areOthersRunning) {
      if (wanted === null || wanted === decided) return decided;
      throw differingShardCount(decided, wanted);
    }
    const count = wanted ?? recommended;
    // If another process was faster, its number counts.
    if (await store.compareAndSet(COUNT, before, count)) return count;
  }
}

/** In random order. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

export function differingShardCount(decided: number, wanted: number): ConfigError {
  return new ConfigError(
    `SHARD_COUNT: the processes that run already have ${decided} shards, and this one was given ${wanted}. Stop all of them first, or set ${decided}.`,
  );
}
