// A wallet whose balance shows what a call cost only 5 to 35 s after it, as hosted services book their calls in batches.
import { MICRO } from './money.ts';
import type { Hold, Wallet } from './wallet.ts';

/** Milliseconds between two batches. */
const BATCH_MS = 30_000;
/** What ended less than this long before a batch goes into the next one. */
const CLOSED_MS = 5_000;

interface Unbooked {
  userId: string;
  micro: bigint;
  /** Milliseconds since 1970; null while the call goes on. */
  dueAt: number | null;
}

/** Takes the credit at once, so nothing is spent twice, but shows it until it is booked. @param now milliseconds since 1970 */
export function createLateWallet(wallet: Wallet, now: () => number): Wallet {
  const unbooked = new Map<Hold, Unbooked>();
  const nextBatch = () => Math.ceil((now() + CLOSED_MS) / BATCH_MS) * BATCH_MS;

  function settle(hold: Hold, micro = hold.micro): void {
    wallet.settle(hold, micro);
    if (unbooked.get(hold)?.dueAt !== null) return;
    if (micro === 0n) unbooked.delete(hold);
    else unbooked.set(hold, { userId: hold.userId, micro, dueAt: nextBatch() });
    bookDue();
  }

  function bookDue(): void {
    for (const [hold, { dueAt }] of unbooked) if (dueAt !== null && dueAt <= now()) unbooked.delete(hold);
  }

  return {
    ...wallet,
    hold(userId, micro) {
      const hold = wallet.hold(userId, micro);
      if (hold) unbooked.set(hold, { userId, micro, dueAt: null });
      return hold;
    },
    settle,
    refund: (hold) => settle(hold, 0n),
    read(userId) {
      const row = wallet.read(userId);
      if (!row) return null;
      bookDue();
      let micro = wallet.balance(userId);
      for (const entry of unbooked.values()) if (entry.userId === userId) micro += entry.micro;
      return { ...row, credit: `${micro / MICRO}.${(micro % MICRO).toString().padStart(6, '0')}` };
    },
  };
}
