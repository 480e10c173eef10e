// What a message may take from the day's budgets: reserved when the service is about to be called, so cached sound costs nothing.

import type { SpeechUtterance } from '../speech/index.ts';
import type { CreditService, Reservation, Spending } from '../wallet/index.ts';
import type { Draft } from './deferred-utterance.ts';

/** @param create takes what is to be awaited before the service is called */
export function createPaidDraft(
  { reserve }: Pick<CreditService, 'reserve'>,
  spending: Spending,
  create: (permit: () => Promise<void>) => SpeechUtterance,
): Draft {
  let reservation: Promise<Reservation> | null = null;
  const utterance = create(async () => {
    // Another voice that is tried speaks for the same amount.
    reservation ??= reserve(spending);
    await reservation;
  });
  return {
    utterance,
    async settle() {
      const used = await utterance.charged();
      const reserved = await reservation?.catch(() => null);
      await reserved?.settle(used);
    },
  };
}
