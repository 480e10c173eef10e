// The account at the voice service: an API that refuses calls while the credit is used up, a balance that is polled after calls, and
// what the balance pays for at the operator's prices. Notes how much has been used, and which alerts operators have received.
import { z } from 'zod';
import { type Api, ApiError, type AudioResponse, type CallOptions, type WalletRecord } from '../api/index.ts';
import { familyOf } from '../api/models.ts';
import { createInTurn } from '../async/waiting.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Store, Value } from '../store/index.ts';
import { createUnbookedCalls } from './unbooked-calls.ts';

export interface Account {
  /** The API to use. While the credit is used up, calls that cost credit fail at once with ApiError `credit`. */
  api: Api;
  /** The cost in credit; null if the operator hasn't set the price. */
  costOf(bill: Bill): number | null;
  /** The share of the balance, 0 to 1; null if the price or the balance is unknown. */
  shareOfBalance(bill: Bill): number | null;
  /** How many bytes or seconds the balance pays for; null if unknown. */
  affordable(kind: SpendingKind): number | null;
  /** The share of the credit used since the last top-up, 0 to 1, and when the balance last changed (ms since 1970); null = unknown. */
  usedSinceTopUp(): { share: number | null; changedAt: number | null };
  /** For how many days the balance lasts at the pace since the last top-up; null if unknown. */
  daysLeft(): number | null;
  /** Whether calls of this kind, or of any, are being refused for lack of credit. */
  isUsedUp(kind?: SpendingKind): boolean;
  /** How much less there is than the balance that was last reported, because calls have ended that it doesn't show yet; 0 if unknown. */
  unbooked(): number;
  /** Starts polling the balance, mostly after calls, and alerting. Returns a function that stops and resolves once everything is stored. */
  start(onAlert: (alert: CreditAlert) => void): () => Promise<void>;
}

/** Milliseconds. */
export interface AccountTiming {
  /** Time from the end of a call until the service has certainly booked it: 5 to 35 s with hosted services. */
  settleMs: number;
  /** Minimum time between two polls. */
  pollMs: number;
  /** Time between polls without any call here: others spend from the wallet, too, and it may be topped up. */
  idleMs: number;
  /** How long calls are refused after the service refused one for lack of credit, unless credit is seen earlier. */
  refuseMs: number;
}

const DEFAULT_TIMING: AccountTiming = { settleMs: 35_000, pollMs: 5_000, idleMs: 10 * 60_000, refuseMs: 60_000 };
/** The balance is looked at so soon after a call, though it may be booked later. */
const FIRST_LOOK_MS = 1_000;
/** A poll that nobody waits for mustn't occupy a call for long. */
const POLL_TIMEOUT_MS = 10_000;
/** If calls never pause for this long, a balance seen in the middle of them has to do. */
const MAX_UNSETTLED_MS = 10 * 60_000;

const SCALE = 1e18;

