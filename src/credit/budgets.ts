// Each day's budgets of members and servers, held also under concurrent use: taken first, and what was not used given back.
import type { Store } from '../store/index.ts';
import { BudgetError, type Reservation, type Spending, type SpendingKind } from './types.ts';

/** At most a day; infinite = no budget. */
export type Caps = Record<SpendingKind, { member: number; guild: number }>;

const DAY_MS = 24 * 3600_000;

/** @param now milliseconds since 1970; days are those of UTC */
export function createBudgets(store: Store, capsOf: (guildId: string | null) => Promise<Caps>, now: () => number = Date.now) {
  return {
    /** @throws BudgetError, StoreError */
    async reserve({ kind, amount, guildId, memberId }: Spending): Promise<Reservation> {
      const caps = (await capsOf(guildId))[kind];
      const day = Math.floor(now() / DAY_MS);
      const renewedAt = (day + 1) * DAY_MS;
      const keyOf = (whose: 'member' | 'guild', id: string) => `spent:${day}:${kind}:${whose}:${id}`;
      // One number for a member in all servers: many servers are no way around it.
      const taken = [{ whose: 'member' as const, key: keyOf('member', memberId), cap: caps.member }];
      if (guildId !== null) taken.push({ whose: 'guild' as never, key: keyOf('guild', guildId), cap: caps.guild });
      const options = { expiresInMs: 2 * DAY_MS };
      for (const [index, { whose, key, cap }] of taken.entries()) {
        const sum = await store.increment(key, amount, options);
        if (sum <= cap) continue;
        for (const { key } of taken.slice(0, index + 1)) await store.increment(key, -amount, options);
        throw new BudgetError({ whose, kind, left: Math.max(0, cap - (sum - amount)), renewedAt });
      }
      let settled = false;
      return {
        async settle(used) {
          if (settled) return;
          settled = true;
          // What cannot be given back now is given back by the end of the day.
          for (const { key } of taken) await store.increment(key, used - amount, options).catch(() => {});
        },
      };
    },
  };
}
