// What everything uses that spends credit: it reserves from the daily budgets of members and servers, counts what was used, and knows what
// is left.
import { setImmediate } from 'node:timers/promises';
import type { ApiError, CallOptions, WalletRecord } from '../api/index.ts';
import { createInTurn } from '../async/waiting.ts';
import type { Config } from '../config.ts';
import type { Store } from '../store/index.ts';
import type { GuildSettings, Settings } from '../store/settings.ts';
import { type Account, usedUpError } from './account.ts';
import type { Amount, Bill, SpendingKind } from './prices.ts';

/** Something about to cost credit; the amount is what is known beforehand. */
export interface Spending extends Amount {
  /** null = outside servers. */
  guildId: string | null;
  memberId: string;
}

/** An amount taken from the day's budgets. */
export interface Reservation {
  /**
   * Increases the reservation to this total, unless it is that large already. If that exceeds a budget, all of it is given back at once,
   * so that reservations growing side by side don't block one another. @throws BudgetError, StoreError
   */
  raise(amount: number): Promise<void>;
  /**
   * Ends it with what was actually used; 0 (cached or failed) gives all of it back. Only the first call counts. Never rejects.
   * @param billed what the service bills of it, in bytes or seconds: default the amount, rounded up
   */
  settle(amount: number, billed?: number): Promise<void>;
}

/** Share of the balance from which a member is asked before it is spent. */
export const ASK_FROM_SHARE = 1 / 20;

/** A request exceeds a daily budget. Amounts are characters or seconds. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  readonly owner: 'member' | 'guild';
  readonly kind: SpendingKind;
  /** Who could raise the budget. */
  readonly setBy: 'admin' | 'operator';
  /** The daily budget; 0 = switched off by an admin. */
  readonly cap: number;
  /** More than `cap` won't fit on any other day either. */
  readonly requested: number;
  /** What is left of the budget today. */
  readonly left: number;
  /** When the budget resets, in milliseconds since 1970. */
  readonly resetsAt: number;

  constructor(facts: Pick<BudgetError, 'owner' | 'kind' | 'setBy' | 'cap' | 'requested' | 'left' | 'resetsAt'>) {
    super(`the daily budget of the ${facts.owner} is exceeded`);
    this.owner = facts.owner;
    this.kind = facts.kind;
    this.setBy = facts.setBy;
    this.cap = facts.cap;
    this.requested = facts.requested;
    this.left = facts.left;
    this.resetsAt = facts.resetsAt;
  }
}

// The daily budgets of members and servers, enforced under concurrent use: reserved first, with the unused part given back.

/** How much of a budget is taken today, in characters or seconds; cap Infinity = no budget. */
export interface BudgetUsage {
  used: number;
  cap: number;
}

/** Today's budgets of one kind; `guild` and `memberHere` are null outside servers. */
export interface TodaysBudgets {
  member: BudgetUsage;
  memberHere: BudgetUsage | null;
  guild: BudgetUsage | null;
}

export interface BudgetLedger {
  /** @param taken how much of the amount another process has already taken from the budgets */
  reserve(spending: Spending, taken?: number): Promise<Reservation>;
  /** The error that `reserve` would throw now, or null. Takes nothing. */
  check(spending: Spending): Promise<BudgetError | null>;
  today(kind: SpendingKind, owner: BudgetOwner): Promise<TodaysBudgets>;
}

type BudgetOwner = Pick<Spending, 'guildId' | 'memberId'>;

const DAY_MS = 24 * 3600_000;

/**
 * The reservation of a process that was killed counts as used until the day ends.
 * @param capsOf the daily caps of a server; null = outside servers
 * @param now milliseconds since 1970; days are UTC
 */
