// The store in Redis or Valkey, for several processes of one bot. Loaded only if REDIS_URL is set. redis-scripts.ts says how it is laid out.
import { Redis } from 'ioredis';
import { createRewriting, REWRITE_EVERY_MS } from './erasure.ts';
import { scripts } from './redis-scripts.ts';
import { type Entry, type Store, StoreError, type Value } from './types.ts';

/** One slot of a cluster holds all of it. */
const KEYS = '{parley}:keys';
const EXPIRIES = '{parley}:expiries';
const ENTRY = '{parley}:entry:';
/** What the store is: the layout's version, and whose it is. */
const ABOUT = '{parley}:about';
const VERSION = 1;
/** Set while something was deleted that the append-only file may still have. */
const REWRITE_DUE = '{parley}:rewrite-due';
/** Set for as long as the file isn't to be rewritten again. */
const REWRITTEN = '{parley}:rewritten';

/** Milliseconds for an answer. Members wait 3 s for a reply, and most commands take two or three steps before it. */
const COMMAND_MS = 1_000;
/** After one that took longer, the next ones fail at once for as long, in milliseconds: several such waits would be too long for a reply. */
const PAUSE_MS = 2_000;
const CONNECT_MS = 3_000;
/** The longest pause between attempts to reconnect, in milliseconds. */
const RECONNECT_MS = 1_000;
const PURGE_EVERY_MS = 10 * 60_000;
/** Entries per step, so that no step holds up other processes. */
const BATCH = 200;

export interface RedisStoreOptions {
  url: string;
  /** Id of the bot's application: a store belongs to one bot. Null = whichever; a new store is then the next one's. */
  botId: string | null;
  /** Milliseconds since 1970; absent = the server's clock, the same for all processes. */
  now?: () => number;
  /**
   * Called when the connection is lost, and when it is back. While it can't be made again, it is called once for each further reason; '' = none
   * is known.
   */
  onConnection?: (isConnected: boolean, reason: string) => void;
}

type Script = keyof typeof scripts;

