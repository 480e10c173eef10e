// Daily budgets: never exceeded under concurrent use, and set by operators and admins.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BudgetError, createCapsLookup, type Reservation, toOperatorBudgets } from '../../src/charging/index.ts';
import { capsFor, createBudgetLedger, type DailyCaps } from '../../src/charging/spending.ts';
import { readConfig } from '../../src/config.ts';
import { memberCard } from '../../src/credit/view.ts';
import { budgetSentence } from '../../src/discord/errors.ts';
import { en } from '../../src/locales/index.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';

const NOON = Date.UTC(2030, 0, 1, 12);
const MIDNIGHT = Date.UTC(2030, 0, 2);

let store: Store;
let clock: number;
beforeEach(() => {
  store = openSqliteStore(':memory:', () => clock);
  clock = NOON;
});
afterEach(() => store.close());

const same = (member: number, memberHere: number, guild: number, guildMax = guild): DailyCaps => {
  const caps = { member, memberHere, guild, guildMax };
  return { speech: caps, transcription: caps };
};
const budgetsWith = (caps: DailyCaps) =>
  createBudgetLedger(
    store,
    async () => caps,
    () => clock,
  );
const speech = (amount: number, memberId = 'robin', guildId: string | null = 'one') => ({
  ...{ kind: 'speech' as const, amount, memberId, guildId },
});
const refused = (promise: Promise<unknown>): Promise<BudgetError> =>
  promise.then(
    () => expect.fail('it was not refused'),
    (error) => {
      expect(error).toBeInstanceOf(BudgetError);
      return error;
    },
  );

