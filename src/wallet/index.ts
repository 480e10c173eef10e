// The wallet: what calls cost, the daily budgets of members and servers, usage figures, and the account at the voice service.

export type { CreditAlert } from './account.ts';
export { type Account, type AccountTiming, openAccount } from './account.ts';
export {
  type BudgetUsage,
  createCapsLookup,
  memberBudgetKey,
  type OperatorBudgets,
  type TodaysBudgets,
  toOperatorBudgets,
} from './budgets.ts';
export type { DailyUsage, Usage } from './credit-service.ts';
export { type CreditService, createCreditService, guildUsageKeys } from './credit-service.ts';
export * from './spending.ts';
export { type Prices, readPrices } from './spending.ts';
