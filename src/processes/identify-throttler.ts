// Discord lets a bot, no matter with how many processes, open `max_concurrency` sessions in five seconds, and a limited number a day.
// https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewaySessionStartLimit, IIdentifyThrottler } from 'discord.js';
import { z } from 'zod';
import { createFailureLog, type Log } from '../log.ts';
import { readAs, type Store } from '../store/index.ts';

/** Discord's five seconds, and a margin for the way there. */
const TURN_MS = 5_500;
/** A turn that isn't used within so many milliseconds has to be taken again: soon after that, another shard's turn may begin. */
const USE_WITHIN_MS = 2_000;
const POLL_INTERVAL_MS = 250;

/** @param maxConcurrency of GET /gateway/bot; shards with the same remainder share turns */
export function createIdentifyThrottler(
  store: Store,
  { maxConcurrency, limit, log }: { maxConcurrency: number; limit: SessionLimit; log: Log },
): IIdentifyThrottler {
  const failures = createFailureLog(log, 'a shard cannot take its turn to identify; trying again until it can');

  /** @returns 0 if the shard may identify now; otherwise the milliseconds until it may try again */
  async function tryAcquire(shardId: number): Promise<number> {
    // The turn ends by itself: Discord counts attempts, whether they succeed or not.
    if (!(await store.compareAndSet(`identify:${shardId % maxConcurrency}`, null, shardId, { expiresInMs: TURN_MS })))
      return POLL_INTERVAL_MS;
    const since = performance.now();
    const pause = await limit.pauseFor(shardId);
    if (pause > 0) return pause;
    const isInTime = performance.now() - since < USE_WITHIN_MS;
    return isInTime && (await limit.tryCount(shardId)) ? 0 : POLL_INTERVAL_MS;
  }

  return {
    async waitForIdentify(shardId, signal) {
      // Rejects only if it is aborted: after any other error, discord.js would identify without a turn.
      for (let pause = 1; pause > 0; ) {
        try {
          pause = await tryAcquire(shardId);
          failures.succeeded();
        } catch (error) {
          failures.failed(error);
          pause = POLL_INTERVAL_MS;
        }
        if (pause > 0) await sleep(pause, undefined, { signal });
      }
      signal.throwIfAborted();
    },
  };
}

// Counts, for all processes, how many sessions Discord still lets the bot open today: an IDENTIFY beyond that resets the token. Shards that
// open sessions again and again are slowed down before that happens.
// https://docs.discord.com/developers/events/gateway#session-start-limit-object

const LIMIT = 'session-limit';
/** Exists until Discord has to be asked again. */
const IS_FRESH = 'session-limit-fresh';
const FRESH_MS = 60_000;
/** Exists while few sessions are left; the process that sets it logs the warning. */
const IS_LOW = 'sessions-few';
/** Followed by the id of a shard; its value is a `streakShape`. */
const STREAK = 'session-row:';
/** Sessions of a shard less than this apart, in milliseconds, form a streak. */
const STREAK_MS = 10 * 60_000;
/** Streaks up to this length are normal, because deploys hand off shards. */
const MAX_STREAK = 10;
/** The first pause after such a streak, in milliseconds; each further one is twice as long. */
const PAUSE_MS = 60_000;
/** Milliseconds after which Discord is asked again, because its number may have been corrected. */
const MAX_WAIT_MS = 10 * 60_000;
/** Times that differ by less than so many milliseconds count as the same. */
const MAX_DIFFERENCE_MS = 10_000;

/** Times in milliseconds since 1970. */
const limitShape = z.object({ total: z.number(), left: z.number(), resetsAt: z.number() });
/** How many sessions of a shard were opened in a row, and until when the next one waits. */
const streakShape = z.object({ length: z.number(), until: z.number() });

export type SessionsLeft = z.infer<typeof limitShape>;

export interface SessionLimit {
  /** Milliseconds that a shard has to wait before it may open a session. @throws StoreError; what Discord refuses with */
  pauseFor(shardId: number): Promise<number>;
  /** Milliseconds for which no shard may open a session, according to Discord. @throws as above */
  pauseForAll(): Promise<number>;
  /** Counts a session that is about to be opened. @returns false if none is left after all @throws StoreError */
  tryCount(shardId: number): Promise<boolean>;
  /** Whether so few sessions are left that shards should stay where they are. @throws StoreError */
  isLow(): Promise<boolean>;
}

