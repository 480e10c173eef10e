// The daily budgets of members and servers, enforced under concurrent use: reserved first, with the unused part given back.

import type { Config } from '../config.ts';
import type { Store } from '../store/index.ts';
import type { GuildSettings, Settings } from '../store/settings.ts';
import { BudgetError, type Reservation, type Spending, type SpendingKind } from './spending.ts';

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
  /** @param taken how much of it another process has already taken from the budgets */
  reserve(spending: Spending, taken?: number): Promise<Reservation>;
  /** The error that `reserve` would throw now, or null. Takes nothing. */
  check(spending: Spending): Promise<BudgetError | null>;
  today(kind: SpendingKind, owner: BudgetOwner): Promise<TodaysBudgets>;
}

export type BudgetOwner = Pick<Spending, 'guildId' | 'memberId'>;

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
  const exclusively = createMutex();
  const countOf = async (key: string) => Math.max(0, Number((await store.get(key)) ?? 0));
  async function prepare({ kind, amount, guildId, memberId }: Spending) {
    const requested = roundUp(amount);
    const caps = (await capsOf(guildId))[kind];
    const day = Math.floor(now() / DAY_MS);
    const counters = countersOf(day, kind, { guildId, memberId }).map(({ name, key }) => ({ name, key, cap: caps[name] }));
    // Budgets that are too small on any day come first: the error of one that is used up today would say to try again tomorrow.
    counters.sort((one, other) => Math.min(one.cap, requested) - Math.min(other.cap, requested));
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
export function guildBudgetKey(day: number, kind: SpendingKind, guildId: string): string {
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

/** Runs one function at a time, in order. No library: wrapping one (async-mutex, @sapphire/async-queue) takes as many lines. */
function createMutex(): (act: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve();
  return (act) => {
    const done = last.then(act);
    last = done.catch(() => {});
    return done;
  };
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
