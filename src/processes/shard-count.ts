// How many shards the whole bot has: decided once for all its processes, and changed only while none of them runs.
import { ConfigError } from '../config.ts';
import type { Store } from '../store/index.ts';

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
