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

// Amounts of credit as exact decimals: the service returns the balance as a decimal string of unknown unit, and a float would change it.

/** Decimal places kept; no currency has more. */
const PLACES = 18;

/** The amount in units of 10^-18 credit, further digits dropped; null if the text isn't a decimal number. */
export function parseDecimal(text: string): bigint | null {
  const match = /^([+-]?)(\d{1,60})(?:\.(\d{0,200}))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const units = BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
  return sign === '-' ? -units : units;
}

/** The reverse, without trailing zeros. */
export function formatDecimal(units: bigint): string {
  const digits = `${units < 0n ? -units : units}`.padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/(?<!0)0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`;
}
