// Reading aloud when something goes wrong: it says so once, nothing is read late, and it goes on by itself.
import { once } from 'node:events';
import { Events, PermissionFlagsBits as P } from 'discord.js';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { toOperatorBudgets } from '../../src/charging/index.ts';
import { readConfig } from '../../src/config.ts';
import { en } from '../../src/locales/index.ts';
import { StoreError } from '../../src/store/index.ts';
import { textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { startReadingBot, useReadingBot } from './reading-bot.ts';

async function openBot(options: Parameters<typeof startReadingBot>[0] = {}) {
  const bot = await startReadingBot(options);
  onTestFinished(() => bot.close());
  await bot.startReading();
  return bot;
}

const budgetsOf = (settings: Record<string, string>) => toOperatorBudgets(readConfig(settings));

describe('a channel that is read aloud', () => {
  const clock = { ahead: 0 };
  const bot = useReadingBot({
    ...{ now: () => Date.now() + clock.ahead, voice: { aloneMs: 100 } },
    ...{ retries: { attempts: 1 }, breaker: { failures: 100, probeInterval: 100_000 } },
  });
  beforeEach(async () => {
    await bot.startReading();
    bot.service.spoken.length = 0;
    bot.listener.heard.length = 0;
  });
  const messages = () => bot.discord.world.messages.get(bot.general) ?? [];

  it('is read again after a restart, as soon as the bot is back', async () => {
    await bot.restartBot();
    await bot.botIsThere();
    await bot.member.write('message 1');
    await bot.listener.hears(1);
  });

  it('is left with the last listener, and joined with the first', async () => {
    const { member, other, lounge, service } = bot;
    await member.client.call('join_voice', { channel_id: null });
    await bot.botIsThere(false);
    await other.write('Nobody hears this one, number 1');
    await member.client.call('join_voice', { channel_id: lounge });
    await bot.botIsThere();
    await other.write('message 2');
    await bot.listener.hears(2);
    expect(service.spoken.map(({ text }) => text)).toEqual(['Sam says: message 2']);
  });

  it('stays silent after a moderator has sent the bot away, until everybody has left', async () => {
    const { discord, member, other, lounge, service } = bot;
    discord.moveUser(discord.application.id, null);
    await bot.botIsThere(false);
    await other.write('Nobody hears this one, number 1');
    await expect.poll(() => bot.store.list('reading-silent:')).toHaveLength(1);
    await bot.restartBot();
    const status = async (command: string) => textOf(await (await member.run(command)).message((message) => textOf(message) !== ''));
    for (const command of ['read status', 'status'])
      await expect.poll(() => status(command)).toContain(en('reading.status.paused.disconnect'));
    await other.write('Nor does anybody hear this one, number 1');
    await member.client.call('join_voice', { channel_id: null });
    await member.client.call('join_voice', { channel_id: lounge });
    await bot.botIsThere();
    await other.write('message 2');
    await bot.listener.hears(2);
    expect(service.spoken.map(({ text }) => text)).toEqual(['Sam says: message 2']);
    await expect.poll(() => bot.store.list('reading-silent:')).toHaveLength(0);
  });

  it('says once that it may not speak in the voice channel any more, and continues once it may', async () => {
    const { discord, member, lounge, listener } = bot;
    discord.setPermissions(lounge, discord.application.id, { deny: P.Speak });
    for (const number of [1, 2, 3]) await member.write(`message ${number}`);
    await member.sees((message) => textOf(message).includes('Speak'));
    const allowed = once(bot.bot().client, Events.ChannelUpdate);
    discord.setPermissions(lounge, discord.application.id, {});
    await allowed;
    await member.write('message 4');
    await listener.hears(4);
  });

  it('does not read late what was written while the gateway was gone', async () => {
    const { discord, member, listener } = bot;
    await member.write('message 1');
    await listener.hears(1);
    const client = bot.bot().client;
    const [lost, resumed] = [Events.ShardReconnecting, Events.ShardResume].map(
      (event) => new Promise((resolve) => client.once(event as Events.ShardResume, resolve)),
    );
    discord.gateway.outage('refused');
    await lost;
    await member.write('message 2');
    clock.ahead = 60_000;
    discord.gateway.outage(null);
    await resumed;
    clock.ahead = 0;
    await member.write('message 3');
    await listener.hears(3);
    expect(listener.heard.map(({ number }) => number)).toEqual([1, 3]);
  });

  it('reads once what the gateway sends twice', async () => {
    const { discord, member, listener } = bot;
    const again = Promise.withResolvers<() => void>();
    const stop = discord.world.onEvent((event) => {
      if (event.t !== 'MESSAGE_CREATE') return;
      stop();
      again.resolve(() => discord.world.emit(event));
    });
    for (const number of [1, 2]) {
      await member.write(`message ${number}`);
      await listener.hears(number);
    }
    (await again.promise)();
    await member.write('message 3');
    await listener.hears(3);
    expect(listener.heard.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('says once that the service is down, does not try old messages again, and continues with new ones', async () => {
    const before = messages().length;
    const { member, listener, service } = bot;
    service.behave = (_, response) => response.writeHead(503).end();
    for (const number of [1, 2, 3]) {
      await member.write(`message ${number}`);
      await service.asked(({ text }) => text.endsWith(` ${number}`));
    }
    await member.sees((message) => textOf(message).includes(en('readingNotices.goesOn')));
    const since = () => messages().slice(before);
    await expect.poll(() => since().filter(({ reactedBy }) => reactedBy?.length).length).toBeGreaterThan(0);
    service.behave = null;
    await member.write('message 4');
    await listener.hears(4);
    // What was going to follow a message by the same member is made again with the name once that one has failed.
    expect(service.spoken.length).toBeLessThanOrEqual(7);
    expect(since().filter(({ author }) => author.id === bot.discord.application.id)).toHaveLength(1);
  });

  it.each<[string, number, Record<string, string>]>([
    ['', 4, { 'retry-after': '0.2' }],
    // Each pause is up to twice as long as the one before it, beginning with a second.
    [', and doesn’t say for how long', 2, {}],
  ])('has every message heard a little later, in order, if the service is too busy for it at first%s', async (_, times, headers) => {
    const before = messages().length;
    const { member, listener, service } = bot;
    let refusals = 0;
    service.behave = ({ text }, response, usual) => {
      if (!/ [12]$/.test(text) || refusals === times) return usual();
      refusals++;
      response.writeHead(429, headers).end();
    };
    for (const number of [1, 2, 3]) await member.write(`busy message ${number}`);
    await listener.hears(3);
    service.behave = null;
    expect(refusals).toBe(times);
    expect(listener.heard.map(({ number }) => number)).toEqual([1, 2, 3]);
    const since = messages().slice(before);
    expect(since.filter(({ author, reactedBy }) => reactedBy?.length || author.id === bot.discord.application.id)).toEqual([]);
  });

  it('goes on with the next message if one is skipped that the service was too busy for', async () => {
    const { member, listener, service } = bot;
    service.behave = ({ text }, response, usual) => {
      if (!text.endsWith(' 1')) return usual();
      response.writeHead(429, { 'retry-after': '30' }).end();
    };
    onTestFinished(() => {
      service.behave = null;
    });
    await member.write('busy message 1');
    await service.asked(({ text }) => text.endsWith(' 1'));
    await (await member.run('skip')).message((message) => textOf(message).startsWith(openingOf('queue.skipped')));
    await member.write('message 2');
    await listener.hears(2);
    expect(service.spoken.filter(({ text }) => text.endsWith(' 1'))).toHaveLength(1);
  });

  it('has the sound of messages with the same words made once, until one of them is deleted', async () => {
    const { member, general, service, listener } = bot;
    const say = async (text: string, number: number) => {
      const message = await member.write(text);
      await listener.hears(number);
      return message;
    };
    await say('message 1', 1);
    const first = await say('the same again, number 2', 2);
    await say('message 3', 3);
    const again = await say('the same again, number 2', 2);
    await say('message 4', 4);
    const count = () => service.spoken.filter(({ text }) => text === 'the same again, number 2').length;
    expect(count()).toBe(1);
    await member.client.call('delete_message', { channel_id: general, message_id: first.id });
    await say('message 5', 5);
    await say('the same again, number 2', 2);
    await expect.poll(count).toBe(2);
    expect(again.id).not.toBe(first.id);
  });
});

describe('deleting', () => {
  it('the voice channel ends reading, and says so', async () => {
    const bot = await openBot();
    bot.discord.deleteChannel(bot.lounge);
    const notice = await bot.member.sees((message) => textOf(message).includes(en('readingNotices.channelGone')));
    expect(notice.channel_id).toBe(bot.general);
    await expect.poll(() => bot.store.get(`reading:${bot.discord.guildId}`)).toBeNull();
  });

  it('the channel that is read ends it in the middle of a word', async () => {
    const bot = await openBot();
    const { discord, other, general, listener } = bot;
    await bot.readLong(1);
    discord.deleteChannel(general);
    await expect.poll(() => bot.store.get(`reading:${discord.guildId}`)).toBeNull();
    await other.inChannel(discord.channelId('random')).run('say', { text: 'number 2', channel: bot.lounge });
    await listener.hears(2);
    expect(listener.heard.find(({ number }) => number === 1)?.packets).toBeLessThan(30 * 50);
  });
});

describe('a budget that is used up', () => {
  it('is reported once, for the member and for the server', async () => {
    const bot = await openBot({ budgets: budgetsOf({ BUDGET_MEMBER_CHARACTERS: '60', BUDGET_GUILD_CHARACTERS: '100' }) });
    const { member, other, general, listener } = bot;
    await member.write('This takes forty characters, number 1');
    await listener.hears(1);
    for (const number of [2, 3]) await member.write(`Another forty characters, and number ${number}`);
    await member.sees((message) => textOf(message).includes('You have'));
    await other.write('Forty characters of somebody, number 4');
    await listener.hears(4);
    await member.sees((message) => textOf(message).includes('80%'));
    await other.write('too much 5');
    await member.sees((message) => textOf(message).includes('This server has 3'));
    const notices = [...(bot.discord.world.messages.get(general) ?? [])].filter(
      (message) => message.author.id === bot.discord.application.id,
    );
    expect(notices).toHaveLength(3);
  });

  it('is said out loud, once, where the bot may not write', async () => {
    const bot = await openBot({ budgets: budgetsOf({ BUDGET_GUILD_CHARACTERS: '60' }) });
    const { discord, member, general, listener, service } = bot;
    discord.setPermissions(general, discord.application.id, { deny: P.SendMessages });
    await member.write('This takes forty characters, number 1');
    await listener.hears(1);
    for (const number of [2, 3]) await member.write(`Another forty characters, and number ${number}`);
    await service.asked(({ text }) => text.startsWith('This server has 11 characters of speech left today'));
    const marked = () => bot.discord.world.messages.get(general)?.filter(({ reactedBy }) => reactedBy?.length);
    await expect.poll(() => marked()?.length).toBeGreaterThan(0);
    expect(service.spoken.filter(({ text }) => text.startsWith('This server'))).toHaveLength(1);
  });
});

it('a channel is read while its shard comes back, though the store hasn’t answered yet what is read', async () => {
  const held = { key: '', count: 0, release: Promise.withResolvers<void>() };
  const bot = await openBot({
    wrapStore: (store) => ({
      ...store,
      async get(key) {
        if (key === held.key) {
          held.count++;
          await held.release.promise;
        }
        return store.get(key);
      },
    }),
  });
  onTestFinished(() => held.release.resolve());
  const { discord, member, listener } = bot;
  held.key = `reading:${discord.guildId}`;
  // The shard remains open for a command that hasn't ended.
  const command = member.inChannel(discord.channelId('random')).run('read start');
  await expect.poll(() => held.count).toBe(1);
  const handedOver = bot.bot().handOver(0);
  await bot.botIsThere(false);
  const isBack = bot.bot().openShard(0);
  await expect.poll(() => held.count).toBe(2);
  await member.write('message 1');
  await listener.hears(1);
  held.release.resolve();
  await Promise.all([command, handedOver, isBack]);
});

it('a channel is read after a start in which the store was away when it was asked what is read', async () => {
  let failures = 0;
  const bot = await openBot({
    wrapStore: (store) => ({
      ...store,
      async get(key) {
        if (failures > 0 && key.startsWith('reading:')) throw new StoreError(`${--failures} more failures`);
        return store.get(key);
      },
    }),
  });
  // A bot that starts asks twice: for each server as it arrives, and for all once it is ready.
  failures = 2;
  await bot.restartBot();
  await bot.botIsThere();
  expect(failures).toBe(0);
  await bot.member.write('message 1');
  await bot.listener.hears(1);
});

it('a channel stays silent after a moderator has sent the bot away, though its shard comes back before the store does', async () => {
  let failures = 0;
  const bot = await openBot({
    wrapStore: (store) => ({
      ...store,
      async set(key, ...given) {
        if (key.startsWith('reading-silent:')) throw new StoreError(`failure ${++failures}`);
        return store.set(key, ...given);
      },
    }),
  });
  const { discord, member } = bot;
  discord.moveUser(discord.application.id, null);
  await expect.poll(() => failures).toBeGreaterThan(0);
  const handedOver = bot.bot().handOver(0);
  await bot.bot().openShard(0);
  await handedOver;
  const status = await (await member.run('read status')).message((message) => textOf(message) !== '');
  expect(textOf(status)).toContain(en('reading.status.paused.disconnect'));
});

it('a channel is read after its shard has come back while it was being handed over', async () => {
  const bot = await openBot();
  const handedOver = bot.bot().handOver(0);
  await bot.bot().openShard(0);
  await handedOver;
  await bot.member.write('message 1');
  await bot.listener.hears(1);
});

describe('a channel that the settings say is always read', () => {
  it('is read while somebody is there, unless it was stopped, until everybody but bots has left, also after a restart', async () => {
    const bot = await startReadingBot({ voice: { aloneMs: 100 } });
    onTestFinished(() => bot.close());
    const { discord, store, member, other, general, lounge, listener, service } = bot;
    const musicBot = discord.world.users.get(other.client.userId);
    if (musicBot) musicBot.bot = true;
    await other.listen();
    await store.set(`guild:${discord.guildId}`, { reading: { always: [{ textChannelId: general, voiceChannelId: lounge }] } });
    await member.client.call('join_voice', { channel_id: null });
    await bot.restartBot();
    await member.client.call('join_voice', { channel_id: lounge });
    await bot.botIsThere();
    await member.write('message 1');
    await listener.hears(1);
    await member.run('read stop');
    await bot.botIsThere(false);
    await bot.restartBot();
    const status = async () => textOf(await (await member.run('read status')).message((message) => textOf(message) !== ''));
    await expect.poll(status).toContain('someone has turned that off with `/read stop`');
    await member.write('message 2');
    await member.client.call('join_voice', { channel_id: null });
    await member.client.call('join_voice', { channel_id: lounge });
    await bot.botIsThere();
    await member.write('message 3');
    await listener.hears(3);
    expect(service.spoken.map(({ text }) => text)).toEqual(['Robin says: message 1', 'Robin says: message 3']);
  });

  it('brings nobody into its voice channel once it is deleted, whoever noticed that', async () => {
    const bot = await startReadingBot();
    onTestFinished(() => bot.close());
    const { discord, store, other, general, lounge } = bot;
    const [gone, workshop] = [discord.channelId('random'), discord.channelId('Workshop')];
    const always = [
      { textChannelId: gone, voiceChannelId: lounge },
      { textChannelId: general, voiceChannelId: workshop },
    ];
    await store.set(`guild:${discord.guildId}`, { reading: { always } });
    discord.deleteChannel(gone);
    await bot.restartBot();
    const whereItIs = () => discord.world.firstGuild.voiceStates.get(discord.application.id)?.channel_id ?? null;
    // In the lounge, it would stay with the member who is there.
    await other.client.call('join_voice', { channel_id: workshop });
    await expect.poll(whereItIs).toBe(workshop);
    discord.deleteChannel(general);
    await expect.poll(whereItIs).toBeNull();
  });

  it('is read there again by /read start, although somebody has had it read elsewhere', async () => {
    const bot = await startReadingBot();
    onTestFinished(() => bot.close());
    const { discord, store, member, general, lounge, listener } = bot;
    const startedBy = member.client.userId;
    await store.set(`guild:${discord.guildId}`, { reading: { always: [{ textChannelId: general, voiceChannelId: lounge }] } });
    await store.set(`reading:${discord.guildId}`, [{ textChannelId: general, voiceChannelId: discord.channelId('Workshop'), startedBy }]);
    await bot.restartBot();
    await (await member.run('read start')).message((message) => textOf(message) !== '');
    await bot.botIsThere();
    await member.write('message 5');
    await listener.hears(5);
    expect(await store.get(`reading:${discord.guildId}`)).toBeNull();
  });
});
