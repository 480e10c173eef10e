// The whole bot, for its operators: what its processes have written to the store.
import type { Log } from '../log.ts';
import { readAs, type Store } from '../store/index.ts';
import { holderShape, SHARD, TAKEOVER } from './leases.ts';
import type { ProcessFacts } from './live-processes.ts';
import type { Leases } from './types.ts';

export interface WholeBot {
  shardCount: number;
  processes: BotProcess[];
  /** Shards that no process has. */
  free: number[];
  /** Shards that one process is handing off to another. */
  handoffs: number[];
}

export interface BotProcess extends Omit<ProcessFacts, 'settings' | 'commands' | 'cache'> {
  /** Whether it is the process that describes the bot. */
  isOwn: boolean;
  /** Ids in ascending order. */
  shards: number[];
  /** Whether it is about to end. */
  isLeaving: boolean;
}

/** @throws StoreError */
export async function describeWholeBot(
  store: Store,
  { leases, shardCount, log }: { leases: Pick<Leases, 'id' | 'processes'>; shardCount: number; log: Log },
): Promise<WholeBot> {
  const [live, holders, takeovers] = await Promise.all([leases.processes(), store.list(SHARD), store.list(TAKEOVER)]);
  // What a process says about its shards may be a few seconds old; the leases are current.
  const shardsOf = new Map<string, number[]>(live.map(({ id }) => [id, []]));
  for (const [key, value] of holders) {
    const holder = readAs(holderShape, value, log, 'shard lease');
    if (holder) shardsOf.get(holder.process)?.push(Number(key.slice(SHARD.length)));
  }
  const held = new Set([...shardsOf.values()].flat());
  return {
    shardCount,
    processes: live.map((one) => ({
      ...one.facts,
      isOwn: one.id === leases.id,
      shards: inOrder(shardsOf.get(one.id) ?? []),
      isLeaving: one.isLeaving,
    })),
    free: Array.from({ length: shardCount }, (_, shardId) => shardId).filter((shardId) => !held.has(shardId)),
    handoffs: inOrder(takeovers.map(([key]) => Number(key.slice(TAKEOVER.length)))),
  };
}

const inOrder = (shards: number[]) => shards.sort((a, b) => a - b);
