// How often an application may identify. https://docs.discord.com/developers/events/gateway#session-start-limit-object

/** Shards with the same number modulo `max_concurrency` wait this long for one another. */
const TURN_MS = 5_000;
const DAY_MS = 24 * 60 * 60_000;

export interface IdentifyLimitOptions {
  /** Shards that may identify within five seconds; 1 by default. */
  maxConcurrency?: number;
  /** 1000 by default. */
  perDay?: number;
  /** Guilds that a shard may have; 2,500 by default, and always enforced. */
  guildsPerShard?: number;
  /** How long its day is, in milliseconds; 24 hours by default. */
  dayMs?: number;
  /** By default everything is counted and reported, but nothing refused: a test that restarts a bot need not wait. */
  isEnforced?: boolean;
}

/** `too soon`: refused, and not counted; `used up`: the day has no more. */
export type Turn = 'granted' | 'too soon' | 'used up';

export interface IdentifyLimits {
  /** As `GET /gateway/bot` reports it. */
  describe(): { total: number; remaining: number; reset_after: number; max_concurrency: number };
  /** Counts an Identify of this shard. */
  take(shardId: number): Turn;
}

export function createIdentifyLimits({
  maxConcurrency = 1,
  perDay = 1000,
  dayMs = DAY_MS,
  isEnforced = false,
}: IdentifyLimitOptions): IdentifyLimits {
  /** When each turn was last taken: `performance.now()`. */
  const turns = new Map<number, number>();
  let used = 0;
  /** When the day of the count began: `performance.now()`. */
  let since = performance.now();

  function startDay(): void {
    if (performance.now() - since < dayMs) return;
    since = performance.now();
    used = 0;
  }

  return {
    describe() {
      startDay();
      const resetAfter = Math.round(since + dayMs - performance.now());
      return { total: perDay, remaining: Math.max(0, perDay - used), reset_after: resetAfter, max_concurrency: maxConcurrency };
    },
    take(shardId) {
      startDay();
      const turn = shardId % maxConcurrency;
      const now = performance.now();
      if (isEnforced && now - (turns.get(turn) ?? -TURN_MS) < TURN_MS) return 'too soon';
      turns.set(turn, now);
      used++;
      return isEnforced && used > perDay ? 'used up' : 'granted';
    },
  };
}
