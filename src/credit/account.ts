// Our account at the voice service: the calls that go there, watched; the balance, looked at beside them; and what it is worth.
import { z } from 'zod';
import { type Api, ApiError, type CallOptions, type WalletRecord } from '../api/index.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import { formatDecimal, parseDecimal } from './decimal.ts';
import { createMeter, ENOUGH_SAMPLES, MOST_SAMPLES, type Sample, unitPrice } from './prices.ts';
import { type CreditNews, type Fill, fillAfter, fillAfterRefusal, fillSchema, usedPart } from './top-ups.ts';
import type { Spending, SpendingKind } from './types.ts';
import { watchCalls } from './watch-calls.ts';

/** What the balance reaches for. */
export interface Worth {
  /** Characters or seconds; null = not known yet. */
  amount: number | null;
  /** Calls that it was learnt from, and how many it takes. */
  samples: number;
  enough: number;
}

export interface Account {
  /** The API to use: each call counts here, and while the credit is used up it is refused from memory with ApiError `credit`. */
  api: Api;
  /** What an amount would cost, in credit; null while that is not known. */
  costOf(spending: Pick<Spending, 'kind' | 'amount'>): number | null;
  shareOfBalance(spending: Pick<Spending, 'kind' | 'amount'>): number | null;
  worth(kind: SpendingKind): Worth;
  /** The part of the credit that is used since the last top-up, 0 to 1, and when the balance was first seen as it is; null = unknown. */
  used(): { part: number | null; changedAt: number | null };
  /** Calls are being refused for want of credit. */
  isOut(): boolean;
  /** From now on the balance is looked at after calls, and operators are told. Returns what ends that and resolves when all is kept. */
  start(tell: (news: CreditNews) => void): () => Promise<void>;
}

/** Milliseconds. */
export interface Pace {
  /** From the end of a call until it is surely booked. */
  settle: number;
  /** From one look to the next, at least. */
  look: number;
  /** How long calls are refused after the service has refused one for want of credit, unless credit is seen before. */
  out: number;
}

const PACE: Pace = { settle: 1_000, look: 5_000, out: 60_000 };
/** A look that nobody waits for must not hold a place for long. */
const LOOK_MS = 10_000;

const samplesSchema = z.array(z.object({ amount: z.number().positive(), cost: z.string() })).catch([]);
const pricesSchema = z.object({ speech: samplesSchema, transcription: samplesSchema });

/**
 * Opens the account with what was learnt before. One process at a time should spend from a wallet: what another one spends between two
 * looks is taken for the price of ours. What cannot be read or kept is learnt anew.
 * @param options `service` tells accounts apart, as prices of one service say nothing of another; `now` in milliseconds since 1970
 */
