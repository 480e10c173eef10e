// What a character spoken and a second transcribed cost, learnt from how the balance went down around calls. No price is hard-coded.
import { defaultTimeouts } from '../api/index.ts';
import { parseDecimal } from './decimal.ts';
import type { SpendingKind } from './types.ts';

/** What one call, or some that overlapped, have cost. */
export interface Sample {
  /** Characters or seconds. */
  amount: number;
  /** A decimal. */
  cost: string;
}

/** Under so many, nothing is said. */
export const ENOUGH_SAMPLES = 10;
/** The latest count, so that a new price is known soon. */
export const MOST_SAMPLES = 60;

/**
 * In 10^-18 credit for a character or a second; null while there are too few samples.
 *
 * The middle half of the samples by their price, all their cost over all their amount. The middle half, because somebody else may have
 * spent from the same wallet, or have been given something back, between two looks: up to a quarter of the samples may be wrong on
 * either side. The sums and not a median of prices, because a balance of few decimals makes the price of a short text much too high
 * or too low, which comes out right over many; and because a call may have a least price that long texts do not notice.
 */
export function unitPrice(samples: readonly Sample[]): number | null {
  if (samples.length < ENOUGH_SAMPLES) return null;
  const paid = samples.map(({ amount, cost }) => ({ amount, cost: Number(parseDecimal(cost)) }));
  paid.sort((a, b) => a.cost / a.amount - b.cost / b.amount);
  const quarter = Math.floor(paid.length / 4);
  const middle = paid.slice(quarter, paid.length - quarter);
  return sum(middle.map(({ cost }) => cost)) / sum(middle.map(({ amount }) => amount));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Calls as they begin and end, and looks at the balance between them. */
export interface Meter {
  /** A call begins; what is returned ends it, with what it took, or null where nobody knows: it failed, or was left early. */
  begin(kind: SpendingKind): (amount: number | null) => void;
  /** Calls are under way. */
  isBusy(): boolean;
  /** A look at the balance begins; what is returned ends it, with what was seen, and says what has been learnt. */
  look(): (balance: bigint) => { quiet: boolean; sample: { kind: SpendingKind; amount: number; cost: bigint } | null };
}

/**
 * A call that did not end in this time was forgotten by whoever began it. Twice what the client allows its longest call: it counts from
 * where the call asks for a place, and another as long may hold that place.
 */
const FORGOTTEN_MS = 2 * Math.max(defaultTimeouts.deadline, defaultTimeouts.transcription);

/**
 * Between two quiet looks, with no call under way, the balance goes down by what the calls between them cost. Calls of one kind
 * together make one sample; where both kinds were called, or the end of a call is not known, or the balance rose, there is none. A
 * balance that stands still is one that is not booked yet, or has too few decimals: then the next calls are added.
 *
 * @param settleMs how long after a call the service may take to book it
 * @param now milliseconds, on any clock
 */
export function createMeter(settleMs: number, now: () => number = Date.now): Meter {
  const underWay = new Map<object, number>();
  let changes = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let stretch: { from: bigint; amounts: Record<SpendingKind, number>; spoilt: boolean } | null = null;

  function isQuiet(): boolean {
    for (const [call, begunAt] of underWay) {
      if (now() - begunAt <= FORGOTTEN_MS) continue;
      underWay.delete(call);
      if (stretch) stretch.spoilt = true;
    }
    return underWay.size === 0 && Math.abs(now() - endedAt) >= settleMs;
  }

  return {
    begin(kind) {
      const call = {};
      underWay.set(call, now());
      changes++;
      return (amount) => {
        if (!underWay.delete(call)) return;
        changes++;
        endedAt = now();
        if (!stretch) return;
        if (amount === null) stretch.spoilt = true;
        else stretch.amounts[kind] += amount;
      };
    },
    isBusy: () => underWay.size > 0,
    look() {
      const before = changes;
      const wasQuiet = isQuiet();
      return (balance) => {
        if (!wasQuiet || changes !== before) return { quiet: false, sample: null };
        const past = stretch;
        const cost = past ? past.from - balance : 0n;
        if (past && !past.spoilt && cost === 0n) return { quiet: true, sample: null };
        stretch = { from: balance, amounts: { speech: 0, transcription: 0 }, spoilt: false };
        const called = past && !past.spoilt && cost > 0n ? Object.entries(past.amounts).filter(([, amount]) => amount > 0) : [];
        const [only] = called;
        if (!only || called.length > 1) return { quiet: true, sample: null };
        return { quiet: true, sample: { kind: only[0] as SpendingKind, amount: only[1], cost } };
      };
    },
  };
}
