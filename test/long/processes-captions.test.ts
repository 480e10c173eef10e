// Captions while one process takes over from another.
import { once } from 'node:events';
import { type APIMessage, ShardClientUtil } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { saySpeech } from '../../src/local/discord/member/speech.ts';
import { en } from '../../src/locales/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { useTranscribingParley } from '../bot/transcribing-parley.ts';
import { type Member, textOf } from '../helpers/member.ts';
import { answer, answerJson, answerToFree, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { toPackets } from '../helpers/sound.ts';
import { librivoxRecordings, RATE, silentWav } from '../helpers/speech.ts';
import { openHandover } from './handover.ts';
import { openSharedBot } from './shared-bot.ts';

const wait = { timeout: 60_000, interval: 50 };

/** Each transcription has other words. */
async function startService() {
  let number = 0;
  const service = await startMisbehavingService((request, response) => {
    const asr = answerJson(200, { text: `Words ${++number}.`, duration: 2, segments: [] });
    const behaviour = request.url === '/v1/asr' ? asr : answer(200, silentWav(1), { 'content-type': 'audio/wav' });
    (answerToFree(request.url) ?? behaviour)(request, response);
  });
  onTestFinished(() => service.close());
  return service;
}

/** In the lounge, where the member is captioned. */
async function startCaptions(discord: LocalDiscord, listener: Member, guildId: string) {
  const [, recording] = librivoxRecordings();
  const words = await toPackets((recording as { speech: Float32Array }).speech.subarray(0, 3 * RATE));
  const lounge = discord.channelId('Lounge', guildId);
  const member = listener.inChannel(lounge);
  await (await member.run('captions start')).sentence();
  const panel = await member.sees((message) => textOf(message).includes('### Captions of'));
  expect(await (await member.click(panel, en('captions.captionButton'))).sentence()).toContain('Done.');
  const lines = () =>
    ((discord.world.messages.get(lounge) ?? []) as APIMessage[]).flatMap(({ content }) => content.split('\n').filter(Boolean));
  return {
    ...{ member, panel, lines },
    say: () => saySpeech(member.client.microphone, words, { speed: 4 }),
    count: (text: string) => lines().filter((line) => line.includes(text)).length,
  };
}

describe.skipIf(!redisServer.isMet)(titled('captions', redisServer), () => {
  it('go on in the process that takes over, and only for those who still agree', async () => {
    const service = await startService();
    const bot = await openHandover({ url: service.url, key: 'key' });
    const { member, panel, say, count } = await startCaptions(bot.discord, bot.member, bot.guildId);
    await say();
    await expect.poll(() => count('Words'), wait).toBe(1);
    bot.first.child.kill('SIGTERM');
    await expect.poll(() => count('I was interrupted'), wait).toBe(1);
    await say();
    await expect.poll(() => count('Words'), wait).toBe(2);
    if (bot.first.child.exitCode === null) await once(bot.first.child, 'exit');
    expect(await (await member.click(panel, en('captions.stopButton'))).sentence()).toContain('I no longer hear you');
    expect(await bot.store.list('captions-consent:')).toEqual([]);
    expect(await (await member.run('captions stop')).sentence()).toContain(en('captions.stopped'));
    await expect.poll(() => bot.store.list('captions:'), wait).toEqual([]);
  });

  it('lose what somebody has said who has everything deleted by another process, which also hears nothing more of them', async () => {
    const service = await startService();
    const bot = await openHandover({ url: service.url, key: 'key' });
    // Direct messages arrive on the first shard.
    const guildId = bot.discord.guildIds.find((id) => ShardClientUtil.shardIdForGuildId(id, 2) === 1) ?? '';
    const listener = bot.memberOf(guildId);
    await listener.listen(bot.discord.channelId('Lounge', guildId));
    const { member, say, lines, count } = await startCaptions(bot.discord, listener, guildId);
    await say();
    await expect.poll(() => count('Words'), wait).toBe(1);
    const direct = await member.inDm();
    const shown = await (await direct.run('privacy')).message((one) => textOf(one).includes('Captions.'));
    await direct.click(shown, en('privacy.deleteButton'));
    const question = await direct.sees((one) => one.id === shown.id && textOf(one).includes(en('captions.consentGoes')));
    await direct.click(question, en('privacy.deleteYes'));
    await direct.sees((one) => one.id === shown.id && textOf(one).includes('Done. I’ve deleted your data.'));
    expect(lines()).toEqual([]);
    const { length } = service.requests;
    await say();
    expect(await (await member.run('captions stop')).sentence()).toContain(en('captions.stopped'));
    await expect.poll(() => bot.store.list('captions'), wait).toEqual([]);
    expect(await bot.store.list('words-removal')).toEqual([]);
    expect(service.requests.slice(length).filter(({ url }) => url === '/v1/asr')).toEqual([]);
    const all = (bot.discord.world.messages.get(bot.discord.channelId('Lounge', guildId)) ?? []) as APIMessage[];
    expect(all.map(textOf).filter((text) => text.includes('Words'))).toEqual([]);
  });

  it('are not lost with the data of Redis: they go on where they are, and later in another process; whoever withdraws meanwhile stays withdrawn', async () => {
    const service = await startService();
    const bot = await openHandover({ url: service.url, key: 'key' });
    const { redis, store, guildId } = bot;
    const { member, panel, say, count } = await startCaptions(bot.discord, bot.member, guildId);
    const postponed = () => bot.first.out.some((line) => line.includes('could not be paid for yet'));
    await redis.stop('SIGKILL');
    await say();
    await expect.poll(postponed, wait).toBe(true);
    await redis.start();
    await expect.poll(() => count('Words'), wait).toBe(1);
    const captionedIn = async () => ((await store.get(`captions:${guildId}`)) as { captioned: unknown[] } | null)?.captioned.length;
    await expect.poll(captionedIn, wait).toBe(1);
    redis.freeze();
    expect(await (await member.click(panel, en('captions.stopButton'))).sentence()).toContain(en('captions.isOffUnstored'));
    redis.thaw();
    await expect.poll(captionedIn, wait).toBe(0);
    expect(await (await member.click(panel, en('captions.captionButton'))).sentence()).toContain('Done.');
    bot.first.child.kill('SIGTERM');
    await expect.poll(() => count('I was interrupted'), wait).toBe(1);
    await say();
    await expect.poll(() => count('Words'), wait).toBe(2);
  });

  it('go on once Redis answers again, even if it has forgotten everything; whoever withdraws meanwhile stays withdrawn', async () => {
    const service = await startService();
    const bot = await openSharedBot({ url: service.url, key: 'key' }, { shards: 1 });
    const { redis, discord } = bot;
    const program = await bot.start();
    const store = await openRedisStore({ url: redis.url, botId: discord.application.id });
    onTestFinished(() => store.close());
    await bot.member.listen();
    const { member, panel, say, count } = await startCaptions(discord, bot.member, discord.guildId);
    const postponed = () => program.out.filter((line) => line.includes('could not be paid for yet')).length;
    async function saysDuring(interrupt: () => unknown, recover: () => unknown): Promise<void> {
      const [before, words] = [postponed(), count('Words')];
      await interrupt();
      await say();
      await expect.poll(postponed, wait).toBeGreaterThan(before);
      await recover();
      await expect.poll(() => count('Words'), wait).toBe(words + 1);
    }
    await saysDuring(redis.freeze, redis.thaw);
    redis.freeze();
    expect(await (await member.click(panel, en('captions.stopButton'))).sentence()).toContain(en('captions.isOffUnstored'));
    redis.thaw();
    await expect.poll(() => store.list('captions-consent:'), wait).toEqual([]);
    await expect.poll(() => store.get(`captions:${discord.guildId}`), wait).toMatchObject({ captioned: [] });
    expect(await (await member.click(panel, en('captions.captionButton'))).sentence()).toContain('Done.');
    await saysDuring(() => redis.stop('SIGKILL'), redis.start);
    expect(count('isn’t working')).toBe(0);
    redis.freeze();
    expect(await (await member.run('captions stop')).sentence()).toContain(en('captions.stopped'));
    await member.sees((message) => textOf(message).includes(en('captions.noTranscript')));
    redis.thaw();
    await expect.poll(() => store.list('captions-lines:'), wait).toEqual([]);
    expect(program.child.exitCode).toBe(null);
  });
});

describe('captions', () => {
  const { parley, service } = useTranscribingParley();

  it('have been left to the next process once theirs has ended, even if it was handing them over when it was told to end', async () => {
    await parley.member.listen();
    const { member, say } = await startCaptions(parley.discord, parley.member, parley.discord.guildId);
    const calls = () => service.requests.filter(({ url }) => url === '/v1/asr').length;
    const answerAll = service.hold();
    await say();
    await expect.poll(calls, wait).toBeGreaterThanOrEqual(1);
    const begunAt = Date.now();
    const handingOver = parley.bot().handOver(0);
    await parley.bot().close();
    answerAll(answerJson(200, { text: 'Too late.', duration: 2, segments: [] }));
    const run = await parley.store.get(`captions:${parley.discord.guildId}`);
    expect((run as { seenAt: number }).seenAt).toBeGreaterThanOrEqual(begunAt - 1);
    await handingOver;
    await parley.restartBot();
    await member.sees((message) => message.content.includes(en('captions.resumed')));
  });
});
