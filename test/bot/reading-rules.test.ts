// Whose messages are read aloud, and in which voice.
import { PermissionFlagsBits as P } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { GuildSettings, MemberSettings } from '../../src/store/settings.ts';
import { useReadingBot } from './reading-bot.ts';

describe('messages that are read aloud', () => {
  const bot = useReadingBot();
  let number = 0;

  /** Whatever the store has for them is replaced. */
  const setGuild = (settings: { reading?: Partial<GuildSettings['reading']> } & Partial<Omit<GuildSettings, 'reading'>>) =>
    bot.store.set(`guild:${bot.discord.guildId}`, settings as never);
  const setMember = (id: string, settings: Partial<MemberSettings>) => bot.store.set(`member:${id}`, settings as never);

  /** Writes a message as Sam; returns how it is spoken, null if it isn't. That Robin's next one is to be spoken tells that its turn has come. */
  async function isRead(text: string) {
    const { member, other, service } = bot;
    const [own, next] = [++number, ++number];
    await other.write(`${text} ${own}`);
    await member.write(`the next one, number ${next}`);
    await service.asked((spoken) => spoken.text.endsWith(` ${next}`));
    return service.spoken.find((spoken) => spoken.text.endsWith(` ${own}`)) ?? null;
  }

  it('are those of everybody', async () => {
    expect(await isRead('message')).not.toBeNull();
  });

  it('leave out those that begin with the ignore prefix, and those of members who don’t want it', async () => {
    expect(await isRead('; not this one')).toBeNull();
    expect(await isRead('- the first of a list')).not.toBeNull();
    // Saved before there was another.
    await setGuild({ volume: 1, reading: { names: true } });
    expect(await isRead('-not this one')).toBeNull();
    await setGuild({ reading: { ignorePrefix: '!' } });
    expect(await isRead('-this one')).not.toBeNull();
    expect(await isRead('!not this one')).toBeNull();
    await setGuild({});
    await setMember(bot.other.client.userId, { readAloud: false });
    expect(await isRead('message')).toBeNull();
    await setMember(bot.other.client.userId, {});
  });

  it('leave out forwarded ones of members who don’t want it, or are muted', async () => {
    const { discord, member, other, general, listener, service } = bot;
    const { userId } = other.client;
    const { id } = await other.write('what only I may tell');
    const forward = async () => {
      await member.client.call('forward_message', { channel_id: general, message_id: id, to_channel_id: general });
      const next = ++number;
      await other.write(`the next one, number ${next}`);
      await member.write(`and the next one, number ${++number}`);
      await listener.hears(number);
      return service.spoken.findLast(({ text }) => text.includes('forwarded'))?.text;
    };
    expect(await forward()).toContain('a forwarded message: what only I may tell');
    await setMember(userId, { readAloud: false });
    expect(await forward()).toMatch(/a forwarded message$/);
    await setMember(userId, {});
    await setGuild({ muted: [userId] });
    expect(await forward()).toMatch(/a forwarded message$/);
    await setGuild({});
    discord.setPermissions(general, discord.application.id, { deny: P.ReadMessageHistory });
    expect(await forward()).toMatch(/a forwarded message$/);
    discord.setPermissions(general, discord.application.id, {});
  });

  it('name only channels that all listeners see, as does /say', async () => {
    const { discord, member, other } = bot;
    const random = discord.channelId('random');
    await other.listen();
    expect((await isRead(`see <#${random}>`))?.text).toContain('see random');
    discord.setPermissions(random, other.client.userId, { deny: P.ViewChannel });
    expect((await isRead(`see <#${random}>`))?.text).toContain('see a channel');
    const [first, second] = [++number, ++number];
    await member.run('say', { text: `in <#${random}>, number ${first}` });
    expect((await bot.service.asked(({ text }) => text.endsWith(` ${first}`))).text).toBe(`in a channel, number ${first}`);
    await other.leaveVoice();
    await member.run('say', { text: `in <#${random}>, number ${second}` });
    expect((await bot.service.asked(({ text }) => text.endsWith(` ${second}`))).text).toBe(`in random, number ${second}`);
    discord.setPermissions(random, other.client.userId, {});
  });

  it('are none of members who are muted in the settings, or lack a role that is needed', async () => {
    const { discord, other } = bot;
    await setGuild({ muted: [other.client.userId] });
    expect(await isRead('message')).toBeNull();
    const role = discord.addRole('Readers', 0n);
    discord.setRoles(bot.member.client.userId, [role]);
    for (const settings of [{ roles: [role] }, { reading: { roles: [role] } }]) {
      await setGuild(settings);
      expect(await isRead('message')).toBeNull();
      discord.setRoles(other.client.userId, [role]);
      expect(await isRead('message')).not.toBeNull();
      discord.setRoles(other.client.userId, []);
    }
    await setGuild({});
  });

  it('are only those of listeners, if the settings say so', async () => {
    await setGuild({ reading: { who: 'listeners' } });
    expect(await isRead('message')).toBeNull();
    await bot.other.listen();
    expect(await isRead('message')).not.toBeNull();
    await bot.other.leaveVoice();
    await setGuild({});
  });

  it('are none of members who may not be heard in the voice channel', async () => {
    const { discord, other, lounge } = bot;
    discord.setPermissions(lounge, other.client.userId, { deny: P.Speak });
    expect(await isRead('message')).toBeNull();
    discord.setPermissions(lounge, other.client.userId, {});
    await other.listen();
    discord.setServerMute(other.client.userId);
    expect(await isRead('message')).toBeNull();
    // A mute outlasts leaving.
    await other.leaveVoice();
    expect(await isRead('message')).toBeNull();
    await other.listen();
    discord.setServerMute(other.client.userId, false);
    await other.leaveVoice();
    expect(await isRead('message')).not.toBeNull();
  });

  it('are those of bots and webhooks only if the settings say so, and never the bot’s own', async () => {
    const { discord, member, general, listener, service } = bot;
    const writeAsOthers = async () => {
      const own = ++number;
      discord.writeAsWebhook(general, 'Status page', `The build is green, ${own}`);
      const response = await fetch(`${discord.apiUrl}/v10/channels/${general}/messages`, {
        method: 'POST',
        headers: { authorization: `Bot ${discord.application.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ content: `This is mine, ${own}`, allowed_mentions: { parse: [] } }),
      });
      expect(response.ok).toBe(true);
      const next = ++number;
      await member.write(`the next one, number ${next}`);
      await listener.hears(next);
      return service.spoken.map(({ text }) => text).filter((text) => text.endsWith(` ${own}`));
    };
    expect(await writeAsOthers()).toEqual([]);
    await setGuild({ reading: { bots: true } });
    expect(await writeAsOthers()).toEqual([expect.stringMatching(/^Status page says: The build is green, \d+$/)]);
    await setGuild({});
  });

  it('are heard without names, if the settings say so', async () => {
    await setGuild({ reading: { names: false } });
    expect((await isRead('message'))?.text).toMatch(/^message \d+$/);
    await setGuild({});
  });

  it('are heard in the voice and at the speed that their author chose, and in the server’s volume and words', async () => {
    const { other } = bot;
    await setMember(other.client.userId, { voice: { id: 'english-3', title: 'english-3' }, speed: 1.5 });
    expect(await isRead('message')).toMatchObject({ voice: 'english-3', speed: 1.5 });
    await setMember(other.client.userId, {});
    await setGuild({ voice: { id: 'english-7', title: 'english-7' }, language: 'de' });
    // The server's voice is for /say: everybody would sound the same.
    const spoken = await isRead('message');
    expect(spoken).toMatchObject({ text: expect.stringMatching(/^Sam sagt: /), voice: expect.stringMatching(/^german-/) });
    await setGuild({});
  });

  it('are heard in a voice of their language, unless their author chose one', async () => {
    const { other } = bot;
    const text = 'Ich habe heute leider überhaupt keine Zeit, weil ich noch arbeiten muss, Nachricht';
    expect(await isRead(text)).toMatchObject({ text: expect.stringContaining('Sam sagt'), voice: expect.stringMatching(/^german-/) });
    await setMember(other.client.userId, { voice: { id: 'english-3', title: 'english-3' } });
    expect(await isRead(text)).toMatchObject({ voice: 'english-3' });
    await setMember(other.client.userId, {});
  });

  it('keep their voice over a restart', async () => {
    const before = await isRead('message');
    await bot.restartBot();
    await bot.botIsThere();
    expect((await isRead('message'))?.voice).toBe(before?.voice);
  });
});
