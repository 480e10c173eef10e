// What calls cost, budgets, what the balance is worth.
import type { Store } from '../store/index.ts';
import { createBudgets } from './budgets.ts';
import type { Caps } from './caps.ts';
import type { Credit } from './types.ts';

export { type Budgets, budgetsOf, createCaps } from './caps.ts';
export * from './types.ts';

/** @param options `capsOf` a server: how much may be used a day */
export function createCredit(options: { store: Store; capsOf: (guildId: string | null) => Promise<Caps>; now?: () => number }): Credit {
  const { store, capsOf, now } = options;
  return { ...createBudgets(store, capsOf, now), shareOfBalance: () => null };
}
