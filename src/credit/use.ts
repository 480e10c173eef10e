// What was used, in numbers: by server and day, for 31 days. Nothing in it says who used it, or for what.
import { setImmediate } from 'node:timers/promises';
import type { Store } from '../store/index.ts';
import type { SpendingKind } from './types.ts';

/** What was spoken and transcribed. */
export interface Use {
  characters: number;
  seconds: number;
  /** Times that something was spoken or transcribed. */
  times: number;
}

export interface UseCounter {
  /** Counts something that was used just now. */
  add(guildId: string | null, kind: SpendingKind, amount: number): Promise<void>;
  /** Of one server (null = outside of servers) over the last so many days, today being the first of them. */
  of(guildId: string | null, days: number): Promise<Use>;
  /** Of all servers, by their ids. */
  byGuild(days: number): Promise<Map<string | null, Use>>;
}

const DAY_MS = 24 * 3600_000;
/** Days that a number of use is kept for. */
export const USE_DAYS = 31;
const KEPT_MS = USE_DAYS * DAY_MS;
/** In place of a server's id. */
const OUTSIDE = '-';

/** Days come first, so that one is read without the others. @param day since 1970 */
export function useKey(day: number, guildId: string | null): string {
  return `use:${day}:${guildId ?? OUTSIDE}`;
}

/** Everything rejects with StoreError. @param now milliseconds since 1970; days are those of UTC */
export function createUseCounter(store: Store, now: () => number = Date.now): UseCounter {
  const today = () => Math.floor(now() / DAY_MS);
  const prefixOf = (day: number, guildId: string | null) => `${useKey(day, guildId)}:`;
  const daysBack = (count: number) => Array.from({ length: count }, (_, index) => today() - index);

  function sum(into: Use, entries: [key: string, value: unknown][]): void {
    for (const [key, value] of entries) {
      const field = key.split(':').at(-1) as keyof Use;
      if (field in into) into[field] += Number(value);
    }
  }

  return {
    async add(guildId, kind, amount) {
      const prefix = prefixOf(today(), guildId);
      const options = { expiresInMs: KEPT_MS };
      await store.increment(`${prefix}${kind === 'speech' ? 'characters' : 'seconds'}`, Math.ceil(amount), options);
      await store.increment(`${prefix}times`, 1, options);
    },
    async of(guildId, days) {
      const use = nothing();
      for (const day of daysBack(days)) sum(use, await store.list(prefixOf(day, guildId)));
      return use;
    },
    async byGuild(days) {
      const guilds = new Map<string | null, Use>();
      for (const day of daysBack(days)) {
        for (const entry of await store.list(`use:${day}:`)) {
          const id = entry[0].split(':')[2] ?? OUTSIDE;
          const guildId = id === OUTSIDE ? null : id;
          const use = guilds.get(guildId) ?? nothing();
          guilds.set(guildId, use);
          sum(use, [entry]);
        }
        // Thousands of servers must not hold up the sound that is played meanwhile.
        await setImmediate();
      }
      return guilds;
    },
  };
}

function nothing(): Use {
  return { characters: 0, seconds: 0, times: 0 };
}
