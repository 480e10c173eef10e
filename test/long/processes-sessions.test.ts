// How many sessions Discord lets a bot open in a day, counted by several processes that share a store.

import { Events, GatewayIntentBits, REST, type RESTGetAPIGatewayBotResult, Routes } from 'discord.js';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/bot/client.ts';
import { createMessageIntents } from '../../src/discord/message-access.ts';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { createIdentifyThrottler, createSessionLimit } from '../../src/processes/identify-throttler.ts';
import { processFacts } from '../../src/processes/live-processes.ts';
import { shareShards } from '../../src/processes/processes.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openLocalDiscord } from '../helpers/local-discord.ts';
import { textOf } from '../helpers/member.ts';
import { startProgram } from '../helpers/program.ts';
import { openRawGatewaySession } from '../helpers/raw-gateway.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { openSharedBot, shardsOf } from './shared-bot.ts';

const wait = { timeout: 60_000, interval: 20 };

function openStore(): Store {
  const store = openSqliteStore(':memory:');
  onTestFinished(() => store.close());
  return store;
}

function openLog() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) }) };
}

/** One that goes by what this Discord says. */
function openLimit(discord: LocalDiscord, store: Store, shardCount: number) {
  const { lines, log } = openLog();
  const rest = new REST({ api: discord.apiUrl }).setToken(discord.application.token);
  const few: number[] = [];
  const limit = createSessionLimit({
    store,
    log,
    shardCount,
    ask: async () => ((await rest.get(Routes.gatewayBot())) as RESTGetAPIGatewayBotResult).session_start_limit,
    onLow: ({ left }) => few.push(left),
  });
  return { limit, few, lines, log };
}

/** Uses up one session of the day. */
const openSession = (discord: LocalDiscord) => openRawGatewaySession(discord, GatewayIntentBits.Guilds);
const sessionsSaid = (lines: Record<string, unknown>[]) => lines.filter(({ msg }) => String(msg).includes('no more sessions'));

describe('the sessions of a day', () => {
  it('are counted for all processes, even between two requests for Discord’s number', async () => {
    const discord = await openLocalDiscord({ identifyLimits: { perDay: 6, maxConcurrency: 2 } });
    const store = openStore();
    const { limit: first } = openLimit(discord, store, 1);
    const { limit: second } = openLimit(discord, store, 1);
    expect(await first.pauseFor(0)).toBe(0);
    // Two that others may be opening at this moment are not in Discord's number yet.
    const counted = [];
    for (const limit of [first, second, first, second, first]) counted.push(await limit.tryCount(0));
    expect(counted).toEqual([true, true, true, true, false]);
    expect(await second.pauseFor(1)).toBeGreaterThan(0);
  });

  it('that are few are said once, to one process; from then on shards stay where they are', async () => {
    const discord = await openLocalDiscord({ identifyLimits: { perDay: 30 } });
    const store = openStore();
    const all = [openLimit(discord, store, 4), openLimit(discord, store, 4)] as const;
    for (const { limit } of all) await limit.pauseForAll();
    expect(await all[0].limit.isLow()).toBe(false);
    await Promise.all(Array.from({ length: 26 }, () => openSession(discord)));
    for (const { limit } of [...all, ...all]) await limit.pauseForAll();
    expect(all.flatMap(({ few }) => few)).toEqual([3]);
    expect(all.flatMap(({ lines }) => lines)).toEqual([
      expect.objectContaining({ level: 40, left: 3, total: 30, until: expect.any(String), msg: expect.stringContaining('only a few') }),
    ]);
    expect(await all[1].limit.isLow()).toBe(true);
  });

  it('are kept from a shard that is opened again and again, and not from others', async () => {
    const discord = await openLocalDiscord();
    const store = openStore();
    const { limit, lines } = openLimit(discord, store, 2);
    let opened = 0;
    for (; (await limit.pauseFor(0)) === 0; opened++) await limit.tryCount(0);
    expect(opened).toBe(10);
    expect(await limit.pauseFor(0)).toBeLessThanOrEqual(60_000);
    expect(await limit.pauseFor(1)).toBe(0);
    expect(lines).toEqual([expect.objectContaining({ shard: 0, until: expect.any(String) })]);
  });

  it('cannot all be used by shards that are opened again and again', async () => {
    const discord = await openLocalDiscord({ identifyLimits: { perDay: 1_000 } });
    const store = openStore();
    const { limit } = openLimit(discord, store, 4);
    // As if the pauses had passed, which the day would have to be long enough for.
    let passed = 0;
    let opened = 0;
    for (; passed < 24 * 3600_000; opened++) {
      await limit.pauseFor(0);
      expect(await limit.tryCount(0)).toBe(true);
      passed += await limit.pauseFor(0);
    }
    expect(4 * opened).toBeLessThan(1_000);
  });

  it('that have been used up: a process logs in when the next day begins, and says when that is', async () => {
    const discord = await openLocalDiscord({ identifyLimits: { perDay: 2, dayMs: 10_000 } });
    const { token } = discord.application;
    for (let used = 0; used < 2; used++) await openSession(discord);
    const { log, lines } = openLog();
    const nothing = async () => {};
    const shards = await shareShards(
      { SHARD_COUNT: 'auto', SHARDS_PER_PROCESS: undefined },
      { token, apiUrl: discord.apiUrl },
      {
        store: openStore(),
        log,
        open: nothing,
        close: nothing,
        drain: nothing,
        sessionOf: () => 'open',
        isSilent: () => true,
        facts: () => processFacts.parse({}),
        onProcesses: () => {},
        onLowSessions: () => {},
      },
    );
    onTestFinished(() => shards.leases.close());
    const client = createClient(
      discord.apiUrl,
      createMessageIntents(false, log, () => {}),
      log,
      shards,
    );
    onTestFinished(() => client.destroy());
    const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
    await client.login(token);
    await ready;
    expect(discord.gateway.describeIdentifyLimits().remaining).toBe(1);
    expect(sessionsSaid(lines)).toEqual([expect.objectContaining({ until: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) })]);
  });

  it('that are used up later: a session that is lost is opened again when the next day begins', async () => {
    const discord = await openLocalDiscord({ identifyLimits: { perDay: 12, dayMs: 20_000 } });
    await Promise.all(Array.from({ length: 9 }, () => openSession(discord)));
    const store = openStore();
    const { limit, lines, log } = openLimit(discord, store, 1);
    const turns = createIdentifyThrottler(store, { maxConcurrency: 1, limit, log });
    const { signal } = new AbortController();
    for (let opened = 0; opened < 2; opened++) await turns.waitForIdentify(0, signal);
    expect(sessionsSaid(lines)).toEqual([]);
    await turns.waitForIdentify(0, signal);
    expect(sessionsSaid(lines)).toHaveLength(1);
  });
});

