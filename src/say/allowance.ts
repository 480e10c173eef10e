// What a text may take from the daily budgets: nothing while its sound is pinned, all of it once the service has to be called after all.
import { budgetSentence } from '../bot/error-sentences.ts';
import { UserError } from '../bot/user-error.ts';
import { BudgetError, type CreditService, type Reservation, type Spending } from '../credit/index.ts';

export interface Allowance {
  /** Reserves what the text is planned to cost. Rejects with BudgetError, StoreError. */
  reserve(): Promise<void>;
  /** Reserves everything the text can cost, unless that was done before. Rejects with UserError if a budget is exceeded, StoreError. */
  reserveAll(): Promise<void>;
  /** Leaves the reservation to another process, unless `settle` is called after all; returns its amount. */
  pass(): number;
  /** Ends the reservation, including one under way, with what was really used. Never rejects. */
  settle(used: number): Promise<void>;
}

/** @param planned what the text is planned to cost @param maxCharacters what it can cost @param passed what another process has reserved */
export function createAllowance(
  { reserve }: Pick<CreditService, 'reserve'>,
  planned: Spending,
  maxCharacters: number,
  passed = 0,
): Allowance {
  let reservation: Reservation | null = null;
  let amount = 0;
  let reservingAll: Promise<void> | null = null;
  /** Settled, or passed on. */
  let hasEnded = false;

  async function reserveRest(): Promise<void> {
    if (planned.amount >= maxCharacters) return;
    const all = await reserve({ ...planned, amount: maxCharacters }).catch((error: unknown) => {
      throw error instanceof BudgetError ? new UserError((t) => t.say.cachedSoundGone(budgetSentence(t, error)), { cause: error }) : error;
    });
    if (hasEnded) return all.settle(0);
    // What another process had reserved, though the sound turned out to be cached here.
    await reservation?.settle(0);
    reservation = all;
    amount = maxCharacters;
  }

  return {
    async reserve() {
      reservation = await reserve(planned, passed);
      amount = Math.max(planned.amount, passed);
    },
    reserveAll() {
      reservingAll ??= reserveRest();
      return reservingAll;
    },
    pass() {
      hasEnded = true;
      return amount;
    },
    async settle(used) {
      hasEnded = true;
      await reservation?.settle(used);
    },
  };
}
