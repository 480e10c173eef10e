// What an utterance takes from the daily budgets: reserves what it may cost, and gives back what it didn't cost.

import type { CreditService, Reservation, Spending } from '../charging/index.ts';
import type { Utterance } from '../voice-session/types.ts';

/** An utterance that knows what it cost. */
export interface PaidUtterance extends Utterance {
  /** Characters that the service may have charged for, once no call is waiting for its answer. Never rejects. */
  charged(): Promise<number>;
  /** UTF-8 bytes that it may have billed for them. Never rejects. */
  billed(): Promise<number>;
}

/** What one utterance takes from the daily budgets. */
export interface Payment {
  /** Reserves what it is planned to cost. Rejects with BudgetError, StoreError. */
  reserve(): Promise<void>;
  /** Reserves everything that it can cost, once the service has to be called after all. Rejects with BudgetError, StoreError. */
  reserveAll(): Promise<void>;
  /** Leaves the reservation to another process, and returns its amount. `settle` still takes it back. */
  pass(): number;
  /** Ends the reservation, including one under way, with what was really used, and what the service bills of it. Never rejects. */
  settle(used: number, billed?: number): Promise<void>;
}

/** @param planned what it should cost @param most the characters it can cost at most @param passed what another process has reserved */
export function createPayment({ reserve }: Pick<CreditService, 'reserve'>, planned: Spending, most = planned.amount, passed = 0): Payment {
  let reservation: Reservation | null = null;
  let amount = 0;
  let reservingAll: Promise<void> | null = null;
  /** Whether it was settled or passed on. */
  let hasEnded = false;

  async function reserveRest(): Promise<void> {
    if (planned.amount >= most) return;
    const fullReservation = await reserve({ ...planned, amount: most });
    if (hasEnded) return fullReservation.settle(0);
    // Another process had reserved an amount, but the sound turned out to be cached here.
    await reservation?.settle(0);
    reservation = fullReservation;
    amount = most;
  }

  return {
    async reserve() {
      reservation = await reserve(planned, passed);
      amount = Math.max(planned.amount, passed);
    },
    reserveAll() {
      // If another voice is tried, it costs the same amount.
      reservingAll ??= reserveRest();
      return reservingAll;
    },
    pass() {
      hasEnded = true;
      return amount;
    },
    async settle(used, billed) {
      hasEnded = true;
      await reservingAll?.catch(() => {});
      await reservation?.settle(used, billed);
    },
  };
}

/** An utterance whose cost is reserved only when the service is about to be called, so cached sound costs nothing. */
export interface PaidDraft<U extends PaidUtterance = PaidUtterance> {
  utterance: U;
  /** Call once it is over, or another one has replaced it. */
  settle(): Promise<void>;
}

/** @param create creates the utterance, given what it has to await before it calls the service */
export function createPaidDraft<U extends PaidUtterance>(
  credit: Pick<CreditService, 'reserve'>,
  spending: Spending,
  create: (permit: () => Promise<void>) => U,
): PaidDraft<U> {
  const payment = createPayment(credit, { ...spending, amount: 0 }, spending.amount);
  const utterance = create(payment.reserveAll);
  return { utterance, settle: async () => payment.settle(await utterance.charged(), await utterance.billed()) };
}
