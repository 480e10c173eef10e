// Which processes of the bot are running: each has an entry in the store that expires soon after the process ends.
import { z } from 'zod';
import type { Log } from '../log.ts';
import { readAs, type Store } from '../store/index.ts';

// What the processes of a bot tell each other about themselves, every few seconds.

/** Fields that a process of an earlier version doesn't send have defaults. */
export const processFacts = z.object({
  /** The name of its machine or container. Each line of its log has it, and the pid. */
  host: z.string().default('?'),
  pid: z.number().default(0),
  /** Milliseconds since 1970. */
  startedAt: z.number().default(0),
  /** The number of its guilds, and of those it is speaking in. */
  guilds: z.number().default(0),
  speaking: z.number().default(0),
  /** Identifies the outage of the voice service that this process has found itself; null = none. */
  outage: z.string().nullable().default(null),
  /** Settings that apply to the whole bot; null = not set. */
  settings: z.record(z.string(), z.number().nullable()).default({}),
  /** Identifies the commands that it offers. */
  commands: z.string().default(''),
  /** Id of its cache of sound; null = not known yet. */
  cache: z.string().nullable().default(null),
});

export type ProcessFacts = z.infer<typeof processFacts>;

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
 * @param expiresInMs time after which a silent process counts as gone
 * @param isSettled whether the store has worked for long enough that every running process has sent a heartbeat
 */
export function createLiveProcesses(
  store: Store,
  { id, log, expiresInMs, isSettled }: { id: string; log: Log; expiresInMs: number; isSettled(): boolean },
): LiveProcesses {
  let live: LiveProcess[] = [];
  return {
    publishHeartbeat: (own) => store.set(PROCESS + id, { ...own, facts: { ...own.facts } }, { expiresInMs }),
    async list() {
      const entries = await store.list(PROCESS);
      const heardFrom = entries.flatMap(([key, value]) => {
        const read = readAs(heartbeat, value, log, 'heartbeat');
        return read ? [{ id: key.slice(PROCESS.length), ...read }] : [];
      });
      const ids = new Set(heardFrom.map((one) => one.id));
      // During an outage of the store, all entries expired. The first process to come back must not take the others for dead.
      live = isSettled() ? heardFrom : [...heardFrom, ...live.filter((one) => !ids.has(one.id))];
      return live;
    },
    leave: () => store.delete(PROCESS + id).catch(() => {}),
  };
}

// Who should have how many shards.

type Share = Pick<LiveProcess, 'isLeaving' | 'most' | 'shards'>;

/** How many shards a process that takes `maxShards` at most should have, going by all that stay, itself included. */
export function wantedShards(live: readonly Share[], shardCount: number, maxShards: number | null): number {
  const staying = live.filter((one) => !one.isLeaving);
  const even = evenShare(
    shardCount,
    staying.map((one) => one.most ?? shardCount),
  );
  return Math.min(maxShards ?? shardCount, even);
}

/** How many of its shards a process should offer: half of what it has more than the other that has fewest and could take one. */
export function surplusOf(heldCount: number, others: readonly Share[], shardCount: number): number {
  const takers = others.filter((one) => !one.isLeaving && one.shards.length < (one.most ?? shardCount));
  const fewest = Math.min(...takers.map(({ shards }) => shards.length));
  return Math.max(0, Math.floor((heldCount - fewest) / 2));
}

/**
 * How many shards a process may take for all to be taken, and none to have two more than another that could take one.
 * @param maxShards the most that each process takes
 */
function evenShare(shardCount: number, maxShards: readonly number[]): number {
  let left = shardCount;
  for (const [index, most] of maxShards.toSorted((a, b) => a - b).entries()) {
    const even = Math.ceil(left / (maxShards.length - index));
    if (most >= even) return even;
    left -= most;
  }
  return shardCount;
}

// Settings that members and operators see in numbers, and that must therefore be the same in all processes: the process started last
// decides.

/**
 * @param own the settings of this process; null = not set @param apply is called with those in effect
 * @returns a function to call with all live processes; it logs each difference once
 */
export function followSettings<T extends Record<string, number | null>>(
  own: T,
  log: Log,
  apply: (settings: T) => void,
): (live: readonly LiveProcess[], ownId: string) => void {
  const told = new Set<string>();

  function tellDifferences(other: LiveProcess): void {
    const { host, settings } = other.facts;
    const differing = Object.keys(own).filter((name) => settings[name] !== undefined && settings[name] !== own[name]);
    if (differing.length === 0 || told.has(other.id)) return;
    told.add(other.id);
    log.warn(
      { host, settings: Object.fromEntries(differing.map((name) => [name, { here: own[name], there: settings[name] }])) },
      `${differing.join(', ')}: another process was given other values; those of the one started last count for all`,
    );
  }

  return (live, ownId) => {
    for (const one of live) if (one.id !== ownId) tellDifferences(one);
    const [last] = live.map(({ facts }) => facts).sort((a, b) => b.startedAt - a.startedAt);
    apply({ ...own, ...last?.settings });
  };
}
