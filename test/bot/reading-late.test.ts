// Reading never lags behind: with too much to read, it gets faster, leaves out names, and then skips messages and says so.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVoiceOwners } from '../../src/voices/owners.ts';
import { startReadingBot, useReadingBot, write } from '../helpers/reading-bot.ts';
import { SKIPPED } from '../helpers/tone-service.ts';

describe('too much to read', () => {
  const bot = useReadingBot({ discord: { members: 10 } });
  const texts = () => bot.service.spoken.map(({ text }) => text);

  it('is read faster and without names, and what is skipped is announced once', async () => {
    const { member, general, listener, service } = bot;
    const from = service.spoken.length;
    for (let number = 1; number <= 30; number++) await write(member.client, general, `This is another one, number ${number}`);
    await listener.hears(30);
    const announced = await service.asked(({ text }) => text.includes('skipped'));
    await listener.hears(SKIPPED);
    const spoken = service.spoken.slice(from);
    const fast = spoken.filter(({ speed }) => speed === 1.4);
    expect(fast.length).toBeGreaterThan(0);
    expect(fast.every(({ text }) => !text.startsWith('Robin'))).toBe(true);
    const read = listener.heard.filter(({ number }) => number <= 30).map(({ number }) => number);
    expect(read).toEqual([...read].sort((a, b) => a - b));
    const skipped = Number(/^(\d+) messages skipped\.$/.exec(announced.text)?.[1]);
    // On a slow machine, another may have been skipped since.
    expect(skipped).toBeGreaterThan(15);
    expect(skipped).toBeLessThanOrEqual(30 - read.length);
    expect(texts().filter((text) => text.includes('skipped'))).toHaveLength(1);
  });

  it('costs nobody else their only message', async () => {
    const { member, other, general, listener } = bot;
    await write(member.client, general, 'The flood begins, number 101');
    await write(other.client, general, 'The only one of mine, number 100');
    for (let number = 102; number <= 130; number++) await write(member.client, general, `This is another one, number ${number}`);
    await listener.hears(100);
    await listener.hears(130);
  });
});

it('the sound of the next message is there before the one that is heard ends, so that there is no pause between them', async () => {
  const bot = await startReadingBot({ firstByteMs: 600 });
  onTestFinished(() => bot.close());
  await bot.startReading();
  const { member, other, general, listener, service } = bot;
  await write(member.client, general, '51 and then '.repeat(10));
  await listener.hears(51);
  await write(other.client, general, 'message 52');
  await service.asked(({ text }) => text.endsWith(' 52'));
  expect(listener.heard.map(({ number }) => number)).toEqual([51]);
  await listener.hears(52);
});

describe('a default voice that the server may not use', () => {
  it('says neither messages nor how many were skipped, which the service’s own voice does', async () => {
    const bot = await startReadingBot({ defaultVoice: 'english-5' });
    onTestFinished(() => bot.close());
    const { store, member, other, general, listener, service } = bot;
    const ownerId = other.client.userId;
    const note = { id: 'english-5', ownerId, title: 'Sam', description: '', createdAt: 0, sharedWith: [] };
    await createVoiceOwners(store).save({ ...note, consent: { kind: 'own', memberId: ownerId, at: 0 } });
    await bot.startReading();
    for (let number = 1; number <= 30; number++) await write(member.client, general, `This is another one, number ${number}`);
    expect(await service.asked(({ text }) => text.includes('skipped'))).toMatchObject({ voice: null });
    await listener.hears(SKIPPED);
    expect(service.spoken.map(({ voice }) => voice)).not.toContain('english-5');
  });
});

describe('messages that are not heard', () => {
  it('are marked with a reaction, one a second at most, unless the settings say otherwise', async () => {
    const bot = await startReadingBot();
    onTestFinished(() => bot.close());
    await bot.startReading();
    const { discord, store, member, general, listener, service } = bot;
    const marked = () => discord.world.messages.get(general)?.filter(({ reactedBy }) => reactedBy?.length).length ?? 0;
    const begun = performance.now();
    for (let number = 1; number <= 30; number++) await write(member.client, general, `This is another one, number ${number}`);
    await service.asked(({ text }) => text.includes('skipped'));
    expect(marked()).toBeGreaterThan(0);
    expect(marked()).toBeLessThanOrEqual(1 + (performance.now() - begun) / 1000);
    await listener.hears(30);
    await store.set(`guild:${discord.guildId}`, { reading: { reactions: false } });
    const before = marked();
    for (let number = 101; number <= 130; number++) await write(member.client, general, `This is another one, number ${number}`);
    await listener.hears(130);
    expect(marked()).toBe(before);
  });
});