export interface AccountOptions {
  api: Api;
  store: Store;
  /** Distinguishes accounts at different services. */
  service: string;
  log: Log;
  prices: Prices;
  /** Called with every balance seen, as the service returns it. */
  onBalance?: ((credit: string) => void) | undefined;
  timing?: Partial<AccountTiming> | undefined;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Opens the account with what was stored about it. What can't be read or stored starts from scratch. */
export async function openAccount(options: AccountOptions): Promise<Account> {
  const { api, store, log, prices, onBalance, now = Date.now } = options;
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const levelKey = `account:${options.service}:level`;
  /** The level as last read from the store, which other processes also write to. */
  let level = readLevel(await store.get(levelKey));
  const inTurn = createInTurn();

  /** The latest balance seen, even in the middle of calls, and what it doesn't show yet; in the wallet's unit. */
  let reported: number | null = null;
  let unbooked = 0;
  const unbookedCalls = createUnbookedCalls(store, { service: options.service, bookMs: timing.settleMs, now });
  /** The free model speaks on where there is no credit; transcription is never free. */
  const refusedAt: Record<SpendingKind, number | null> = { speech: null, transcription: null };
  const calls = createCallActivity(now);

  let onAlert: ((alert: CreditAlert) => void) | null = null;
  let stopped = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let polledAt = Number.NEGATIVE_INFINITY;
  /** When the balance was last seen with no call in flight or just ended. */
  let settledAt = Number.NEGATIVE_INFINITY;
  let isPollFailing = false;

  /** The balance as all processes together know it; from memory if the store fails. */
  async function readStored(): Promise<Value> {
    const stored = await store.get(levelKey).catch(() => level);
    level = readLevel(stored);
    return stored;
  }

  /**
   * Stores the level before operators are alerted, so neither a restart nor another process alerts them again.
   * @param stored what `after` was derived from @returns false if another process has noted something meanwhile, which then counts
   */
  function note(stored: Value, { level: after, alert }: ReturnType<typeof levelAfter>): Promise<boolean> {
    return inTurn(async () => {
      if (JSON.stringify(after) === JSON.stringify(stored)) return true;
      const isFirst = await store.compareAndSet(levelKey, stored, after).catch((error: Error) => {
        log.warn({ error: error.message }, 'could not store the wallet level');
        return null;
      });
      if (isFirst === false) await readStored();
      else level = after;
      // Without the store, each process would alert, so it is only logged. It is noticed again once the store is back.
      if (isFirst && alert?.kind === 'usedUp') log.warn('the credit at the voice service is used up');
      if (isFirst && alert) onAlert?.(alert);
      return isFirst !== false;
    });
  }

  async function getCredit(call: CallOptions & { checkFreeCredit?: boolean } = {}): Promise<WalletRecord> {
    const wasQuiet = calls.watch(Math.min(timing.settleMs, FIRST_LOOK_MS));
    const wasLongQuiet = calls.watch(timing.settleMs);
    // Read first: a balance seen before what another process has noted meanwhile would look like a top-up after it.
    const stored = await readStored();
    const record = await api.getCredit(call);
    onBalance?.(record.credit);
    const units = parseDecimal(record.credit);
    if (units === null) return record;
    reported = Number(units) / SCALE;
    const missing = await unbookedCalls.missingFrom(reported);
    unbooked = missing ?? 0;
    if (level && isRefusing(level))
      for (const kind of spendingKinds) if (kind === 'transcription' || !level.speaks) refusedAt[kind] ??= now();
    for (const kind of spendingKinds) {
      if (units > 0n) refusedAt[kind] = null;
      else if (refusedAt[kind] !== null) refusedAt[kind] = now();
    }
    // During calls the service may hold back more than they cost in the end, which would alert operators too early.
    // Where prices are known, the balance itself tells that everything is booked.
    const isBooked = missing === 0 && prices.perMillionBytes !== null && prices.perHour !== null;
    const isSettled = wasLongQuiet() || (wasQuiet() && isBooked);
    if (isSettled) settledAt = now();
    const counts = isSettled || Math.abs(now() - settledAt) > MAX_UNSETTLED_MS;
    if (counts && !(await note(stored, levelAfter(readLevel(stored), record.userId, units, now())))) schedulePoll();
    return record;
  }

  async function noteRefusal(kind: SpendingKind): Promise<void> {
    for (let isNoted = false; !isNoted; ) {
      const stored = await readStored();
      isNoted = await note(stored, levelAfterRefusal(readLevel(stored), kind));
    }
  }

  async function poll(): Promise<void> {
    polledAt = now();
    try {
      await getCredit({ priority: 'background', signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(POLL_TIMEOUT_MS)]) });
      isPollFailing = false;
      // A call has just ended. One that is in flight will schedule a poll itself.
      if (settledAt < polledAt && !calls.inFlight()) schedulePoll();
    } catch (error) {
      if (!isPollFailing && onAlert) logPollFailure(error as ApiError);
      isPollFailing = true;
    }
  }

  /** Logged once, until a poll succeeds. */
  function logPollFailure({ kind, status }: ApiError): void {
    if (kind === 'unsupported') log.info({ status }, 'the voice service reports no balance');
    else log.warn({ kind, status }, 'could not read the balance');
  }

  function schedulePoll(): void {
    if (!onAlert || timer) return;
    const first = Math.min(timing.settleMs, FIRST_LOOK_MS);
    const pause = Math.max(first, Math.min(timing.pollMs, polledAt + timing.pollMs - now()));
    timer = setTimeout(() => {
      timer = null;
      void poll();
    }, pause);
    timer.unref();
  }

  const isUsedUp = (kind?: SpendingKind) =>
    (kind ? [kind] : spendingKinds).some((one) => Math.abs(now() - (refusedAt[one] ?? Number.NEGATIVE_INFINITY)) < timing.refuseMs);
  const balance = () => (reported === null ? null : reported - unbooked);

  const polledApi: Api = {
    ...api,
    getCredit: ({ userId, ...call } = {}) => (userId ? api.getCredit({ userId, ...call }) : getCredit(call)),
  };

  return {
    api: watchCalls(polledApi, {
      begin(kind) {
        if (isUsedUp(kind)) {
          schedulePoll();
          throw usedUpError();
        }
        const end = calls.begin();
        const before = reported;
        let isOver = false;
        return (billed) => {
          if (isOver) return;
          isOver = true;
          unbookedCalls.note(costOf({ kind, billed }, prices) ?? 0, before);
          end();
          schedulePoll();
        };
      },
      onRefused(kind) {
        refusedAt[kind] = now();
        if (kind === 'speech') refusedAt.transcription = now();
        void noteRefusal(kind);
      },
    }),
    costOf: (bill) => costOf(bill, prices),
    shareOfBalance(bill) {
      const [cost, left] = [costOf(bill, prices), balance()];
      if (cost === 0) return 0;
      if (cost === null || left === null) return null;
      return left <= 0 ? 1 : Math.min(1, cost / left);
    },
    affordable(kind) {
      const left = balance();
      return left === null ? null : affordableAmount(kind, left, prices);
    },
    usedSinceTopUp: () => ({ share: level && usedShare(level), changedAt: level?.changedAt ?? null }),
    daysLeft: () => level && daysLeft(level, now()),
    isUsedUp,
    unbooked: () => unbooked,
    start(listener) {
      onAlert = listener;
      stopped = new AbortController();
      void poll();
      const idle = setInterval(() => void poll(), timing.idleMs).unref();
      return () => {
        onAlert = null;
        stopped.abort();
        clearInterval(idle);
        if (timer) clearTimeout(timer);
        timer = null;
        return inTurn(() => {});
      };
    },
  };
}

