// What a moderator, a member or a deletion ends is not read, neither what was just written nor what still waits.
import { once } from 'node:events';
import { Events } from 'discord.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { textOf } from '../helpers/member.ts';
import { useReadingBot } from './reading-bot.ts';

const HOUR_MS = 3600_000;

describe('a member who is timed out while a channel is read', () => {
  const bot = useReadingBot();
  const heard = () => bot.listener.heard.map(({ number }) => number);
  const timeOut = (milliseconds: number | null) =>
    bot.member.client.call('edit_member', {
      guild_id: bot.discord.guildId,
      user_id: bot.other.client.userId,
      communication_disabled_until: milliseconds === null ? null : new Date(Date.now() + milliseconds).toISOString(),
    });
  const statusSays = (what: string) =>
    expect
      .poll(async () => textOf(await (await bot.member.run('read status')).message((message) => textOf(message) !== '')))
      .toContain(what);

  it('is ended in the middle of a word if they were in a voice channel', async () => {
    const { member, other, listener } = bot;
    await other.listen();
    await other.write('my long life, number 11');
    await listener.hears(11);
    await timeOut(HOUR_MS);
    await expect.poll(async () => (await member.run('queue')).sentence()).toBe(en('queue.empty'));
    await timeOut(null);
  });

  it('is not read anymore, though their message waits', async () => {
    const { member, other, listener } = bot;
    await other.listen();
    const end = await bot.readLong(21);
    await other.write('message 22');
    await statusSays('1 message is waiting');
    await timeOut(HOUR_MS);
    await statusSays(en('reading.status.nothingWaits'));
    await member.write('message 23');
    await end();
    await listener.hears(23);
    expect(heard()).not.toContain(22);
    await timeOut(null);
  });

  it('is not read either if only a mention tells of it, and is read again afterwards', async () => {
    const { member, other, listener } = bot;
    await other.leaveVoice();
    const end = await bot.readLong(31);
    await other.write('message 32');
    await statusSays('1 message is waiting');
    await timeOut(HOUR_MS);
    await member.write(`That’s enough, <@${other.client.userId}>, number 33`);
    await bot.service.asked(({ text }) => text.endsWith(' 33'));
    await end();
    await listener.hears(33);
    expect(heard()).not.toContain(32);
    await timeOut(null);
    await other.write('message 34');
    await listener.hears(34);
  });
});

describe('a message that is being looked up', () => {
  let claims: ((id: string) => Promise<void>) | null = null;
  const bot = useReadingBot({
    isOurs: async ({ id }) => {
      await claims?.(id);
      return true;
    },
  });
  const shown = (message: Parameters<typeof textOf>[0]) => textOf(message) !== '';
  const heard = () => bot.listener.heard.map(({ number }) => number);

  // It is looked up at the end whether they may use the voice.
  beforeAll(() =>
    createSettings(bot.store).changeMember(bot.other.client.userId, (before) => ({ ...before, voice: { id: 'english-3', title: null } })),
  );

  /** Writes a message, and waits until only the store's last answer about it is missing. */
  async function writeHeld(content: string) {
    const { store, other } = bot;
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const get = store.get.bind(store);
    const spy = vi.spyOn(store, 'get').mockImplementation(async (key) => {
      if (key !== 'own-voice:english-3') return get(key);
      spy.mockRestore();
      asked.resolve();
      await held.promise;
      return get(key);
    });
    const message = await other.write(content);
    await asked.promise;
    return { message, letGo: () => held.resolve() };
  }

  async function hearsNext(number: number): Promise<void> {
    await bot.member.write(`message ${number}`);
    await bot.listener.hears(number);
  }

  it('is not read if reading is stopped meanwhile, nor is the channel joined again for it', async () => {
    const { member, botIsThere } = bot;
    await hearsNext(10);
    const { letGo } = await writeHeld('message 11');
    await (await member.run('read stop')).message(shown);
    await botIsThere(false);
    letGo();
    await (await member.run('read start')).message(shown);
    await hearsNext(12);
    expect(heard()).not.toContain(11);
  });

  it('is not read if its author is muted meanwhile, in the settings or by Discord', async () => {
    const { discord, member, other } = bot;
    const { userId } = other.client;
    const stopReading = async () => (await member.runOnMember('Stop reading this member', userId)).sentence();
    const first = await writeHeld('message 21');
    await stopReading();
    first.letGo();
    await hearsNext(22);
    await stopReading();
    await other.listen();
    const second = await writeHeld('message 23');
    const isMuted = once(bot.bot().client, Events.VoiceStateUpdate);
    discord.setServerMute(userId);
    await isMuted;
    second.letGo();
    await hearsNext(24);
    discord.setServerMute(userId, false);
    await other.leaveVoice();
    expect(heard()).not.toContain(21);
    expect(heard()).not.toContain(23);
  });

  it('is read as it is after an edit', async () => {
    const { other, general, listener } = bot;
    const { message, letGo } = await writeHeld('message 31');
    const edited = once(bot.bot().client, Events.MessageUpdate);
    await other.client.call('edit_message', { channel_id: general, message_id: message.id, content: 'message 32' });
    await edited;
    letGo();
    await listener.hears(32);
    expect(heard()).not.toContain(31);
  });

  it('is not read if it is deleted, even if it isn’t clear yet which process reads it', async () => {
    const { member, general } = bot;
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    claims = async () => {
      claims = null;
      asked.resolve();
      await held.promise;
    };
    const message = await member.write('message 41');
    await asked.promise;
    const deleted = once(bot.bot().client, Events.MessageDelete);
    await member.client.call('delete_message', { channel_id: general, message_id: message.id });
    await deleted;
    held.resolve();
    await hearsNext(42);
    expect(heard()).not.toContain(41);
  });
});
