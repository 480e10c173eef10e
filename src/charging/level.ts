// How much credit has been used since the last top-up, and which alerts operators have already received.
import { z } from 'zod';
import { formatDecimal, parseDecimal } from './decimal.ts';
import type { SpendingKind } from './prices.ts';

/** Percentages of the credit used at which operators are alerted. */
const ALERT_PERCENTAGES = [50, 75, 90] as const;
/** Stands for a refused call: everything is used. */
const USED_UP = 100;

export const walletLevelSchema = z.object({
  /** The wallet's owner, as the service names them. */
  userId: z.string().nullable(),
  /** Balances after the last top-up and now, as decimals. */
  full: z.string(),
  latest: z.string(),
  /** When `full` was first seen, in milliseconds since 1970; null = an earlier version did not note it. */
  fullAt: z.number().nullable().default(null),
  /** When the latest balance was first seen, in milliseconds since 1970; null = it hasn't been seen to change. */
  changedAt: z.number().nullable(),
  /** The highest percentage that operators have been alerted to; 0 = none. */
  alertedAt: z.number(),
  /** Of a wallet that is used up: only transcription was refused so far, so the model that speaks may be free. */
  speaks: z.boolean().default(false),
});
/** What is stored about a wallet. */
export type WalletLevel = z.infer<typeof walletLevelSchema>;

export type CreditAlert = { kind: 'used'; percent: number; left: string } | { kind: 'usedUp' };

interface LevelChange {
  level: WalletLevel;
  /** The alert to send to the operators. */
  alert: CreditAlert | null;
}

/**
 * The level after a balance was seen.
 * @param now milliseconds since 1970
 */
export function levelAfter(before: WalletLevel | null, userId: string | null, balance: bigint, now: number): LevelChange {
  const latest = formatDecimal(balance);
  if (!before || before.userId !== userId) {
    return { level: { userId, full: latest, fullAt: now, latest, changedAt: null, alertedAt: 0, speaks: false }, alert: null };
  }
  const changedAt = latest === before.latest ? before.changedAt : now;
  const full = parseDecimal(before.full) ?? 0n;
  const last = parseDecimal(before.latest) ?? 0n;
  // A rise of less than a hundredth is a refund, not a top-up, unless there was nothing left.
  const isTopUp = balance > last && (last <= 0n || (balance - last) * 100n >= full);
  if (isTopUp) return { level: { userId, full: latest, fullAt: now, latest, changedAt, alertedAt: 0, speaks: false }, alert: null };
  const reached = ALERT_PERCENTAGES.findLast((percent) => full > 0n && (full - balance) * 100n >= full * BigInt(percent)) ?? 0;
  const level = { ...before, latest, changedAt, alertedAt: Math.max(before.alertedAt, reached) };
  return { level, alert: reached > before.alertedAt ? { kind: 'used', percent: reached, left: latest } : null };
}

/**
 * The level after the service refused a call for lack of credit. If more than a twentieth is left, only that call was too expensive.
 * Otherwise the wallet counts as used up: wallets rarely reach exactly zero, because the last bit doesn't pay for any call.
 */
export function levelAfterRefusal(before: WalletLevel | null, kind: SpendingKind): LevelChange {
  // The balance may never have been seen.
  before ??= { userId: null, full: '0', fullAt: null, latest: '0', changedAt: null, alertedAt: 0, speaks: false };
  const isEmpty = (parseDecimal(before.latest) ?? 0n) * 20n <= (parseDecimal(before.full) ?? 0n);
  if (!isEmpty) return { level: before, alert: null };
  const speaks = kind === 'transcription' && (before.speaks || !isRefusing(before));
  return { level: { ...before, alertedAt: USED_UP, speaks }, alert: isRefusing(before) ? null : { kind: 'usedUp' } };
}

/** Whether the service has refused a call because everything is used, and there has been no top-up since. */
export function isRefusing({ alertedAt }: WalletLevel): boolean {
  return alertedAt >= USED_UP;
}

/** 0 to 1; null if the wallet was empty from the start. */
export function usedShare({ full, latest }: WalletLevel): number | null {
  const total = Number(parseDecimal(full));
  return total > 0 ? Math.min(1, Math.max(0, 1 - Number(parseDecimal(latest)) / total)) : null;
}

/** With less use, or in a shorter time, no pace can be calculated. */
const MIN_PACE_SHARE = 0.01;
const MIN_PACE_DAYS = 1;

/** For how many days the balance lasts at the pace since the last top-up; null if that cannot be told yet. @param now milliseconds since 1970 */
export function daysLeft(level: WalletLevel, now: number): number | null {
  const used = usedShare(level);
  const days = level.fullAt === null ? 0 : (now - level.fullAt) / 86_400_000;
  return used === null || used < MIN_PACE_SHARE || days < MIN_PACE_DAYS ? null : ((1 - used) / used) * days;
}
