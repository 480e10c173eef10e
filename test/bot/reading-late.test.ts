// Reading never lags behind: with too much to read, it gets faster, leaves out names, and then skips messages and says so.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVoiceOwners } from '../../src/voice-catalogue/owners.ts';
import { SKIPPED } from '../helpers/tone-service.ts';
import { flood, useReadingBot } from './reading-bot.ts';

/** A voice of Sam's alone. */
const PRIVATE = 'english-5';

/** Messages that take less time to say than the bot expects, which learns nothing from any this short. */
const SHORT = 'A message';

const bot = useReadingBot({ discord: { members: 6 }, maxDelay: 6, defaultVoice: PRIVATE });
const heard = () => bot.listener.heard.map(({ number }) => number);
/** Those of messages whose numbers begin with `first` that are marked as not heard. */
const markedOf = (messages: { id: string }[], first: number) =>
  messages.flatMap(({ id }, index) =>
    bot.discord.world.messages.get(bot.general)?.find((message) => message.id === id)?.reactedBy?.length ? [first + index] : [],
  );

/** Nothing is said until the function that it returns is called. */
function holdSpeech(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  bot.service.behave = (_, __, usual) => void promise.then(usual);
  return () => {
    bot.service.behave = null;
    resolve();
  };
}

/**
 * Robin writes so many at once, from number `first` on, and again until one of them has been asked for at a higher speed: if the machine
 * stalls for seconds, what is late by then is skipped instead. Resolves once the last one is heard, with all of them.
 */
async function floodUntilFaster(first: number, count: number, hold: () => () => void): Promise<{ id: string }[]> {
  const written: { id: string }[] = [];
  while (!bot.service.spoken.some(({ speed }) => speed > 1)) {
    const last = first + written.length + count - 1;
    expect(last).toBeLessThan(first + 5 * count);
    const letGo = hold();
    written.push(...(await flood([bot.member.client], bot.general, last - count + 1, last, SHORT)));
    letGo();
    await bot.listener.hears(last);
  }
  return written;
}

describe('too much to read', () => {
  const texts = () => bot.service.spoken.map(({ text }) => text);
  let written: { id: string }[];
  beforeAll(async () => {
    const ownerId = bot.other.client.userId;
    const note = { id: PRIVATE, ownerId, title: 'Sam', description: '', createdAt: 0, sharedWith: [] };
    await createVoiceOwners(bot.store).save({ ...note, consent: { kind: 'own', memberId: ownerId, at: 0 } });
    await bot.startReading();
    written = await floodUntilFaster(1, 20, holdSpeech);
    await bot.listener.hears(SKIPPED);
  });

  it('is read faster, and what is skipped is announced together', async () => {
    expect(bot.service.spoken.filter(({ speed }) => speed > 1).length).toBeGreaterThan(0);
    const read = heard().filter((number) => number <= written.length);
    expect(read).toEqual([...read].sort((a, b) => a - b));
    const skipped = written.length - read.length;
    const announced = () => texts().flatMap((text) => /^(\d+) messages? skipped\.$/.exec(text)?.slice(1).map(Number) ?? []);
    // On a slow machine, another may have been skipped after the announcement.
    await expect.poll(() => announced().reduce((sum, count) => sum + count, 0)).toBe(skipped);
    expect(announced().length).toBeLessThan(skipped);
  });

  it('is marked with a reaction if it isn’t heard', async () => {
    // One a second.
    await expect.poll(() => markedOf(written, 1)).not.toEqual([]);
    const marked = markedOf(written, 1);
    expect(heard().filter((number) => marked.includes(number))).toEqual([]);
  });

  it('is announced in the service’s own voice if the server may not use the default one', async () => {
    expect(await bot.service.asked(({ text }) => text.includes('skipped'))).toMatchObject({ voice: null });
    expect(bot.service.spoken.map(({ voice }) => voice)).not.toContain(PRIVATE);
  });
});

describe('with the usual delay,', () => {
  beforeEach(async () => {
    await bot.startReading();
    await bot.store.set(`guild:${bot.discord.guildId}`, { reading: { reactions: false } });
  });

  it('a member who wrote once loses no message, even if several others flood and go on, and nothing is marked if the settings say so', async () => {
    const { discord, general, listener } = bot;
    const flooders = ['Robin', 'Ada', 'Ben'].map((name) => discord.member(name));
    const first = 101;
    const quiet = 199;
    const letGo = holdSpeech();
    const written = await flood(flooders, general, first, first + 8, SHORT);
    await discord.member('Cleo').call('send_message', { channel_id: general, content: `${SHORT} ${quiet}` });
    letGo();
    // They write on as long as it isn't heard.
    for (let number = first + 9; !heard().includes(quiet); number += 3) {
      const before = listener.heard.length;
      expect(number).toBeLessThan(quiet);
      written.push(...(await flood(flooders, general, number, number + 2, SHORT)));
      await expect.poll(() => listener.heard.length).toBeGreaterThan(before);
    }
    expect(written.length).toBeGreaterThan(heard().filter((number) => number >= first).length);
    expect(markedOf(written, first)).toEqual([]);
  });

  it('a short answer to a long message is heard, for which the long one is cut', async () => {
    const { discord, general, service, listener, store } = bot;
    await store.set(`guild:${discord.guildId}`, { reading: { reactions: false, maxDelay: 12 } });
    service.spoken.length = 0;
    const letGo = holdSpeech();
    const long = `${SHORT} 153. ${'Many words about nothing, '.repeat(40)}`;
    for (const [index, text] of [`${SHORT} 151`, `${SHORT} 152`, long, `${SHORT} 154`].entries())
      await discord.member(['Robin', 'Ada', 'Ben', 'Cleo'][index] as string).call('send_message', { channel_id: general, content: text });
    // The first two are being made; what becomes of the others is decided by now.
    await service.asked(({ text }) => text.includes('152'));
    letGo();
    await listener.hears(154);
    const ofLong = service.spoken.filter(({ text }) => /153|Many words/.test(text));
    // As much as is said in twelve seconds, rather than in thirty.
    expect(ofLong.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(250);
    expect(ofLong.length).toBeGreaterThan(0);
    expect(service.spoken.some(({ text }) => text.includes('skipped'))).toBe(false);
  });

  it('a service that refuses a speed is not asked for one again, and the message is still heard', async () => {
    const { service } = bot;
    service.spoken.length = 0;
    await floodUntilFaster(201, 10, () => {
      const { promise: written, resolve: letGo } = Promise.withResolvers<void>();
      service.behave = ({ speed }, response, usual) => {
        if (speed === 1) return void written.then(usual);
        response.writeHead(422, { 'content-type': 'application/json' });
        response.end(JSON.stringify([{ loc: ['body', 'prosody', 'speed'], type: 'value_error', msg: 'Speeds are not supported.' }]));
      };
      return letGo;
    });
    service.behave = null;
    expect(service.spoken.filter(({ speed }) => speed !== 1)).toHaveLength(1);
  });
});
