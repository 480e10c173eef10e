// Which process prepares to take over which shard, so that only one of them opens a session beside the one that has it.
import type { Store } from '../store/index.ts';

export interface Takeover {
  process: string;
  /** Whether its session is open. */
  isReady: boolean;
}

interface TakeoverClaims {
  /** @returns false if another process is already preparing @throws StoreError */
  claim(shardId: number): Promise<boolean>;
  /** To be called regularly: a claim that isn't renewed expires, and another process may take over. @throws StoreError */
  renew(shardId: number, isReady: boolean): Promise<void>;
  /** Never rejects. */
  release(shardId: number): Promise<void>;
  /** By shard. @throws StoreError */
  list(): Promise<Map<number, Takeover>>;
  /** Whether this process has an open session of the shard. @throws StoreError */
  isReady(shardId: number, processId: string): Promise<boolean>;
}

export const TAKEOVER = 'shard-successor:';

/** @param id of this process @param readyMs how long a process that has died still counts as ready */
export function createTakeoverClaims(store: Store, id: string, { leaseMs, readyMs }: { leaseMs: number; readyMs: number }): TakeoverClaims {
  const own = (isReady: boolean) => ({ process: id, isReady });
  return {
    claim: (shardId) => store.compareAndSet(TAKEOVER + shardId, null, own(false), { expiresInMs: leaseMs }),
    renew: (shardId, isReady) => store.set(TAKEOVER + shardId, own(isReady), { expiresInMs: isReady ? readyMs : leaseMs }),
    async release(shardId) {
      for (const isReady of [false, true]) await store.compareAndSet(TAKEOVER + shardId, own(isReady), null).catch(() => {});
    },
    async list() {
      const all = (await store.list(TAKEOVER)) as unknown as [string, Takeover][];
      return new Map(all.map(([key, takeover]) => [Number(key.slice(TAKEOVER.length)), takeover]));
    },
    async isReady(shardId, processId) {
      const takeover = (await store.get(TAKEOVER + shardId)) as Takeover | null;
      return takeover?.process === processId && takeover.isReady;
    },
  };
}