export function createBudgetLedger(
  store: Store,
  capsOf: (guildId: string | null) => Promise<DailyCaps>,
  now: () => number = Date.now,
): BudgetLedger {
  // A call that ends after midnight still finds the day that it began on.
  const options = { expiresInMs: 2 * DAY_MS };
  const add = (key: string, amount: number) => (amount === 0 ? Promise.resolve(0) : store.increment(key, amount, options));
  /** An amount that can't be given back now comes back at the end of the day. */
  const adjust = async (keys: string[], amount: number) => {
    for (const key of keys) await add(key, amount).catch(() => {});
  };
  // One at a time: of many reservations that grow side by side, the first that no longer fits makes room for the others.
  const exclusively = createInTurn();
  const countOf = async (key: string) => Math.max(0, Number((await store.get(key)) ?? 0));
  async function prepare({ kind, amount, guildId, memberId }: Spending) {
    const requested = roundUp(amount);
    const caps = (await capsOf(guildId))[kind];
    const day = Math.floor(now() / DAY_MS);
    const counters = countersOf(day, kind, { guildId, memberId }).map(({ name, key }) => ({ name, key, cap: caps[name] }));
    // Budgets that are too small on any day come first: the error of one that is used up today would say to try again tomorrow.
    counters.sort((a, b) => Math.min(a.cap, requested) - Math.min(b.cap, requested));
    const exceeded = (name: CounterName, left: number, total = requested) =>
      new BudgetError({
        owner: name === 'guild' ? 'guild' : 'member',
        setBy: caps[name] < (name === 'guild' ? caps.guildMax : caps.member) ? 'admin' : 'operator',
        kind,
        cap: caps[name],
        requested: total,
        left: Math.max(0, left),
        resetsAt: (day + 1) * DAY_MS,
      });
    return { requested, counters, exceeded };
  }

  /** Takes the amount from all budgets, or from none. @returns the first that is too small, with what is left of it; null if none is */
  async function take(counters: { name: CounterName; key: string; cap: number }[], amount: number) {
    if (amount === 0) return null;
    const { exceeded } = await store.incrementAll(
      counters.map(({ key, cap }) => ({ key, max: cap })),
      amount,
      options,
    );
    const full = exceeded && counters[exceeded.place];
    return full ? { name: full.name, left: full.cap - exceeded.value } : null;
  }

  return {
    async reserve(spending, taken = 0) {
      const { requested, counters, exceeded } = await prepare(spending);
      const keys = counters.map(({ key }) => key);
      const full = await take(counters, Math.max(0, requested - taken));
      if (full) {
        await adjust(keys, -taken);
        throw exceeded(full.name, full.left + taken);
      }
      let settled = false;
      let reserved = Math.max(requested, taken);

      async function settle(used: number): Promise<void> {
        // An invalid amount leaves what was reserved: never too little.
        if (settled || !isAmount(used)) return;
        settled = true;
        await adjust(keys, roundUp(used) - reserved);
      }

      async function raise(amount: number): Promise<void> {
        const more = roundUp(amount) - reserved;
        if (settled || more <= 0) return;
        try {
          const full = await take(counters, more);
          if (full) throw exceeded(full.name, full.left + reserved, reserved + more);
          reserved += more;
        } catch (error) {
          await settle(0);
          throw error;
        }
      }

      return {
        raise: (amount) => exclusively(() => raise(amount)),
        settle: (used) => exclusively(() => settle(used)),
      };
    },

    async check(spending) {
      const { requested, counters, exceeded } = await prepare(spending);
      for (const { name, key, cap } of counters) {
        const left = cap - (await countOf(key));
        if (requested > left) return exceeded(name, left);
      }
      return null;
    },

    async today(kind, owner) {
      const caps = (await capsOf(owner.guildId))[kind];
      const counters = countersOf(Math.floor(now() / DAY_MS), kind, owner);
      const budgets = await Promise.all(
        counters.map(async ({ name, key }) => [name, { used: await countOf(key), cap: caps[name] }] as const),
      );
      return { member: { used: 0, cap: caps.member }, memberHere: null, guild: null, ...Object.fromEntries(budgets) };
    },
  };
}

type CounterName = Exclude<keyof DailyCaps[SpendingKind], 'guildMax'>;

/** Store key of a member's use on a day; their use in one server is stored below it. @param day since 1970 */
export function memberBudgetKey(day: number, kind: SpendingKind, memberId: string): string {
  return `spent:${day}:${kind}:member:${memberId}`;
}

/** Store key of a server's use on a day. @param day since 1970 */
function guildBudgetKey(day: number, kind: SpendingKind, guildId: string): string {
  return `spent:${day}:${kind}:guild:${guildId}`;
}

/** A member has one counter across all servers, so joining many servers doesn't get around the budget. */
function countersOf(day: number, kind: SpendingKind, { guildId, memberId }: BudgetOwner): { name: CounterName; key: string }[] {
  const memberKey = memberBudgetKey(day, kind, memberId);
  if (guildId === null) return [{ name: 'member', key: memberKey }];
  return [
    { name: 'member', key: memberKey },
    { name: 'memberHere', key: `${memberKey}:${guildId}` },
    { name: 'guild', key: guildBudgetKey(day, kind, guildId) },
  ];
}

