// How much of the credit is used since it was last topped up, and what operators have been told of it.
import { z } from 'zod';
import { formatDecimal, parseDecimal } from './decimal.ts';

/** Of the credit used, at which operators are told. */
const TOLD_AT = [50, 75, 90] as const;
/** The service has refused a call: everything is used. */
const ALL = 100;

export const fillSchema = z.object({
  /** Whose wallet it is, as the service says. */
  userId: z.string().nullable(),
  /** The balance after the last top-up, and the latest: decimals. */
  full: z.string(),
  latest: z.string(),
  /** Milliseconds since 1970 at which the balance was first seen to be the latest; null = not seen to change. */
  changedAt: z.number().nullable(),
  /** The highest of TOLD_AT that operators know of, 100 when they know that it is used up, 0 = none. */
  told: z.number(),
});
/** What is kept of a wallet. */
export type Fill = z.infer<typeof fillSchema>;

/** What operators are to hear. */
export type CreditNews = { kind: 'used'; percent: number; left: string } | { kind: 'out' };

/**
 * What is known after a balance was seen.
 * @param now milliseconds since 1970
 */
export function fillAfter(
  before: Fill | null,
  userId: string | null,
  balance: bigint,
  now: number,
): { fill: Fill; news: CreditNews | null } {
  const latest = formatDecimal(balance);
  if (!before || before.userId !== userId) {
    const fill = { userId, full: latest, latest, changedAt: null, told: 0 };
    return { fill, news: null };
  }
  const changedAt = latest === before.latest ? before.changedAt : now;
  const full = parseDecimal(before.full) ?? 0n;
  const last = parseDecimal(before.latest) ?? 0n;
  // Less than a hundredth is something given back, not a top-up, unless there was nothing left.
  const isTopUp = balance > last && (last <= 0n || (balance - last) * 100n >= full);
  if (isTopUp) return { fill: { userId, full: latest, latest, changedAt, told: 0 }, news: null };
  const reached = TOLD_AT.findLast((percent) => full > 0n && (full - balance) * 100n >= full * BigInt(percent)) ?? 0;
  const fill = { ...before, latest, changedAt, told: Math.max(before.told, reached) };
  return { fill, news: reached > before.told ? { kind: 'used', percent: reached, left: latest } : null };
}

/**
 * What is known after the service refused a call for want of credit. Where more than a twentieth is left, that call was too dear, and
 * others are not. A wallet seldom ends at nothing: what is left in the end pays for no call any more.
 */
export function fillAfterRefusal(before: Fill | null): { fill: Fill; news: CreditNews | null } {
  // Nobody has ever seen the balance.
  before ??= { userId: null, full: '0', latest: '0', changedAt: null, told: 0 };
  const isEmpty = (parseDecimal(before.latest) ?? 0n) * 20n <= (parseDecimal(before.full) ?? 0n);
  return !isEmpty || before.told >= ALL ? { fill: before, news: null } : { fill: { ...before, told: ALL }, news: { kind: 'out' } };
}

/** 0 to 1; null where it was empty from the start. */
export function usedPart({ full, latest }: Fill): number | null {
  const whole = Number(parseDecimal(full));
  return whole > 0 ? Math.min(1, Math.max(0, 1 - Number(parseDecimal(latest)) / whole)) : null;
}
