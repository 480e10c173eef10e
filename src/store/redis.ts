// The store in Redis or Valkey, for several processes of one bot. Loaded only if REDIS_URL is set. The scripts at the end say how it is laid out.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { within } from '../async/waiting.ts';
import { type Entry, type Store, StoreError, type Value } from './types.ts';
import { createRewriting, REWRITE_EVERY_MS } from './upkeep.ts';

/** One slot of a cluster holds all of it. */
const KEYS = '{parley}:keys';
const EXPIRIES = '{parley}:expiries';
const ENTRY = '{parley}:entry:';
/** The version of the layout, and the bot that the store belongs to. */
const ABOUT = '{parley}:about';
const VERSION = 1;
/** Set while the append-only file may still contain something that was deleted. */
const REWRITE_DUE = '{parley}:rewrite-due';
/** Set while the file mustn't be rewritten again. */
const REWRITTEN = '{parley}:rewritten';

/** Milliseconds for an answer. Members wait 3 s for a reply, and most commands take two or three steps before it. */
const ANSWER_MS = 1_000;
/** Milliseconds after which nothing waits for an answer any more. */
const LAST_RESORT_MS = 10_000;
/** Milliseconds to read what has come while this process was held up. */
const READ_MS = 10;
/** After a timeout, commands fail at once for so many milliseconds: several such waits would be too long for a reply. */
const PAUSE_MS = 2_000;
const CONNECT_MS = 3_000;
/** The longest pause between attempts to reconnect, in milliseconds. */
const RECONNECT_MS = 1_000;
const PURGE_EVERY_MS = 10 * 60_000;
/** Entries per step, so that no step holds up other processes. */
const BATCH = 200;

export interface RedisStoreOptions {
  url: string;
  /** Id of the bot's application: a store belongs to one bot. Null = any; a new store then becomes that of the next bot. */
  botId: string | null;
  /** For a moment, beside the bot's own processes: what others have deleted isn't rewritten. */
  isVisitor?: boolean;
  /** Milliseconds for an answer; the default is for what members wait for. */
  answerMs?: number;
  /** Milliseconds since 1970; absent = the server's clock, the same for all processes. */
  now?: () => number;
  /**
   * Called when the connection is lost, when it is back, and, while it can't be restored, once for each new reason; '' = unknown.
   */
  onConnection?: (isConnected: boolean, reason: string) => void;
}

type Script = keyof typeof scripts;

type Attempt = <T>(act: () => Promise<T>) => Promise<T>;

const LATE = Symbol('late');
/** The message of ioredis's own errors, too. */
const TIMED_OUT = 'Command timed out';

