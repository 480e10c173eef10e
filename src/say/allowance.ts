// What a text may cost of the day's budgets: nothing while its sound is pinned, all of it as soon as the service has to be asked.
import { UserError } from '../bot/user-error.ts';
import { BudgetError, type CreditService, type Reservation, type Spending } from '../credit/index.ts';
import { en } from '../locales/en/index.ts';

export interface Allowance {
  /** Takes what the text costs as planned. Rejects with BudgetError, StoreError. */
  reserve(): Promise<void>;
  /** Takes all that the text can cost, unless that was taken before. Rejects with UserError where a budget does not reach, StoreError. */
  reserveWhole(): Promise<void>;
  /** Ends it at what was really used, also what is being taken at this moment. Never rejects. */
  settle(used: number): Promise<void>;
}

/** @param spending as planned @param whole characters of the text */
export function createAllowance({ reserve }: Pick<CreditService, 'reserve'>, spending: Spending, whole: number): Allowance {
  let reservation: Reservation | null = null;
  let rest: Promise<void> | null = null;
  let settled = false;

  async function reserveRest(): Promise<void> {
    if (spending.amount >= whole) return;
    const all = await reserve({ ...spending, amount: whole }).catch((error: unknown) => {
      throw error instanceof BudgetError ? new UserError(en.say.cachedSoundGone(en.errors.budget(error)), { cause: error }) : error;
    });
    if (settled) return all.settle(0);
    reservation = all;
  }

  return {
    async reserve() {
      reservation = await reserve(spending);
    },
    reserveWhole() {
      rest ??= reserveRest();
      return rest;
    },
    async settle(used) {
      settled = true;
      await reservation?.settle(used);
    },
  };
}
