// Reading never lags behind: with too much to read, it gets faster, leaves out names, and then skips messages and says so.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVoiceOwners } from '../../src/voices/owners.ts';
import { flood, startReadingBot, useReadingBot, write } from '../helpers/reading-bot.ts';
import { SKIPPED } from '../helpers/tone-service.ts';

describe('too much to read', () => {
  const bot = useReadingBot({ discord: { members: 10 } });
  const texts = () => bot.service.spoken.map(({ text }) => text);

  it('is read faster, and what is skipped is announced together', async () => {
    const { member, general, listener, service } = bot;
    await flood([member.client], general, 1, 30);
    await listener.hears(30);
    await listener.hears(SKIPPED);
    expect(service.spoken.filter(({ speed }) => speed === 1.4).length).toBeGreaterThan(0);
    const read = listener.heard.filter(({ number }) => number <= 30).map(({ number }) => number);
    expect(read).toEqual([...read].sort((a, b) => a - b));
    const announced = () => texts().flatMap((text) => /^(\d+) messages? skipped\.$/.exec(text)?.slice(1).map(Number) ?? []);
    // On a slow machine, another may have been skipped after the announcement.
    await expect.poll(() => announced().reduce((sum, count) => sum + count, 0)).toBe(30 - read.length);
    expect(announced().length).toBeLessThan(3);
  });

  it('costs nobody else their only message', async () => {
    const { member, other, general, listener } = bot;
    await write(member.client, general, 'The flood begins, number 101');
    await write(other.client, general, 'The only one of mine, number 100');
    await flood([member.client], general, 102, 130);
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
    await flood([member.client], general, 1, 30);
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
    const marked = (among: { id: string }[]) =>
      among.filter(({ id }) => discord.world.messages.get(general)?.find((message) => message.id === id)?.reactedBy?.length).length;
    const begun = performance.now();
    const first = await flood([member.client], general, 1, 30);
    await service.asked(({ text }) => text.includes('skipped'));
    await expect.poll(() => marked(first)).toBeGreaterThan(0);
    expect(marked(first)).toBeLessThanOrEqual(1 + (performance.now() - begun) / 1000);
    await listener.hears(30);
    await store.set(`guild:${discord.guildId}`, { reading: { reactions: false } });
    const second = await flood([member.client], general, 101, 130);
    await listener.hears(130);
    expect(marked(second)).toBe(0);
  });
});

describe('500 messages from ten members, written while a few are heard', () => {
  it('are read one after the other without falling behind, and the bot answers meanwhile', async () => {
    const bot = await startReadingBot({ discord: { members: 10 } });
    onTestFinished(() => bot.close());
    await bot.startReading();
    const { discord, general, listener, service, member } = bot;
    const names = ['Robin', 'Sam', 'Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Member 9', 'Member 10'];
    const crowd = names.map((name) => discord.member(name));
    /** By number: when it was written. */
    const written = new Map<number, number>();
    for (let first = 0; first < 500; first += 50) {
      const before = listener.heard.length;
      for (let index = 0; index < 50; index++) written.set((first + index) % SKIPPED, performance.now());
      await flood(crowd, general, first, first + 49, 'Here is what I think of it, number');
      if (first === 250) expect((await member.run('status')).id).toBeDefined();
      await expect.poll(() => listener.heard.length).toBeGreaterThan(before);
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
    await flood([member.client], general, 1, 20);
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
    const writeAndHear = async (first: number, last: number) => {
      await flood([member.client], general, first, last, 'Now this one,');
      await listener.hears(last);
    };
    await writeAndHear(1, 20);
    await writeAndHear(21, 40);
    expect(service.spoken.filter(({ speed }) => speed > 1).length).toBeGreaterThanOrEqual(4);
    const before = service.spoken.length;
    await writeAndHear(41, 60);
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