describe('500 messages in ten seconds from ten members', () => {
  it('are read one after the other without falling behind, and the bot answers meanwhile', async () => {
    const bot = await startReadingBot({ discord: { members: 10 } });
    onTestFinished(() => bot.close());
    await bot.startReading();
    const { discord, general, listener, service, member } = bot;
    const names = ['Robin', 'Sam', 'Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Member 9', 'Member 10'];
    const crowd = names.map((name) => discord.member(name));
    /** By number: when it was written. */
    const written = new Map<number, number>();
    for (let round = 0; round < 50; round++) {
      const begun = performance.now();
      for (const [index, client] of crowd.entries()) {
        const number = (round * 10 + index) % SKIPPED;
        await write(client, general, `Here is what I think of it, number ${number}`);
        written.set(number, performance.now());
      }
      if (round === 25) expect((await member.run('status')).id).toBeDefined();
      await sleep(Math.max(0, 200 - (performance.now() - begun)));
    }
    const last = (50 * 10 - 1) % SKIPPED;
    await service.asked(({ text }) => text.includes('skipped'));
    await listener.hears(SKIPPED);
    const read = listener.heard.filter(({ number }) => number !== SKIPPED);
    expect(read.length).toBeGreaterThan(3);
    // Numbers repeat after 255 messages, so each delay is that since the latest message with its number before it was heard.
    const delays = read.filter(({ number }) => number > last - 200).map(({ number, at }) => at - (written.get(number) ?? at));
    expect(Math.max(...delays) / 1000).toBeLessThan(20);
    expect(service.spoken.length).toBeLessThan(100);
    expect(new Set(service.spoken.map(({ voice }) => voice)).size).toBeGreaterThan(3);
  });
});

describe('a service that', () => {
  it('refuses a speed is not asked for one again, and the message is still heard', async () => {
    const bot = await startReadingBot();
    onTestFinished(() => bot.close());
    await bot.startReading();
    const { member, general, listener, service } = bot;
    service.behave = ({ speed }, response, usual) => {
      if (speed === 1) return usual();
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end(JSON.stringify([{ loc: ['body', 'prosody', 'speed'], type: 'value_error', msg: 'Speeds are not supported.' }]));
    };
    for (let number = 1; number <= 20; number++) await write(member.client, general, `This is another one, number ${number}`);
    await listener.hears(20);
    expect(service.spoken.filter(({ speed }) => speed !== 1)).toHaveLength(1);
  });

  it('ignores the speed is soon not asked to hurry anymore, but still for the speed that a member chose', async () => {
    const bot = await startReadingBot();
    onTestFinished(() => bot.close());
    await bot.startReading();
    const { member, other, store, general, listener, service } = bot;
    service.ignoresSpeed = true;
    // Short ones, of which several are heard in time.
    const flood = async (first: number, last: number) => {
      for (let number = first; number <= last; number++) await write(member.client, general, `Now this one, ${number}`);
      await listener.hears(last);
    };
    await flood(1, 20);
    await flood(21, 40);
    expect(service.spoken.filter(({ speed }) => speed > 1).length).toBeGreaterThanOrEqual(4);
    const before = service.spoken.length;
    await flood(41, 60);
    const later = service.spoken.slice(before).filter(({ text }) => !text.includes('skipped'));
    expect(later.length).toBeGreaterThan(2);
    expect(later.every(({ speed }) => speed === 1)).toBe(true);
    // Names are still left out, which does save time.
    expect(later.some(({ text }) => text.startsWith('Now'))).toBe(true);
    await store.set(`member:${other.client.userId}`, { speed: 1.5 });
    await write(other.client, general, 'message 61');
    expect(await service.asked(({ text }) => text.endsWith(' 61'))).toMatchObject({ speed: 1.5 });
  });
});
