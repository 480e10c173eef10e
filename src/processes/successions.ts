// Which process prepares to take which shard over from another one, so that only one of them opens a session beside the first.
import type { Store } from '../store/index.ts';

export interface Successor {
  process: string;
  /** Its session is open. */
  isReady: boolean;
}

interface Successions {
  /** @returns false if another process prepares already @throws StoreError */
  begin(shardId: number): Promise<boolean>;
  /** To be called again and again, or another process may begin. @throws StoreError */
  goOn(shardId: number, isReady: boolean): Promise<void>;
  /** Never rejects. */
  end(shardId: number): Promise<void>;
  /** By shard. @throws StoreError */
  list(): Promise<Map<number, Successor>>;
  /** Whether this process has an open session of the shard. @throws StoreError */
  isReady(shardId: number, process: string): Promise<boolean>;
}

export const SUCCESSOR = 'shard-successor:';

/** @param id of this process @param readyMs how long nobody notices that a process has died that was ready */
export function createSuccessions(store: Store, id: string, { leaseMs, readyMs }: { leaseMs: number; readyMs: number }): Successions {
  const own = (isReady: boolean) => ({ process: id, isReady });
  return {
    begin: (shardId) => store.replace(SUCCESSOR + shardId, null, own(false), { expiresInMs: leaseMs }),
    goOn: (shardId, isReady) => store.set(SUCCESSOR + shardId, own(isReady), { expiresInMs: isReady ? readyMs : leaseMs }),
    async end(shardId) {
      for (const isReady of [false, true]) await store.replace(SUCCESSOR + shardId, own(isReady), null).catch(() => {});
    },
    async list() {
      const all = (await store.list(SUCCESSOR)) as unknown as [string, Successor][];
      return new Map(all.map(([key, successor]) => [Number(key.slice(SUCCESSOR.length)), successor]));
    },
    async isReady(shardId, process) {
      const successor = (await store.get(SUCCESSOR + shardId)) as Successor | null;
      return successor?.process === process && successor.isReady;
    },
  };
}
