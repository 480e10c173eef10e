// Reading a channel aloud: what is heard of it, in whose voice, and in which order.
import { describe, expect, it } from 'vitest';
import { textOf } from '../helpers/member.ts';
import { useReadingBot } from './reading-bot.ts';

describe('a channel that is read aloud', () => {
  const bot = useReadingBot({ discord: { members: 3 } });
  const texts = () => bot.service.spoken.map(({ text }) => text);
  const numbers = (from: number) =>
    bot.listener.heard.map(({ number }) => number).slice(bot.listener.heard.findIndex(({ number }) => number === from));

  /** Waits until so many messages wait. */
  async function wait(count: number): Promise<void> {
    const status = async () => textOf(await (await bot.member.run('read status')).message((message) => textOf(message) !== ''));
    await expect.poll(status).toContain(count === 1 ? '1 message is waiting' : `${count} messages are waiting`);
  }

  it('is heard in the voice channel, each member in a voice of their own', async () => {
    const { member, other, service, listener } = bot;
    await member.write('This is message number 1');
    await listener.hears(1);
    await other.write('And this is message number 2');
    await listener.hears(2);
    const [first, second] = service.spoken;
    expect(first).toMatchObject({ text: 'Robin says: This is message number 1', speed: 1, voice: expect.stringMatching(/^english-/) });
    expect(second).toMatchObject({ text: 'Sam says: And this is message number 2', voice: expect.stringMatching(/^english-/) });
    expect(second?.voice).not.toBe(first?.voice);
  });

  it('names the author once per change of speaker', async () => {
    const { member, other, listener } = bot;
    const written = [
      [member, 11],
      [member, 12],
      [other, 13],
      [member, 14],
    ] as const;
    for (const [who, number] of written) {
      await who.write(`message ${number}`);
      await listener.hears(number);
    }
    expect(texts().slice(-4)).toEqual(['Robin says: message 11', 'message 12', 'Sam says: message 13', 'Robin says: message 14']);
  });

  it('has its sound made while the message before it is playing, without a pause between them', async () => {
    const { other, listener, service } = bot;
    const end = await bot.readLong(16);
    await other.write('message 17');
    await service.asked(({ text }) => text.endsWith(' 17'));
    expect(numbers(16)).toEqual([16]);
    await end();
    await listener.hears(17);
  });

  it('lets /say go first, and names the next writer again after it', async () => {
    const { member, other, listener, service } = bot;
    await other.listen();
    const end = await bot.readLong(21);
    await member.write('message 22');
    await service.asked(({ text }) => text.endsWith('message 22'));
    await member.write('message 23');
    await wait(2);
    await other.run('say', { text: 'This is said, number 24' });
    await service.asked(({ text }) => text.endsWith('24'));
    await end();
    await listener.hears(23);
    expect(numbers(21)).toEqual([21, 24, 22, 23]);
    expect(texts().filter((text) => text.endsWith('message 22'))).toEqual(['message 22', 'Robin says: message 22']);
  });

  it('is heard in the order in which it was written, so no answer comes before its question', async () => {
    const { member, other, general, listener } = bot;
    const end = await bot.readLong(31);
    const written = [
      [other, 32],
      [member, 33],
      [member, 34],
      [other, 35],
    ] as const;
    for (const [who, number] of written) await who.write(`message ${number}`);
    await bot.discord.member('Ada').call('send_message', { channel_id: general, content: 'message 36' });
    await wait(5);
    await end();
    await listener.hears(36);
    expect(numbers(31)).toEqual([31, 32, 33, 34, 35, 36]);
  });

  it('says a message as it is after an edit, if nobody has heard it yet', async () => {
    const { member, general, service, listener } = bot;
    const held = Promise.withResolvers<void>();
    service.behave = (spoken, _, usual) => (spoken.text.endsWith('41') ? void held.promise.then(usual) : usual());
    const message = await member.write('message 41');
    await service.asked(({ text }) => text.endsWith('41'));
    await member.client.call('edit_message', { channel_id: general, message_id: message.id, content: 'message 42' });
    await listener.hears(42);
    service.behave = null;
    held.resolve();
    await member.write('message 43');
    await listener.hears(43);
    expect(numbers(42)).toEqual([42, 43]);
    expect(listener.heard.some(({ number }) => number === 41)).toBe(false);
  });

  it('says a waiting message as it is after an edit, and nothing of one that is then not to be read', async () => {
    const { member, other, general, listener, service } = bot;
    const end = await bot.readLong(51);
    const first = await member.write('message 52');
    const second = await other.write('message 53');
    await service.asked(({ text }) => text.endsWith('52'));
    await member.client.call('edit_message', { channel_id: general, message_id: first.id, content: 'message 54' });
    await other.client.call('edit_message', { channel_id: general, message_id: second.id, content: '; not for everybody' });
    await wait(1);
    await member.write('message 55');
    await wait(2);
    await end();
    await listener.hears(55);
    expect(numbers(51)).toEqual([51, 54, 55]);
  });

  it('drops a message that is deleted while it waits', async () => {
    const { member, other, general, listener } = bot;
    const end = await bot.readLong(61);
    const message = await other.write('message 62');
    await member.write('message 63');
    await wait(2);
    await other.client.call('delete_message', { channel_id: general, message_id: message.id });
    await wait(1);
    await end();
    await listener.hears(63);
    expect(numbers(61)).toEqual([61, 63]);
  });

  it('stops in the middle of a word if the message is deleted', async () => {
    const { member, general, listener } = bot;
    const message = await member.write('A long message, number 71');
    await listener.hears(71);
    await member.client.call('delete_message', { channel_id: general, message_id: message.id });
    await member.write('message 72');
    await listener.hears(72);
    // It would take half a minute.
    expect(listener.heard.find(({ number }) => number === 71)?.packets).toBeLessThan(30 * 50);
  });

  it('can be skipped by its author, and by nobody else', async () => {
    const { member, other, listener } = bot;
    await other.write('A long message, number 81');
    await other.write('message 82');
    await listener.hears(81);
    const skipped = await other.run('skip');
    await listener.hears(82);
    expect((await skipped.message(() => true)).id).toBeDefined();
    await member.write('A long message, number 83');
    await listener.hears(83);
    expect(await (await other.run('skip')).sentence()).toContain('Only');
    await member.run('stop');
  });
});
