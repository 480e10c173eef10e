// Usage figures: counted by server and day, and shown to operators.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createUsageCounter, noUsage, type Usage } from '../../src/charging/spending.ts';
import { rankUsage, usageLines } from '../../src/credit/view.ts';
import { en } from '../../src/locales/index.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';

const DAY = 24 * 3600_000;

const speech = (amount: number, billed = amount) => ({ kind: 'speech', amount, billed }) as const;
const transcription = (amount: number, billed = Math.ceil(amount)) => ({ kind: 'transcription', amount, billed }) as const;

let store: Store;
let clock: number;
beforeEach(() => {
  clock = Date.UTC(2030, 0, 1, 23, 59);
  store = openSqliteStore(':memory:', () => clock);
});
afterEach(() => store.close());

it('counts by server and day under concurrent use, with what the service bills beside it', async () => {
  const use = createUsageCounter(store, () => clock);
  await Promise.all(Array.from({ length: 100 }, (_, index) => use.add(index % 2 === 0 ? 'one' : null, speech(10, 30))));
  await use.add('one', transcription(2.5));
  // Three requests for two seconds and a half.
  await use.add('one', transcription(2.5, 4));
  clock += DAY;
  await use.add('one', speech(1));
  const one = { characters: 501, bytes: 1501, seconds: 6, billedSeconds: 7, isEstimate: false, times: 53 };
  const outside = { ...noUsage(), characters: 500, bytes: 1500, times: 50 };
  expect(await use.total('one', 1)).toEqual({ ...noUsage(), characters: 1, bytes: 1, times: 1 });
  expect(await use.total('one', 30)).toEqual(one);
  expect(await use.total(null, 30)).toEqual(outside);
  expect(await use.total('two', 30)).toEqual(noUsage());
  expect(await use.byGuild(30)).toEqual(
    new Map([
      ['one', one],
      [null, outside],
    ]),
  );
});

it.each([
  ['neither bytes nor billed seconds', {}],
  ['fewer than were used, because an earlier version ran as well', { bytes: 4, billedSeconds: 1 }],
  ['nonsense', { bytes: 'many', billedSeconds: { seconds: 3 } }],
])('shows what a day costs that has %s as an estimate: a byte a character', async (_, billed) => {
  const day = Math.floor(clock / DAY);
  for (const [field, value] of Object.entries({ characters: 10, seconds: 2, times: 3, ...billed }))
    await store.set(`use:${day}:one:${field}`, value);
  const use = createUsageCounter(store, () => clock);
  await use.add('two', speech(5, 15));
  clock += DAY;
  await use.add('one', speech(1, 3));
  const estimated = { characters: 11, bytes: 13, seconds: 2, billedSeconds: 2, isEstimate: true, times: 4 };
  expect(await use.total('one', 2)).toEqual(estimated);
  expect((await use.byGuild(2)).get('one')).toEqual(estimated);
  expect((await use.byGuild(2)).get('two')).toMatchObject({ bytes: 15, isEstimate: false });
  expect(await use.total('one', 1)).toMatchObject({ bytes: 3, isEstimate: false });
  // A server’s day that was counted in full doesn’t make up for another’s.
  expect(await use.daily('all', 2)).toMatchObject([
    { bytes: 25, isEstimate: true },
    { bytes: 3, isEstimate: false },
  ]);
  const price = ({ bytes }: Usage) => bytes / 100;
  const lines = usageLines(en, rankUsage(await use.byGuild(2), new Set(['one', 'two']), price), new Map(), price);
  expect(lines).toEqual([
    '**two**: 5 characters spoken · about 0.15 credit',
    '**one**: 11 characters spoken · 2 seconds transcribed · about 0.13 credit (partly estimated)',
  ]);
});

