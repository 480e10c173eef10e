// Reading a channel aloud: what is heard of it, in whose voice, and in which order.
import { describe, expect, it } from 'vitest';
import { useReadingBot, write } from '../helpers/reading-bot.ts';

describe('a channel that is read aloud', () => {
  const bot = useReadingBot();

  it('is heard in the voice channel, each member in a voice of their own', async () => {
    const { member, other, general, service, listener } = bot;
    await write(member.client, general, 'This is message number 1');
    await listener.hears(1);
    await write(other.client, general, 'And this is message number 2');
    await listener.hears(2);
    const [first, second] = service.spoken;
    expect(first).toMatchObject({ text: 'Robin says: This is message number 1', speed: 1, voice: expect.stringMatching(/^english-/) });
    expect(second).toMatchObject({ text: 'Sam says: And this is message number 2', voice: expect.stringMatching(/^english-/) });
    expect(second?.voice).not.toBe(first?.voice);
  });

  it('names whoever writes once per change of speaker', async () => {
    const { member, other, general, service, listener } = bot;
    for (const [who, number] of [
      [member, 11],
      [member, 12],
      [other, 13],
      [member, 14],
    ] as const) {
      await write(who.client, general, `message ${number}`);
      await listener.hears(number);
    }
    const texts = service.spoken.map(({ text }) => text);
    expect(texts.slice(-4)).toEqual(['Robin says: message 11', 'message 12', 'Sam says: message 13', 'Robin says: message 14']);
  });
});
