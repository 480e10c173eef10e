// What is spent and what it costs: amounts of speech and transcription, reserved from daily budgets, and the operator’s prices.
import type { Config } from '../config.ts';

/** Speech is counted in characters of text, transcription in seconds of audio. */
export type SpendingKind = 'speech' | 'transcription';

/** Characters or seconds. */
export interface Amount {
  kind: SpendingKind;
  amount: number;
}

/** Something about to cost credit; the amount is what is known beforehand. */
export interface Spending extends Amount {
  /** null = outside servers. */
  guildId: string | null;
  memberId: string;
}

/** An amount taken from the day's budgets. */
export interface Reservation {
  /**
   * Increases the reservation to this total, unless it is that large already. If that exceeds a budget, all of it is given back at once,
   * so that reservations growing side by side don't block one another. @throws BudgetError, StoreError
   */
  raise(amount: number): Promise<void>;
  /** Ends it with what was actually used; 0 (cached or failed) gives all of it back. Only the first call counts. Never rejects. */
  settle(amount: number): Promise<void>;
}

/** Share of the balance from which a member is asked before it is spent. */
export const ASK_FROM_SHARE = 1 / 20;

/** A request exceeds a daily budget. Amounts are characters or seconds. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  readonly owner: 'member' | 'guild';
  readonly kind: SpendingKind;
  /** Who could raise the budget. */
  readonly setBy: 'admin' | 'operator';
  /** The daily budget; 0 = switched off by an admin. */
  readonly cap: number;
  /** More than `cap` won't fit on any other day either. */
  readonly requested: number;
  /** What is left of the budget today. */
  readonly left: number;
  /** When the budget resets, in milliseconds since 1970. */
  readonly resetsAt: number;

  constructor(facts: Pick<BudgetError, 'owner' | 'kind' | 'setBy' | 'cap' | 'requested' | 'left' | 'resetsAt'>) {
    super(`the daily budget of the ${facts.owner} is exceeded`);
    this.owner = facts.owner;
    this.kind = facts.kind;
    this.setBy = facts.setBy;
    this.cap = facts.cap;
    this.requested = facts.requested;
    this.left = facts.left;
    this.resetsAt = facts.resetsAt;
  }
}

// What speech and transcription cost, as set by the operator: the service's API doesn't tell.
//
// Prices used to be learned from how the balance fell around calls. That took a pause of over a second without any call, in which only
// one kind was used, so a busy bot rarely learned; and anyone else spending from the same wallet distorted it. Two numbers from the
// service's price list are exact and known at once.

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
