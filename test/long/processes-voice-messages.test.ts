// Voice messages while one process takes over from another: each is answered with its words once, and the words go with it all the same.
import { GatewayIntentBits, ShardClientUtil } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createMember, labelsOf, type Member, textOf } from '../helpers/member.ts';
import { answerJson, answerToFree, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { warnings } from '../helpers/program.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { silentWav } from '../helpers/speech.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { isOver, openSharedBot } from './shared-bot.ts';

const options = {
  ...{ guilds: 3, members: 4, shards: 2, identifyLimits: { maxConcurrency: 1, isEnforced: true } },
  privilegedIntents: GatewayIntentBits.MessageContent,
};
const wait = { timeout: 60_000, interval: 50 };

let service: TestVoiceService;
beforeAll(async () => {
  service = await startTestVoiceService();
});
afterAll(() => service?.close());

describe.skipIf(!redisServer.isMet)(titled('voice messages', redisServer), () => {
  it('are answered once each, whichever process receives them, and their words are deleted with them by the next one', async () => {
    const bot = await openSharedBot(service, options);
    const { discord, redis, connected } = bot;
    const general = discord.channelId('general');
    const store = await openRedisStore({ url: redis.url, botId: discord.application.id });
    onTestFinished(() => store.close());
    await createSettings(store).changeGuild(discord.guildId, (before) => ({
      ...before,
      transcripts: { ...before.transcripts, channels: [general], who: 'everyone' },
    }));
    const start = () => bot.start(undefined, { READ_MESSAGES: 'on' });
    const first = await start();
    await expect.poll(connected, wait).toBe(options.shards);
    const posted = () => discord.world.messages.get(general) ?? [];
    const answersTo = (id: string) => posted().filter(({ message_reference }) => message_reference?.message_id === id);
    const ids: string[] = [];
    const members = ['Robin', 'Sam', 'Ada', 'Ben'].map((name) => createMember(discord.member(name), general, discord.channelId('Lounge')));
    /** One after the other, each by another member, so that nobody is too fast. */
    const speak = async () => {
      const speaker = members[ids.length % members.length] as Member;
      const { id } = await speaker.sendVoiceMessage('voice-message.wav', silentWav(1), 1);
      ids.push(id);
      await expect.poll(() => answersTo(id), wait).toHaveLength(1);
    };
    await speak();
    const second = await start();
    first.child.kill('SIGTERM');
    while (!isOver(first) && ids.length < 40) await speak();
    await speak();
    expect(await first.ended).toEqual({ code: 0, signal: null });
    await expect.poll(async () => (await store.list('reply:')).length, wait).toBe(0);
    expect(ids.map((id) => answersTo(id).length)).toEqual(ids.map(() => 1));
    const [before = ''] = ids;
    await members[0]?.client.call('delete_message', { channel_id: general, message_id: before });
    await expect.poll(() => answersTo(before), wait).toEqual([]);
    expect(posted().filter((one) => (one.reactedBy?.length ?? 0) > 0)).toEqual([]);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('that wait for their turn in one process are neither sent nor answered once their member has opted out in another, or has everything deleted', async () => {
    const held: (() => void)[] = [];
    const busy = await startMisbehavingService((request, response) => {
      const answerAll = answerJson(200, { text: 'Words.', duration: 1, segments: [] });
      if (request.url === '/v1/asr') held.push(() => answerAll(request, response));
      else (answerToFree(request.url) ?? answerAll)(request, response);
    });
    onTestFinished(() => busy.close());
    const bot = await openSharedBot({ url: busy.url, key: 'key' }, { ...options, guilds: 12 });
    const { discord, redis, connected } = bot;
    for (const _ of [1, 2]) await bot.start(undefined, { READ_MESSAGES: 'on' });
    await expect.poll(connected, wait).toBe(options.shards);
    const store = await openRedisStore({ url: redis.url, botId: discord.application.id });
    onTestFinished(() => store.close());
    // Direct messages arrive on the first shard.
    const guildId = discord.guildIds.find((id) => ShardClientUtil.shardIdForGuildId(id, 2) === 1) ?? '';
    const general = discord.channelId('general', guildId);
    await createSettings(store).changeGuild(guildId, (before) => ({
      ...before,
      transcripts: { ...before.transcripts, channels: [general], who: 'everyone' },
    }));
    const [robin, sam, ada] = ['Robin', 'Sam', 'Ada'].map((name) =>
      createMember(discord.member(name, { guildId }), general, discord.channelId('Lounge', guildId)),
    ) as [Member, Member, Member];
    const speak = (member: Member) => member.sendVoiceMessage('voice-message.wav', silentWav(1), 1);
    const answered = [await speak(robin), await speak(robin)];
    await expect.poll(() => held.length, wait).toBe(2);
    const waiting = [await speak(sam), await speak(ada)];
    await expect.poll(async () => (await store.list('reply:')).length, wait).toBe(4);
    for (const [member, buttons] of [
      [sam, ['privacy.deleteButton', 'privacy.deleteYes']],
      [ada, ['voiceMessages.offButton']],
    ] as const) {
      const direct = await member.inDm();
      const { id } = await (await direct.run('privacy')).message((one) => textOf(one) !== '');
      for (const button of buttons)
        await direct.click(await direct.sees((one) => one.id === id && labelsOf(one).includes(en(button))), en(button));
      await direct.sees((one) => one.id === id && /Done\. I’ve deleted|switched it off/.test(textOf(one)));
    }
    for (const answerOne of held) answerOne();
    const answersTo = ({ id }: { id: string }) =>
      (discord.world.messages.get(general) ?? []).filter(({ message_reference }) => message_reference?.message_id === id).length;
    await expect.poll(async () => (await store.list('reply:')).length, wait).toBe(0);
    expect([...answered, ...waiting].map(answersTo)).toEqual([1, 1, 0, 0]);
    expect(held).toHaveLength(2);
  });
});
