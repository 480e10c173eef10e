// What spends credit uses this: reserves from the daily budgets, counts what was used, and knows what is left.
import type { ApiError, CallOptions, WalletRecord } from '../api/index.ts';
import type { Store } from '../store/index.ts';
import { type Account, usedUpError } from './account.ts';
import { type BudgetOwner, createBudgetLedger, type DailyCaps, guildBudgetKey, type TodaysBudgets } from './budgets.ts';
import type { Amount, BudgetError, Reservation, Spending, SpendingKind } from './spending.ts';
import { createUsageCounter, type DailyUsage, USAGE_DAYS, type Usage, usageKey } from './usage.ts';

export interface CreditService {
  /**
   * Takes the amount from the budgets of the member and the server, or takes nothing.
   * @param taken of it, what another process has taken already: given back if the rest is too much @throws BudgetError, StoreError
   */
  reserve(spending: Spending, taken?: number): Promise<Reservation>;
  /** What would prevent this spending now: the account, and the budgets. Takes nothing. Rejects with StoreError. */
  checkSpending(spending: Spending): Promise<{ credit: ApiError | null; budget: BudgetError | null }>;
  /** The share of the remaining credit, 0 to 1; null if unknown. From memory. */
  shareOfBalance(spending: Amount): number | null;
  /** Rejects with StoreError. */
  todaysBudgets(kind: SpendingKind, owner: BudgetOwner): Promise<TodaysBudgets>;
  /** Usage of one server (null = outside servers) over this many days (at most 31), today included. Rejects with StoreError. */
  usageOf(guildId: string | null, days: number): Promise<Usage>;
  usageByGuild(days: number): Promise<Map<string | null, Usage>>;
  /** Each of the days, oldest first; 'all' = of all servers. Rejects with StoreError. */
  dailyUsage(guildId: string | 'all', days: number): Promise<DailyUsage[]>;
  /** The wallet, requested now; for operators only. Rejects with ApiError. */
  fetchBalance(options?: CallOptions): Promise<WalletRecord>;
  /** What is known about the account, from memory; for operators only. */
  account: Pick<Account, 'affordable' | 'usedSinceTopUp' | 'daysLeft' | 'costOf' | 'isUsedUp'>;
}

/** @param options `capsOf` returns the daily caps of a server; `now` in milliseconds since 1970 */
export function createCreditService(options: {
  store: Store;
  account: Account;
  capsOf: (guildId: string | null) => Promise<DailyCaps>;
  now?: () => number;
}): CreditService {
  const { store, account, capsOf, now } = options;
  const budgets = createBudgetLedger(store, capsOf, now);
  const usage = createUsageCounter(store, now);
  return {
    async reserve(spending, taken) {
      const reservation = await budgets.reserve(spending, taken);
      let settled = false;
      return {
        raise: reservation.raise,
        async settle(amount) {
          if (settled) return;
          settled = true;
          await reservation.settle(amount);
          // Failing to store a usage figure is no reason to fail.
          if (amount > 0) await usage.add(spending.guildId, spending.kind, amount).catch(() => {});
        },
      };
    },
    async checkSpending(spending) {
      const budget = await budgets.check(spending);
      return { credit: account.isUsedUp() ? usedUpError() : null, budget };
    },
    shareOfBalance: account.shareOfBalance,
    todaysBudgets: budgets.today,
    usageOf: usage.of,
    usageByGuild: usage.byGuild,
    dailyUsage: usage.daily,
    fetchBalance: (call) => account.api.getCredit(call),
    account,
  };
}

/** All store keys under which (or below which) a server's usage may be counted. @param now milliseconds since 1970 */
export function guildUsageKeys(guildId: string, now: number): string[] {
  const today = Math.floor(now / (24 * 3600_000));
  const days = Array.from({ length: USAGE_DAYS + 1 }, (_, back) => today - back);
  return days.flatMap((day) => [
    usageKey(day, guildId),
    guildBudgetKey(day, 'speech', guildId),
    guildBudgetKey(day, 'transcription', guildId),
  ]);
}
