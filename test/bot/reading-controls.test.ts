// While a channel is read: /read stop, status and me, /skip, /stop, /queue and /leave, and the opt-out in /privacy.
import { type APIMessage, PermissionFlagsBits as P } from 'discord.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { isEphemeral, type Member, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { useReadingBot } from './reading-bot.ts';

/** Takes half a minute to say. */
const long = (number: number) => `a long message ${number}`;
const shown = (message: APIMessage) => textOf(message) !== '';

const bot = useReadingBot();
const heard = () => bot.listener.heard.map(({ number }) => number);
const statusOf = async (who: Member = bot.member) => textOf(await (await who.run('read status')).message(shown));
const say = async (number: number, who: Member = bot.member) => {
  await who.write(`message ${number}`);
  await bot.listener.hears(number);
};

describe('while a channel is read', () => {
  beforeEach(async () => {
    const { discord, store, other, general, lounge } = bot;
    discord.setRoles(other.client.userId, []);
    discord.setPermissions(lounge, other.client.userId, {});
    discord.setPermissions(general, discord.application.id, {});
    await other.leaveVoice();
    await createSettings(store).resetGuild(discord.guildId);
    await store.deleteAll('reading-silent:');
    await bot.startReading();
  });

  it('/read stop ends it in the middle of a word, and tells everybody', async () => {
    const { member, general, listener, botIsThere } = bot;
    await member.write(long(11));
    await listener.hears(11);
    const told = await (await member.run('read stop')).message(shown);
    expect(isEphemeral(told)).toBe(false);
    expect(textOf(told)).toBe(`<@${member.client.userId}> has turned off reading aloud for <#${general}>.`);
    await botIsThere(false);
    expect(await (await member.run('read stop')).sentence()).toBe(en('reading.notReading'));
  });

  it('/read stop is also for moderators of the voice channel, and for nobody else', async () => {
    const { other, lounge, discord } = bot;
    expect(await (await other.run('read stop')).sentence()).toContain('You need **Manage Server**');
    discord.setPermissions(lounge, other.client.userId, { allow: P.MuteMembers });
    const told = await (await other.run('read stop')).message(shown);
    expect(textOf(told)).toContain('has turned off reading aloud');
  });

  it('/read stop says that what is always read comes back', async () => {
    const { member, discord, general, lounge } = bot;
    await member.run('read stop').then((interaction) => interaction.message(shown));
    const always = [{ textChannelId: general, voiceChannelId: lounge }];
    const restarted = createSettings(bot.store);
    await restarted.changeGuild(discord.guildId, (before) => ({ ...before, reading: { ...before.reading, always } }));
    await bot.restartBot();
    await bot.botIsThere();
    const told = await (await member.run('read stop')).message(shown);
    expect(textOf(told)).toContain(en('reading.stoppedAlways'));
  });

  it('/read status says what is read, how it goes and what is left, only to the member', async () => {
    const { member, general, lounge } = bot;
    const message = await (await member.run('read status')).message(shown);
    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).toContain(en('reading.status.reads', { textChannel: general, voiceChannel: lounge }));
    expect(textOf(message)).toContain(en('reading.status.nothingWaits'));
    expect(textOf(message)).toContain(openingOf('reading.status.left'));
    await member.write(long(21));
    await bot.listener.hears(21);
    await member.write('message 22');
    await expect.poll(() => statusOf()).toMatch(/1 message is waiting; a new one will be heard in about/);
    expect(await statusOf()).toMatch(/Left for this server today: 99,\d\d\d characters/);
  });

  it('/read status names permissions that are missing, and what they are for', async () => {
    const { discord, general } = bot;
    expect(await statusOf()).not.toContain('✗');
    discord.setPermissions(general, discord.application.id, { deny: P.SendMessages | P.AddReactions });
    const status = await statusOf();
    expect(status).toContain('✗ Send Messages: without it I can’t write here why something isn’t heard');
    expect(status).toContain('✗ Add Reactions: without it I can’t mark messages that aren’t heard');
    discord.setPermissions(general, discord.application.id, { deny: P.ViewChannel });
    expect(await statusOf()).toContain('✗ View Channel: without it I don’t get any messages');
  });

  it('/read me off takes effect at once, also on what is being read, and /read me on undoes it', async () => {
    const { other, listener } = bot;
    await other.write(long(31));
    await listener.hears(31);
    await other.write('message 32');
    await expect.poll(() => statusOf()).toContain('1 message is waiting');
    expect(await (await other.run('read me off')).sentence()).toBe(
      'Done. I won’t read your messages aloud, in any server. I dropped 2 that were waiting.',
    );
    await other.write('message 33');
    await say(34);
    expect(heard()).not.toContain(32);
    expect(heard()).not.toContain(33);
    expect(await statusOf(other)).toContain(en('reading.status.optedOut'));
    expect(await (await other.run('read me on')).sentence()).toBe(en('reading.meOn'));
    await say(35, other);
    const settings = createSettings(bot.store);
    await settings.changeGuild(bot.discord.guildId, (before) => ({ ...before, muted: [other.client.userId] }));
    const switchedOff = 'In this server, a moderator has switched reading off for you. Ask an admin';
    expect(await (await other.run('read me on')).sentence()).toContain(switchedOff);
    expect(await statusOf(other)).toContain(switchedOff);
  });

  it('/privacy shows and changes whether a member is read, and deleting resets it', async () => {
    const { other } = bot;
    const settings = createSettings(bot.store);
    const readAloud = async () => (await settings.member(other.client.userId)).readAloud;
    const interaction = await other.run('privacy');
    const panel = await interaction.message((message) => textOf(message).includes('Your messages can be read aloud.'));
    await other.click(panel, en('privacy.optOutButton'));
    const out = await other.sees(
      (message) => message.id === panel.id && textOf(message).includes('You’ve chosen not to have your messages read'),
    );
    expect(await readAloud()).toBe(false);
    await other.click(out, 'Delete my data');
    const question = await other.sees((message) => message.id === panel.id && textOf(message).includes('Delete your'));
    expect(textOf(question)).toContain(en('privacy.optOutGoes'));
    await other.click(question, en('privacy.deleteYes'));
    await other.sees((message) => message.id === panel.id && textOf(message).includes('Done. I’ve deleted your data'));
    expect(await readAloud()).toBe(true);
  });

  it('/skip ends a member’s own message, and for moderators anybody’s', async () => {
    const { member, other, listener } = bot;
    await member.write(long(41));
    await listener.hears(41);
    expect(await (await other.run('skip')).sentence()).toContain(en('queue.onlyOwnerCanSkip', { owner: member.client.userId }));
    await member
      .run('skip')
      .then((interaction) => interaction.message((message) => textOf(message).startsWith(openingOf('queue.skipped'))));
    await other.write(long(42));
    await listener.hears(42);
    await member
      .run('skip')
      .then((interaction) => interaction.message((message) => textOf(message).startsWith(openingOf('queue.skipped'))));
    await say(43);
  });

  it('/stop by a moderator drops everything that is waiting, and says that reading continues', async () => {
    const { member, other, listener } = bot;
    await other.write(long(51));
    await listener.hears(51);
    await other.write('message 52');
    await expect.poll(() => statusOf()).toContain('1 message is waiting');
    const told = textOf(await (await member.run('stop')).message(shown));
    expect(told).toContain('Stopped. I dropped 2 texts.');
    expect(told).toContain(en('reading.stillReading'));
    await say(53, other);
    expect(heard()).not.toContain(52);
  });

  it('/queue lists messages that are read, without their text', async () => {
    const { member, other, listener } = bot;
    await other.write(long(61));
    await listener.hears(61);
    const listed = textOf(await (await member.run('queue')).message(shown));
    expect(listed).toContain(`<@${other.client.userId}>`);
    expect(listed).not.toContain('a long message');
  });

  it('/leave sends it away until everybody has gone, and says so', async () => {
    const { member, lounge, botIsThere } = bot;
    await say(71);
    const told = textOf(await (await member.run('leave')).message(shown));
    expect(told).toContain(en('reading.pausedReading'));
    await botIsThere(false);
    await member.write('message 72');
    await bot.restartBot();
    await expect.poll(() => statusOf()).toContain(en('reading.status.paused.leave'));
    expect(textOf(await (await member.run('status')).message(shown))).toContain(en('reading.status.paused.leave'));
    await member.write('message 72');
    await member.client.call('join_voice', { channel_id: null });
    await member.client.call('join_voice', { channel_id: lounge });
    await botIsThere();
    await say(73);
    expect(heard()).not.toContain(72);
  });

  it('/read start brings it back after /leave, and says so', async () => {
    const { discord, member, general, lounge, botIsThere, store } = bot;
    const before = await store.get(`reading:${discord.guildId}`);
    await member.run('leave').then((interaction) => interaction.message(shown));
    await botIsThere(false);
    const told = textOf(await (await member.run('read start')).message(shown));
    expect(told).toContain(`<@${member.client.userId}> has brought me back: I read what’s written in <#${general}>`);
    await botIsThere();
    await say(75);
    expect(await store.get(`reading:${discord.guildId}`)).toEqual(before);
    expect(await store.list('reading-silent:')).toEqual([]);
    expect(await (await member.run('read start')).sentence()).toBe(
      en('reading.alreadyReading', { textChannel: general, voiceChannel: lounge }),
    );
  });

  it('/leave takes the right to stop the reading', async () => {
    const { discord, other, general } = bot;
    await other.listen();
    expect(await (await other.run('leave')).sentence()).toBe(
      `I’m reading <#${general}> aloud here, and leaving would stop that. You need **Manage Server** to start or stop reading. Admins can allow more roles in \`/settings\`.`,
    );
    await say(76, other);
    const role = discord.addRole('Readers', 0n);
    discord.setRoles(other.client.userId, [role]);
    await createSettings(bot.store).changeGuild(discord.guildId, (before) => ({ ...before, readerRoles: [role] }));
    await bot.member.write(long(77));
    await bot.listener.hears(77);
    expect(textOf(await (await other.run('leave')).message(shown))).toContain(en('reading.pausedReading'));
  });

  it('/read stop by the member who started one channel ends only that one', async () => {
    const { discord, store, member, other, general, lounge } = bot;
    const random = discord.channelId('random');
    const started = (textChannelId: string, { client }: Member) => ({ textChannelId, voiceChannelId: lounge, startedBy: client.userId });
    await store.set(`reading:${discord.guildId}`, [started(general, member), started(random, other)]);
    await bot.restartBot();
    await expect.poll(() => statusOf()).toContain(`<#${random}>`);
    expect(await (await other.run('read stop')).sentence()).toContain('You need **Manage Server**');
    const workshop = discord.channelId('Workshop');
    const told = await (await other.inChannel(workshop).run('read stop')).message(shown);
    expect(textOf(told)).toBe(`<@${other.client.userId}> has turned off reading aloud for <#${random}>.`);
    expect(await store.get(`reading:${discord.guildId}`)).toEqual([started(general, member)]);
  });
});
