// Each day's budgets of members and servers, held also under concurrent use: taken first, and what was not used given back.
import type { Store } from '../store/index.ts';
import type { Caps } from './caps.ts';
import { BudgetError, type Reservation, type Spending, type SpendingKind } from './types.ts';

/** How much of a budget is taken today, and all of it; an infinite cap is none. In characters or seconds. */
export interface Budget {
  used: number;
  cap: number;
}

/** Today's budgets of one kind; `guild` and `memberHere` are null outside of servers. */
export interface Today {
  member: Budget;
  memberHere: Budget | null;
  guild: Budget | null;
}

export interface Budgeting {
  reserve(spending: Spending): Promise<Reservation>;
  /** What `reserve` would be refused with now; null = it would not. Takes nothing. */
  foresee(spending: Spending): Promise<BudgetError | null>;
  today(kind: SpendingKind, whose: Pick<Spending, 'guildId' | 'memberId'>): Promise<Today>;
}

const DAY_MS = 24 * 3600_000;

/**
 * A reservation of a process that was killed counts as used until the day ends.
 * @param capsOf how much may be used a day; null = outside of servers
 * @param now milliseconds since 1970; days are those of UTC
 */
export function createBudgets(store: Store, capsOf: (guildId: string | null) => Promise<Caps>, now: () => number = Date.now): Budgeting {
  // A call that ends after midnight still finds the day that it began on.
  const options = { expiresInMs: 2 * DAY_MS };
  const add = (key: string, amount: number) => (amount === 0 ? Promise.resolve(0) : store.increment(key, amount, options));
  /** What cannot be given back now comes back with the end of the day. */
  const change = async (keys: string[], by: number) => {
    for (const key of keys) await add(key, by).catch(() => {});
  };
  const countOf = async (key: string) => Math.max(0, Number((await store.get(key)) ?? 0));
  const inTurn = createTurns();

  async function ask({ kind, amount, guildId, memberId }: Spending) {
    const wanted = whole(amount);
    const caps = (await capsOf(guildId))[kind];
    const day = Math.floor(now() / DAY_MS);
    const counts = countsOf(day, kind, { guildId, memberId }).map(({ name, key }) => ({ name, key, cap: caps[name] }));
    // What fits on no day comes first: of what is merely used up today it would be said that there is more tomorrow.
    counts.sort((one, other) => Math.min(one.cap, wanted) - Math.min(other.cap, wanted));
    const refusal = (name: CountName, left: number, needed = wanted) =>
      new BudgetError({
        whose: name === 'guild' ? 'guild' : 'member',
        setBy: caps[name] < (name === 'guild' ? caps.guildMost : caps.member) ? 'admin' : 'operator',
        ...{ kind, cap: caps[name], wanted: needed, left: Math.max(0, left), renewedAt: (day + 1) * DAY_MS },
      });
    return { wanted, counts, refusal };
  }

  return {
    async reserve(spending) {
      const { wanted, counts, refusal } = await ask(spending);
      // What another one takes and has to give back at once must not be in the way of a smaller one.
      await inTurn(async () => {
        const taken: string[] = [];
        try {
          for (const { name, key, cap } of counts) {
            if (wanted > cap) throw refusal(name, cap - (await countOf(key)));
            const sum = await add(key, wanted);
            taken.push(key);
            if (sum > cap) throw refusal(name, cap - (sum - wanted));
          }
        } catch (error) {
          await change(taken, -wanted);
          throw error;
        }
      });
      let settled = false;
      let reserved = wanted;
      const keys = counts.map(({ key }) => key);

      async function end(used: number): Promise<void> {
        // An amount that is none leaves what was taken: never too little.
        if (settled || !isAmount(used)) return;
        settled = true;
        await change(keys, whole(used) - reserved);
      }

      async function grow(amount: number): Promise<void> {
        const more = whole(amount) - reserved;
        if (settled || more <= 0) return;
        const grown: string[] = [];
        try {
          for (const { name, key, cap } of counts) {
            const sum = await add(key, more);
            grown.push(key);
            if (sum > cap) throw refusal(name, cap - (sum - more - reserved), reserved + more);
          }
          reserved += more;
        } catch (error) {
          await change(grown, -more);
          await end(0);
          throw error;
        }
      }

      return {
        raise: (amount) => inTurn(() => grow(amount)),
        settle: (used) => inTurn(() => end(used)),
      };
    },

    async foresee(spending) {
      const { wanted, counts, refusal } = await ask(spending);
      for (const { name, key, cap } of counts) {
        const left = cap - (await countOf(key));
        if (wanted > left) return refusal(name, left);
      }
      return null;
    },

    async today(kind, whose) {
      const caps = (await capsOf(whose.guildId))[kind];
      const counts = countsOf(Math.floor(now() / DAY_MS), kind, whose);
      const budgets = await Promise.all(
        counts.map(async ({ name, key }) => [name, { used: await countOf(key), cap: caps[name] }] as const),
      );
      return { member: { used: 0, cap: caps.member }, memberHere: null, guild: null, ...Object.fromEntries(budgets) };
    },
  };
}

type CountName = Exclude<keyof Caps[SpendingKind], 'guildMost'>;

/** Under which a day's use of a member is counted; their use in a server stands below it. @param day since 1970 */
export function memberKey(day: number, kind: SpendingKind, memberId: string): string {
  return `spent:${day}:${kind}:member:${memberId}`;
}

/** Under which a day's use of a server is counted. @param day since 1970 */
export function guildKey(day: number, kind: SpendingKind, guildId: string): string {
  return `spent:${day}:${kind}:guild:${guildId}`;
}

/** What is counted of a day. One number for a member in all servers: many servers are no way around it. */
function countsOf(
  day: number,
  kind: SpendingKind,
  { guildId, memberId }: Pick<Spending, 'guildId' | 'memberId'>,
): { name: CountName; key: string }[] {
  const ofMember = memberKey(day, kind, memberId);
  const everywhere = { name: 'member' as const, key: ofMember };
  if (guildId === null) return [everywhere];
  return [everywhere, { name: 'memberHere', key: `${ofMember}:${guildId}` }, { name: 'guild', key: guildKey(day, kind, guildId) }];
}

/** Whole characters and seconds: sums of those are exact. */
function whole(amount: number): number {
  if (!isAmount(amount)) throw new RangeError('An amount is a number from 0 on.');
  return Math.ceil(amount);
}

function isAmount(amount: number): boolean {
  return Number.isFinite(amount) && amount >= 0;
}

/** One after the other, whatever becomes of the one before. */
function createTurns(): (act: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve();
  return (act) => {
    const done = last.then(act);
    last = done.catch(() => {});
    return done;
  };
}
