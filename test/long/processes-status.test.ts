// What /status says if there are several processes: to operators, of the whole bot; to members, while their server moves, or the store is gone.
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { type Member, memberOf, textOf, textsOf } from '../helpers/member.ts';
import { openProgramFixture } from '../helpers/program-fixture.ts';
import { startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { startTcpProxy } from '../processes/tcp-proxy.ts';
import { openSharedBot, shardsOf } from './shared-bot.ts';

const options = { guilds: 6, shards: 2, identifyLimits: { maxConcurrency: 2 } };
/** Not as often as a member may ask. */
const wait = { timeout: 90_000, interval: 1_500 };
const LONG_TEXT = 'This text is long enough to be heard for a while, whatever becomes of the process in the meantime. '.repeat(3);

/** The verdict, and the lines below each headline. */
async function statusOf(member: Member) {
  const [verdict = '', ...parts] = textsOf(await (await member.run('status')).message((message) => textOf(message) !== ''));
  const linesOf = (title: string) =>
    parts
      .find((part) => new RegExp(`^\\*\\*${title}\\b`).test(part))
      ?.split('\n')
      .slice(1);
  return { verdict, linesOf, whole: linesOf('The whole bot') };
}

async function openTwo(service: { url: string; key: string }, env: Record<string, string> = {}) {
  const bot = await openSharedBot(service, options);
  const [first, second] = [await bot.start(undefined, env), await bot.start(undefined, env)];
  await expect.poll(() => [shardsOf(first).length, shardsOf(second).length], wait).toEqual([1, 1]);
  await expect.poll(bot.connected, wait).toBe(options.shards);
  const shards = [shardsOf(first)[0] ?? -1, shardsOf(second)[0] ?? -1] as const;
  const member = bot.membersByShard.get(shards[0]) ?? expect.fail('there is no server');
  const names = [first, second].map(({ child }) => `\`${hostname()} ${child.pid}\``) as [string, string];
  return { ...bot, first, second, shards, member, names };
}

describe.skipIf(!redisServer.isMet)(titled('/status with several processes', redisServer), () => {
  let service: TestVoiceService;
  beforeAll(async () => {
    service = await startTestVoiceService();
  });
  afterAll(() => service?.close());

  it('shows operators every process, and a shard that nobody has once one is killed; members see none of it', async () => {
    const { member, discord, membersByShard, second, shards, names } = await openTwo(service, { SHARDS_PER_PROCESS: '1' });
    const serversOn = (shard: number) =>
      discord.guildIds.filter((id) => Number((BigInt(id) >> 22n) % BigInt(options.shards)) === shard).length;
    const factsOf = (shard: number) =>
      expect.stringMatching(new RegExp(`^-# shard ${shard} · ${serversOn(shard)} servers · started <t:\\d+:R>$`));
    await expect
      .poll(async () => (await statusOf(member)).whole, wait)
      .toEqual([
        '2 processes · 2 shards · 6 servers',
        `${names[0]} · answers here (shard ${shards[0]})`,
        factsOf(shards[0]),
        names[1],
        factsOf(shards[1]),
      ]);
    const elsewhere = membersByShard.get(shards[1]) ?? expect.fail('there is no server');
    expect((await statusOf(elsewhere)).whole?.[1]).toBe(`${names[1]} · answers here (shard ${shards[1]})`);
    const sam = memberOf(discord, 'Sam');
    expect((await statusOf(sam)).whole).toBeUndefined();

    second.child.kill('SIGKILL');
    await expect
      .poll(async () => (await statusOf(member)).whole?.slice(0, 2), wait)
      .toEqual([
        expect.stringMatching(/^1 process · 2 shards/),
        expect.stringContaining(`✗ No process has shard ${shards[1]}: servers there get no answer`),
      ]);
  });

  it('says which process has found the voice service down', async () => {
    const own = await startTestVoiceService();
    const { member, names } = await openTwo(own);
    await own.close();
    await expect
      .poll(async () => (await statusOf(member)).whole?.filter((line) => line.includes(en('status.wholeBot.serviceDown'))), wait)
      .toEqual([expect.stringContaining(names[0])]);
  });

  it('says that it moves while the old process still speaks, and that the old one leaves', async () => {
    const { member, first, second, names, discord } = await openTwo(service);
    const receiver = await member.listen();
    // 33 seconds, so that even on a busy machine it is still playing when the other process has taken over.
    await member.run('say', { text: LONG_TEXT, speed: 0.6 });
    await expect.poll(() => receiver.frames().length, wait).toBeGreaterThan(20);
    first.child.kill('SIGTERM');
    await expect.poll(() => [shardsOf(first), shardsOf(second)], wait).toEqual([[], [0, 1]]);
    const { verdict, linesOf, whole } = await statusOf(member);
    expect(verdict).toBe(en('status.moving'));
    const lounges = discord.guildIds.map((id) => discord.channelId('Lounge', id));
    const [connection = ''] = linesOf(en('status.titles.connection')) ?? [];
    expect(lounges.map((id) => en('status.movingFrom', { voiceChannel: id }))).toContain(connection);
    // How many servers it has, a process says every few seconds.
    expect(whole?.slice(1)).toEqual([
      expect.stringMatching(`^${names[1]} · answers here`),
      expect.stringMatching(/^-# shards 0, 1 · /),
      `${names[0]} · leaving`,
      expect.stringMatching(/^-# no shards · \d servers · speaking in 1 · started /),
    ]);
    await member.run('skip');
    expect((await first.ended).code).toBe(0);
    await expect.poll(async () => (await statusOf(member)).verdict, wait).toContain('Everything works');
  });

  it('says that the store is gone, and still what else is wrong', async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.close());
    const proxy = await startTcpProxy(redis.port);
    onTestFinished(() => proxy.close());
    const house = await openProgramFixture(service);
    await house.start({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` });
    const { member } = house;
    proxy.isBroken = true;
    await expect.poll(async () => (await statusOf(member)).verdict, wait).toContain('You’re not in a voice channel');
    await member.listen();
    const { verdict, linesOf, whole } = await statusOf(member);
    expect(verdict).toContain(en('status.storeGone'));
    expect(linesOf(en('status.titles.you'))?.join('\n')).toContain('✗ You can’t use `/say` here: I can’t read or save my data');
    expect(linesOf(en('status.titles.connection'))?.at(-1)).toBe('Queue: empty');
    expect(linesOf(en('status.titles.service'))?.[0]).toMatch(/^✓ Answered in/);
    expect(whole).toEqual(['✗ I can’t read the shared store right now, so I don’t know how the other processes are doing.']);
    proxy.isBroken = false;
    await expect.poll(async () => (await statusOf(member)).verdict, wait).toContain('Everything works');
  });
});
