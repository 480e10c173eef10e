// What several processes can't be started with: one line says why, and the program ends.
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openRedisStore } from '../../src/store/redis.ts';
import { openLocalDiscord } from '../helpers/local-discord.ts';
import { freePort, startProgram } from '../helpers/program.ts';
import { type RedisServer, startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';

const PASSWORD = 'planted-password';
const tokenOf = (botId: string) => `${Buffer.from(botId).toString('base64url')}.planted.token`;
const botId = '100000000000000001';

describe.skipIf(!redisServer.isMet)(titled('a program that is to share a store', redisServer), () => {
  let redis: RedisServer;
  let url: string;
  beforeAll(async () => {
    redis = await startRedisServer('--requirepass', PASSWORD);
    url = redis.url.replace('//', `//:${PASSWORD}@`);
  });
  afterAll(() => redis?.close());

  /** The line that the program ends with. */
  async function refusal(REDIS_URL: string, DISCORD_TOKEN = tokenOf(botId), env: Record<string, string> = {}): Promise<string> {
    const program = await startProgram({ REDIS_URL, DISCORD_TOKEN, VOICE_API_URL: 'http://127.0.0.1:9', VOICE_API_KEY: 'key', ...env });
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.err).toHaveLength(1);
    const printed = [...program.out, ...program.err].join('\n');
    expect(printed).not.toContain('planted');
    expect(printed).not.toContain(DISCORD_TOKEN);
    return program.err.join('');
  }

  it('says that its address is none of a store', async () => {
    expect(await refusal(url.replace('redis:', 'http:'))).toMatch(/^REDIS_URL must be an address that begins with redis:/);
    expect(await refusal(`redis://:${PASSWORD}@store.example`)).toMatch(/^REDIS_URL must begin with rediss:/);
  });

  it('says that nobody answers there, or that the password is wrong', async () => {
    const sentence = /^REDIS_URL: the store at 127\.0\.0\.1:\d+ cannot be used \(.+\)\. Check the address, the password/;
    expect(await refusal(`redis://:${PASSWORD}@127.0.0.1:${await freePort()}`)).toMatch(sentence);
    expect(await refusal(url.replace(PASSWORD, `${PASSWORD}-wrong`))).toMatch(sentence);
    expect(await refusal(redis.url)).toMatch(sentence);
  });

  it('says that Discord refuses the token', async () => {
    const discord = await openLocalDiscord();
    const sentence = await refusal(url, tokenOf(botId), { DISCORD_API_URL: discord.apiUrl });
    expect(sentence).toMatch(/^DISCORD_TOKEN is refused by Discord: reset it on the Bot page/);
  });

  it('says that the store belongs to another bot, or was written by a later version, and leaves it as it is', async () => {
    const store = await openRedisStore({ url, botId });
    onTestFinished(() => store.close());
    await store.set('kept', 1);
    expect(await refusal(url, tokenOf('100000000000000002'))).toMatch(/^REDIS_URL: this store belongs to another bot\./);
    const admin = new Redis(url);
    onTestFinished(() => admin.disconnect());
    await admin.set('{parley}:about', JSON.stringify({ version: 99, botId }));
    expect(await refusal(url)).toMatch(/^REDIS_URL: this store was written by a later version of Parley\./);
    expect(await store.list('')).toEqual([['kept', 1]]);
  });
});
