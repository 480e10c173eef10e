// Credit in whole micro-credits (bigint, so that 0.1 + 0.2 is 0.3), its decimal form, and the prices.
import { familyOf } from '../../api/models.ts';

/** Micro-credits in one credit. */
export const MICRO = 1_000_000n;
/** Fits SQLite's 64-bit integer, with room for sums. */
const MAX = 1_000_000_000_000n * MICRO;

/**
 * Prices in micro-credits. The spec defines neither prices nor the unit of credit; these are about what hosted services charge:
 * 15 credits for a million UTF-8 bytes spoken, 0.36 credits for an hour transcribed.
 */
const PRICE = { spokenByte: 15n, transcribedSecond: 100n } as const;

/** The same prices in credits. */
export const localPrices = {
  perMillionBytes: Number(PRICE.spokenByte),
  perHour: (Number(PRICE.transcribedSecond) * 3600) / Number(MICRO),
} as const;

/** In micro-credits. Every UTF-8 byte counts, spaces and punctuation too, unless the model is free. */
export function priceOfSpeech(text: string, model?: string): bigint {
  if (familyOf(model) === 'free') return 0n;
  return BigInt(Buffer.byteLength(text, 'utf8')) * PRICE.spokenByte;
}

/** In micro-credits, rounded up to a whole one. */
export function priceOfTranscription(seconds: number): bigint {
  if (!Number.isFinite(seconds) || seconds <= 0) return 0n;
  return (BigInt(Math.ceil(seconds * 1000)) * PRICE.transcribedSecond + 999n) / 1000n;
}

/**
 * Parses "1000" or "0.25" into micro-credits.
 * @throws RangeError unless it is a decimal from 0 to a million million with at most six decimal places
 */
export function parseCredit(text: string): bigint {
  const match = /^(\d{1,13})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match?.[1])
    throw new RangeError(`"${text}" is not an amount of credit: write digits, and at most six after a point, such as 1000 or 2.5.`);
  const micro = BigInt(match[1]) * MICRO + BigInt((match[2] ?? '').padEnd(6, '0'));
  if (micro > MAX) throw new RangeError(`"${text}" is too much credit: at most 1000000000000.`);
  return micro;
}

/** Micro-credits as a decimal without trailing zeros: 2500000n is "2.5". */
export function formatCredit(micro: bigint): string {
  const whole = micro / MICRO;
  const rest = (micro % MICRO)
    .toString()
    .padStart(6, '0')
    .replace(/(?<!0)0+$/, '');
  return rest === '' ? `${whole}` : `${whole}.${rest}`;
}