describe('a budget', () => {
  it('never exceeds its cap, whatever is reserved and settled concurrently', async () => {
    const member = fc.constantFrom('robin', 'sam', 'kim');
    const guild = fc.constantFrom('one', 'two', null);
    const wish = fc.record({
      memberId: member,
      guildId: guild,
      amount: fc.integer({ min: 0, max: 60 }),
      /** How much of it is really used, and whether that is known only after the next ones were asked for. */
      used: fc.double({ min: 0, max: 1, noNaN: true }),
      late: fc.boolean(),
    });
    const caps = same(100, 70, 150);
    const check = fc.asyncProperty(fc.array(wish, { maxLength: 40 }), async (wishes) => {
      const own = openSqliteStore(':memory:', () => clock);
      // Two of them, as in two processes.
      const [first, second] = [0, 1].map(() =>
        createBudgetLedger(
          own,
          async () => caps,
          () => clock,
        ),
      ) as [ReturnType<typeof createBudgetLedger>, ReturnType<typeof createBudgetLedger>];
      const inUse = new Map<string, number>();
      const count = (name: string, by: number, cap: number) => {
        inUse.set(name, (inUse.get(name) ?? 0) + by);
        expect(inUse.get(name)).toBeLessThanOrEqual(cap);
      };
      const countAll = ({ memberId, guildId }: (typeof wishes)[number], by: number) => {
        count(memberId, by, 100);
        if (guildId === null) return;
        count(`${memberId} in ${guildId}`, by, 70);
        count(guildId, by, 150);
      };
      const late: (() => Promise<void>)[] = [];
      await Promise.all(
        wishes.map(async (wish, index) => {
          const reservation = await (index % 2 === 0 ? first : second).reserve({ kind: 'speech', ...wish }).catch((error: unknown) => {
            expect(error).toBeInstanceOf(BudgetError);
            return null;
          });
          if (!reservation) return;
          countAll(wish, wish.amount);
          const settle = async () => {
            const used = Math.floor(wish.amount * wish.used);
            // Before it is given back, for it may be taken at once.
            countAll(wish, used - wish.amount);
            await reservation.settle(used);
            await reservation.settle(0);
          };
          if (wish.late) late.push(settle);
          else await settle();
        }),
      );
      await Promise.all(late.map((settle) => settle()));
      // In the end, only actual usage is counted.
      for (const memberId of ['robin', 'sam', 'kim'])
        for (const guildId of ['one', 'two']) {
          const { member, memberHere, guild } = await first.today('speech', { memberId, guildId });
          expect([member.used, memberHere?.used, guild?.used]).toEqual(
            [memberId, `${memberId} in ${guildId}`, guildId].map((name) => inUse.get(name) ?? 0),
          );
        }
      await own.close();
    });
    await fc.assert(check, { numRuns: 150 });
  });

  it('grants exactly as many concurrent requests as fit', async () => {
    const budgets = budgetsWith(same(1000, 1000, 100));
    const wishes = Array.from({ length: 50 }, (_, index) => budgets.reserve(speech(10, `member ${index}`)));
    const results = await Promise.allSettled(wishes);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  it('grants a small request beside a large one that is refused', async () => {
    const budgets = budgetsWith(same(100, 100, 100));
    const large = refused(budgets.reserve(speech(101)));
    await Promise.all([large, budgets.reserve(speech(50)), refused(budgets.reserve(speech(60))), budgets.reserve(speech(50))]);
  });

  it('says whose it is, what is left, and when it resets', async () => {
    const budgets = budgetsWith(same(100, 80, 150));
    await budgets.reserve(speech(70));
    expect(await refused(budgets.reserve(speech(20)))).toMatchObject({ owner: 'member', kind: 'speech', left: 10, resetsAt: MIDNIGHT });
    await budgets.reserve(speech(70, 'sam'));
    expect(await refused(budgets.reserve(speech(20, 'kim')))).toMatchObject({ owner: 'guild', left: 10 });
    // In another server, the member's own budget is what is left.
    expect(await refused(budgets.reserve(speech(40, 'robin', 'two')))).toMatchObject({ owner: 'member', left: 30 });
    await budgets.reserve(speech(30, 'robin', null));
  });

  it('distinguishes what fits on no day from what fits tomorrow, and tells who could raise it', async () => {
    const budgets = budgetsWith(same(100, 80, 60, 90));
    expect(await refused(budgets.reserve(speech(101)))).toMatchObject({
      owner: 'guild',
      setBy: 'admin',
      cap: 60,
      requested: 101,
      left: 60,
    });
    expect(await refused(budgets.reserve(speech(101, 'robin', null)))).toMatchObject({ owner: 'member', setBy: 'operator', cap: 100 });
    // Robin's own budget is used up until tomorrow; what exceeds the server's would do so tomorrow too.
    await budgets.reserve(speech(50, 'robin', 'two'));
    await budgets.reserve(speech(50, 'robin', null));
    expect(await refused(budgets.reserve(speech(70)))).toMatchObject({ owner: 'guild', cap: 60, requested: 70 });
    expect(await refused(budgets.reserve(speech(60)))).toMatchObject({
      owner: 'member',
      setBy: 'operator',
      cap: 100,
      requested: 60,
      left: 0,
    });
    const looser = budgetsWith(same(100, 80, 90));
    expect(await refused(looser.reserve(speech(90, 'sam')))).toMatchObject({ owner: 'member', setBy: 'admin', cap: 80 });
    expect(await refused(looser.reserve(speech(91, 'sam')))).toMatchObject({ owner: 'member', setBy: 'admin', cap: 80 });
    expect(await refused(budgetsWith(same(100, 100, 90)).reserve(speech(91)))).toMatchObject({ owner: 'guild', setBy: 'operator' });
  });

  it('checks what it would refuse without taking anything', async () => {
    const budgets = budgetsWith(same(100, 80, 150));
    for (let times = 0; times < 3; times += 1) expect(await budgets.check(speech(80))).toBeNull();
    await budgets.reserve(speech(80));
    expect(await budgets.check(speech(1))).toEqual(await refused(budgets.reserve(speech(1))));
    expect(await budgets.check(speech(20, 'robin', 'two'))).toBeNull();
    expect(await budgetsWith(same(100, 0, 150)).check(speech(1, 'sam'))).toMatchObject({ cap: 0, setBy: 'admin' });
  });

  it('counts speech and transcription separately', async () => {
    const budgets = budgetsWith(same(100, 100, 100));
    await budgets.reserve(speech(100));
    await budgets.reserve({ ...speech(100), kind: 'transcription' });
    await refused(budgets.reserve({ ...speech(1), kind: 'transcription' }));
  });

  it('returns the unused part, once', async () => {
    const budgets = budgetsWith(same(100, 100, 100));
    const reservation = await budgets.reserve(speech(100));
    await Promise.all([reservation.settle(40), reservation.settle(0)]);
    expect((await budgets.today('speech', { memberId: 'robin', guildId: 'one' })).member).toEqual({ used: 40, cap: 100 });
  });

  it('counts what was used beyond the reservation', async () => {
    const budgets = budgetsWith(same(100, 100, 100));
    await (await budgets.reserve(speech(10))).settle(120);
    expect(await refused(budgets.reserve(speech(1)))).toMatchObject({ left: 0 });
    // Free calls are always possible.
    await budgets.reserve(speech(0));
  });

  it('lets a reservation grow as long as it fits, and returns all of it if it does not', async () => {
    const budgets = budgetsWith(same(100, 100, 150));
    const growing = await budgets.reserve(speech(10));
    await growing.raise(60);
    await growing.raise(30);
    const used = async () => (await budgets.today('speech', { memberId: 'robin', guildId: 'one' })).guild?.used;
    expect(await used()).toBe(60);
    await budgets.reserve(speech(70, 'sam'));
    // It may have 80 in all, of which it has 60.
    expect(await refused(growing.raise(81))).toMatchObject({ owner: 'guild', left: 80, requested: 81, resetsAt: MIDNIGHT });
    expect(await used()).toBe(70);
    await growing.settle(60);
    expect(await used()).toBe(70);
  });

  it('grants as many reservations growing side by side as fit', async () => {
    const budgets = budgetsWith(same(1000, 1000, 120));
    const grow = async (memberId: string) => {
      const reservation = await budgets.reserve(speech(1, memberId));
      for (let amount = 2; amount <= 60; amount++) await reservation.raise(amount);
    };
    const results = await Promise.allSettled(Array.from({ length: 14 }, (_, index) => grow(`member ${index}`)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await budgets.today('speech', { memberId: 'robin', guildId: 'one' })).guild?.used).toBe(120);
  });

  it('resets at midnight UTC, even if a call ends after it', async () => {
    const budgets = budgetsWith(same(100, 100, 100));
    clock = MIDNIGHT - 1;
    const reservation = await budgets.reserve(speech(100));
    await refused(budgets.reserve(speech(1)));
    clock = MIDNIGHT;
    await budgets.reserve(speech(100));
    await reservation.settle(0);
    await refused(budgets.reserve(speech(1)));
  });

  it('takes nothing and rejects if the store fails', async () => {
    const failing: Store = {
      ...store,
      incrementAll: () => Promise.reject(new Error('full')),
    };
    const caps = same(100, 100, 100);
    await expect(createBudgetLedger(failing, async () => caps).reserve(speech(60))).rejects.toThrow('full');
    await budgetsWith(caps).reserve(speech(100));
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('refuses %d as an amount', async (amount) => {
    await expect(budgetsWith(same(100, 100, 100)).reserve(speech(amount))).rejects.toThrow(RangeError);
  });

  it('keeps the reservation if the amount used is unknown', async () => {
    const budgets = budgetsWith(same(100, 100, 100));
    const reservation: Reservation = await budgets.reserve(speech(100));
    await reservation.settle(Number.NaN);
    await refused(budgets.reserve(speech(1)));
  });
});

describe('caps', () => {
  it('are on by default, and off if the operator sets 0', () => {
    expect(toOperatorBudgets(readConfig({}))).toEqual({
      speech: { member: 20_000, guild: 100_000 },
      transcription: { member: 7200, guild: 36_000 },
    });
    const off = Object.fromEntries(Object.keys(readConfig({})).flatMap((name) => (name.startsWith('BUDGET_') ? [[name, '0']] : [])));
    const none = { member: Number.POSITIVE_INFINITY, guild: Number.POSITIVE_INFINITY };
    expect(toOperatorBudgets(readConfig(off))).toEqual({ speech: none, transcription: none });
  });

  it('are tightened by the admins of a server at once, and never loosened', async () => {
    const settings = createSettings(store);
    const capsOf = createCapsLookup(toOperatorBudgets(readConfig({ BUDGET_GUILD_MINUTES: '0' })), settings);
    await settings.changeGuild('one', (old) => ({ ...old, guildBudget: 500, memberBudget: 900_000, memberMinutes: 1 }));
    expect(await capsOf('one')).toEqual({
      speech: { member: 20_000, memberHere: 20_000, guild: 500, guildMax: 100_000 },
      transcription: { member: 7200, memberHere: 60, guild: Number.POSITIVE_INFINITY, guildMax: Number.POSITIVE_INFINITY },
    });
    await settings.changeGuild('one', (old) => ({ ...old, guildBudget: 0 }));
    expect((await capsOf('one')).speech.guild).toBe(0);
    expect((await capsOf('two')).speech.guild).toBe(100_000);
  });

  it('never let a server allow more than the operator', () => {
    const amount = fc.option(fc.nat(10_000));
    const chosen = fc.record({ guildBudget: amount, memberBudget: amount, guildMinutes: amount, memberMinutes: amount });
    const pair = fc.record({ member: fc.nat(10_000), guild: fc.nat(10_000) });
    fc.assert(
      fc.property(fc.record({ speech: pair, transcription: pair }), fc.option(chosen), (budgets, guild) => {
        for (const kind of ['speech', 'transcription'] as const) {
          const caps = capsFor(budgets, guild)[kind];
          expect(caps.member).toBe(budgets[kind].member);
          expect(caps.memberHere).toBeLessThanOrEqual(caps.member);
          expect(caps.guild).toBeLessThanOrEqual(budgets[kind].guild);
        }
      }),
    );
  });
});

it('a member reads what is left and when there is more', () => {
  const facts = { kind: 'speech' as const, setBy: 'operator' as const, cap: 500, requested: 200, left: 120, resetsAt: MIDNIGHT };
  const own = budgetSentence(en, new BudgetError({ ...facts, owner: 'member' }));
  expect(own).toContain('120 characters of speech');
  expect(own).toContain(`<t:${MIDNIGHT / 1000}:R>`);
  expect(budgetSentence(en, new BudgetError({ ...facts, owner: 'guild', kind: 'transcription', left: 150 }))).toContain(
    '2 minutes, 30 seconds',
  );
  expect(budgetSentence(en, new BudgetError({ ...facts, owner: 'guild', left: 0 }))).toContain('used up');
});

it('a member is not told to wait for an amount that exceeds the daily budget', () => {
  const facts = { kind: 'transcription' as const, owner: 'member' as const, cap: 300, requested: 720, left: 0, resetsAt: MIDNIGHT };
  const [admins, operators] = (['admin', 'operator'] as const).map((setBy) => budgetSentence(en, new BudgetError({ ...facts, setBy })));
  expect(admins).toContain('more than your daily budget of 5 minutes of transcription');
  expect(admins).toContain('Server admins can raise it in `/settings`');
  expect(operators).toContain('more than your daily budget of 5 minutes of transcription');
  expect(operators).toContain(en('errors.budget.raise.operator'));
  const off = budgetSentence(en, new BudgetError({ ...facts, setBy: 'admin', cap: 0 }));
  expect(off).toContain(en('errors.budget.switchedOff.transcription'));
  const shown = JSON.stringify(memberCard(en, [['transcription', { used: 0, cap: 0 }]], MIDNIGHT));
  for (const sentence of [admins, operators, off, shown]) expect(sentence).not.toMatch(/again|<t:/);
});
