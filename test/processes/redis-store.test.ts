// The store in Redis: what a server on the network is in for. The contract of any store: store-contract.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Store, StoreError, update } from '../../src/store/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { createSettings } from '../../src/store/settings.ts';
import { type RedisServer, startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const botId = '100000000000000001';

describe.skipIf(!redisServer.isMet)(titled('Redis', redisServer), () => {
  let redis: RedisServer;
  let databases = 0;
  beforeAll(async () => {
    redis = await startRedisServer('--databases', '1000');
  });
  afterAll(() => redis?.close());

  /** The address of an unused database. */
  const newUrl = () => `${redis.url}/${databases++}`;
  const open = async (url: string, options: Partial<Parameters<typeof openRedisStore>[0]> = {}): Promise<Store> => {
    const store = await openRedisStore({ url, botId, ...options });
    onTestFinished(() => store.close());
    return store;
  };

  it('takes what it can’t read for no value, quickly, and replaces it', async () => {
    const url = newUrl();
    const store = await open(url);
    const settings = createSettings(store);
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    const usual = await settings.member('1');
    const nested = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`;
    const junk: [json: string, value: unknown][] = [
      ['not JSON', null],
      ['[1,2]', [1, 2]],
      [nested, null],
    ];
    for (const [index, [json, value]] of junk.entries()) {
      const id = String(index + 2);
      await settings.changeMember(id, (before) => ({ ...before, speed: 2 }));
      const [entry = ''] = (await client.keys('*')).filter((key) => key.endsWith(`member:${id}`));
      await client.set(entry, `0|${json}`);
      expect(await store.get(`member:${id}`)).toEqual(value);
      const cpu = process.threadCpuUsage();
      expect(await settings.member(id)).toEqual(usual);
      expect(process.threadCpuUsage(cpu).user / 1000).toBeLessThan(500);
      expect((await settings.changeMember(id, (before) => ({ ...before, speed: 0.5 }))).speed).toBe(0.5);
      expect((await settings.member(id)).speed).toBe(0.5);
    }
  });

  it('goes by the server’s clock, not by that of this machine', async () => {
    const url = newUrl();
    const store = await open(url);
    const late = await open(url, { now: () => Date.now() + 3_600_000 });
    await store.set('a', 1, { expiresInMs: 60_000 });
    expect(await store.get('a')).toBe(1);
    expect(await late.get('a')).toBeNull();
  });

  it('keeps what a machine with a late clock stores, because it was suspended, for as long as others do', async () => {
    const url = newUrl();
    const [suspended, other] = [await open(url), await open(url)];
    await other.set('a', 1, { expiresInMs: 60_000 });
    const isBehind = vi.spyOn(performance, 'now').mockReturnValue(performance.now() / 2);
    await suspended.set('b', 1, { expiresInMs: 60_000 });
    isBehind.mockRestore();
    const [first, second] = await Array.fromAsync(other.entries());
    expect(second?.expiresAt).toBeGreaterThanOrEqual(first?.expiresAt ?? Number.NaN);
  });

  it('fails each command at once while the server is gone, and works again by itself when it is back', async () => {
    // Not on disk at once, which may take longer than a command may: what it has written outlives the process all the same.
    const own = await startRedisServer('--appendonly', 'yes', '--appendfsync', 'no');
    onTestFinished(() => own.close());
    const connections: boolean[] = [];
    const lost = Promise.withResolvers<void>();
    const back = Promise.withResolvers<void>();
    const store = await open(own.url, {
      onConnection(isConnected) {
        connections.push(isConnected);
        (isConnected ? back : lost).resolve();
      },
    });
    await store.set('a', 1);
    await own.stop('SIGKILL');
    await lost.promise;
    await expect(store.get('a')).rejects.toThrow(StoreError);
    await expect(store.set('a', 2)).rejects.toThrow(StoreError);
    await own.start();
    await back.promise;
    expect(await store.get('a')).toBe(1);
    expect(connections.at(-1)).toBe(true);
  });

  it('has its log rewritten within 10 minutes of a deletion, once for all processes and 10 minutes apart, and when it is closed', async () => {
    const own = await startRedisServer('--appendonly', 'yes', '--appendfsync', 'always');
    onTestFinished(() => own.close());
    const { Redis } = await import('ioredis');
    const admin = new Redis(own.url);
    onTestFinished(() => admin.disconnect());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stores = [await open(own.url), await open(own.url)];
    const files = async () => {
      const names = (await readdir(own.folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
      return (await Promise.all(names.map((one) => readFile(join(one.parentPath, one.name), 'latin1')))).join('');
    };
    const rewrites = async () => /cmdstat_bgrewriteaof:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? '0';
    const isOver = () => expect.poll(() => admin.info('persistence')).toContain('aof_rewrite_in_progress:0');
    const forget = async (secret: string) => {
      for (const store of stores) {
        await store.set('a', secret);
        await store.delete('a');
        await store.scrub();
      }
      expect(await files()).toContain(secret);
    };

    await forget('told-to-nobody');
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await expect.poll(rewrites).toBe('1');
    await isOver();
    expect(await files()).not.toContain('told-to-nobody');

    // Soon after the last time, by the server's clock.
    await forget('told-to-nobody-either');
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(await rewrites()).toBe('1');
    for (const store of stores) await store.close();
    expect(await rewrites()).toBe('2');
    await isOver();
    expect(await files()).not.toContain('told-to-nobody-either');
  });

  it('gives up on a server that does not answer, and does not hang', async () => {
    const own = await startRedisServer();
    onTestFinished(() => own.close());
    const store = await open(own.url);
    own.freeze();
    await expect(store.get('a')).rejects.toThrow(StoreError);
    own.thaw();
  });

  it('has an answer that came in time while this process was held up', async () => {
    const store = await open(newUrl());
    await store.set('a', 1);
    const answer = store.get('a');
    // Longer than an answer may take, by far.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    expect(await answer).toBe(1);
  });

  it('waits longer where no member does, as when a store is moved', async () => {
    const own = await startRedisServer();
    onTestFinished(() => own.close());
    const store = await open(own.url, { answerMs: 30_000 });
    await store.set('a', 1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    own.freeze();
    const answer = store.get('a');
    await vi.advanceTimersByTimeAsync(29_000);
    own.thaw();
    expect(await answer).toBe(1);
  });

  it('reads from a server that became read-only, and says so when it writes', async () => {
    const [primary, replica] = [await startRedisServer(), await startRedisServer()];
    onTestFinished(() => Promise.all([primary.close(), replica.close()]).then(() => {}));
    const store = await open(replica.url);
    await store.set('a', 1);
    const { Redis } = await import('ioredis');
    const admin = new Redis(replica.url);
    onTestFinished(() => admin.disconnect());
    await admin.config('SET', 'replica-read-only', 'yes');
    await admin.replicaof('127.0.0.1', primary.port);
    await expect(store.set('a', 2)).rejects.toThrow(StoreError);
    await admin.replicaof('NO', 'ONE');
    // It reconnects, as after a failover.
    await expect
      .poll(() =>
        store.set('a', 3).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(await store.get('a')).toBe(3);
  });

  it('keeps what it has when the server is out of memory, and still reads and deletes', async () => {
    const own = await startRedisServer('--maxmemory', '3mb', '--maxmemory-policy', 'noeviction');
    onTestFinished(() => own.close());
    const store = await open(own.url);
    let written = 0;
    const fill = async () => {
      for (; written < 1000; written++) await store.set(`filler:${written}`, 'x'.repeat(20_000));
    };
    await expect(fill()).rejects.toThrow(StoreError);
    expect(written).toBeGreaterThan(10);
    expect(await store.get('filler:0')).toHaveLength(20_000);
    await store.deleteAll('filler:');
    await store.set('a', 1);
    expect(await store.get('a')).toBe(1);
  });

  it('works on a connection that takes long, as long as an answer comes in time', async () => {
    const proxy = await startTcpProxy(redis.port, { delayMs: 100 });
    onTestFinished(() => proxy.close());
    const store = await open(`redis://127.0.0.1:${proxy.port}/${databases++}`);
    await store.set('a', 1);
    expect(await store.increment('a', 1)).toBe(2);
  });

  it('is refused to another bot, and if a later version wrote it', async () => {
    const url = newUrl();
    await open(url);
    await expect(open(url, { botId: '100000000000000002' })).rejects.toThrow(/belongs to another bot.*\/1/);
    const { Redis } = await import('ioredis');
    const admin = new Redis(url);
    onTestFinished(() => admin.disconnect());
    await admin.set('{parley}:about', JSON.stringify({ version: 99, botId }));
    await expect(open(url)).rejects.toThrow(/later version of Parley/);
  });

  it('says in one line, without the password, what is wrong with its address', async () => {
    const own = await startRedisServer('--requirepass', 'right');
    onTestFinished(() => own.close());
    for (const url of [own.url.replace('//', '//:wrong-secret@'), 'redis://:wrong-secret@127.0.0.1:9', own.url]) {
      const error = await open(url).catch((reason: unknown) => reason as Error);
      expect(error).toBeInstanceOf(StoreError);
      expect((error as Error).message).toMatch(/^REDIS_URL: the store at 127\.0\.0\.1:\d+ cannot be used \(.+\)\. Check/);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('wrong-secret');
    }
    await open(own.url.replace('//', '//:right@'));
  });

  it('says once why it cannot connect again after its password was changed, without any password', async () => {
    const own = await startRedisServer('--requirepass', 'old-secret');
    onTestFinished(() => own.close());
    const url = own.url.replace('//', '//:old-secret@');
    const { Redis } = await import('ioredis');
    const admin = new Redis(url);
    onTestFinished(() => admin.disconnect());
    const reasons: string[] = [];
    const back = Promise.withResolvers<void>();
    const store = await open(url, {
      onConnection(isConnected, reason) {
        if (isConnected) back.resolve();
        else reasons.push(reason);
      },
    });
    await admin.config('SET', 'requirepass', 'new-secret');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal');
    const refusals = async () => Number(/errorstat_WRONGPASS:count=(\d+)/.exec(await admin.info('errorstats'))?.[1]);
    await expect.poll(refusals, { timeout: 20_000 }).toBeGreaterThan(2);
    await admin.config('SET', 'requirepass', 'old-secret');
    await back.promise;
    await store.set('a', 1);
    expect(reasons.filter((reason) => reason.includes('WRONGPASS'))).toHaveLength(1);
    expect(reasons.join()).not.toContain('secret');
  });

  it('leaves out of its errors what was to be stored', async () => {
    const store = await open(newUrl());
    await store.set('name', 'secret-before');
    const error = await store.increment('name', 1).catch((reason: unknown) => reason as Error);
    expect(JSON.stringify([error, (error as Error).cause], null)).not.toContain('secret-before');
    await store.close();
    const closed = (await store.set('name', 'secret-after').catch((reason: unknown) => reason)) as Error;
    expect(closed).toBeInstanceOf(StoreError);
    expect(Object.getOwnPropertyNames(closed.cause as object)).not.toContain('command');
  });

  it('changes a value without losing a change of another process', async () => {
    const url = newUrl();
    const stores = [await open(url), await open(url)] as const;
    const add = (number: number) => update(stores[number % 2] as Store, 'list', (value) => [...((value as number[] | null) ?? []), number]);
    // Each change may lose to all others before it.
    await Promise.all(Array.from({ length: 12 }, (_, number) => add(number)));
    expect((await stores[0].get('list')) as number[]).toHaveLength(12);
  });
});
