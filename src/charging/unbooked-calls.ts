// What calls of all processes have cost that the balance may not show yet: hosted services book calls in batches, some time after they end.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Store } from '../store/index.ts';

const unbookedCall = z.object({
  /** In the wallet's unit. */
  cost: z.number().min(0),
  /** The balance before it, as the service last reported it; null = unknown. */
  balance: z.number().nullable(),
  /** Milliseconds since 1970. */
  at: z.number(),
});

/** Share of the calls' cost below which an amount counts as nothing. */
const NEGLIGIBLE = 0.01;

export interface UnbookedCalls {
  /** A call has ended. @param cost and @param balance as reported before it (null = unknown) in the wallet's unit */
  note(cost: number, balance: number | null): void;
  /** How much less there is than the service reports, from what is known of all processes; null if the store fails. */
  missingFrom(balance: number): Promise<number | null>;
}

/**
 * @param bookMs until the service has certainly booked a call; what is older isn't counted
 * @param now milliseconds since 1970
 */
export function createUnbookedCalls(
  store: Store,
  { service, bookMs, now }: { service: string; bookMs: number; now: () => number },
): UnbookedCalls {
  const prefix = `unbooked:${service}:`;
  return {
    note(cost, balance) {
      if (cost === 0 || bookMs === 0) return;
      // If a call can't be stored, the balance is off for a moment.
      store.set(prefix + randomUUID(), { cost, balance, at: now() }, { expiresInMs: bookMs }).catch(() => {});
    },
    async missingFrom(balance) {
      const stored = await store.list(prefix).catch(() => null);
      if (!stored) return null;
      const calls = stored.flatMap(([, value]) => unbookedCall.safeParse(value).data ?? []).filter(({ at }) => now() - at < bookMs);
      const cost = calls.reduce((sum, call) => sum + call.cost, 0);
      const before = calls.toSorted((a, b) => a.at - b.at).find((call) => call.balance !== null)?.balance ?? balance;
      const spent = Math.max(0, before - balance);
      const missing = cost - spent;
      // Prices are estimates, and floats.
      return missing > cost * NEGLIGIBLE ? missing : 0;
    },
  };
}