it('covers thirty days, and keeps nothing longer than thirty-one', async () => {
  const use = createUsageCounter(store, () => clock);
  await use.add('one', speech(10));
  clock += 29 * DAY;
  expect((await use.total('one', 30)).characters).toBe(10);
  clock += DAY;
  expect((await use.total('one', 30)).characters).toBe(0);
  clock += DAY;
  expect(await store.list('use:')).toEqual([]);
});

it('does not mix up servers whose ids share a prefix', async () => {
  const use = createUsageCounter(store, () => clock);
  await use.add('12', speech(1));
  await use.add('123', speech(10));
  expect((await use.total('12', 1)).characters).toBe(1);
});

it('reads a month of five hundred servers without blocking the event loop', async () => {
  for (let day = 0; day < 30; day++)
    for (let guild = 0; guild < 500; guild++) await store.set(`use:${Math.floor(clock / DAY) - day}:${guild}:characters`, 1);
  let turns = 0;
  const count = setInterval(() => turns++, 1);
  const guilds = await createUsageCounter(store, () => clock).byGuild(30);
  clearInterval(count);
  expect(guilds.size).toBe(500);
  expect([...guilds.values()].every(({ characters }) => characters === 30)).toBe(true);
  expect(turns).toBeGreaterThan(5);
});

const use = (characters: number, seconds = 0): Usage => ({
  ...noUsage(),
  ...{ characters, bytes: characters, seconds, billedSeconds: seconds, times: 1 },
});

it('names the ten most expensive servers, and sums up the rest', () => {
  const guilds = new Map<string | null, Usage>(Array.from({ length: 13 }, (_, index) => [`${index}`, use(index * 100)]));
  guilds.set(null, use(5000));
  const price = ({ characters }: Usage) => characters / 1000;
  const ids = Array.from({ length: 13 }, (_, index) => `${index}`);
  const ranked = rankUsage(guilds, new Set(ids.filter((id) => id !== '5')), price);
  const names = new Map(ids.filter((id) => id !== '10').map((id) => [id, id === '12' ? 'The *best* server' : `Server ${id}`]));
  const lines = usageLines(en, ranked, names, price);
  expect(lines).toHaveLength(10 + 1 + 1);
  expect(lines[0]).toBe('**Outside servers**: 5,000 characters spoken · about 5 credit');
  expect(lines[1]).toBe('**The \\*best\\* server**: 1,200 characters spoken · about 1.2 credit');
  expect(lines[2]).toMatch(/^\*\*Server 11\*\*/);
  // One whose name can't be read.
  expect(lines[3]).toMatch(/^\*\*10\*\*/);
  expect(lines.at(-2)).toBe('**3 other servers**: 300 characters spoken · about 0.3 credit');
  expect(lines.at(-1)).toBe('**Servers I’m no longer in**: 500 characters spoken · about 0.5 credit');
});

it('weighs speech and transcription by their shares if prices are unknown', () => {
  const guilds = new Map([
    ['talks', use(1000)],
    ['listens', use(0, 60)],
    ['both', use(900, 50)],
  ]);
  const lines = usageLines(
    en,
    rankUsage(guilds, new Set(guilds.keys()), () => null),
    new Map(),
    () => null,
  );
  expect(lines.map((line) => line.split(':')[0])).toEqual(['**both**', '**listens**', '**talks**']);
});

it('lists each day, oldest first, of one server or of all', async () => {
  const usage = createUsageCounter(store, () => clock);
  await usage.add('1', speech(10));
  await usage.add('2', transcription(5));
  clock += DAY;
  await usage.add('1', speech(20));
  const [yesterday, today, ...others] = await usage.daily('all', 2);
  expect([yesterday, today].map((day) => [day?.characters, day?.seconds])).toEqual([
    [10, 5],
    [20, 0],
  ]);
  expect(others).toEqual([]);
  expect(Date.parse(today?.date ?? '') - Date.parse(yesterday?.date ?? '')).toBe(DAY);
  expect((await usage.daily('2', 2)).map(({ seconds }) => seconds)).toEqual([5, 0]);
});
