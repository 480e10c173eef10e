// Used by everything that spends credit: reserves from the daily budgets, counts what was used, and knows what is left.

import { setImmediate } from 'node:timers/promises';
import type { ApiError, CallOptions, WalletRecord } from '../api/index.ts';
import type { Store } from '../store/index.ts';
import { type Account, usedUpError } from './account.ts';
import { type BudgetOwner, createBudgetLedger, type DailyCaps, guildBudgetKey, type TodaysBudgets } from './budgets.ts';
import type { Amount, BudgetError, Reservation, Spending, SpendingKind } from './spending.ts';

export interface CreditService {
  /**
   * Takes the amount from the budgets of the member and the server, or takes nothing.
   * @param taken how much of it another process has already taken: given back if the rest is too much @throws BudgetError, StoreError
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

// Usage figures by server and day, kept for 31 days. They don't tell who used anything, or for what.

export interface Usage {
  characters: number;
  seconds: number;
  /** How many times something was spoken or transcribed. */
  times: number;
}

/** What was used on one day. */
export interface DailyUsage extends Usage {
  /** ISO, UTC. */
  date: string;
}

export interface UsageCounter {
  /** Counts something that was used just now. */
  add(guildId: string | null, kind: SpendingKind, amount: number): Promise<void>;
  /** Usage of one server (null = outside servers) over this many days, today included. */
  of(guildId: string | null, days: number): Promise<Usage>;
  /** Usage of all servers, by id. */
  byGuild(days: number): Promise<Map<string | null, Usage>>;
  /** Each of the days, oldest first. @param guildId null = outside servers, 'all' = everything */
  daily(guildId: string | null | 'all', days: number): Promise<DailyUsage[]>;
}

const DAY_MS = 24 * 3600_000;
const USAGE_DAYS = 31;
/** Replaces the id of a server outside servers. */
const OUTSIDE = '-';

/** The day comes first, so that one day can be read without the others. @param day since 1970 */
function usageKey(day: number, guildId: string | null): string {
  return `use:${day}:${guildId ?? OUTSIDE}`;
}

/** All methods reject with StoreError. @param now milliseconds since 1970; days are UTC */
export function createUsageCounter(store: Store, now: () => number = Date.now): UsageCounter {
  const today = () => Math.floor(now() / DAY_MS);
  const prefixOf = (day: number, guildId: string | null) => `${usageKey(day, guildId)}:`;
  const lastDays = (count: number) => Array.from({ length: count }, (_, index) => today() - index);

  return {
    async add(guildId, kind, amount) {
      const prefix = prefixOf(today(), guildId);
      const options = { expiresInMs: USAGE_DAYS * DAY_MS };
      await store.increment(`${prefix}${kind === 'speech' ? 'characters' : 'seconds'}`, Math.ceil(amount), options);
      await store.increment(`${prefix}times`, 1, options);
    },
    async of(guildId, days) {
      const usage = noUsage();
      for (const day of lastDays(days)) addEntries(usage, await store.list(prefixOf(day, guildId)));
      return usage;
    },
    async byGuild(days) {
      const guilds = new Map<string | null, Usage>();
      for (const day of lastDays(days)) {
        for (const entry of await store.list(`use:${day}:`)) {
          const id = entry[0].split(':')[2] ?? OUTSIDE;
          const guildId = id === OUTSIDE ? null : id;
          const usage = guilds.get(guildId) ?? noUsage();
          guilds.set(guildId, usage);
          addEntries(usage, [entry]);
        }
        // Thousands of servers mustn't hold up audio that is playing.
        await setImmediate();
      }
      return guilds;
    },
    async daily(guildId, days) {
      const all: DailyUsage[] = [];
      for (const day of lastDays(days).reverse()) {
        const used = { ...noUsage(), date: new Date(day * DAY_MS).toISOString().slice(0, 10) };
        addEntries(used, await store.list(guildId === 'all' ? `use:${day}:` : prefixOf(day, guildId)));
        all.push(used);
        await setImmediate();
      }
      return all;
    },
  };
}

function addEntries(usage: Usage, entries: [key: string, value: unknown][]): void {
  for (const [key, value] of entries) {
    const field = key.split(':').at(-1);
    if (field === 'characters' || field === 'seconds' || field === 'times') usage[field] += Number(value);
  }
}

function noUsage(): Usage {
  return { characters: 0, seconds: 0, times: 0 };
}