/** @param ask Discord, with GET /gateway/bot @param onFew called once a day, in one of the processes */
export function createSessionLimit(options: {
  store: Store;
  log: Log;
  shardCount: number;
  ask(): Promise<APIGatewaySessionStartLimit>;
  onLow(sessions: SessionsLeft): void;
}): SessionLimit {
  const { store, log, shardCount, ask, onLow } = options;
  /** Until when each shard (null = all) waits, according to the last warning. */
  const warnedUntil = new Map<number | null, number>();

  /** Warns once for each point in time that is waited for; Discord's own times differ by milliseconds. */
  function warnOnce(shardId: number | null, until: number, sentence: string): void {
    if (Math.abs(until - (warnedUntil.get(shardId) ?? 0)) < MAX_DIFFERENCE_MS) return;
    warnedUntil.set(shardId, until);
    log.warn({ ...(shardId !== null && { shard: shardId }), until: new Date(until).toISOString() }, sentence);
  }

  const isLowLimit = ({ total, left }: SessionsLeft) => left < Math.max(total / 10, shardCount);

  async function refresh(): Promise<SessionsLeft> {
    const {
      total,
      remaining,
      reset_after: resetAfter,
      max_concurrency: atOnce,
    } = await ask().catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'Discord could not be asked how many sessions are left');
      throw error;
    });
    // Discord may not have counted the sessions that others are opening at this moment.
    const limit = { total, left: Math.max(0, remaining - atOnce), resetsAt: Date.now() + resetAfter };
    await store.set(LIMIT, limit, { expiresInMs: Math.max(1, resetAfter) });
    if (isLowLimit(limit) && (await store.compareAndSet(IS_LOW, null, true, { expiresInMs: Math.max(1, resetAfter) }))) {
      log.warn(
        { left: limit.left, total, until: new Date(limit.resetsAt).toISOString() },
        'Discord lets this bot open only a few sessions until then: something has started it again and again. Shards stay where they are.',
      );
      onLow(limit);
    }
    return limit;
  }

  async function read(): Promise<SessionsLeft> {
    const limit = readAs(limitShape, await store.get(LIMIT), log, LIMIT);
    const isMyTurn = await store.compareAndSet(IS_FRESH, null, true, { expiresInMs: FRESH_MS });
    if (limit === null) return refresh();
    if (!isMyTurn) return limit;
    const refreshed = refresh().catch(() => limit);
    // While plenty are left, nobody waits for Discord's answer.
    return isLowLimit(limit) ? refreshed : limit;
  }

  function pauseWithout({ left, resetsAt }: SessionsLeft): number {
    if (left > 0) return 0;
    warnOnce(null, resetsAt, 'Discord lets this bot open no more sessions until then: waiting. Another one would make it reset the token.');
    return Math.min(Math.max(resetsAt - Date.now(), 1), MAX_WAIT_MS);
  }

  return {
    async pauseFor(shardId) {
      const pause = pauseWithout(await read());
      if (pause > 0) return pause;
      const streak = readAs(streakShape, await store.get(STREAK + shardId), log, 'session streak');
      if (streak === null || streak.until <= Date.now()) return 0;
      warnOnce(shardId, streak.until, 'shard is reconnecting too often; delaying its next session');
      return streak.until - Date.now();
    },
    pauseForAll: async () => pauseWithout(await refresh()),
    async tryCount(shardId) {
      for (;;) {
        const stored = await store.get(LIMIT);
        const before = readAs(limitShape, stored, log, LIMIT);
        if (before === null || before.left <= 0) return false;
        const after = { ...before, left: before.left - 1 };
        if (!(await store.compareAndSet(LIMIT, stored, after, { expiresInMs: Math.max(1, before.resetsAt - Date.now()) }))) continue;
        await recordIdentify(shardId, after);
        return true;
      }
    },
    isLow: async () => (await store.get(IS_LOW)) !== null,
  };

  /** @throws StoreError */
  async function recordIdentify(shardId: number, { total, left, resetsAt }: SessionsLeft): Promise<void> {
    const length = readAs(streakShape, await store.get(STREAK + shardId), log, 'session streak')?.length ?? 0;
    const excess = length + 1 - Math.max(1, Math.min(MAX_STREAK, Math.floor(total / shardCount / 4)));
    const now = Date.now();
    // No slower than necessary for the remaining sessions to last the day, even if all shards did the same.
    const sustainable = ((resetsAt - now) * shardCount) / Math.max(1, left);
    const pause = excess < 0 ? 0 : Math.max(0, Math.min(PAUSE_MS * 2 ** excess, sustainable));
    await store.set(STREAK + shardId, { length: length + 1, until: now + pause }, { expiresInMs: STREAK_MS + 2 * pause });
  }
}
