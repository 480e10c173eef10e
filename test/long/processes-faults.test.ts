// What members notice when the shared store is gone, slow or read-only.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Member, statusOf, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { openProgramFixture } from '../helpers/program-fixture.ts';
import { startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { startTcpProxy } from '../processes/tcp-proxy.ts';

const LONG_TEXT = 'This text is long enough to be heard for a while, whatever becomes of the store in the meantime. '.repeat(3);
const REFUSAL = 'I can’t save or read my data right now';
const wait = { timeout: 60_000, interval: 50 };

let service: TestVoiceService;
beforeAll(async () => {
  service = await startTestVoiceService();
});
afterAll(() => service?.close());

/** A process whose way to the store can be broken or slow. */
async function openHouse() {
  const redis = await startRedisServer();
  onTestFinished(() => redis.close());
  const proxy = await startTcpProxy(redis.port);
  onTestFinished(() => proxy.close());
  const house = await openProgramFixture(service);
  const program = await house.start({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` });
  return { ...house, redis, proxy, program };
}

const status = async (member: Member, text: string) =>
  statusOf(await (await member.run('say', { text })).message((message) => textOf(message).includes(openingOf('say.spoken'))));
const isTold = async (member: Member) => (await member.run('say', { text: 'Nobody will hear this.' })).sentence();

describe.skipIf(!redisServer.isMet)(titled('the shared store', redisServer), () => {
  it('is gone: what is playing continues, commands say so, and when it is back everything is as before', async () => {
    const { member, proxy, discord, program } = await openHouse();
    const receiver = await member.listen();
    const playing = await member.run('say', { text: LONG_TEXT });
    await expect.poll(() => receiver.frames().length, wait).toBeGreaterThan(20);
    const sessions = discord.gateway.sessions().map(({ id }) => id);
    proxy.isBroken = true;
    expect(await isTold(member)).toContain(REFUSAL);
    const heard = receiver.frames().length;
    await expect.poll(() => receiver.frames().length, wait).toBeGreaterThan(heard + 100);
    proxy.isBroken = false;
    expect(statusOf(await playing.message((message) => textOf(message).includes(openingOf('say.spoken'))))).toContain(
      openingOf('say.spoken'),
    );
    await expect.poll(() => isBack(member), wait).toBe(true);
    expect(discord.gateway.sessions().map(({ id }) => id)).toEqual(sessions);
    expect(program.child.exitCode).toBeNull();
  });

  it('takes two seconds for each answer: commands say so in time', async () => {
    const { member, proxy } = await openHouse();
    await member.listen();
    expect(await status(member, 'Before.')).toContain(openingOf('say.spoken'));
    proxy.delayMs = 2_000;
    expect(await isTold(member)).toContain(REFUSAL);
    proxy.delayMs = 0;
    await expect.poll(() => isBack(member), wait).toBe(true);
  });

  it('became read-only, as a replica is: commands say so until it can be written again', async () => {
    const { member, redis } = await openHouse();
    const { Redis } = await import('ioredis');
    const primary = await startRedisServer();
    onTestFinished(() => primary.close());
    const admin = new Redis(redis.url);
    onTestFinished(() => admin.disconnect());
    await member.listen();
    expect(await status(member, 'Before.')).toContain(openingOf('say.spoken'));
    await admin.replicaof('127.0.0.1', primary.port);
    expect(await isTold(member)).toContain(REFUSAL);
    await admin.replicaof('NO', 'ONE');
    await expect.poll(() => isBack(member), wait).toBe(true);
  });

  it('is full: commands say so, and work again once there is room', async () => {
    const { member, redis } = await openHouse();
    const { Redis } = await import('ioredis');
    const admin = new Redis(redis.url);
    onTestFinished(() => admin.disconnect());
    await member.listen();
    expect(await status(member, 'Before.')).toContain(openingOf('say.spoken'));
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    await admin.config('SET', 'maxmemory', '1');
    expect(await isTold(member)).toContain(REFUSAL);
    // Until the shard's lease has ended, which can't be renewed.
    const endsIn = async () => Number((await admin.get('{parley}:entry:shard:0'))?.split('|')[0]) - Number((await admin.time())[0]) * 1000;
    await expect.poll(endsIn, wait).toBeLessThan(0);
    expect(await isTold(member)).toContain(REFUSAL);
    await admin.config('SET', 'maxmemory', '0');
    await expect.poll(() => isBack(member), wait).toBe(true);
  });
});

/** Whether a text is spoken, rather than refused. */
async function isBack(member: Member): Promise<boolean> {
  const answer = await member.run('say', { text: 'And after.' });
  const message = await answer.message((one) => textOf(one).includes(openingOf('say.spoken')) || textOf(one).includes(REFUSAL));
  return textOf(message).includes(openingOf('say.spoken'));
}
