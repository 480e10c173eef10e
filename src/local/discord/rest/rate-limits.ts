// Rate limits, counted and announced as Discord does: per route and its main parameters, and globally.
// https://docs.discord.com/developers/topics/rate-limits (the limits of single routes are those in Discord's headers)
import { createHash } from 'node:crypto';

interface Limit {
  /** Requests per window. */
  max: number;
  seconds: number;
}

const LIMITS: Record<string, Limit> = {
  'POST /channels/:channel/messages': { max: 5, seconds: 5 },
  'PATCH /channels/:channel/messages/:message': { max: 5, seconds: 5 },
  'DELETE /channels/:channel/messages/:message': { max: 5, seconds: 1 },
  'POST /channels/:channel/typing': { max: 5, seconds: 5 },
  'POST /webhooks/:app/:token': { max: 5, seconds: 2 },
  'PATCH /webhooks/:app/:token/messages/:message': { max: 5, seconds: 2 },
  'DELETE /webhooks/:app/:token/messages/:message': { max: 5, seconds: 2 },
};
const DEFAULT_LIMIT: Limit = { max: 20, seconds: 2 };
/** Edits of messages in a channel that are over an hour old: Discord says that there is a limit, but not which. */
const OLD_EDIT_LIMIT: Limit = { max: 3, seconds: 30 };
/** Over all routes except those of interactions. */
const GLOBAL_LIMIT: Limit = { max: 50, seconds: 1 };
/** The initial response to an interaction. */
const UNLIMITED = 'POST /interactions/:id/:token/callback';

interface Window {
  used: number;
  /** In the time of `performance.now()`. */
  endsAt: number;
}

interface Refusal {
  message: string;
  code?: number;
  retry_after: number;
  global: boolean;
}

interface RateLimitResult {
  headers: Record<string, string>;
  /** The body of the 429, if the request is over the limit. */
  refusal: Refusal | null;
}

export type RateLimits = ReturnType<typeof createRateLimits>;

/** @param pace how many times as fast as Discord's the windows pass */
export function createRateLimits(pace: number) {
  const windows = new Map<string, Window>();

  function findWindow(key: string, { seconds }: Limit): Window {
    const now = performance.now();
    const current = windows.get(key);
    if (current && current.endsAt > now) return current;
    const window = { used: 0, endsAt: now + (seconds * 1000) / pace };
    windows.delete(key);
    // The map is in the order in which the windows began: most of those that have ended are first.
    for (const [oldKey, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(oldKey);
    }
    windows.set(key, window);
    return window;
  }

  /** Counts a request. `route`: its pattern; `isExempt`: whether the global limit does not apply. */
  function consume(method: string, route: string, params: Record<string, string>, isExempt: boolean): RateLimitResult {
    const name = `${method} ${route}`;
    if (name === UNLIMITED) return { headers: {}, refusal: null };
    const limit = LIMITS[name] ?? DEFAULT_LIMIT;
    const { channel = '', guild = '', token = '' } = params;
    const window = findWindow([name, channel, guild, token].join(' '), limit);
    const globalWindow = isExempt ? null : findWindow('global', GLOBAL_LIMIT);
    const isGlobal = globalWindow !== null && globalWindow.used >= GLOBAL_LIMIT.max;
    const isRefused = isGlobal || window.used >= limit.max;
    if (!isRefused) {
      window.used++;
      if (globalWindow) globalWindow.used++;
    }
    const { endsAt } = isGlobal ? globalWindow : window;
    const retryAfter = Math.max(0.001, Math.ceil(endsAt - performance.now()) / 1000);
    const headers: Record<string, string> = {
      'x-ratelimit-limit': String(limit.max),
      'x-ratelimit-remaining': String(limit.max - window.used),
      'x-ratelimit-reset': String(Date.now() / 1000 + retryAfter),
      'x-ratelimit-reset-after': String(retryAfter),
      'x-ratelimit-bucket': createHash('md5').update(name).digest('hex'),
    };
    if (!isRefused) return { headers, refusal: null };
    headers['retry-after'] = String(Math.ceil(retryAfter));
    headers['x-ratelimit-scope'] = isGlobal ? 'global' : 'user';
    if (isGlobal) headers['x-ratelimit-global'] = 'true';
    return { headers, refusal: { message: 'You are being rate limited.', retry_after: retryAfter, global: isGlobal } };
  }

  /** Counts an edit of a message that is over an hour old, besides the request. */
  function consumeOldEdit(channelId: string): RateLimitResult {
    const window = findWindow(`old edits ${channelId}`, OLD_EDIT_LIMIT);
    if (window.used < OLD_EDIT_LIMIT.max) {
      window.used++;
      return { headers: {}, refusal: null };
    }
    const retryAfter = Math.max(0.001, Math.ceil(window.endsAt - performance.now()) / 1000);
    const message = 'Maximum number of edits to messages older than 1 hour reached. Try again later';
    return {
      headers: { 'retry-after': String(Math.ceil(retryAfter)), 'x-ratelimit-scope': 'user' },
      refusal: { message, code: 30046, retry_after: retryAfter, global: false },
    };
  }

  /** Refuses all requests to which the global limit applies, for as long. */
  function exhaust(seconds: number): void {
    windows.set('global', { used: GLOBAL_LIMIT.max, endsAt: performance.now() + seconds * 1000 });
  }

  return { consume, consumeOldEdit, exhaust };
}