describe.skipIf(!redisServer.isMet)(titled('a bot with few sessions left', redisServer), () => {
  let service: TestVoiceService;
  beforeAll(async () => {
    service = await startTestVoiceService();
  });
  afterAll(() => service?.close());

  it('tells its operators, and opens no more than there are', async () => {
    const { start, discord, member, environment } = await openSharedBot(service, {
      shards: 2,
      identifyLimits: { maxConcurrency: 1, perDay: 2, isEnforced: true },
    });
    const { token } = discord.application;
    const direct = await member.inDm();
    const told = direct.sees((message) => textOf(message).includes('Discord will let me connect only 1 more time until'));
    const program = await start();
    await told;
    await expect.poll(() => program.out.filter((line) => line.includes('no more sessions')).length, wait).toBe(1);
    expect(discord.gateway.sessions()).toHaveLength(1);
    expect(discord.application.token).toBe(token);
    program.child.kill('SIGKILL');
    await program.ended;
    await openSession(discord);
    // With a store of its own, it leaves the count to discord.js.
    const alone = await startProgram(environment);
    expect((await alone.ended).code).toBe(1);
    expect(alone.err).toEqual([
      expect.stringMatching(/^Discord lets this bot open no more sessions until \d{4}-.*Start Parley again after that\.$/),
    ]);
    expect(discord.application.token).toBe(token);
  });
});

describe.skipIf(!redisServer.isMet)(titled('a process that waits for its turn to log in', redisServer), () => {
  it('loses its shard to another one: it still logs in, and continues with shards that are free', async () => {
    const service = await startTestVoiceService();
    onTestFinished(() => service.close());
    const { environment, redis, discord, connected } = await openSharedBot(service, { shards: 2, identifyLimits: { maxConcurrency: 1 } });
    const store = await openRedisStore({ url: redis.url, botId: discord.application.id });
    onTestFinished(() => store.close());
    // Another process's turn.
    await store.set('identify:0', 1);
    const admin = new Redis(redis.url);
    const monitor = await admin.monitor();
    onTestFinished(() => {
      for (const one of [admin, monitor]) one.disconnect();
    });
    const isWaiting = new Promise<void>((resolve) => {
      monitor.on('monitor', (_, names: string[]) => {
        if (names.includes('{parley}:entry:identify:0')) resolve();
      });
    });
    const program = await startProgram({ ...environment, REDIS_URL: redis.url });
    const taken = JSON.parse(await program.line(/"took a shard"/)) as { shard: number };
    await isWaiting;
    await store.set(`shard:${taken.shard}`, { process: 'another', token: 1_000 }, { expiresInMs: 5_000 });
    await program.line(/lost a shard to another process/);
    await store.delete('identify:0');
    await program.line(/^Parley is ready/);
    await expect.poll(() => shardsOf(program), wait).toEqual([0, 1]);
    await expect.poll(connected, wait).toBe(2);
  });
});
