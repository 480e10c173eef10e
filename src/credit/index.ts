// What calls cost, budgets, use, and what the balance is worth.
import type { Store } from '../store/index.ts';
import { type Account, outOfCredit } from './account.ts';
import { createBudgets, guildKey } from './budgets.ts';
import type { Caps } from './caps.ts';
import type { Credit } from './types.ts';
import { createUseCounter, USE_DAYS, useKey } from './use.ts';

export { type Account, openAccount, type Pace, type Worth } from './account.ts';
export { type Budget, memberKey, type Today } from './budgets.ts';
export { type Budgets, budgetsOf, createCaps } from './caps.ts';
export type { CreditNews } from './top-ups.ts';
export * from './types.ts';
export type { Use } from './use.ts';

/** All names under which anything of a server's use may be counted, or with a colon and more behind. @param now milliseconds since 1970 */
export function guildKeys(guildId: string, now: number): string[] {
  const today = Math.floor(now / (24 * 3600_000));
  const days = Array.from({ length: USE_DAYS + 1 }, (_, back) => today - back);
  return days.flatMap((day) => [useKey(day, guildId), guildKey(day, 'speech', guildId), guildKey(day, 'transcription', guildId)]);
}

/** @param options `capsOf` a server: how much may be used a day; `now` in milliseconds since 1970 */
export function createCredit(options: {
  store: Store;
  account: Account;
  capsOf: (guildId: string | null) => Promise<Caps>;
  now?: () => number;
}): Credit {
  const { store, account, capsOf, now } = options;
  const budgets = createBudgets(store, capsOf, now);
  const use = createUseCounter(store, now);
  return {
    async reserve(spending) {
      const reservation = await budgets.reserve(spending);
      let settled = false;
      return {
        raise: reservation.raise,
        async settle(amount) {
          if (settled) return;
          settled = true;
          await reservation.settle(amount);
          // A number that could not be kept is no reason to fail.
          if (amount > 0) await use.add(spending.guildId, spending.kind, amount).catch(() => {});
        },
      };
    },
    async foresee(spending) {
      const budget = await budgets.foresee(spending);
      return { credit: account.isOut() ? outOfCredit() : null, budget };
    },
    shareOfBalance: account.shareOfBalance,
    today: budgets.today,
    useOf: use.of,
    useByGuild: use.byGuild,
    balance: (call) => account.api.getCredit(call),
    account,
  };
}
