// Reading aloud where more is written than can be heard, for longer than the other tests wait.
import { expect, it, onTestFinished } from 'vitest';
import { flood, startReadingBot } from '../bot/reading-bot.ts';
import { atUsualPace, SKIPPED } from '../helpers/tone-service.ts';

async function openBot(members = 2) {
  const bot = await startReadingBot({ discord: { members }, secondsOf: atUsualPace, maxDelay: 8 });
  onTestFinished(() => bot.close());
  await bot.startReading();
  return bot;
}

it('500 messages from ten members, written while a few are heard, are read in several voices or skipped, and the bot answers meanwhile', async () => {
  const { discord, general, listener, service, member } = await openBot(10);
  const names = ['Robin', 'Sam', 'Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Member 9', 'Member 10'];
  const crowd = names.map((name) => discord.member(name));
  for (let first = 0; first < 500; first += 50) {
    const before = listener.heard.length;
    await flood(crowd, general, first, first + 49, 'Here is what I think of it, number');
    if (first === 250) await (await member.run('status')).answered();
    await expect.poll(() => listener.heard.length).toBeGreaterThan(before);
  }
  await service.asked(({ text }) => text.includes('skipped'));
  await listener.hears(SKIPPED);
  expect(listener.heard.filter(({ number }) => number !== SKIPPED).length).toBeGreaterThan(3);
  expect(service.spoken.length).toBeLessThan(100);
  expect(new Set(service.spoken.map(({ voice }) => voice)).size).toBeGreaterThan(3);
});

it('a service that ignores the speed is soon not asked to hurry anymore, but still for the speed that a member chose', async () => {
  const { member, other, store, general, listener, service } = await openBot();
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
  await other.write('message 61');
  expect(await service.asked(({ text }) => text.endsWith(' 61'))).toMatchObject({ speed: 1.5 });
});
