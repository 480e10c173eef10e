// The account at the voice service: an API that refuses calls while the credit is used up, a balance that is polled after calls, and
// what the balance pays for at the operator's prices.
import { type Api, ApiError, type CallOptions, type WalletRecord } from '../api/index.ts';
import { createInTurn } from '../async/waiting.ts';
import type { Log } from '../log.ts';
import type { Store, Value } from '../store/index.ts';
import { watchCalls } from './call-watcher.ts';
import { parseDecimal } from './decimal.ts';
import {
  type CreditAlert,
  daysLeft,
  isRefusing,
  levelAfter,
  levelAfterRefusal,
  usedShare,
  type WalletLevel,
  walletLevelSchema,
} from './level.ts';
import { affordableAmount, type Bill, costOf, type Prices, type SpendingKind, spendingKinds } from './prices.ts';
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

/** The balance is polled, and operators are alerted. */
interface Polling {
  onAlert(alert: CreditAlert): void;
  stopped: AbortController;
  /** The poll that is scheduled. */
  next: NodeJS.Timeout | null;
  polledAt: number;
  /** Whether the last poll failed. */
  isFailing: boolean;
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

  /** Null before it was started, and once it is stopped. */
  let polling: Polling | null = null;
  /** When the balance was last seen with no call in flight or just ended. */
  let settledAt = Number.NEGATIVE_INFINITY;

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
      if (isFirst && alert) polling?.onAlert(alert);
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

  async function poll(current: Polling): Promise<void> {
    current.polledAt = now();
    try {
      const signal = AbortSignal.any([current.stopped.signal, AbortSignal.timeout(POLL_TIMEOUT_MS)]);
      await getCredit({ priority: 'background', signal });
      current.isFailing = false;
      // A call has just ended. One that is in flight will schedule a poll itself.
      if (settledAt < current.polledAt && !calls.inFlight()) schedulePoll();
    } catch (error) {
      if (!current.isFailing && !current.stopped.signal.aborted) logPollFailure(error as ApiError);
      current.isFailing = true;
    }
  }

  /** Logged once, until a poll succeeds. */
  function logPollFailure({ kind, status }: ApiError): void {
    if (kind === 'unsupported') log.info({ status }, 'the voice service reports no balance');
    else log.warn({ kind, status }, 'could not read the balance');
  }

  function schedulePoll(): void {
    const current = polling;
    if (!current || current.next) return;
    const first = Math.min(timing.settleMs, FIRST_LOOK_MS);
    const pause = Math.max(first, Math.min(timing.pollMs, current.polledAt + timing.pollMs - now()));
    current.next = setTimeout(() => {
      current.next = null;
      void poll(current);
    }, pause);
    current.next.unref();
  }

  const isUsedUp = (kind?: SpendingKind) =>
    (kind ? [kind] : spendingKinds).some(
      (spendingKind) => Math.abs(now() - (refusedAt[spendingKind] ?? Number.NEGATIVE_INFINITY)) < timing.refuseMs,
    );
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
    start(onAlert) {
      const current: Polling = { onAlert, stopped: new AbortController(), next: null, polledAt: now(), isFailing: false };
      polling = current;
      void poll(current);
      const idle = setInterval(() => void poll(current), timing.idleMs).unref();
      return () => {
        polling = null;
        current.stopped.abort();
        clearInterval(idle);
        if (current.next) clearTimeout(current.next);
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
  /** Returns a function to call once, when the call ends. */
  begin(): () => void;
  inFlight(): boolean;
  /** Returns a function that tells whether, from now until it is called, no call was in flight or had ended within `settleMs` before. */
  watch(settleMs: number): () => boolean;
}

function createCallActivity(now: () => number): CallActivity {
  let underWay = 0;
  let changes = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  return {
    begin() {
      underWay += 1;
      changes += 1;
      return () => {
        underWay -= 1;
        changes += 1;
        endedAt = now();
      };
    },
    inFlight: () => underWay > 0,
    watch(settleMs) {
      const before = changes;
      const isQuiet = underWay === 0 && Math.abs(now() - endedAt) >= settleMs;
      return () => isQuiet && changes === before;
    },
  };
}

function readLevel(stored: Value): WalletLevel | null {
  return walletLevelSchema.nullable().catch(null).parse(stored);
}
