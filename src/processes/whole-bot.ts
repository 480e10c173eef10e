// The whole bot, as its processes have told the store: for whoever runs it.
import type { Store } from '../store/index.ts';
import { SHARD } from './leases.ts';
import { factsOf, type ProcessFacts } from './process-facts.ts';
import { SUCCESSOR } from './successions.ts';
import type { Leases } from './types.ts';

export interface WholeBot {
  shardCount: number;
  processes: BotProcess[];
  /** Shards that no process has. */
  free: number[];
  /** Shards that a process prepares to take over from another. */
  moving: number[];
}

export interface BotProcess extends Omit<ProcessFacts, 'settings' | 'commands' | 'cache'> {
  /** It is the one that tells. */
  isOwn: boolean;
  /** In order. */
  shards: number[];
  /** About to end. */
  isLeaving: boolean;
}

/** @throws StoreError */
export async function describeWholeBot(store: Store, leases: Pick<Leases, 'id' | 'processes'>, shardCount: number): Promise<WholeBot> {
  const [live, holders, successors] = await Promise.all([leases.processes(), store.list(SHARD), store.list(SUCCESSOR)]);
  // What a process says about its shards may be a few seconds old; the leases are as they are.
  const shardsOf = new Map<string, number[]>(live.map(({ id }) => [id, []]));
  for (const [key, value] of holders) shardsOf.get((value as { process: string }).process)?.push(Number(key.slice(SHARD.length)));
  const held = new Set([...shardsOf.values()].flat());
  return {
    shardCount,
    processes: live.map((one) => ({
      ...factsOf(one),
      isOwn: one.id === leases.id,
      shards: inOrder(shardsOf.get(one.id) ?? []),
      isLeaving: one.isLeaving,
    })),
    free: Array.from({ length: shardCount }, (_, shardId) => shardId).filter((shardId) => !held.has(shardId)),
    moving: inOrder(successors.map(([key]) => Number(key.slice(SUCCESSOR.length)))),
  };
}

const inOrder = (shards: number[]) => shards.sort((a, b) => a - b);
