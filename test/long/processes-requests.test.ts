// Discord's limit on the requests of a whole bot, kept by several processes that share a Redis.
import { DiscordAPIError, REST, Routes } from 'discord.js';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeRequest } from '../../src/bot/client.ts';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { createLog } from '../../src/log.ts';
import { shareRequests } from '../../src/processes/shared-rate-limiter.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openLocalDiscord } from '../helpers/local-discord.ts';
import { textOf } from '../helpers/member.ts';
import { type RedisServer, startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';
import { openSharedBot, shardsOf } from './shared-bot.ts';

const GUILDS = 30;
const wait = { timeout: 60_000, interval: 20 };

/** What a process sends its requests with, and a store of its own connection. */
async function openRest(discord: LocalDiscord, redis: RedisServer, log = createLog('silent')): Promise<REST> {
  const store = await openRedisStore({ url: redis.url, botId: discord.application.id });
  onTestFinished(() => store.close());
  const options = shareRequests({ store, log, countProcesses: () => 2 });
  return new REST({ api: discord.apiUrl, ...options(makeRequest) }).setToken(discord.application.token);
}

async function open() {
  const redis = await startRedisServer();
  onTestFinished(() => redis.close());
  const discord = await openLocalDiscord({ guilds: GUILDS });
  const statuses: number[] = [];
  discord.onRestRequest(({ status }) => statuses.push(status));
  /** By the first process. */
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
  const [first, second] = await Promise.all([openRest(discord, redis, log), openRest(discord, redis)]);
  const store = await openRedisStore({ url: redis.url, botId: discord.application.id });
  onTestFinished(() => store.close());
  /** Waits until a process was refused, and all of them can know it. */
  const stopped = async () => {
    await expect.poll(() => statuses, wait).toEqual([429]);
    await expect.poll(() => store.get('request-turns'), wait).toBe(Number.MAX_SAFE_INTEGER);
  };
  return { redis, discord, statuses, logged, first, second, stopped };
}

/** More than Discord takes in a second from both, and few of each route. */
const ask = (rest: REST, discord: LocalDiscord, times = 2) =>
  discord.guildIds.flatMap((id) => Array.from({ length: times }, () => rest.get(Routes.guild(id))));
const isRefused = (status: number) => status === 429;

describe.skipIf(!redisServer.isMet)(titled('the requests of several processes', redisServer), () => {
  it('never are more together than Discord takes from one bot', async () => {
    const { discord, statuses, first, second } = await open();
    const refusals = async () => {
      statuses.length = 0;
      await Promise.all([...ask(first, discord), ...ask(second, discord)]);
      return statuses.filter(isRefused);
    };
    // On a busy machine, a few that are held up arrive together with later ones: another try shows what is so on any.
    let refused = await refusals();
    for (let tries = 1; tries < 3 && refused.length > 0; tries++) {
      expect(refused.length).toBeLessThanOrEqual(2);
      refused = await refusals();
    }
    expect(refused).toEqual([]);
    expect(statuses.length).toBeGreaterThanOrEqual(4 * GUILDS);
  });

  it('all stop when Discord refuses one of them for the whole bot, and go on afterwards; answers to interactions go through', async () => {
    const { discord, statuses, first, second, stopped } = await open();
    discord.limitRest(3);
    const refused = first.get(Routes.user());
    await stopped();
    const others = ask(second, discord, 1);
    const token = 'an-interaction-that-is-over';
    const answer = (rest: REST) => rest.patch(Routes.webhookMessage(discord.application.id, token), { body: { content: '' }, auth: false });
    for (const rest of [first, second]) await expect(answer(rest)).rejects.toThrow(DiscordAPIError);
    expect(statuses).toEqual([429, 404, 404]);
    await Promise.all([refused, ...others]);
    expect(statuses.filter(isRefused)).toEqual([429]);
  });

  it('go on when Discord refuses those of one route only', async () => {
    const { discord, first, second } = await open();
    const [one = '', other = ''] = discord.guildIds;
    discord.failRest(new RegExp(`guilds/${one}$`), { status: 429, retryAfterSeconds: 600 }, 1);
    void first.get(Routes.guild(one)).catch(() => {});
    await expect.poll(() => discord.restFaults[0]?.times, wait).toBe(0);
    await Promise.all([first.get(Routes.guild(other)), second.get(Routes.guild(one))]);
  });

  it('can be given up while they wait', async () => {
    const { discord, statuses, first, second, stopped } = await open();
    discord.limitRest(600);
    void first.get(Routes.user()).catch(() => {});
    await stopped();
    const asked = second.get(Routes.user(), { signal: AbortSignal.timeout(300) });
    await expect(asked).rejects.toThrow(/abort/);
    expect(statuses).toEqual([429]);
  });

  it('go on more slowly without the store, and still stop when Discord says so', async () => {
    const { redis, discord, statuses, first, second, logged } = await open();
    await redis.stop('SIGKILL');
    await Promise.all([...ask(first, discord), ...ask(second, discord)]);
    expect(statuses.filter(isRefused)).toEqual([]);
    discord.limitRest(2);
    const refused = first.get(Routes.user());
    await expect.poll(() => logged, wait).toEqual([expect.stringContaining('Discord accepts no requests')]);
    await Promise.all([refused, ...ask(first, discord, 1)]);
    expect(statuses.filter(isRefused)).toHaveLength(1);
  });

  it('keep nobody waiting who runs a command', async () => {
    const service = await startTestVoiceService();
    onTestFinished(() => service.close());
    const { start, membersByShard, connected, discord, redis } = await openSharedBot(service, {
      guilds: 6,
      shards: 2,
      identifyLimits: { maxConcurrency: 2 },
    });
    const [one, other] = [await start(), await start()];
    await expect.poll(() => [shardsOf(one).length, shardsOf(other).length], wait).toEqual([1, 1]);
    await expect.poll(connected, wait).toBe(2);
    const third = await openRest(discord, redis);
    discord.limitRest(600);
    const refused = Promise.withResolvers<void>();
    discord.onRestRequest(({ status }) => isRefused(status) && refused.resolve());
    void third.get(Routes.user()).catch(() => {});
    await refused.promise;
    expect(membersByShard.size).toBe(2);
    for (const member of membersByShard.values()) expect(textOf(await (await member.run('queue')).message(() => true))).not.toBe('');
  });
});