/** @throws StoreError, one line for the operator, if it can't be reached, belongs to another bot, or was written by a later version */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const { url, botId, isVisitor = false, answerMs = ANSWER_MS, onConnection, now } = options;
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    // `attempt` is sooner, and reads what has come while this process was held up; this timer wouldn't.
    commandTimeout: Math.max(LAST_RESORT_MS, 2 * answerMs),
    // Commands that can't be sent fail now, instead of running later when nobody expects them any more.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, RECONNECT_MS),
    // After a failover the address leads to the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    connectionName: 'parley',
    scripts: Object.fromEntries(Object.entries(scripts).map(([name, lua]) => [`parley${name}`, { lua }])),
  });
  /** `performance.now()` of the last purge. */
  let purgedAt = Number.NEGATIVE_INFINITY;
  let reconnectedAt = Number.NEGATIVE_INFINITY;
  /** `performance.now()` until which no commands are sent. */
  let pausedUntil = 0;

  /** Why the connection was lost or can't be restored. */
  let reason = '';
  const reportedReasons = new Set<string>();

  // Without a listener, a lost connection would be an uncaught exception. Commands fail by themselves meanwhile.
  client.on('error', (error: NodeJS.ErrnoException) => {
    reason = error.message || String(error.code ?? error.name);
  });

  /** @param act sends one command */
  const send: Attempt = async (act) => {
    try {
      const answer = act();
      let value = await within(answerMs, answer, LATE);
      // This process may have been held up itself: whatever has come meanwhile is read first.
      if (value === LATE) {
        await nextTurn();
        value = await within(READ_MS, answer, LATE);
      }
      if (value === LATE) throw new Error(TIMED_OUT);
      return value;
    } catch (error) {
      const cause = withoutArguments(error);
      if (cause.message === TIMED_OUT) pausedUntil = performance.now() + PAUSE_MS;
      throw new StoreError('the store failed', { cause });
    }
  };

  /** Fails at once in a pause. @param act sends one command */
  const attempt: Attempt = async (act) => {
    if (performance.now() < pausedUntil) throw new StoreError('the store answers too slowly');
    return send(act);
  };

  /** @param names of the entries that the script touches, if they are known */
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
      const [seen, last, ...entries] = (await run('LIST', [], ENTRY, ...range(prefix, after))) as [string, string, ...string[]];
      for (let index = 0; index < entries.length; index += 3) {
        const [key = '', json = '', expires] = entries.slice(index, index + 3);
        const value = readJson(json);
        if (value !== undefined) yield { key, value, expiresAt: Number(expires) || null };
      }
      if (Number(seen) < BATCH) return;
      after = last;
    }
  }

  const expiry = (ms: number | undefined) => ms ?? '';
  const toJson = (value: Value) => (value === null ? '' : JSON.stringify(value));

  /** The append-only file contains deleted data until it is rewritten, which one process does for all. Not given up halfway for a pause. */
  const rewriting = createRewriting(async ({ isLast }) => {
    if (!(await send(() => client.exists(REWRITE_DUE)))) return;
    const isTurn = await send(() => client.set(REWRITTEN, '1', 'PX', REWRITE_EVERY_MS, 'NX'));
    if (!isTurn && !isLast) return Math.max(1, await send(() => client.pttl(REWRITTEN)));
    await send(() => client.del(REWRITE_DUE));
    try {
      await send(() => client.bgrewriteaof());
    } catch (error) {
      // Hosted servers don't let clients ask for it. One that is in progress may have begun too early.
      if (!String((error as StoreError).cause).includes('in progress')) return;
      await send(() => client.set(REWRITE_DUE, '1'));
      return REWRITE_EVERY_MS;
    }
  });

  await connect(client, url);
  await checkAbout(client, botId, attempt).catch((error: unknown) => {
    client.disconnect();
    throw error;
  });
  // Another process may have been killed before it could do it.
  if (!isVisitor) rewriting.request();
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
      return typeof json === 'string' ? (readJson(json) ?? null) : null;
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

/** Nothing of ours is nested as deep, and parsing 2,000,000 brackets takes a second. As many as Redis itself reads. */
const MAX_DEPTH = 1_000;

/** Undefined, as if there were none, if it can't be read: others can write to the server, too. */
function readJson(json: string): Value | undefined {
  if (json.length > MAX_DEPTH && depthOf(json) > MAX_DEPTH) return;
  try {
    return JSON.parse(json) as Value;
  } catch {
    return;
  }
}

/** How deep a JSON text is nested. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isQuoted = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
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
async function checkAbout(client: Redis, botId: string | null, attempt: Attempt): Promise<void> {
  if (botId !== null) await attempt(() => client.set(ABOUT, JSON.stringify({ version: VERSION, botId }), 'NX'));
  const about = (readJson((await attempt(() => client.get(ABOUT))) ?? '') ?? {}) as { version?: number; botId?: string };
  if (Number(about.version) > VERSION)
    throw new StoreError('REDIS_URL: this store was written by a later version of Parley. Start that one, or use another database.');
  if (botId !== null && about.botId !== botId)
    throw new StoreError('REDIS_URL: this store belongs to another bot. Use another database: add a number to the address, such as /1.');
}

/** The client's errors contain the command, whose arguments are members' data. */
function withoutArguments(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error));
}

// The Lua scripts of the Redis store. Each runs as one step, so that no other process sees half of it.
//
// An entry is a string: the time at which it expires, in milliseconds since 1970 (0 = never), a bar, and its value as JSON. The sorted set
// `keys` has the names of all entries with one score, which Redis keeps in the order of their bytes; `expiries` has those that expire, by
// that time. Redis also deletes expired entries by itself, a minute later, but not from these two.

/**
 * What every script begins with. Its keys: `keys`, `expiries`, then entries; its first argument is the time, '' for the server's own: the
 * clock of a machine that was suspended would expire entries that are still valid for everybody else.
 */
