// A process of the bot ends while its servers speak: another one takes over, and nobody hears it.
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayIntentBits } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSettings } from '../../src/settings/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { createMember, type Member, statusOf, textOf } from '../helpers/member.ts';
import { type Program, warnings } from '../helpers/program.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { openSharedBot, shardsOf } from '../helpers/shared-bot.ts';
import { listenToTones, startToneService, type ToneService } from '../helpers/tone-service.ts';

/** As on a new bot: sessions are opened one after the other. */
const options = { guilds: 3, shards: 2, identifyLimits: { maxConcurrency: 1, isEnforced: true } };
const wait = { timeout: 60_000, interval: 50 };

let service: ToneService;
beforeAll(async () => {
  service = await startToneService();
});
afterAll(() => service?.close());

const WORDS = 'the old boat came home at last and all of us ran down to see what it had found';
/** Takes about this many seconds, 20 at most, and is recognised by its number. */
const textOfLength = (seconds: number, number: number) => `${`${WORDS} and `.repeat(4).slice(0, seconds * 15 - 3)} ${number}`;
const isOver = (program: Program) => program.child.exitCode !== null || program.child.signalCode !== null;

async function openTwo() {
  const bot = await openSharedBot(service, options);
  const first = await bot.start();
  await expect.poll(bot.connected, wait).toBe(options.shards);
  const member = bot.member;
  const listener = await listenToTones((onPacket) => member.client.onHeard(onPacket));
  await member.listen();
  const say = async (text: string) => {
    const answer = await member.run('say', { text });
    await answer.message((message) => /Speaking now|Up next|texts? ahead/.test(statusOf(message)));
    return answer;
  };
  const ends = async (answer: Awaited<ReturnType<Member['run']>>) =>
    statusOf(await answer.message((message) => /Spoken in|Cut off|Not spoken|restarted/.test(textOf(message))));
  return { ...bot, first, listener, say, ends };
}

describe.skipIf(!redisServer.isMet)(titled('a process that ends', redisServer), { timeout: 180_000 }, () => {
  it('speaks to the end of its sentence; what waits is spoken by the next one, once, and in the same replies', async () => {
    const { start, member, first, listener, say, ends } = await openTwo();
    const playing = await say(textOfLength(20, 1));
    await listener.hears(1);
    const waiting = [await say(textOfLength(2, 2)), await say(textOfLength(2, 3))];
    const second = await start();
    first.child.kill('SIGTERM');
    await expect.poll(() => [shardsOf(first), shardsOf(second)], wait).toEqual([[], [0, 1]]);
    expect(isOver(first)).toBe(false);
    const pressed = await member.click(await playing.message((message) => textOf(message).includes('Speaking now')), 'Stop');
    expect(await pressed.sentence()).toContain('restarting');
    // Said to the new process, while the old one still speaks.
    const later = await say(textOfLength(2, 4));
    expect(await ends(playing)).toMatch(/Spoken in (19|20)/);
    const endedAt = performance.now();
    const next = await Promise.race([listener.hears(2), listener.hears(4)]);
    for (const one of [...waiting, later]) expect(await ends(one)).toMatch(/Spoken in (1.9|2)/);
    const heard = listener.heard.map(({ number }) => number);
    expect(heard.toSorted()).toEqual([1, 2, 3, 4]);
    expect(heard.filter((number) => number < 4)).toEqual([1, 2, 3]);
    expect(next.at - endedAt).toBeLessThan(10_000);
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });
});

describe.skipIf(!redisServer.isMet)(titled('a channel that is read aloud', redisServer), { timeout: 180_000 }, () => {
  it('is read on by the next process: each message is heard once, in order; and where the bot is to stay, it comes back', async () => {
    const bot = await openSharedBot(service, { ...options, privilegedIntents: GatewayIntentBits.MessageContent });
    const { discord, member, redis } = bot;
    const [read, stayed] = discord.guildIds as [string, string];
    const [general, lounge] = [discord.channelId('general', read), discord.channelId('Lounge', read)];
    const store = await openRedisStore({ url: redis.url, botId: discord.application.id });
    onTestFinished(() => store.close());
    await store.set(`reading:${read}`, [{ textChannelId: general, voiceChannelId: lounge, startedBy: member.client.userId }]);
    await createSettings(store).changeGuild(stayed, (before) => ({ ...before, stay: true }));
    const start = () => bot.start(undefined, { READ_MESSAGES: 'on' });
    const first = await start();
    await expect.poll(bot.connected, wait).toBe(options.shards);
    const listener = await listenToTones((onPacket) => member.client.onHeard(onPacket));
    await member.listen();
    // Robin can't be in two voice channels.
    const sam = discord.member('Sam', { guildId: stayed });
    const other = createMember(sam, discord.channelId('general', stayed), discord.channelId('Lounge', stayed));
    await other.listen();
    await (await other.run('say', { text: 'Here I stay.' })).message((message) => textOf(message).includes('Spoken in'));
    const channelOf = (guildId: string) => discord.world.guilds.get(guildId)?.voiceStates.get(discord.application.id);
    const sessionBefore = channelOf(stayed)?.session_id;
    expect(sessionBefore).toBeDefined();

    const second = await start();
    first.child.kill('SIGTERM');
    let written = 0;
    for (; !isOver(first) && written < 150; await sleep(700)) await member.write(`message ${++written}`);
    const lastOne = ++written;
    await member.write(`message ${lastOne}`);
    await listener.hears(lastOne);
    expect(listener.heard.map(({ number }) => number)).toEqual(Array.from({ length: lastOne }, (_, index) => index + 1));
    await expect.poll(() => channelOf(stayed)?.channel_id, wait).toBe(discord.channelId('Lounge', stayed));
    expect(channelOf(stayed)?.session_id).not.toBe(sessionBefore);
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });
});
