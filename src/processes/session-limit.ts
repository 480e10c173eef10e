// How many sessions Discord still lets the bot open until its day ends, counted for all processes: an IDENTIFY beyond them resets the token.
// What opens sessions again and again is slowed down before. https://docs.discord.com/developers/events/gateway#session-start-limit-object
import type { APIGatewaySessionStartLimit } from 'discord.js';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';

const LIMIT = 'session-limit';
/** Exists for as long as nobody has to ask Discord again. */
const IS_FRESH = 'session-limit-fresh';
const FRESH_MS = 60_000;
/** Exists while few are left; whoever sets it says so. */
const ARE_FEW = 'sessions-few';
/** Followed by the id of a shard whose sessions were opened in a row. */
const ROW = 'session-row:';
/** Sessions of a shard less than this apart, in milliseconds, are in a row. */
const ROW_MS = 10 * 60_000;
/** So many in a row are nothing unusual: deploys move shards. */
const MAX_ROW = 10;
/** The first pause after them, in milliseconds; each further one is twice as long. */
const PAUSE_MS = 60_000;
/** Discord may correct its number: it is asked again after this long, in milliseconds. */
const MAX_WAIT_MS = 10 * 60_000;
/** Times that are less apart, in milliseconds, are the same. */
const MAX_DIFFERENCE_MS = 10_000;

/** Times in milliseconds since 1970. */
type Limit = { total: number; left: number; resetsAt: number };
type Row = { length: number; until: number };

export interface FewSessions {
  left: number;
  total: number;
  /** Milliseconds since 1970. */
  resetsAt: number;
}

export interface SessionLimit {
  /** For how long a shard has to wait before it may open a session, in milliseconds. @throws StoreError; what Discord refuses with */
  pauseFor(shardId: number): Promise<number>;
  /** For how long there are none left for any shard, in milliseconds; asks Discord. @throws as above */
  pauseForAll(): Promise<number>;
  /** Counts a session that is opened now. @returns false if none is left after all @throws StoreError */
  count(shardId: number): Promise<boolean>;
  /** So few are left that shards should stay where they are. @throws StoreError */
  areFew(): Promise<boolean>;
}

/** @param ask Discord, with GET /gateway/bot @param onFew called once a day, in one of the processes */
export function createSessionLimit(options: {
  store: Store;
  log: Log;
  shardCount: number;
  ask(): Promise<APIGatewaySessionStartLimit>;
  onFew(few: FewSessions): void;
}): SessionLimit {
  const { store, log, shardCount, ask, onFew } = options;
  /** Until when each shard (null = all) was said to wait. */
  const said = new Map<number | null, number>();

  /** Once for each time to wait for; Discord's differ by milliseconds. */
  function say(shardId: number | null, until: number, sentence: string): void {
    if (Math.abs(until - (said.get(shardId) ?? 0)) < MAX_DIFFERENCE_MS) return;
    said.set(shardId, until);
    log.warn({ ...(shardId !== null && { shard: shardId }), until: new Date(until).toISOString() }, sentence);
  }

  const areFewOf = ({ total, left }: Limit) => left < Math.max(total / 10, shardCount);

  async function refresh(): Promise<Limit> {
    const {
      total,
      remaining,
      reset_after: resetAfter,
      max_concurrency: atOnce,
    } = await ask().catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'Discord could not be asked how many sessions are left');
      throw error;
    });
    // Discord may not have counted yet what others are opening at this moment.
    const limit = { total, left: Math.max(0, remaining - atOnce), resetsAt: Date.now() + resetAfter };
    await store.set(LIMIT, limit, { expiresInMs: Math.max(1, resetAfter) });
    if (areFewOf(limit) && (await store.replace(ARE_FEW, null, true, { expiresInMs: Math.max(1, resetAfter) }))) {
      log.warn(
        { left: limit.left, total, until: new Date(limit.resetsAt).toISOString() },
        'Discord lets this bot open only a few sessions until then: something has started it again and again. Shards stay where they are.',
      );
      onFew(limit);
    }
    return limit;
  }

  async function read(): Promise<Limit> {
    const limit = (await store.get(LIMIT)) as Limit | null;
    const isMyTurn = await store.replace(IS_FRESH, null, true, { expiresInMs: FRESH_MS });
    if (limit === null) return refresh();
    if (!isMyTurn) return limit;
    const refreshed = refresh().catch(() => limit);
    // Nobody waits for Discord's answer while it hardly matters.
    return areFewOf(limit) ? refreshed : limit;
  }

  function pauseWithout({ left, resetsAt }: Limit): number {
    if (left > 0) return 0;
    say(null, resetsAt, 'Discord lets this bot open no more sessions until then: waiting. Another one would make it reset the token.');
    return Math.min(Math.max(resetsAt - Date.now(), 1), MAX_WAIT_MS);
  }

  return {
    async pauseFor(shardId) {
      const pause = pauseWithout(await read());
      if (pause > 0) return pause;
      const row = (await store.get(ROW + shardId)) as Row | null;
      if (row === null || row.until <= Date.now()) return 0;
      say(shardId, row.until, 'shard is reconnecting too often; delaying its next session');
      return row.until - Date.now();
    },
    pauseForAll: async () => pauseWithout(await refresh()),
    async count(shardId) {
      for (;;) {
        const before = (await store.get(LIMIT)) as Limit | null;
        if (before === null || before.left <= 0) return false;
        const after = { ...before, left: before.left - 1 };
        if (!(await store.replace(LIMIT, before, after, { expiresInMs: Math.max(1, before.resetsAt - Date.now()) }))) continue;
        await lengthenRow(shardId, after);
        return true;
      }
    },
    areFew: async () => (await store.get(ARE_FEW)) !== null,
  };

  /** @throws StoreError */
  async function lengthenRow(shardId: number, { total, left, resetsAt }: Limit): Promise<void> {
    const length = ((await store.get(ROW + shardId)) as Row | null)?.length ?? 0;
    const beyond = length + 1 - Math.max(1, Math.min(MAX_ROW, Math.floor(total / shardCount / 4)));
    const now = Date.now();
    // No slower than what is left allows for, if all shards did the same.
    const enough = ((resetsAt - now) * shardCount) / Math.max(1, left);
    const pause = beyond < 0 ? 0 : Math.max(0, Math.min(PAUSE_MS * 2 ** beyond, enough));
    await store.set(ROW + shardId, { length: length + 1, until: now + pause }, { expiresInMs: ROW_MS + 2 * pause });
  }
}
