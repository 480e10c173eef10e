// /read start: who may have which channel read where, what everybody is told, and the question before others would hear what they can't see.
import { type APIMessage, ChannelType, PermissionFlagsBits as P } from 'discord.js';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import type { Store } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createMember, isEphemeral, type Member, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { type ReadingBot, startReadingBot } from './reading-bot.ts';

const shown = (message: APIMessage) => textOf(message) !== '';

describe('/read start', () => {
  let bot: ReadingBot;

  beforeEach(async () => {
    bot = await startReadingBot({ discord: { members: 4 } });
    onTestFinished(() => bot.close());
  });

  const settingsOf = () => createSettings(bot.store);
  /** Starts and waits for what everybody is told. */
  const start = async (who: Member = bot.member, options = {}) =>
    (await who.run('read start', options)).message((message) => shown(message) && !isEphemeral(message));
  const refused = async (who: Member = bot.member, options = {}) => (await who.run('read start', options)).sentence();
  const join = (who: Member, channelId: string | null) => who.client.call('join_voice', { channel_id: channelId });
  const makeReader = async (who: Member) => {
    const role = bot.discord.addRole('Readers', 0n);
    bot.discord.setRoles(who.client.userId, [role]);
    await settingsOf().changeGuild(bot.discord.guildId, (before) => ({ ...before, readerRoles: [role] }));
    return role;
  };

  it('reads the channel in the caller’s voice channel, and tells everybody how to opt out', async () => {
    const { member, other, general, lounge, listener, botIsThere } = bot;
    const told = textOf(await start());
    expect(told).toContain(`<@${member.client.userId}> has turned on reading aloud`);
    expect(told).toContain(`<#${general}> to everyone in <#${lounge}>`);
    expect(told).toContain(en('reading.optOut'));
    expect(told).toContain('start it with `;`');
    await botIsThere();
    await other.write('message 7');
    await listener.hears(7);
  });

  it('reads the chat of a voice channel there, and in another voice channel if that is picked', async () => {
    const { member, lounge, botIsThere, discord } = bot;
    const workshop = discord.channelId('Workshop');
    await join(member, null);
    const told = textOf(await start(member.inChannel(lounge)));
    expect(told).toContain(`<#${lounge}> to everyone in <#${lounge}>`);
    expect(told).toContain(openingOf('say.nobodyThere'));
    await botIsThere();
    expect(textOf(await start(member, { voice_channel: workshop }))).toContain(`to everyone in <#${workshop}>`);
  });

  it('takes Manage Server, or a role that admins have chosen', async () => {
    const { other, lounge } = bot;
    await join(other, lounge);
    expect(await refused(other)).toBe(en('reading.adminsOnly'));
    const role = await makeReader(other);
    bot.discord.setRoles(other.client.userId, []);
    expect(await refused(other)).toContain(`You need **Manage Server** or <@&${role}>`);
    bot.discord.setRoles(other.client.userId, [role]);
    await start(other);
  });

  it('takes that the caller sees both channels, and that the bot has its permissions, which are named', async () => {
    const { other, discord, general } = bot;
    await makeReader(other);
    const workshop = discord.channelId('Workshop');
    discord.setPermissions(workshop, discord.guildId, { deny: P.ViewChannel });
    expect(await refused(other, { voice_channel: workshop })).toBe(en('reading.cannotSeeVoice'));
    expect(await refused(bot.member, { voice_channel: discord.channelId('Listen only') })).toContain('I need **Speak** in');
    discord.setPermissions(general, discord.application.id, { deny: P.ViewChannel });
    expect(await refused()).toBe(en('reading.iCannotSee', { channel: general }));
  });

  it('does not start twice, and takes a second text channel into the same voice channel', async () => {
    const { member, general, lounge, listener, discord } = bot;
    const random = discord.channelId('random');
    await start();
    expect(await refused()).toBe(en('reading.alreadyReading', { textChannel: general, voiceChannel: lounge }));
    await start(member.inChannel(random));
    for (const [channelId, number] of [
      [general, 21],
      [random, 22],
    ] as const) {
      await member.inChannel(channelId).write(`message ${number}`);
      await listener.hears(number);
    }
  });

  it('does not leave people who listen elsewhere, but moves along once they have gone', async () => {
    const { member, other, general, lounge, discord } = bot;
    const workshop = discord.channelId('Workshop');
    await join(other, lounge);
    await start();
    const sentence = await refused(member, { voice_channel: workshop });
    expect(sentence).toContain(`People in <#${lounge}> are listening to me read <#${general}>`);
    expect(sentence).toContain('Use `/read stop` first');
    await join(other, null);
    await join(member, workshop);
    expect(textOf(await start())).toContain(`to everyone in <#${workshop}>`);
    expect(bot.discord.world.firstGuild.voiceStates.get(discord.application.id)?.channel_id).toBe(workshop);
  });

  it('says so if the bot is speaking elsewhere', async () => {
    const { member, other, discord, lounge } = bot;
    await join(other, lounge);
    await other.run('say', { text: 'a long text, number 35' });
    await bot.botIsThere();
    expect(await refused(member, { voice_channel: discord.channelId('Workshop') })).toContain(en('errors.voice.busy'));
  });

  it('keeps to where admins let the bot be used, but opting out works everywhere', async () => {
    const { other, discord } = bot;
    await makeReader(other);
    await settingsOf().changeGuild(discord.guildId, (before) => ({ ...before, channels: [discord.channelId('random')] }));
    expect(await refused(other)).toContain(`I only work in <#${discord.channelId('random')}> here`);
    expect(await (await other.run('read me off')).sentence()).toContain('I won’t read your messages aloud');
  });

  it('works from a thread as long as it is public', async () => {
    const { member, general, listener } = bot;
    const thread = await member.client.call('create_thread', { channel_id: general, name: 'Aside' });
    await start(member.inChannel(thread.id));
    await member.inChannel(thread.id).write('message 31');
    await listener.hears(31);
  });

  it('reads no private threads, which others would hear, and needs a voice channel, but no stage', async () => {
    const { member, discord, general } = bot;
    const response = await fetch(`${discord.apiUrl}/v10/channels/${general}/threads`, {
      method: 'POST',
      headers: { authorization: `Bot ${discord.application.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Secrets', type: ChannelType.PrivateThread }),
    });
    const { id } = (await response.json()) as { id: string };
    expect(await refused(member.inChannel(id))).toContain(en('reading.privateThread'));
    const stage = discord.channelId('Stage');
    await join(member, stage);
    expect(await refused()).toContain(`<#${stage}>`);
    await join(member, null);
    expect(await refused()).toBe(en('reading.noVoiceChannel'));
  });

  describe('asks first if people would hear what they can’t see', () => {
    it('and names everyone, then starts or doesn’t', async () => {
      const { member, general, lounge, discord } = bot;
      discord.setPermissions(general, discord.guildId, { deny: P.ViewChannel });
      discord.setPermissions(general, discord.application.id, { allow: P.ViewChannel });
      const interaction = await member.run('read start');
      const question = await interaction.message(shown);
      expect(isEphemeral(question)).toBe(true);
      expect(textOf(question)).toContain(`They can join <#${lounge}>, but can’t see <#${general}>: everyone. Read it aloud anyway?`);
      await member.click(question, en('reading.cancel'));
      await interaction.message((message) => textOf(message) === en('reading.cancelled'));
      const again = await (await member.run('read start')).message(shown);
      const pressed = await member.click(again, en('reading.startAnyway'));
      const told = await pressed.message((message) => !isEphemeral(message) && shown(message));
      expect(textOf(told)).toContain('has turned on reading aloud');
    });

    it('and names roles and members', async () => {
      const { member, general, lounge, discord } = bot;
      const [guests, staff] = [discord.addRole('Guests', 0n), discord.addRole('Staff', 0n)];
      const ada = createMember(discord.member('Ada'), general, lounge);
      for (const channel of [general, lounge]) discord.setPermissions(channel, discord.guildId, { deny: P.ViewChannel });
      for (const channel of [general, lounge]) discord.setPermissions(channel, discord.application.id, { allow: P.ViewChannel });
      for (const channel of [general, lounge]) discord.setPermissions(channel, staff, { allow: P.ViewChannel });
      discord.setPermissions(lounge, guests, { allow: P.ViewChannel });
      discord.setPermissions(lounge, ada.client.userId, { allow: P.ViewChannel });
      const question = textOf(await (await member.run('read start')).message(shown));
      expect(question).toContain(`<@&${guests}> and <@${ada.client.userId}>`);
      expect(question).not.toContain(staff);
    });
  });
});

it('two /read start at the same moment both count', async () => {
  let writes = 0;
  const second = Promise.withResolvers<void>();
  /** The first of the two is written once the second has been. */
  const lateFirst =
    <Rest extends unknown[], Result>(write: (key: string, ...rest: Rest) => Promise<Result>) =>
    async (key: string, ...rest: Rest): Promise<Result> => {
      const number = key.startsWith('reading:') ? ++writes : 0;
      if (number === 1) await second.promise;
      return write(key, ...rest).finally(() => number === 2 && second.resolve());
    };
  const wrapStore = (store: Store): Store => ({ ...store, set: lateFirst(store.set), compareAndSet: lateFirst(store.compareAndSet) });
  const bot = await startReadingBot({ wrapStore });
  onTestFinished(() => bot.close());
  const { discord, store, member, general } = bot;
  const random = discord.channelId('random');
  const first = await member.run('read start');
  await expect.poll(() => writes).toBe(1);
  await (await member.inChannel(random).run('read start')).message(shown);
  await first.message(shown);
  const stored = (await store.get(`reading:${discord.guildId}`)) as { textChannelId: string }[];
  expect(stored.map(({ textChannelId }) => textChannelId).sort()).toEqual([general, random].sort());
  const status = textOf(await (await member.run('read status')).message(shown));
  for (const channel of [general, random]) expect(status).toContain(`<#${channel}>`);
});
