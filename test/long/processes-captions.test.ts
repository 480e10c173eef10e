// Captions while one process takes over from another.
import { once } from 'node:events';
import type { APIMessage } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHandover } from '../helpers/handover.ts';
import { toPackets } from '../helpers/heard-speech.ts';
import { textOf } from '../helpers/member.ts';
import { answer, answerJson, answerToFree, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { RATE } from '../helpers/sound-conditions.ts';
import { saySpeech } from '../helpers/speaking-member.ts';
import { librivoxRecordings, silentWav, toSamples } from '../helpers/speech.ts';

const wait = { timeout: 60_000, interval: 50 };

describe.skipIf(!redisServer.isMet)(titled('captions', redisServer), () => {
  it('go on in the process that takes over, and only for those who still agree', async () => {
    let number = 0;
    const service = await startMisbehavingService((request, response) => {
      const asr = answerJson(200, { text: `Words ${++number}.`, duration: 2, segments: [] });
      const behaviour = request.url === '/v1/asr' ? asr : answer(200, silentWav(1), { 'content-type': 'audio/wav' });
      (answerToFree(request.url) ?? behaviour)(request, response);
    });
    onTestFinished(() => service.close());
    const [, recording] = librivoxRecordings();
    const samples = Float32Array.from(toSamples((recording as { audio: Uint8Array }).audio.subarray(44)), (sample) => sample / 32_768);
    const words = await toPackets(samples.subarray(0, 3 * RATE));
    const bot = await openHandover({ url: service.url, key: 'key' });
    const { discord, guildId } = bot;
    const lounge = discord.channelId('Lounge', guildId);
    const member = bot.member.inChannel(lounge);
    await (await member.run('captions start')).sentence();
    const panel = await member.sees((message) => textOf(message).includes('### Captions of'));
    expect(await (await member.click(panel, 'Caption me')).sentence()).toContain('Done.');
    const lines = () =>
      ((discord.world.messages.get(lounge) ?? []) as APIMessage[]).flatMap(({ content }) => content.split('\n').filter(Boolean));
    const say = () => saySpeech(member.client.microphone, words, { speed: 4 });
    await say();
    await expect.poll(() => lines().filter((line) => line.includes('Words')).length, wait).toBe(1);
    await bot.takeOver();
    await expect.poll(() => lines().some((line) => line.includes('I was interrupted')), wait).toBe(true);
    await say();
    await expect.poll(() => lines().filter((line) => line.includes('Words')).length, wait).toBe(2);
    if (bot.first.child.exitCode === null) await once(bot.first.child, 'exit');
    expect(await (await member.click(panel, 'Stop captioning me')).sentence()).toContain('I no longer hear you');
    expect(await bot.store.list('captions-consent:')).toEqual([]);
    expect(await (await member.run('captions stop')).sentence()).toContain('Captions are off');
    await expect.poll(() => bot.store.list('captions:'), wait).toEqual([]);
  });
});