export async function openAccount(options: {
  api: Api;
  store: Store;
  service: string;
  log: Log;
  pace?: Partial<Pace>;
  now?: () => number;
}): Promise<Account> {
  const { api, store, service, log, now = Date.now } = options;
  const pace = { ...PACE, ...options.pace };
  const [pricesKey, fillKey] = [`account:${service}:prices`, `account:${service}:fill`];
  const samples: Record<SpendingKind, Sample[]> = pricesSchema.parse((await store.get(pricesKey)) ?? {});
  let fill: Fill | null = fillSchema
    .nullable()
    .catch(null)
    .parse(await store.get(fillKey));

  const meter = createMeter(pace.settle, now);
  let prices = { speech: unitPrice(samples.speech), transcription: unitPrice(samples.transcription) };
  /** The latest that was seen, also in the midst of calls. */
  let balance: bigint | null = null;
  let refusedAt: number | null = null;
  let tell: ((news: CreditNews) => void) | null = null;
  let stop = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let quietAt = Number.NEGATIVE_INFINITY;
  let isBlind = false;
  let saving = Promise.resolve();

  function save(key: string, value: Fill | typeof samples): void {
    const kept = structuredClone(value) as never;
    saving = saving
      .then(() => store.set(key, kept))
      .catch((error: Error) => log.warn({ error: error.message }, 'what was learnt of the credit could not be kept'));
  }

  /** Kept before it is told, so that a restart does not tell it again. */
  function note({ fill: after, news }: { fill: Fill; news: CreditNews | null }): void {
    if (JSON.stringify(after) !== JSON.stringify(fill)) save(fillKey, after);
    fill = after;
    if (news) void saving.then(() => tell?.(news));
  }

  async function getCredit(call: CallOptions & { checkFreeCredit?: boolean } = {}): Promise<WalletRecord> {
    const ended = meter.look();
    const record = await api.getCredit(call);
    const seen = parseDecimal(record.credit);
    if (seen === null) return record;
    balance = seen;
    if (seen > 0n) refusedAt = null;
    else if (refusedAt !== null) refusedAt = now();
    const { quiet, sample } = ended(seen);
    if (sample) {
      const { kind, amount, cost } = sample;
      samples[kind] = [...samples[kind], { amount, cost: formatDecimal(cost) }].slice(-MOST_SAMPLES);
      prices = { ...prices, [kind]: unitPrice(samples[kind]) };
      save(pricesKey, samples);
    }
    // In the midst of calls the service may hold more than they cost in the end; only where it never gets quiet, that has to do.
    if (quiet) quietAt = now();
    if (quiet || Math.abs(now() - quietAt) > 10 * 60_000) note(fillAfter(fill, record.userId, seen, now()));
    return record;
  }

  async function look(): Promise<void> {
    lookedAt = now();
    try {
      await getCredit({ priority: 'background', signal: AbortSignal.any([stop.signal, AbortSignal.timeout(LOOK_MS)]) });
      isBlind = false;
      // A call has ended just now. One that is under way will ask for a look itself.
      if (quietAt < lookedAt && !meter.isBusy()) lookSoon();
    } catch (error) {
      if (!isBlind && tell) noteBlindness(error as ApiError);
      isBlind = true;
    }
  }

  /** Once, until the balance is seen again. */
  function noteBlindness({ kind, status }: ApiError): void {
    if (kind === 'unsupported') log.info({ status }, 'the voice service tells no balance');
    else log.warn({ kind, status }, 'the balance could not be seen');
  }

  function lookSoon(): void {
    if (!tell || timer) return;
    const pause = Math.max(pace.settle, Math.min(pace.look, lookedAt + pace.look - now()));
    timer = setTimeout(() => {
      timer = null;
      void look();
    }, pause);
    timer.unref();
  }

  const isOut = () => refusedAt !== null && Math.abs(now() - refusedAt) < pace.out;

  return {
    api: watchCalls(
      { ...api, getCredit: ({ userId, ...call } = {}) => (userId ? api.getCredit({ userId, ...call }) : getCredit(call)) },
      {
        begin(kind) {
          if (isOut()) {
            lookSoon();
            throw outOfCredit();
          }
          const end = meter.begin(kind);
          return (amount) => {
            end(amount);
            lookSoon();
          };
        },
        refused() {
          refusedAt = now();
          const after = fillAfterRefusal(fill);
          if (after.news) log.warn('the credit at the voice service is used up');
          note(after);
        },
      },
    ),
    costOf({ kind, amount }) {
      const price = prices[kind];
      return price === null ? null : (price * amount) / 1e18;
    },
    shareOfBalance({ kind, amount }) {
      const price = prices[kind];
      if (price === null || balance === null) return null;
      return balance <= 0n ? 1 : Math.min(1, (price * amount) / Number(balance));
    },
    worth(kind) {
      const price = prices[kind];
      const amount = price === null || price <= 0 || balance === null ? null : Math.max(0, Number(balance)) / price;
      return { amount, samples: samples[kind].length, enough: ENOUGH_SAMPLES };
    },
    used: () => ({ part: fill && usedPart(fill), changedAt: fill?.changedAt ?? null }),
    isOut,
    start(listener) {
      tell = listener;
      stop = new AbortController();
      void look();
      return () => {
        tell = null;
        stop.abort();
        if (timer) clearTimeout(timer);
        timer = null;
        return saving;
      };
    },
  };
}

/** What calls are refused with while the credit is used up. */
export function outOfCredit(): ApiError {
  return new ApiError('credit', 'The credit was used up a moment ago, so nothing was asked of the voice service.', { status: 402 });
}
