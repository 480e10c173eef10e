// Which processes of the bot run: each has an entry in the store that ends soon after the process does.
import type { Store } from '../store/index.ts';
import type { ProcessFacts } from './process-facts.ts';

/** What a process tells the others, every few seconds. */
interface Told {
  shardCount: number;
  shards: number[];
  /** The most shards that it takes; null = its even share. */
  most: number | null;
  /** About to end. */
  isLeaving: boolean;
  /** Shards that are to be taken over. */
  offers: number[];
  facts: ProcessFacts;
}

/** A process as others see it. */
export interface LiveProcess extends Told {
  id: string;
}

export interface LiveProcesses {
  /** Tells the others about this process. @throws StoreError */
  announce(told: Told): Promise<void>;
  /** All that run, this one included. @throws StoreError */
  list(): Promise<LiveProcess[]>;
  /** This process ends. Never rejects. */
  leave(): Promise<void>;
}

const PROCESS = 'process:';

/**
 * @param expiresInMs after which a process that says nothing counts as gone
 * @param isSteady whether the store has worked for so long that whoever runs has been able to say so
 */
export function createLiveProcesses(
  store: Store,
  { id, expiresInMs, isSteady }: { id: string; expiresInMs: number; isSteady(): boolean },
): LiveProcesses {
  let known: LiveProcess[] = [];
  return {
    announce: (told) => store.set(PROCESS + id, { ...told, facts: { ...told.facts } }, { expiresInMs }),
    async list() {
      const entries = await store.list(PROCESS);
      const found = entries.map(([key, value]) => ({ id: key.slice(PROCESS.length), ...(value as unknown as Told) }));
      const ids = new Set(found.map((one) => one.id));
      // While the store was gone, the entries of all of them ended. Whoever is the first to be back must not take the others for dead.
      known = isSteady() ? found : [...found, ...known.filter((one) => !ids.has(one.id))];
      return known;
    },
    leave: () => store.delete(PROCESS + id).catch(() => {}),
  };
}

/** How many shards a process may take, so that all are taken and none has two more than another that could take one. */
export function evenShare(shardCount: number, mosts: readonly number[]): number {
  let left = shardCount;
  for (const [index, most] of mosts.toSorted((a, b) => a - b).entries()) {
    const even = Math.ceil(left / (mosts.length - index));
    if (most >= even) return even;
    left -= most;
  }
  return shardCount;
}