/** Rounds up to whole characters and seconds, whose sums are exact. */
function roundUp(amount: number): number {
  if (!isAmount(amount)) throw new RangeError('An amount must be a number that is not negative.');
  return Math.ceil(amount);
}

function isAmount(amount: number): boolean {
  return Number.isFinite(amount) && amount >= 0;
}

// How much may be used a day: what the operator allows, which a server's admins can tighten but not loosen.

/** The operator's daily budgets, in characters of speech and seconds of transcription; Infinity = none. */
export type OperatorBudgets = Record<SpendingKind, { member: number; guild: number }>;

/**
 * The daily caps that apply in one place. `memberHere` is what its admins allow each member in that server only; `guildMax` is the most
 * that they can allow the server.
 */
export type DailyCaps = Record<SpendingKind, { member: number; memberHere: number; guild: number; guildMax: number }>;

type BudgetConfig = Pick<Config, `BUDGET_${'MEMBER' | 'GUILD'}_${'CHARACTERS' | 'MINUTES'}`>;

/** Converts the settings, which are in minutes and use 0 for "no budget". */
export function toOperatorBudgets(config: BudgetConfig): OperatorBudgets {
  const cap = (amount: number) => (amount === 0 ? Number.POSITIVE_INFINITY : amount);
  return {
    speech: { member: cap(config.BUDGET_MEMBER_CHARACTERS), guild: cap(config.BUDGET_GUILD_CHARACTERS) },
    transcription: { member: cap(config.BUDGET_MEMBER_MINUTES * 60), guild: cap(config.BUDGET_GUILD_MINUTES * 60) },
  };
}

/** Looks up the current caps of a server; null = outside servers. The lookup rejects with StoreError. */
export function createCapsLookup(
  budgets: OperatorBudgets,
  settings: Pick<Settings, 'guild'>,
): (guildId: string | null) => Promise<DailyCaps> {
  return async (guildId) => capsFor(budgets, guildId === null ? null : await settings.guild(guildId));
}

type GuildBudgets = Pick<GuildSettings, 'guildBudget' | 'memberBudget' | 'guildMinutes' | 'memberMinutes'>;

/** @param chosen by the server's admins; null = as the operator has it, 0 = switched off */
export function capsFor({ speech, transcription }: OperatorBudgets, chosen: GuildBudgets | null): DailyCaps {
  const toSeconds = (minutes: number | null | undefined) => (minutes == null ? null : minutes * 60);
  return {
    speech: tighten(speech, chosen?.guildBudget, chosen?.memberBudget),
    transcription: tighten(transcription, toSeconds(chosen?.guildMinutes), toSeconds(chosen?.memberMinutes)),
  };
}

function tighten(
  { member, guild }: OperatorBudgets[SpendingKind],
  guildCap: number | null | undefined,
  memberCap: number | null | undefined,
): DailyCaps[SpendingKind] {
  return {
    member,
    memberHere: Math.min(member, memberCap ?? member),
    guild: Math.min(guild, guildCap ?? guild),
    guildMax: guild,
  };
}

// The credit service: budgets, usage figures and the account in one.

