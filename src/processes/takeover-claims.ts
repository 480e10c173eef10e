// Which process prepares to take over which shard, so that only one of them opens a session beside the one that has it.
import { z } from 'zod';
import type { Log } from '../log.ts';
import { readAs, type Store, type Value } from '../store/index.ts';

const takeover = z.object({
  process: z.string(),
  /** Whether its session is open. */
  isReady: z.boolean(),
});

export type Takeover = z.infer<typeof takeover>;

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
export function createTakeoverClaims(
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
