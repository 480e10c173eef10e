// Registering the commands once for all processes of a bot.
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayIntentBits } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { createLog } from '../../src/log.ts';
import { createLeases } from '../../src/processes/leases.ts';
import { createRegisterOnce } from '../../src/processes/registration.ts';
import { openSqliteStore, type Store, StoreError } from '../../src/store/index.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { openSharedBot } from './shared-bot.ts';

const wait = { timeout: 60_000, interval: 20 };

/** Where commands were put, and how many. */
function watchPuts(discord: LocalDiscord): number[] {
  const puts: number[] = [];
  discord.onRestRequest(({ method, path, body }) => {
    if (method === 'PUT' && path.endsWith('/commands')) puts.push((body as unknown[]).length);
  });
  return puts;
}

describe.skipIf(!redisServer.isMet)(titled('processes that share a store', redisServer), () => {
  let service: TestVoiceService;
  beforeAll(async () => {
    service = await startTestVoiceService();
  });
  afterAll(() => service?.close());

  it('register the commands once if they start together', async () => {
    const { start, discord, connected } = await openSharedBot(service, { guilds: 3, shards: 3, identifyLimits: { maxConcurrency: 3 } });
    const puts = watchPuts(discord);
    // Discord takes its time for it.
    discord.failRest(/^PUT .*\/commands/, { until: sleep(1_500) }, 3);
    const all = await Promise.all([start(), start(), start()]);
    await expect.poll(connected, wait).toBe(3);
    const registrations = () => all.flatMap(({ out }) => out.filter((line) => line.includes('the commands are registered')));
    await expect.poll(registrations, wait).toHaveLength(1);
    expect(puts).toHaveLength(1);
  });

  it('do not put those of before a deploy back while a process with later ones runs', async () => {
    const { start, discord } = await openSharedBot(service, {
      guilds: 3,
      shards: 3,
      identifyLimits: { maxConcurrency: 3 },
      privilegedIntents: GatewayIntentBits.MessageContent,
    });
    const puts = watchPuts(discord);
    const early = await start();
    await expect.poll(() => puts.length, wait).toBe(1);
    const [count = 0] = puts;
    const later = await start(undefined, { READ_MESSAGES: 'on' });
    await expect.poll(() => puts, wait).toEqual([count, count + 2]);
    early.child.kill('SIGKILL');
    await early.ended;
    const again = await start();
    await again.line(/have registered newer commands/);
    later.child.kill('SIGKILL');
    await later.ended;
    expect(puts).toEqual([count, count + 2]);
    // Then somebody wants them back.
    await again.line(/the commands are registered/);
    expect(puts).toEqual([count, count + 2, count]);
  });
});

describe('the registration of several processes', () => {
  let time = Date.now();

  /** A process whose connection to the store can be cut, and what it registers. */
  function join(store: Store, register: () => Promise<boolean>, commands = 'the same') {
    let isCut = false;
    const own = new Proxy(store, {
      get: (target, name) => (isCut ? () => Promise.reject(new StoreError('cut')) : Reflect.get(target, name)),
    });
    const leases = createLeases({
      store: own,
      log: createLog('silent'),
      shardCount: 1,
      maxShards: null,
      open: async () => {},
      close: async () => {},
      drain: async () => {},
      atOnce: 1,
      sessionOf: () => 'open',
      isSilent: () => true,
      maySpread: async () => true,
      facts: () => ({ host: 'here', pid: 1, startedAt: 0, guilds: 0, speaking: 0, outage: null, settings: {}, commands, cache: null }),
      onProcesses: () => {},
    });
    onTestFinished(() => leases.close());
    const closing = new AbortController();
    onTestFinished(() => closing.abort());
    const registerOnce = createRegisterOnce(own, { leases, commands, log: createLog('silent') });
    return {
      run: (again = false) => registerOnce(register, { signal: closing.signal, again }),
      die() {
        isCut = true;
        closing.abort();
      },
    };
  }

  function openStore(): Store {
    const store = openSqliteStore(':memory:', () => time);
    onTestFinished(() => store.close());
    return store;
  }

  it('is taken over from one that dies while it registers', async () => {
    const store = openStore();
    const begun = Promise.withResolvers<void>();
    const dying = join(store, () => {
      begun.resolve();
      return new Promise<boolean>(() => {});
    });
    void dying.run();
    await begun.promise;
    dying.die();
    let registered = 0;
    const other = join(store, async () => ++registered > 0).run();
    await Promise.race([other, new Promise(setImmediate)]);
    expect(registered).toBe(0);
    time += 31_000;
    await other;
    expect(registered).toBe(1);
  });

  it('is tried by each until Discord takes it, and again when the bot has been invited somewhere', async () => {
    const store = openStore();
    const tried: string[] = [];
    const first = join(store, async () => tried.push('first') < 0);
    const second = join(store, async () => tried.push('second') > 0);
    const third = join(store, async () => tried.push('third') > 0);
    for (const { run } of [first, second, third]) await run();
    expect(tried).toEqual(['first', 'second']);
    await third.run(true);
    expect(tried).toEqual(['first', 'second', 'third']);
  });
});