/** The error of calls that are refused while the credit is used up. */
export function usedUpError(): ApiError {
  return new ApiError('credit', 'The credit was used up a moment ago, so the voice service was not asked.', { status: 402 });
}

interface CallActivity {
  begin(): () => void;
  inFlight(): boolean;
  /** Returns a function that tells whether, from now until it is called, no call was in flight or had ended within `settleMs` before. */
  watch(settleMs: number): () => boolean;
}

function createCallActivity(now: () => number): CallActivity {
  const underWay = new Set<object>();
  let changes = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  return {
    begin() {
      const call = {};
      underWay.add(call);
      changes += 1;
      return () => {
        if (!underWay.delete(call)) return;
        changes += 1;
        endedAt = now();
      };
    },
    inFlight: () => underWay.size > 0,
    watch(settleMs) {
      const before = changes;
      const isQuiet = underWay.size === 0 && Math.abs(now() - endedAt) >= settleMs;
      return () => isQuiet && changes === before;
    },
  };
}

function readLevel(stored: Value): WalletLevel | null {
  return walletLevelSchema.nullable().catch(null).parse(stored);
}

// An Api that reports when calls that cost credit begin and end.

interface CallWatcher {
  /**
   * Called when a call begins, which it prevents by throwing. The returned function is called when the call ends, with what is billed
   * for it: see Bill.
   */
  begin(kind: SpendingKind): (billed: number) => void;
  /** Called when the service has refused a call for lack of credit. */
  onRefused(kind: SpendingKind): void;
}

