// The wallet: what calls cost, the daily budgets of members and servers, usage figures, and the account at the voice service.

export { type Account, type AccountOptions, type AccountTiming, openAccount } from './account.ts';
export type { CreditAlert } from './level.ts';
export { type Prices, readPrices, type SpendingKind } from './prices.ts';
export {
  ASK_FROM_SHARE,
  BudgetError,
  type BudgetUsage,
  type CreditService,
  createCapsLookup,
  createCreditService,
  type DailyUsage,
  guildUsageKeys,
  memberBudgetKey,
  type OperatorBudgets,
  type Reservation,
  type Spending,
  sumUsage,
  type TodaysBudgets,
  toOperatorBudgets,
  type Usage,
} from './spending.ts';
