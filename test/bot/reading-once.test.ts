// Read this aloud on a message, and Stop reading this member on a member.
import { PermissionFlagsBits } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { type ReadingBot, startReadingBot, useReadingBot } from './reading-bot.ts';

describe('Read this aloud', () => {
  const bot = {} as ReadingBot;
  beforeAll(async () => {
    Object.assign(bot, await startReadingBot({ readMessages: false }));
  });
  afterAll(async () => bot.close?.());
  const settings = () => createSettings(bot.store);
  const refused = async (messageId: string) => (await bot.member.runOnMessage('Read this aloud', messageId)).sentence();

  it('is all there is for reading without READ_MESSAGES', async () => {
    const { commands } = await bot.member.client.call('hello', {});
    const names = commands.map(({ name }) => name);
    expect(names).toContain('Read this aloud');
    expect(names).not.toContain('read');
    expect(names).not.toContain('Stop reading this member');
  });

  it('reads a message in its author’s voice, and says publicly who wants that', async () => {
    const { member, other, listener, service } = bot;
    await settings().changeMember(other.client.userId, (before) => ({ ...before, voice: { id: 'english-3', title: 'english-3' } }));
    const message = await other.write('a joke about number 51');
    const interaction = await member.runOnMessage('Read this aloud', message.id);
    await listener.hears(51);
    const reply = await interaction.message((one) => textOf(one).includes(openingOf('say.spoken')));
    expect(textOf(reply)).toContain('**Robin**');
    expect(textOf(reply)).toContain(' · 32 characters');
    expect(textOf(reply)).toContain(`Reads <@${other.client.userId}>’s [message](https://discord.com/channels/`);
    expect(service.spoken.at(-1)).toMatchObject({ voice: 'english-3', text: expect.stringContaining('a joke about number 51') });
  });

  it('ends when the button is pressed', async () => {
    const { member, other, listener } = bot;
    const message = await other.write('a very long story 52');
    const interaction = await member.runOnMessage('Read this aloud', message.id);
    await listener.hears(52);
    const reply = await interaction.message((one) => JSON.stringify(one.components).includes('say-cancel'));
    await member.click(reply, en('say.stopButton'));
    const ended = await interaction.message((one) => textOf(one).includes(en('say.stopped')));
    expect(JSON.stringify(ended.components)).not.toContain('say-cancel');
  });

  it('asks the service again for the same message: nothing of it was kept, as nobody would tell if it were deleted', async () => {
    const { member, other, listener, service } = bot;
    const message = await other.write('message 58');
    const askedFor = () => service.spoken.filter(({ text }) => text.includes('message 58')).length;
    for (const times of [1, 2]) {
      const interaction = await member.runOnMessage('Read this aloud', message.id);
      await listener.hears(58);
      await interaction.message((one) => textOf(one).includes(openingOf('say.spoken')));
      expect(askedFor()).toBe(times);
    }
  });

  it('waits its turn, and says why if it fails', async () => {
    const { member, other, listener, service } = bot;
    const [first, second] = [await other.write('a long message 56'), await other.write('message 57')];
    await member.runOnMessage('Read this aloud', first.id);
    await listener.hears(56);
    service.behave = (_, response) => response.writeHead(422).end('{}');
    const interaction = await member.runOnMessage('Read this aloud', second.id);
    await interaction.message((one) => textOf(one).includes(en('say.queued', { before: 1 })));
    await member.run('skip');
    await interaction.message((one) => textOf(one).includes(en('say.notSpoken')));
    expect(await interaction.sentence()).toContain('voice service');
    service.behave = null;
  });

  it('does not read members who have opted out, or are muted, for others', async () => {
    const { member, other, discord, listener } = bot;
    const { userId } = other.client;
    const message = await other.write('message 53');
    await settings().changeMember(userId, (before) => ({ ...before, readAloud: false }));
    expect(await refused(message.id)).toBe(en('reading.authorOptedOut', { member: userId }));
    await settings().changeMember(userId, (before) => ({ ...before, readAloud: true }));
    await settings().changeGuild(discord.guildId, (before) => ({ ...before, muted: [userId] }));
    expect(await refused(message.id)).toBe(en('reading.authorMuted', { member: userId }));
    await settings().changeGuild(discord.guildId, (before) => ({ ...before, muted: [] }));
    const own = await member.write('message 54');
    await settings().changeMember(member.client.userId, (before) => ({ ...before, readAloud: false }));
    await member.runOnMessage('Read this aloud', own.id);
    await listener.hears(54);
  });

  it('says so if there is nothing to read, or the member is in no voice channel', async () => {
    const { member, other, lounge } = bot;
    const silent = await other.write('…');
    expect(await refused(silent.id)).toContain('nothing');
    const message = await other.write('message 55');
    await member.client.call('join_voice', { channel_id: null });
    expect(await refused(message.id)).toContain('You’re not in a voice channel');
    await member.client.call('join_voice', { channel_id: lounge });
  });
});

