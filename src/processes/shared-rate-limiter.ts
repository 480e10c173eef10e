// Discord takes 50 requests a second from a bot, whichever of its processes sends them. Those that count take their turns from the store; a
// global 429 that one process receives stops all of them. https://docs.discord.com/developers/topics/rate-limits#global-rate-limit
import { setTimeout as sleep } from 'node:timers/promises';
import type { RESTOptions } from 'discord.js';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';

type MakeRequest = RESTOptions['makeRequest'];
type Response = Awaited<ReturnType<MakeRequest>>;

/** The turns taken in the present window. It ends by itself, by the store's clock. */
const TURNS = 'request-turns';
const WINDOW_MS = 100;
/** Any second touches eleven windows at most, twelve if requests arrive up to 100 ms late: 48 turns. */
const TURNS_PER_WINDOW = 4;
/** Between two looks for a free turn; it doubles until `MAX_LOOK_MS`, so that waiting processes don't crowd the store. */
const POLL_INTERVAL_MS = 50;
const MAX_POLL_INTERVAL_MS = 1_000;
/** As discord.js does by itself; here the time in which a request waits for its turn is not part of it. */
const RESPONSE_MS = 15_000;
/** The longest time of a timer. */
const NEVER_MS = 2 ** 31 - 1;
/** If Discord doesn't say for how long. */
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
  /** How many processes there are, as far as is known. */
  countProcesses(): number;
}

/** @returns what makes discord.js's options of its usual way to send requests */
export function shareRequests(
  options: Options,
): (send: MakeRequest) => Pick<RESTOptions, 'makeRequest' | 'timeout' | 'globalRequestsPerSecond'> {
  const limiter = createSharedRateLimiter(options);
  return (send) => ({
    // discord.js counts interactions, too, which Discord doesn't, and would let them wait for the others.
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
        // That of one route is discord.js's business.
        if (pauseMs === null) return new globalThis.Response(body, { status: 429, headers: [...response.headers] }) as unknown as Response;
        options.log.warn({ ms: pauseMs }, 'Discord takes no requests from this bot for a while (429)');
        await limiter.pause(pauseMs);
      }
    },
  });
}

function createSharedRateLimiter({ store, countProcesses }: Options): SharedRateLimiter {
  const waiting = new Set<() => void>();
  let isAsking = false;
  /** `performance.now()`; for when the store is gone. */
  let pausedUntil = 0;

  /** @returns how many of these turns there are now @throws StoreError */
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
      // Without the store, an even share.
      await sleep((WINDOW_MS / TURNS_PER_WINDOW) * Math.max(1, countProcesses()));
      return performance.now() < pausedUntil ? 0 : 1;
    }
  }

  /** Takes turns for all that wait. Never rejects. */
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
      const onAbort = () => turn.reject(signal?.reason);
      signal?.addEventListener('abort', onAbort);
      waiting.add(turn.resolve);
      void ask();
      await turn.promise.finally(() => {
        waiting.delete(turn.resolve);
        signal?.removeEventListener('abort', onAbort);
      });
    },
    async pause(ms) {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms);
      // As if all turns were taken until then.
      await store.set(TURNS, Number.MAX_SAFE_INTEGER, { expiresInMs: ms }).catch(() => {});
    },
  };
}

/** discord.js repeats what is aborted. */
async function sendInTime(send: MakeRequest, url: string, init: Parameters<MakeRequest>[1]): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), RESPONSE_MS);
  try {
    return await send(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** @returns for how long Discord refuses all requests, in milliseconds; null = only those of one route */
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