export interface CreditService {
  /**
   * Takes the amount from the budgets of the member and the server, or takes nothing.
   * @param taken how much of it another process has already taken: given back if the rest is too much @throws BudgetError, StoreError
   */
  reserve(spending: Spending, taken?: number): Promise<Reservation>;
  /** What would prevent this spending now: the account, and the budgets. Takes nothing. Rejects with StoreError. */
  checkSpending(spending: Spending): Promise<{ credit: ApiError | null; budget: BudgetError | null }>;
  /** The share of the remaining credit, 0 to 1; null if unknown. From memory. */
  shareOfBalance(bill: Bill): number | null;
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
  account: Pick<Account, 'affordable' | 'usedSinceTopUp' | 'daysLeft' | 'costOf' | 'isUsedUp' | 'unbooked'>;
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
        async settle(amount, billed = Math.ceil(amount)) {
          if (settled) return;
          settled = true;
          await reservation.settle(amount);
          // Failing to store a usage figure is no reason to fail.
          if (amount > 0 || billed > 0) await usage.add(spending.guildId, { kind: spending.kind, amount, billed }).catch(() => {});
        },
      };
    },
    async checkSpending(spending) {
      const budget = await budgets.check(spending);
      return { credit: account.isUsedUp(spending.kind) ? usedUpError() : null, budget };
    },
    shareOfBalance: account.shareOfBalance,
    todaysBudgets: budgets.today,
    usageOf: usage.total,
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
  /** What the service billed for them: see Bill. Where that wasn't counted, a byte for each character, and every second once. */
  bytes: number;
  billedSeconds: number;
  /** Whether some of what was billed wasn't counted. */
  isEstimate: boolean;
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
  add(guildId: string | null, used: Amount & Bill): Promise<void>;
  /** Usage of one server (null = outside servers) over this many days, today included. */
  total(guildId: string | null, days: number): Promise<Usage>;
  /** Usage of all servers, by id. */
  byGuild(days: number): Promise<Map<string | null, Usage>>;
  /** Each of the days, oldest first. @param guildId null = outside servers, 'all' = everything */
  daily(guildId: string | null | 'all', days: number): Promise<DailyUsage[]>;
}

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
    async add(guildId, { kind, amount, billed }) {
      const prefix = prefixOf(today(), guildId);
      const options = { expiresInMs: USAGE_DAYS * DAY_MS };
      const fields = kind === 'speech' ? (['characters', 'bytes'] as const) : (['seconds', 'billedSeconds'] as const);
      await store.increment(`${prefix}${fields[0]}`, Math.ceil(amount), options);
      await store.increment(`${prefix}${fields[1]}`, Math.ceil(billed), options);
      await store.increment(`${prefix}times`, 1, options);
    },
    async total(guildId, days) {
      const usage = noUsage();
      for (const day of lastDays(days)) addUsage(usage, readUsage(await store.list(prefixOf(day, guildId))));
      return usage;
    },
    async byGuild(days) {
      const guilds = new Map<string | null, Usage>();
      for (const day of lastDays(days)) {
        for (const [guildId, used] of readGuilds(await store.list(`use:${day}:`))) {
          const usage = guilds.get(guildId) ?? noUsage();
          guilds.set(guildId, usage);
          addUsage(usage, used);
        }
        // Thousands of servers mustn't hold up audio that is playing.
        await setImmediate();
      }
      return guilds;
    },
    async daily(guildId, days) {
      const usageByDay: DailyUsage[] = [];
      for (const day of lastDays(days).reverse()) {
        const used = { ...noUsage(), date: new Date(day * DAY_MS).toISOString().slice(0, 10) };
        const entries = await store.list(guildId === 'all' ? `use:${day}:` : prefixOf(day, guildId));
        for (const guildEntries of readGuilds(entries).values()) addUsage(used, guildEntries);
        usageByDay.push(used);
        await setImmediate();
      }
      return usageByDay;
    },
  };
}

/** What each server used on one day. */
function readGuilds(entries: readonly Entry[]): Map<string | null, Usage> {
  const byGuild = Map.groupBy(entries, ([key]) => key.split(':')[2] ?? OUTSIDE);
  return new Map([...byGuild].map(([id, guildEntries]) => [id === OUTSIDE ? null : id, readUsage(guildEntries)]));
}

/** What one server used on one day. */
function readUsage(entries: readonly Entry[]): Usage {
  const usage = noUsage();
  for (const [key, value] of entries) {
    const field = key.split(':').at(-1);
    if (COUNTED.some((name) => name === field)) usage[field as (typeof COUNTED)[number]] += Number(value) || 0;
  }
  const { characters, bytes, seconds, billedSeconds } = usage;
  // Earlier versions, one of which may run at the same time, don't count what is billed, which is never less than what was used.
  usage.isEstimate = bytes < characters || billedSeconds < seconds;
  usage.bytes = Math.max(bytes, characters);
  usage.billedSeconds = Math.max(billedSeconds, seconds);
  return usage;
}

type Entry = [key: string, value: unknown];

const COUNTED = ['characters', 'seconds', 'bytes', 'billedSeconds', 'times'] as const;

/** What was used in several places, or on several days. */
export function sumUsage(usages: Iterable<Usage>): Usage {
  const total = noUsage();
  for (const usage of usages) addUsage(total, usage);
  return total;
}

function addUsage(usage: Usage, other: Usage): void {
  for (const field of COUNTED) usage[field] += other[field];
  usage.isEstimate ||= other.isEstimate;
}

export function noUsage(): Usage {
  return { characters: 0, seconds: 0, bytes: 0, billedSeconds: 0, isEstimate: false, times: 0 };
}