describe('where messages are read', () => {
  const bot = useReadingBot();
  /** Nobody reads what is written there, unless asked to. */
  const readAloud = (messageId: string) => bot.member.inChannel(bot.lounge).runOnMessage('Read this aloud', messageId);

  it('reading one aloud again is free, until it is edited', async () => {
    const { other, lounge, service } = bot;
    const { id } = await other.inChannel(lounge).write('message 71');
    const timesAsked = async () => {
      await (await readAloud(id)).message((one) => textOf(one).includes(openingOf('say.spoken')));
      return service.spoken.filter(({ text }) => text.includes('message 71')).length;
    };
    expect(await timesAsked()).toBe(1);
    expect(await timesAsked()).toBe(1);
    for (const content of ['no number', 'message 71'])
      await other.client.call('edit_message', { channel_id: lounge, message_id: id, content });
    expect(await timesAsked()).toBe(2);
  });

  it('one that somebody has read ends in the middle of a word when it is deleted', async () => {
    const { other, lounge, listener } = bot;
    const message = await other.inChannel(lounge).write('a very long story 72');
    const interaction = await readAloud(message.id);
    await listener.hears(72);
    await other.client.call('delete_message', { channel_id: lounge, message_id: message.id });
    await interaction.message((one) => textOf(one).includes(en('say.stopped')));
  });

  const muted = async () => (await createSettings(bot.store).guild(bot.discord.guildId)).muted;
  const use = async (targetId: string) => bot.member.runOnMember('Stop reading this member', targetId);

  it('Stop reading this member ends what is read of them and reads nothing more, until it is used again', async () => {
    const { member, other, listener } = bot;
    const { userId } = other.client;
    await other.write('my long life, number 61');
    await listener.hears(61);
    expect(await (await use(userId)).sentence()).toContain(
      `I won’t read <@${userId}>’s messages aloud anymore, and they can’t use \`/say\``,
    );
    expect(await muted()).toEqual([userId]);
    expect(await (await member.run('queue')).sentence()).toBe(en('queue.empty'));
    await other.write('message 62');
    await member.write('message 63');
    await listener.hears(63);
    expect(listener.heard.map(({ number }) => number)).not.toContain(62);
    expect(await (await other.run('say', { text: 'Hello' })).sentence()).toContain('switched `/say` off for you');
    expect(await (await use(userId)).sentence()).toContain(`I’ll read <@${userId}>’s messages aloud again`);
    expect(await muted()).toEqual([]);
    await other.write('message 64');
    await listener.hears(64);
  });

  it('Stop reading this member is undone by admins only, as moderators could otherwise undo what an admin decided', async () => {
    const { discord, member, other } = bot;
    const target = member.client.userId;
    discord.setRoles(other.client.userId, [discord.addRole('Moderators', PermissionFlagsBits.MuteMembers)]);
    const useAsModerator = async () => (await other.runOnMember('Stop reading this member', target)).sentence();
    expect(await useAsModerator()).toContain('An admin can undo it with this command or in `/settings`.');
    expect(await useAsModerator()).toBe(en('reading.onlyAdminsUnmute', { member: target }));
    expect(await muted()).toEqual([target]);
    await (await use(target)).sentence();
    expect(await muted()).toEqual([]);
    discord.setRoles(other.client.userId, []);
  });

  it('Stop reading this member is for admins, too, who may not mute members in the voice channel', async () => {
    const { discord, member, other, lounge } = bot;
    const target = member.client.userId;
    discord.setRoles(other.client.userId, [discord.addRole('Admins', PermissionFlagsBits.ManageGuild | PermissionFlagsBits.MuteMembers)]);
    discord.setPermissions(lounge, other.client.userId, { deny: PermissionFlagsBits.MuteMembers });
    for (const expected of [[target], []]) {
      await (await other.runOnMember('Stop reading this member', target)).sentence();
      expect(await muted()).toEqual(expected);
    }
    discord.setRoles(other.client.userId, []);
    discord.setPermissions(lounge, other.client.userId, {});
  });

  it('Stop reading this member is for moderators, and not for the bot itself', async () => {
    const { discord, other, lounge } = bot;
    expect(await (await use(discord.application.id)).sentence()).toBe(en('reading.cannotMuteMe'));
    // In the server, but not in the voice channel that is read in.
    discord.setRoles(other.client.userId, [discord.addRole('Elsewhere', PermissionFlagsBits.MuteMembers)]);
    discord.setPermissions(lounge, other.client.userId, { deny: PermissionFlagsBits.MuteMembers });
    const refusal = await other.runOnMember('Stop reading this member', bot.member.client.userId);
    expect(await refusal.sentence()).toBe(en('queue.onlyModerators'));
    expect(await muted()).toEqual([]);
  });
});