function watchCalls(api: Api, watcher: CallWatcher): Api {
  async function watch<T>(
    kind: SpendingKind,
    call: () => Promise<T>,
    onSuccess: (result: T, end: (billed: number) => void) => T,
  ): Promise<T> {
    const end = watcher.begin(kind);
    try {
      return onSuccess(await call(), end);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'credit' && error.status !== null) watcher.onRefused(kind);
      end(0);
      throw error;
    }
  }

  return {
    ...api,
    speak: (request, call) =>
      watch(
        'speech',
        () => api.speak(request, call),
        untilEnd(() => Buffer.byteLength(request.text)),
      ),
    speakLive(request, texts, call) {
      let bytes = 0;
      async function* counted() {
        for await (const text of texts) {
          bytes += Buffer.byteLength(text);
          yield text;
        }
      }
      return watch(
        'speech',
        () => api.speakLive(request, counted(), call),
        untilEnd(() => bytes),
      );
    },
    transcribe: (request, call) =>
      watch(
        'transcription',
        () => api.transcribe(request, call),
        (transcript, end) => {
          end(Math.ceil(transcript.duration));
          return transcript;
        },
      ),
  };
}

const untilEnd = (billed: () => number) => (speech: AudioResponse, end: (billed: number) => void) =>
  Object.assign(speech, { audio: onEnd(speech.audio, () => end(billed())) });

/** Not a generator: returning one that hasn't been started would not return the source. */
function onEnd(audio: AudioResponse['audio'], ended: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = audio[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const result = await iterator.next();
            if (result.done) ended();
            return result;
          } catch (error) {
            ended();
            throw error;
          }
        },
        async return() {
          const result = (await iterator.return?.()) ?? { done: true, value: undefined };
          ended();
          return result;
        },
      };
    },
  };
}

// How much credit has been used since the last top-up, and which alerts operators have already received.

/** Percentages of the credit used at which operators are alerted. */
const ALERT_PERCENTAGES = [50, 75, 90] as const;
/** Stands for a refused call: everything is used. */
const USED_UP = 100;

const walletLevelSchema = z.object({
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
export function levelAfterRefusal(before: WalletLevel | null, kind: SpendingKind = 'speech'): LevelChange {
  // The balance may never have been seen.
  before ??= { userId: null, full: '0', fullAt: null, latest: '0', changedAt: null, alertedAt: 0, speaks: false };
  const isEmpty = (parseDecimal(before.latest) ?? 0n) * 20n <= (parseDecimal(before.full) ?? 0n);
  if (!isEmpty) return { level: before, alert: null };
  const speaks = kind === 'transcription' && (before.speaks || !isRefusing(before));
  return { level: { ...before, alertedAt: USED_UP, speaks }, alert: isRefusing(before) ? null : { kind: 'usedUp' } };
}

/** Whether the service has refused a call because everything is used, and there has been no top-up since. */
function isRefusing({ alertedAt }: WalletLevel): boolean {
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
function daysLeft(level: WalletLevel, now: number): number | null {
  const used = usedShare(level);
  const days = level.fullAt === null ? 0 : (now - level.fullAt) / 86_400_000;
  return used === null || used < MIN_PACE_SHARE || days < MIN_PACE_DAYS ? null : ((1 - used) / used) * days;
}

/** Speech is counted in characters of text, transcription in seconds of audio. */
export type SpendingKind = (typeof spendingKinds)[number];
const spendingKinds = ['speech', 'transcription'] as const;

/** Characters or seconds. */
export interface Amount {
  kind: SpendingKind;
  amount: number;
}

// What speech and transcription cost, as set by the operator: the service's API doesn't tell. Budgets count characters and seconds, which is
// fair to members; a service counts the bytes of a text, and rounds each recording up.

/** What the service bills: UTF-8 bytes of the text that it is sent, markers included, or seconds, each recording rounded up to a whole one. */
export interface Bill {
  kind: SpendingKind;
  billed: number;
}
//
// Prices used to be learned from how the balance fell around calls. That took a pause of over a second without any call, in which only
// one kind was used, so a busy bot rarely learned; and anyone else spending from the same wallet distorted it. Two numbers from the
// service's price list are exact and known at once.

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
