// Which processes of the bot run: each has an entry in the store that ends soon after the process does.
import { z } from 'zod';
import type { Log } from '../log.ts';
import { readAs, type Store } from '../store/index.ts';
import { processFacts } from './process-facts.ts';

/** What a process says about itself, every few seconds. */
const heartbeat = z.object({
  shardCount: z.number(),
  shards: z.array(z.number()),
  /** The most shards that it takes; null = its even share. */
  most: z.number().nullable(),
  /** Whether it is about to end. */
  isLeaving: z.boolean(),
  /** Shards that other processes may take over. */
  offers: z.array(z.number()),
  facts: processFacts,
});

type Heartbeat = z.infer<typeof heartbeat>;

/** A process as others see it. */
export interface LiveProcess extends Heartbeat {
  id: string;
}

export interface LiveProcesses {
  /** @throws StoreError */
  publishHeartbeat(own: Heartbeat): Promise<void>;
  /** All that run, this one included. @throws StoreError */
  list(): Promise<LiveProcess[]>;
  /** Removes this process's entry, because it ends. Never rejects. */
  leave(): Promise<void>;
}

const PROCESS = 'process:';

/**
 * @param expiresInMs after which a process that says nothing counts as gone
 * @param isSettled whether the store has worked for so long that whoever runs has been able to say so
 */
export function createLiveProcesses(
  store: Store,
  { id, log, expiresInMs, isSettled }: { id: string; log: Log; expiresInMs: number; isSettled(): boolean },
): LiveProcesses {
  let known: LiveProcess[] = [];
  return {
    publishHeartbeat: (own) => store.set(PROCESS + id, { ...own, facts: { ...own.facts } }, { expiresInMs }),
    async list() {
      const entries = await store.list(PROCESS);
      const found = entries.flatMap(([key, value]) => {
        const read = readAs(heartbeat, value, log, 'heartbeat');
        return read ? [{ id: key.slice(PROCESS.length), ...read }] : [];
      });
      const ids = new Set(found.map((one) => one.id));
      // While the store was gone, the entries of all of them ended. Whoever is the first to be back must not take the others for dead.
      known = isSettled() ? found : [...found, ...known.filter((one) => !ids.has(one.id))];
      return known;
    },
    leave: () => store.delete(PROCESS + id).catch(() => {}),
  };
}

/**
 * How many shards a process may take, so that all are taken and none has two more than another that could take one.
 * @param maxShards the most that each process takes
 */
export function evenShare(shardCount: number, maxShards: readonly number[]): number {
  let left = shardCount;
  for (const [index, most] of maxShards.toSorted((a, b) => a - b).entries()) {
    const even = Math.ceil(left / (maxShards.length - index));
    if (most >= even) return even;
    left -= most;
  }
  return shardCount;
}
