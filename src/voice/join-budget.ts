// How often voice may be joined. Every join and every leave takes one of the main gateway's sends, which all guilds of a shard
// share, and the voice library alone joins again at once whenever it is thrown out.
import type { Guild } from 'discord.js';

/** Pauses in ms before the joins of a guild in a minute, over which a voice server may start again; there are no more of them. */
const PAUSES_MS = [0, 0, 1000, 4000, 10_000];
const WINDOW_MS = 60_000;
/**
 * Discord takes 120 sends a minute from a shard, and @discordjs/ws keeps back what goes beyond 114 until the minute is over. Who joins
 * again after trouble has a small share of them, so that a voice server that died under many guilds holds up none of the others.
 */
const FIRST_JOINS = 80;
const JOINS_AGAIN = 30;

type Place = Pick<Guild, 'id' | 'shardId'>;

export interface JoinBudget {
  /** Takes one join: says how many ms to wait before it, or null when the guild's joins of a minute are used up. */
  take(guild: Place): number | null;
  /** A leave was sent. It does not wait, but joins do on its account. */
  noteLeave(guild: Place): void;
  /** The guild's joins so far went well and ended as members wished. */
  forget(guildId: string): void;
}

/** @param now in ms, of any beginning */
export function createJoinBudget(pausesMs: readonly number[] = PAUSES_MS, now = () => performance.now()): JoinBudget {
  const joins = new Map<string, number[]>();
  /** Leaves are in both lists. */
  const shards = new Map<number, { first: number[]; again: number[] }>();

  function listsOf({ shardId }: Place) {
    const lists = shards.get(shardId) ?? { first: [], again: [] };
    shards.set(shardId, lists);
    return lists;
  }

  /** Keeps them in order, and none that is older than a minute. */
  function note(sends: number[], at: number): void {
    const since = now() - WINDOW_MS;
    sends.splice(0, sends.findLastIndex((sent) => sent < since) + 1);
    sends.splice(sends.findLastIndex((sent) => sent <= at) + 1, 0, at);
  }

  return {
    take(guild) {
      const time = now();
      const recent = (joins.get(guild.id) ?? []).filter((at) => at > time - WINDOW_MS);
      const pause = pausesMs[recent.length];
      if (pause === undefined) return null;
      const { first, again } = listsOf(guild);
      const [sends, most] = recent.length === 0 ? [first, FIRST_JOINS] : [again, JOINS_AGAIN];
      // A minute after the last but so many: then no minute holds more.
      const at = Math.max(time + pause, (sends.at(-most) ?? Number.NEGATIVE_INFINITY) + WINDOW_MS);
      note(sends, at);
      joins.set(guild.id, [...recent, at]);
      return at - time;
    },
    noteLeave(guild) {
      const { first, again } = listsOf(guild);
      note(first, now());
      note(again, now());
    },
    forget: (guildId) => void joins.delete(guildId),
  };
}
