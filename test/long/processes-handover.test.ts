// A process of the bot ends while its servers speak: another one takes over, and nobody hears it.
import { GatewayIntentBits } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createMember, type Member, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { warnings } from '../helpers/program.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { listenToTones, startToneService, type ToneService } from '../helpers/tone-service.ts';
import { openHandover, textOfLength } from './handover.ts';
import { isOver, openSharedBot, shardsOf } from './shared-bot.ts';

/** As on a new bot: sessions are opened one after the other. */
const options = { guilds: 3, shards: 2, identifyLimits: { maxConcurrency: 1, isEnforced: true } };
const wait = { timeout: 60_000, interval: 50 };

let service: ToneService;
beforeAll(async () => {
  service = await startToneService();
});
afterAll(() => service?.close());

describe.skipIf(!redisServer.isMet)(titled('a process that ends', redisServer), () => {
  it('speaks what it has begun and what it has had made; the rest is spoken by the next one, in order, once, and in the same replies', async () => {
    const { takeOver, first, second, listener, say, ends, spent } = await openHandover(service, {
      identifyLimits: { maxConcurrency: 1, isEnforced: true },
    });
    const askedBefore = service.spoken.length;
    const playing = await say(textOfLength(20, 1));
    await listener.hears(1);
    const waiting = [await say(textOfLength(2, 2)), await say(textOfLength(2, 3))];
    await takeOver();
    // Said to the new process, while the old one still speaks.
    const later = await say(textOfLength(2, 4));
    expect(await ends(playing)).toMatch(/Spoken \((19|20)/);
    for (const one of [...waiting, later]) expect(await ends(one)).toMatch(/Spoken \(2 seconds/);
    expect(listener.heard.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    const asked = service.spoken.slice(askedBefore).map(({ text }) => text);
    expect(asked.toSorted()).toEqual([textOfLength(2, 2), textOfLength(2, 3), textOfLength(2, 4), textOfLength(20, 1)].toSorted());
    await expect.poll(spent, wait).toBe(asked.join('').length);
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });
});

describe.skipIf(!redisServer.isMet)(titled('a text that would take too long', redisServer), () => {
  it('is made once more and spoken by the next process, though its sound was being made, but charged once', async () => {
    const { takeOver, member, first, second, listener, ends, spent } = await openHandover(service);
    // Estimated as twice as long as they are.
    service.ignoresSpeed = true;
    onTestFinished(() => {
      service.ignoresSpeed = false;
    });
    const askedBefore = service.spoken.length;
    const playing = await member.run('say', { text: textOfLength(20, 1), speed: 0.5 });
    await listener.hears(1);
    const next = await member.run('say', { text: textOfLength(15, 2), speed: 0.5 });
    await expect.poll(() => service.spoken.length - askedBefore, wait).toBe(2);
    await takeOver();
    for (const one of [playing, next]) expect(await ends(one)).toContain(openingOf('say.spoken'));
    expect(listener.heard.map(({ number }) => number)).toEqual([1, 2]);
    const asked = service.spoken.slice(askedBefore).map(({ text }) => text);
    expect(asked).toEqual([textOfLength(20, 1), textOfLength(15, 2), textOfLength(15, 2)]);
    await expect.poll(spent, wait).toBe(textOfLength(20, 1).length + textOfLength(15, 2).length);
    expect(await first.line(/synthesised again by another process/)).toContain(`"characters":${textOfLength(15, 2).length}`);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });
});

describe.skipIf(!redisServer.isMet)(titled('a channel that is read aloud', redisServer), () => {
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
    await (await other.run('say', { text: 'Here I stay.' })).message((message) => textOf(message).includes(openingOf('say.spoken')));
    const channelOf = (guildId: string) => discord.world.guilds.get(guildId)?.voiceStates.get(discord.application.id);
    const sessionBefore = channelOf(stayed)?.session_id;
    expect(sessionBefore).toBeDefined();

    const second = await start();
    first.child.kill('SIGTERM');
    let written = 0;
    for (; !isOver(first) && written < 150; ) {
      await member.write(`message ${++written}`);
      if (written > 2) await listener.hears(written - 2);
    }
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

describe.skipIf(!redisServer.isMet)(titled('a shard that comes back', redisServer), () => {
  it('is spoken and read in as before, and was closed meanwhile, whatever its process spoke elsewhere', async () => {
    const shards = 2;
    const bot = await openSharedBot(service, {
      ...{ guilds: 3, shards, identifyLimits: { maxConcurrency: shards } },
      privilegedIntents: GatewayIntentBits.MessageContent,
    });
    const { discord, redis, membersByShard } = bot;
    const store = await openRedisStore({ url: redis.url, botId: discord.application.id });
    onTestFinished(() => store.close());
    for (const guildId of discord.guildIds) {
      const channels = { textChannelId: discord.channelId('general', guildId), voiceChannelId: discord.channelId('Lounge', guildId) };
      await store.set(`reading:${guildId}`, [{ ...channels, startedBy: bot.member.client.userId }]);
    }
    const start = () => bot.start(undefined, { READ_MESSAGES: 'on' });
    const first = await start();
    await expect.poll(bot.connected, wait).toBe(shards);
    // The other shard stays where it is, and nothing waits for its commands.
    const [other, member] = [membersByShard.get(0) as Member, membersByShard.get(1) as Member];
    await other.listen();
    const long = await other.run('say', { text: textOfLength(50, 0), speed: 0.5 });
    await long.message((message) => textOf(message).includes(en('say.speaking')));
    const second = await start();
    await expect.poll(() => [shardsOf(first), shardsOf(second)], wait).toEqual([[0], [1]]);
    await expect.poll(bot.connected, wait).toBe(shards);
    expect(long.messages().map(textOf).join()).not.toContain('Spoken (');

    const listener = await listenToTones((onPacket) => member.client.onHeard(onPacket));
    await member.listen();
    const isSpoken = async (text: string) =>
      textOf(await (await member.run('say', { text })).message((message) => /Spoken \(|Nobody/.test(textOf(message))));
    expect(await isSpoken('At the second, 1')).toContain(openingOf('say.spoken'));
    await member.write('message 2');
    await listener.hears(2);

    second.child.kill('SIGTERM');
    await expect.poll(() => shardsOf(first).length, wait).toBe(shards);
    expect(await isSpoken('At the first, 3')).toContain(openingOf('say.spoken'));
    await member.write('message 4');
    await listener.hears(4);
    expect(listener.heard.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(await second.ended).toEqual({ code: 0, signal: null });
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });
});
