// Limits how often voice channels are joined. Every join and leave is a message on the main gateway, whose rate limit all guilds
// of a shard share, and @discordjs/voice rejoins immediately each time it is disconnected.
import type { Guild } from 'discord.js';

/** Delay in ms before each of a guild's joins within a minute, long enough in all for a voice server to restart. There are no more joins than these. */
const JOIN_DELAYS_MS = [0, 0, 1000, 4000, 10_000];
const WINDOW_MS = 60_000;
/**
 * Discord accepts 120 messages a minute from a shard, and @discordjs/ws holds back everything beyond 114 until the minute is over. Rejoins
 * get a small share of them, so that a voice server failing under many guilds does not delay the others.
 */
const FIRST_JOINS = 80;
const REJOINS = 30;

type ShardGuild = Pick<Guild, 'id' | 'shardId'>;

export interface JoinRateLimit {
  /** Reserves one join. Returns the milliseconds to wait before it, or null if the guild has used up its joins for this minute. */
  reserveJoin(guild: ShardGuild): number | null;
  /** Call when a leave is sent: it is not delayed itself, but counts towards later joins. */
  recordLeave(guild: ShardGuild): void;
  /** Forgets a guild's joins, once they went well and ended as members wished. */
  forget(guildId: string): void;
}

/** @param now monotonic clock in ms */
export function createJoinRateLimit(delaysMs: readonly number[] = JOIN_DELAYS_MS, now = () => performance.now()): JoinRateLimit {
  const joins = new Map<string, number[]>();
  /** When messages were or will be sent, by shard. Leaves are in both lists. */
  const shards = new Map<number, { first: number[]; again: number[] }>();

  function listsOf({ shardId }: ShardGuild) {
    const lists = shards.get(shardId) ?? { first: [], again: [] };
    shards.set(shardId, lists);
    return lists;
  }

  /** Inserts in order of time, and drops what is older than the window. */
  function record(sends: number[], at: number): void {
    const since = now() - WINDOW_MS;
    sends.splice(0, sends.findLastIndex((sent) => sent < since) + 1);
    sends.splice(sends.findLastIndex((sent) => sent <= at) + 1, 0, at);
  }

  return {
    reserveJoin(guild) {
      const time = now();
      const recent = (joins.get(guild.id) ?? []).filter((at) => at > time - WINDOW_MS);
      const delay = delaysMs[recent.length];
      if (delay === undefined) return null;
      const { first, again } = listsOf(guild);
      const [sends, limit] = recent.length === 0 ? [first, FIRST_JOINS] : [again, REJOINS];
      // A minute after the send that is `limit` places back: then no minute holds more than the limit.
      const wait = Math.max(delay, (sends.at(-limit) ?? Number.NEGATIVE_INFINITY) + WINDOW_MS - time);
      record(sends, time + wait);
      joins.set(guild.id, [...recent, time + wait]);
      return wait;
    },
    recordLeave(guild) {
      const { first, again } = listsOf(guild);
      record(first, now());
      record(again, now());
    },
    forget: (guildId) => void joins.delete(guildId),
  };
}
