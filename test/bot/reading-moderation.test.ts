// Members who are timed out are not read, neither what they have just written nor what still waits.
import { describe, expect, it } from 'vitest';
import { textOf } from '../helpers/member.ts';
import { useReadingBot, write } from '../helpers/reading-bot.ts';

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
    const { member, other, general, listener } = bot;
    await other.listen();
    await write(other.client, general, `my whole life ${'11 and then '.repeat(30)}`);
    await listener.hears(11);
    await timeOut(HOUR_MS);
    await expect.poll(async () => (await member.run('queue')).sentence()).toBe('Nothing is playing.');
    await timeOut(null);
  });

  it('is not read anymore, though their message waits', async () => {
    const { member, other, general, listener } = bot;
    await other.listen();
    await write(member.client, general, '21 and then '.repeat(15));
    await listener.hears(21);
    await write(other.client, general, 'message 22');
    await statusSays('1 message is waiting');
    await timeOut(HOUR_MS);
    await statusSays('Nothing is waiting');
    await write(member.client, general, 'message 23');
    await listener.hears(23);
    expect(heard()).not.toContain(22);
    await timeOut(null);
  });

  it('is not read either if only a mention tells of it, and is read again afterwards', async () => {
    const { member, other, general, listener } = bot;
    await other.leaveVoice();
    await write(member.client, general, '31 and then '.repeat(15));
    await listener.hears(31);
    await write(other.client, general, 'message 32');
    await statusSays('1 message is waiting');
    await timeOut(HOUR_MS);
    await write(member.client, general, `That’s enough, <@${other.client.userId}>, number 33`);
    await listener.hears(33);
    expect(heard()).not.toContain(32);
    await timeOut(null);
    await write(other.client, general, 'message 34');
    await listener.hears(34);
  });
});