const COMMON = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local function alive(raw)
  if not raw then return nil end
  local bar = string.find(raw, '|', 1, true)
  local expires = tonumber(string.sub(raw, 1, bar - 1))
  if expires ~= 0 and expires <= now then return nil end
  return string.sub(raw, bar + 1), expires
end
local function write(entry, name, json, expires)
  local text = string.format('%.0f', expires)
  redis.call('SET', entry, text .. '|' .. json)
  redis.call('ZADD', KEYS[1], 0, name)
  if expires == 0 then
    redis.call('ZREM', KEYS[2], name)
  else
    redis.call('ZADD', KEYS[2], text, name)
    redis.call('PEXPIREAT', entry, string.format('%.0f', expires + 60000))
  end
end
local function erase(entry, name)
  redis.call('UNLINK', entry)
  redis.call('ZREM', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
end
local function later(ms) if ms == '' then return 0 end return math.ceil(now + tonumber(ms)) end
`;

/** Arguments: now, name. Returns the JSON, or nil. */
const GET = `${COMMON} return alive(redis.call('GET', KEYS[3])) or false`;

/** Arguments: now, name, JSON, milliseconds or ''. */
const SET = `${COMMON} write(KEYS[3], ARGV[2], ARGV[3], later(ARGV[4]))`;

/** Arguments: now, name. */
const DELETE = `${COMMON} erase(KEYS[3], ARGV[2])`;

/**
 * Arguments: now, name, the JSON that is expected and the new one ('' = no entry), milliseconds or ''. Returns whether it was as expected.
 * What is no JSON counts as no entry.
 */
const COMPARE_AND_SET = `${COMMON}
local json = alive(redis.call('GET', KEYS[3])) or ''
if json == 'null' or (ARGV[3] == '' and json ~= '' and not pcall(cjson.decode, json)) then json = '' end
if json ~= ARGV[3] then return 0 end
if ARGV[4] == '' then erase(KEYS[3], ARGV[2]) else write(KEYS[3], ARGV[2], ARGV[4], later(ARGV[5])) end
return 1`;

/**
 * Adds a number to several counters, or to none if one would exceed its maximum. Arguments: now, the number, milliseconds or '', then name
 * and maximum ('' = none) of each. Returns the sums; or 0, the place of the counter that is at fault, and its number ('' = it has none).
 */
const INCREMENT = `${COMMON}
local by, sums, ends = tonumber(ARGV[2]), {}, {}
for i = 3, #KEYS do
  local json, expires = alive(redis.call('GET', KEYS[i]))
  if json and not string.match(json, '^-?%d') then return {'0', tostring(i - 3), ''} end
  local before, most = tonumber(json or '0'), ARGV[2 * i - 1]
  if most ~= '' and before + by > tonumber(most) then return {'0', tostring(i - 3), string.format('%.17g', before)} end
  sums[i - 2] = string.format('%.17g', before + by)
  ends[i - 2] = expires or later(ARGV[3])
end
for i = 3, #KEYS do write(KEYS[i], ARGV[2 * i - 2], sums[i - 2], ends[i - 2]) end
table.insert(sums, 1, '1')
return sums`;

/** Arguments: now, the prefix of entries, lower and upper bound of names, how many. Returns how many names were seen, the last, and name, JSON and expiry of each in turn. */
const LIST = `${COMMON}
local names = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[3], ARGV[4], 'LIMIT', 0, ARGV[5])
local found = {tostring(#names), names[#names] or ''}
for _, name in ipairs(names) do
  local json, expires = alive(redis.call('GET', ARGV[2] .. name))
  if json then
    found[#found + 1] = name
    found[#found + 1] = json
    found[#found + 1] = string.format('%.0f', expires)
  end
end
return found`;

/** Arguments as for LIST. Deletes the entries and returns how many there were. */
const DELETE_SOME = `${COMMON}
local names = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[3], ARGV[4], 'LIMIT', 0, ARGV[5])
for _, name in ipairs(names) do erase(ARGV[2] .. name, name) end
return #names`;

/** Arguments: now, the prefix of entries, how many. Deletes what has expired and returns how many that were. */
const PURGE = `${COMMON}
local names = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[3])
for _, name in ipairs(names) do erase(ARGV[2] .. name, name) end
return #names`;

const scripts = { GET, SET, DELETE, REPLACE: COMPARE_AND_SET, INCREMENT, LIST, DELETE_SOME, PURGE };
