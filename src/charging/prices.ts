// What speech and transcription cost, as set by the operator: the service's API doesn't tell. Budgets count characters and seconds, which is
// fair to members; a service counts the bytes of a text, and rounds each recording up.
//
// Prices used to be learned from how the balance fell around calls. That took a pause of over a second without any call, in which only
// one kind was used, so a busy bot rarely learned; and anyone else spending from the same wallet distorted it. Two numbers from the
// service's price list are exact and known at once.
import { familyOf } from '../api/models.ts';
import type { Config } from '../config.ts';

/** Speech is counted in characters of text, transcription in seconds of audio. */
export type SpendingKind = (typeof spendingKinds)[number];
export const spendingKinds = ['speech', 'transcription'] as const;

/** Characters or seconds. */
export interface Amount {
  kind: SpendingKind;
  amount: number;
}

/** What the service bills: UTF-8 bytes of the text that it is sent, markers included, or seconds, each recording rounded up to a whole one. */
export interface Bill {
  kind: SpendingKind;
  billed: number;
}

/** Prices in the wallet's unit; null = unknown. */
export interface Prices {
  perMillionBytes: number | null;
  perHour: number | null;
}

const UNKNOWN: Prices = { perMillionBytes: null, perHour: null };

type PriceConfig = Pick<Config, 'PRICE_PER_MILLION_BYTES' | 'PRICE_PER_HOUR' | 'VOICE_MODEL'>;

/** The operator's prices. @param fallback prices that the service is known to have */
export function readPrices(config: PriceConfig, fallback = UNKNOWN): Prices {
  const isFree = familyOf(config.VOICE_MODEL) === 'free';
  return {
    perMillionBytes: isFree ? 0 : (config.PRICE_PER_MILLION_BYTES ?? fallback.perMillionBytes),
    perHour: config.PRICE_PER_HOUR ?? fallback.perHour,
  };
}

/** The cost in the wallet's unit, or null if the price is unknown. */
export function costOf({ kind, billed }: Bill, prices: Prices): number | null {
  const unitPrice = pricePerUnit(kind, prices);
  return unitPrice === null ? null : unitPrice * billed;
}

/** How many bytes or seconds a balance pays for; null if the price is unknown or zero. */
export function affordableAmount(kind: SpendingKind, balance: number, prices: Prices): number | null {
  const unitPrice = pricePerUnit(kind, prices);
  return unitPrice ? Math.max(0, balance) / unitPrice : null;
}

/** Per byte or second. */
function pricePerUnit(kind: SpendingKind, { perMillionBytes, perHour }: Prices): number | null {
  if (kind === 'speech') return perMillionBytes === null ? null : perMillionBytes / 1_000_000;
  return perHour === null ? null : perHour / 3600;
}