/** @throws StoreError, one line for the operator, if it can't be reached, belongs to another bot, or was written by a later version */
export async function openRedisStore({ url, botId, onConnection, now }: RedisStoreOptions): Promise<Store> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: COMMAND_MS,
    // Whatever can't be asked now fails now, and is not done later when nobody expects it any more.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, RECONNECT_MS),
    // After a failover the address leads to the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    connectionName: 'parley',
    scripts: Object.fromEntries(Object.entries(scripts).map(([name, lua]) => [`parley${name}`, { lua }])),
  });
  /** Of `performance.now()`. */
  let purgedAt = Number.NEGATIVE_INFINITY;
  let reconnectedAt = Number.NEGATIVE_INFINITY;
  /** `performance.now()` until which nothing is asked. */
  let pausedUntil = 0;

  /** Why the connection was lost or can't be made. */
  let reason = '';
  const reportedReasons = new Set<string>();

  // Without a listener, a lost connection would be an uncaught exception. What is asked meanwhile fails by itself.
  client.on('error', (error: NodeJS.ErrnoException) => {
    reason = error.message || String(error.code ?? error.name);
  });

  async function attempt<T>(act: () => Promise<T>): Promise<T> {
    if (performance.now() < pausedUntil) throw new StoreError('the store answers too slowly');
    try {
      return await act();
    } catch (error) {
      if (error instanceof Error && error.message === 'Command timed out') pausedUntil = performance.now() + PAUSE_MS;
      throw error instanceof StoreError ? error : new StoreError('the store failed', { cause: withoutArguments(error) });
    }
  }

  /** @param names of the entries that the script touches, as far as they are known */
  function run(script: Script, names: readonly string[], ...values: (string | number | Uint8Array)[]): Promise<unknown> {
    const call = Reflect.get(client, `parley${script}`) as (...all: unknown[]) => Promise<unknown>;
    const keys = [KEYS, EXPIRIES, ...names.map((name) => ENTRY + name)];
    return attempt(() =>
      call.call(
        client,
        keys.length,
        ...keys,
        now?.() ?? '',
        ...values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
      ),
    );
  }

  async function write(script: Script, names: readonly string[], ...values: (string | number)[]): Promise<unknown> {
    const written = await run(script, names, ...values);
    if (performance.now() - purgedAt > PURGE_EVERY_MS) {
      purgedAt = performance.now();
      // The rest is purged with the next write.
      void purge()
        .then((count) => {
          if (count === BATCH) purgedAt = Number.NEGATIVE_INFINITY;
        })
        .catch(() => {});
    }
    return written;
  }

  const purge = async () => Number(await run('PURGE', [], ENTRY, BATCH));

  /** One page of the names that begin with the prefix, in the order of their bytes; no byte of a name is 0xff. */
  const range = (prefix: string, after: string | null) =>
    [after === null ? `[${prefix}` : `(${after}`, Buffer.concat([Buffer.from(`[${prefix}`), Buffer.of(0xff)]), BATCH] as const;

  async function* pages(prefix: string): AsyncGenerator<Entry> {
    for (let after: string | null = null; ; ) {
      const [seen, last, ...found] = (await run('LIST', [], ENTRY, ...range(prefix, after))) as [string, string, ...string[]];
      for (let index = 0; index < found.length; index += 3) {
        const [key = '', json = '', expires] = found.slice(index, index + 3);
        yield { key, value: JSON.parse(json) as Value, expiresAt: Number(expires) || null };
      }
      if (Number(seen) < BATCH) return;
      after = last;
    }
  }

  const expiry = (ms: number | undefined) => ms ?? '';
  const toJson = (value: Value) => (value === null ? '' : JSON.stringify(value));

  /** Its append-only file has what was deleted until it is written anew: once for all processes. */
  const rewriting = createRewriting(async ({ isLast }) => {
    if (!(await client.exists(REWRITE_DUE))) return;
    if (!(await client.set(REWRITTEN, '1', 'PX', REWRITE_EVERY_MS, 'NX')) && !isLast) return Math.max(1, await client.pttl(REWRITTEN));
    await client.del(REWRITE_DUE);
    try {
      await client.bgrewriteaof();
    } catch (error) {
      // Hosted servers don't let clients ask for it. One that is under way may have begun too early.
      if (!String(error).includes('in progress')) return;
      await client.set(REWRITE_DUE, '1');
      return REWRITE_EVERY_MS;
    }
  });

  await connect(client, url);
  await attempt(() => checkAbout(client, botId)).catch((error: unknown) => {
    client.disconnect();
    throw error;
  });
  // Another process may have been killed before it could.
  rewriting.request();
  client.on('ready', () => {
    reconnectedAt = performance.now();
    reason = '';
    reportedReasons.clear();
    onConnection?.(true, reason);
  });
  client.on('close', () => {
    if (client.status === 'end' || reportedReasons.has(reason)) return;
    reportedReasons.add(reason);
    onConnection?.(false, reason);
  });

  const store: Store = {
    async get(key) {
      const json = await run('GET', [key], key);
      return typeof json === 'string' ? (JSON.parse(json) as Value) : null;
    },
    async set(key, value, { expiresInMs } = {}) {
      await write('SET', [key], key, JSON.stringify(value), expiry(expiresInMs));
    },
    async delete(key) {
      await write('DELETE', [key], key);
    },
    async deleteAll(prefix) {
      while (Number(await run('DELETE_SOME', [], ENTRY, ...range(prefix, null))) === BATCH);
    },
    async compareAndSet(key, expected, value, { expiresInMs } = {}) {
      return Number(await write('REPLACE', [key], key, toJson(expected), toJson(value), expiry(expiresInMs))) === 1;
    },
    async increment(key, by, options) {
      const { sums } = await store.incrementAll([{ key }], by, options);
      return sums?.[0] ?? by;
    },
    async incrementAll(counters, by, { expiresInMs } = {}) {
      if (!Number.isFinite(by)) throw new StoreError('only a number can be added');
      const maxima = counters.flatMap(({ key, max = Number.POSITIVE_INFINITY }) => [key, Number.isFinite(max) ? max : '']);
      const names = counters.map(({ key }) => key);
      const [isDone, ...numbers] = (await write('INCREMENT', names, by, expiry(expiresInMs), ...maxima)) as string[];
      if (isDone === '1') return { sums: numbers.map(Number), exceeded: null };
      const [place, number] = numbers;
      if (number === '') throw new StoreError('the value under this key is not a number');
      return { sums: null, exceeded: { place: Number(place), value: Number(number) } };
    },
    async list(prefix) {
      return (await Array.fromAsync(pages(prefix))).map(({ key, value }) => [key, value]);
    },
    entries: (prefix = '') => pages(prefix),
    async scrub() {
      while ((await purge()) === BATCH);
      await attempt(() => client.set(REWRITE_DUE, '1'));
      rewriting.request();
    },
    async close() {
      await rewriting.finish();
      client.disconnect();
    },
    get reconnectedAt() {
      return reconnectedAt;
    },
  };
  return store;
}

/** @throws StoreError */
async function connect(client: Redis, url: string): Promise<void> {
  let reason = '';
  const note = ({ message }: Error) => {
    reason ||= message;
  };
  client.on('error', note);
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    const { host } = new URL(url);
    throw new StoreError(
      `REDIS_URL: the store at ${host} cannot be used (${reason || String(error)}). Check the address, the password and that it runs.`,
    );
  } finally {
    client.off('error', note);
  }
}

/** @throws StoreError if the store belongs to another bot, or was written by a later version */
async function checkAbout(client: Redis, botId: string | null): Promise<void> {
  if (botId !== null) await client.set(ABOUT, JSON.stringify({ version: VERSION, botId }), 'NX');
  const about = JSON.parse((await client.get(ABOUT)) ?? '{}') as { version?: number; botId?: string };
  if (Number(about.version) > VERSION)
    throw new StoreError('REDIS_URL: this store was written by a later version of Parley. Start that one, or use another database.');
  if (botId !== null && about.botId !== botId)
    throw new StoreError('REDIS_URL: this store belongs to another bot. Use another database: add a number to the address, such as /1.');
}

/** The client's errors carry the command, whose arguments are what members have stored. */
function withoutArguments(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error));
}
