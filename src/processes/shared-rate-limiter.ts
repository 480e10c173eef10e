// Discord accepts 50 requests a second from a bot, no matter how many processes it has. Requests that count towards that take turns through
// the store; a global 429 that one process receives pauses all of them.
// https://docs.discord.com/developers/topics/rate-limits#global-rate-limit
import { setTimeout as sleep } from 'node:timers/promises';
import type { RESTOptions } from 'discord.js';
import { orAborted } from '../async/waiting.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';

type MakeRequest = RESTOptions['makeRequest'];
type Response = Awaited<ReturnType<MakeRequest>>;

/** Key of the turns taken in the current window, which expires by the store's clock. */
const TURNS = 'request-turns';
const WINDOW_MS = 100;
/** Any second touches eleven windows at most, twelve if requests arrive up to 100 ms late: 48 turns. */
const TURNS_PER_WINDOW = 4;
/** Milliseconds between two polls for a free turn; doubled up to `MAX_POLL_INTERVAL_MS`, so waiting processes don't crowd the store. */
const POLL_INTERVAL_MS = 50;
const MAX_POLL_INTERVAL_MS = 1_000;
/** discord.js's own timeout, in milliseconds, except that waiting for a turn doesn't count here. */
const RESPONSE_MS = 15_000;
/** The longest delay that a timer takes. */
const NEVER_MS = 2 ** 31 - 1;
/** Used if Discord doesn't say for how long. */
const DEFAULT_PAUSE_MS = 1_000;

/** Limits how many requests all processes send together. */
interface SharedRateLimiter {
  /** Resolves when a request may be sent. Rejects only if the signal is aborted. */
  acquire(signal: AbortSignal | null): Promise<void>;
  /** Stops the requests of all processes. Never rejects. */
  pause(ms: number): Promise<void>;
}

interface Options {
  store: Store;
  log: Log;
  /** The number of known processes. */
  countProcesses(): number;
}

/** @returns a function from discord.js's usual way of sending requests to its REST options */
export function shareRequests(
  options: Options,
): (send: MakeRequest) => Pick<RESTOptions, 'makeRequest' | 'timeout' | 'globalRequestsPerSecond'> {
  const limiter = createSharedRateLimiter(options);
  return (send) => ({
    // discord.js also counts responses to interactions, which Discord doesn't, and would make them wait for other requests.
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    timeout: NEVER_MS,
    async makeRequest(url, init) {
      // Interactions are answered with the token in their path. https://docs.discord.com/developers/topics/rate-limits#global-rate-limit
      if (!new Headers(init.headers as Record<string, string>).has('authorization')) return sendInTime(send, url, init);
      for (;;) {
        await limiter.acquire(init.signal ?? null);
        const response = await sendInTime(send, url, init);
        if (response.status !== 429) return response;
        const body = await response.text();
        const pauseMs = readGlobalPause(response, body);
        // discord.js itself handles the limit of a route.
        if (pauseMs === null) return new globalThis.Response(body, { status: 429, headers: [...response.headers] }) as unknown as Response;
        options.log.warn({ ms: pauseMs }, 'Discord accepts no requests from this bot for a while (429)');
        await limiter.pause(pauseMs);
      }
    },
  });
}

function createSharedRateLimiter({ store, countProcesses }: Options): SharedRateLimiter {
  const waiting = new Set<() => void>();
  let isAsking = false;
  /** `performance.now()` until which requests are paused, in case the store is gone. */
  let pausedUntil = 0;

  /** @returns how many of the wanted turns are free now @throws StoreError */
  async function acquireFromStore(wanted: number): Promise<number> {
    const counter = [{ key: TURNS, max: TURNS_PER_WINDOW }];
    const { exceeded } = await store.incrementAll(counter, wanted, { expiresInMs: WINDOW_MS });
    if (!exceeded) return wanted;
    const left = TURNS_PER_WINDOW - exceeded.value;
    if (left <= 0) return 0;
    return (await store.incrementAll(counter, left, { expiresInMs: WINDOW_MS })).exceeded ? 0 : left;
  }

  async function tryAcquire(): Promise<number> {
    if (performance.now() < pausedUntil) return 0;
    try {
      return await acquireFromStore(Math.min(waiting.size, TURNS_PER_WINDOW));
    } catch {
      // Without the store, each process keeps to an even share.
      await sleep((WINDOW_MS / TURNS_PER_WINDOW) * Math.max(1, countProcesses()));
      return performance.now() < pausedUntil ? 0 : 1;
    }
  }

  /** Takes turns for all waiting requests. Never rejects. */
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    for (let misses = 0; waiting.size > 0; ) {
      const count = await tryAcquire();
      for (const go of [...waiting].slice(0, count)) {
        waiting.delete(go);
        go();
      }
      misses = count > 0 ? 0 : misses + 1;
      if (misses > 0) await sleep(Math.min(POLL_INTERVAL_MS * 2 ** (misses - 1), MAX_POLL_INTERVAL_MS) * (0.5 + Math.random() / 2));
    }
    isAsking = false;
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      const turn = Promise.withResolvers<void>();
      waiting.add(turn.resolve);
      void ask();
      await orAborted(turn.promise, signal).finally(() => waiting.delete(turn.resolve));
    },
    async pause(ms) {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms);
      // As if all turns were taken until then.
      await store.set(TURNS, Number.MAX_SAFE_INTEGER, { expiresInMs: ms }).catch(() => {});
    },
  };
}

/** Aborts a request that takes too long; discord.js then repeats it. */
async function sendInTime(send: MakeRequest, url: string, init: Parameters<MakeRequest>[1]): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), RESPONSE_MS);
  try {
    return await send(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** @returns milliseconds for which Discord refuses all requests; null if the limit is only that of a route */
function readGlobalPause({ headers }: Response, body: string): number | null {
  const { global = false, retry_after: retryAfter } = parse(body);
  if (!global && !headers.has('x-ratelimit-global')) return null;
  const seconds = retryAfter ?? Number(headers.get('retry-after'));
  return seconds > 0 ? Math.ceil(seconds * 1000) : DEFAULT_PAUSE_MS;
}

function parse(body: string): { global?: boolean; retry_after?: number } {
  try {
    return JSON.parse(body) as { global?: boolean; retry_after?: number };
  } catch {
    return {};
  }
}
