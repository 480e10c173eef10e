// What leases on shards are for, and what they need.
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import type { LiveProcess } from './live-processes.ts';
import type { ProcessFacts } from './process-facts.ts';

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
