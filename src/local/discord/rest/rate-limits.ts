// Rate limits of REST, counted and announced as Discord does: per route and its first parameters, and over all.
// https://docs.discord.com/developers/topics/rate-limits (the numbers of single routes are what Discord's headers say)
import { createHash } from 'node:crypto';

interface Limit {
  /** Requests within `seconds`. */
  most: number;
  seconds: number;
}

const LIMITS: Record<string, Limit> = {
  'POST /channels/:channel/messages': { most: 5, seconds: 5 },
  'PATCH /channels/:channel/messages/:message': { most: 5, seconds: 5 },
  'DELETE /channels/:channel/messages/:message': { most: 5, seconds: 1 },
  'POST /channels/:channel/typing': { most: 5, seconds: 5 },
  'POST /webhooks/:app/:token': { most: 5, seconds: 2 },
  'PATCH /webhooks/:app/:token/messages/:message': { most: 5, seconds: 2 },
  'DELETE /webhooks/:app/:token/messages/:message': { most: 5, seconds: 2 },
};
const OTHER: Limit = { most: 20, seconds: 2 };
/** Over all routes, but those of interactions. */
const GLOBAL: Limit = { most: 50, seconds: 1 };

interface Window {
  taken: number;
  /** By performance.now(). */
  ends: number;
}

export interface Taken {
  headers: Record<string, string>;
  refusal: { message: string; retry_after: number; global: boolean } | null;
}

export function createRateLimits() {
  const windows = new Map<string, Window>();

  function windowOf(key: string, { seconds }: Limit): Window {
    const now = performance.now();
    const known = windows.get(key);
    if (known && known.ends > now) return known;
    const fresh = { taken: 0, ends: now + seconds * 1000 };
    // The map is in the order of its windows' beginnings: those at its start ended first.
    windows.delete(key);
    for (const [old, { ends }] of windows) {
      if (ends > now) break;
      windows.delete(old);
    }
    windows.set(key, fresh);
    return fresh;
  }

  return {
    /** Counts one request. `route` is its pattern; `isFree` those that no limit over all concerns. */
    take(method: string, route: string, params: Record<string, string>, isFree: boolean): Taken {
      const name = `${method} ${route.replace(/^\/api\/v10/, '')}`;
      // The first answer to an interaction has no limit.
      if (name === 'POST /interactions/:id/:token/callback') return { headers: {}, refusal: null };
      const limit = LIMITS[name] ?? OTHER;
      const { channel = '', guild = '', token = '' } = params;
      const window = windowOf([name, channel, guild, token].join(' '), limit);
      const all = isFree ? null : windowOf('global', GLOBAL);
      const isGlobal = all !== null && all.taken >= GLOBAL.most;
      const isRefused = isGlobal || window.taken >= limit.most;
      if (!isRefused) {
        window.taken++;
        if (all) all.taken++;
      }
      const { ends } = isGlobal ? all : window;
      const after = Math.max(0.001, Math.ceil(ends - performance.now()) / 1000);
      const headers: Record<string, string> = {
        'x-ratelimit-limit': String(limit.most),
        'x-ratelimit-remaining': String(limit.most - window.taken),
        'x-ratelimit-reset': String(Date.now() / 1000 + after),
        'x-ratelimit-reset-after': String(after),
        'x-ratelimit-bucket': createHash('md5').update(name).digest('hex'),
      };
      if (!isRefused) return { headers, refusal: null };
      Object.assign(headers, { 'retry-after': String(Math.ceil(after)), 'x-ratelimit-scope': isGlobal ? 'global' : 'user' });
      if (isGlobal) headers['x-ratelimit-global'] = 'true';
      return { headers, refusal: { message: 'You are being rate limited.', retry_after: after, global: isGlobal } };
    },
  };
}
