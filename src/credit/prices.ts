// What speech and transcription cost, as set by the operator: the service's API doesn't tell.
//
// Prices used to be learned from how the balance fell around calls. That took a pause of over a second without any call, in which only
// one kind was used, so a busy bot rarely learned; and anyone else spending from the same wallet distorted it. Two numbers from the
// service's price list are exact and known at once.
import type { Config } from '../config.ts';
import type { Amount, SpendingKind } from './spending.ts';

/** Prices in the wallet's unit; null = unknown. */
export interface Prices {
  perMillionCharacters: number | null;
  perHour: number | null;
}

const UNKNOWN: Prices = { perMillionCharacters: null, perHour: null };

/** The operator's prices. @param fallback prices that the service is known to have */
export function readPrices(config: Pick<Config, 'PRICE_PER_MILLION_CHARACTERS' | 'PRICE_PER_HOUR'>, fallback = UNKNOWN): Prices {
  return {
    perMillionCharacters: config.PRICE_PER_MILLION_CHARACTERS ?? fallback.perMillionCharacters,
    perHour: config.PRICE_PER_HOUR ?? fallback.perHour,
  };
}

/** The cost of an amount in the wallet's unit, or null if the price is unknown. */
export function costOf({ kind, amount }: Amount, prices: Prices): number | null {
  const unitPrice = pricePerUnit(kind, prices);
  return unitPrice === null ? null : unitPrice * amount;
}

/** How many characters or seconds a balance pays for; null if the price is unknown or zero. */
export function affordableAmount(kind: SpendingKind, balance: number, prices: Prices): number | null {
  const unitPrice = pricePerUnit(kind, prices);
  return unitPrice ? Math.max(0, balance) / unitPrice : null;
}

/** Per character or second. */
function pricePerUnit(kind: SpendingKind, { perMillionCharacters, perHour }: Prices): number | null {
  if (kind === 'speech') return perMillionCharacters === null ? null : perMillionCharacters / 1_000_000;
  return perHour === null ? null : perHour / 3600;
}
