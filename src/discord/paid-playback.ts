// The one way into a server's queue: reserves what an utterance may cost from the daily budgets, and gives back what it didn't cost.
import type { VoiceBasedChannel } from 'discord.js';
import type { EnqueueOptions, Playback, Session, Sessions, Utterance } from '../voice/types.ts';
import type { CreditService, Reservation, Spending } from '../wallet/index.ts';
import { UserError } from './errors.ts';

/** About half an hour of speech; nobody waits longer. */
const MAX_IN_QUEUE = 50;
const MAX_PER_MEMBER = 5;

/** An utterance that knows what it cost. */
export interface PaidUtterance extends Utterance {
  /** Characters that the service may have charged for, once no call is waiting for its answer. Never rejects. */
  charged(): Promise<number>;
}

/** What one utterance takes from the daily budgets. */
export interface Payment {
  /** Reserves what it is planned to cost. Rejects with BudgetError, StoreError. */
  reserve(): Promise<void>;
  /** Reserves everything that it can cost, once the service has to be called after all. Rejects with BudgetError, StoreError. */
  reserveAll(): Promise<void>;
  /** Leaves the reservation to another process, and returns its amount. `settle` still takes it back. */
  pass(): number;
  /** Ends the reservation, including one under way, with what was really used. Never rejects. */
  settle(used: number): Promise<void>;
}

/** @param planned what it should cost @param most the characters it can cost at most @param passed what another process has reserved */
export function createPayment({ reserve }: Pick<CreditService, 'reserve'>, planned: Spending, most = planned.amount, passed = 0): Payment {
  let reservation: Reservation | null = null;
  let amount = 0;
  let reservingAll: Promise<void> | null = null;
  /** Whether it was settled or passed on. */
  let hasEnded = false;

  async function reserveRest(): Promise<void> {
    if (planned.amount >= most) return;
    const all = await reserve({ ...planned, amount: most });
    if (hasEnded) return all.settle(0);
    // Another process had reserved it, but the sound turned out to be cached here.
    await reservation?.settle(0);
    reservation = all;
    amount = most;
  }

  return {
    async reserve() {
      reservation = await reserve(planned, passed);
      amount = Math.max(planned.amount, passed);
    },
    reserveAll() {
      // If another voice is tried, it costs the same amount.
      reservingAll ??= reserveRest();
      return reservingAll;
    },
    pass() {
      hasEnded = true;
      return amount;
    },
    async settle(used) {
      hasEnded = true;
      await reservingAll?.catch(() => {});
      await reservation?.settle(used);
    },
  };
}

/** An utterance whose cost is reserved only when the service is about to be called, so cached sound costs nothing. */
export interface PaidDraft<U extends PaidUtterance = PaidUtterance> {
  utterance: U;
  /** Call once it is over, or another one has replaced it. */
  settle(): Promise<void>;
}

/** @param create creates the utterance, given what it has to await before it calls the service */
export function createPaidDraft<U extends PaidUtterance>(
  credit: Pick<CreditService, 'reserve'>,
  spending: Spending,
  create: (permit: () => Promise<void>) => U,
): PaidDraft<U> {
  const payment = createPayment(credit, { ...spending, amount: 0 }, spending.amount);
  const utterance = create(payment.reserveAll);
  return { utterance, settle: async () => payment.settle(await utterance.charged()) };
}

interface ToPlay extends EnqueueOptions {
  channel: VoiceBasedChannel;
  /** Whether the bot stays in the channel afterwards. */
  stay: boolean;
  utterance: Utterance;
  /** Absent = it costs nothing. */
  paid?: { payment: Payment; charged: PaidUtterance['charged'] };
  /** Ends the utterance, even before it is queued. The signal's reason is then thrown. */
  signal?: AbortSignal;
}

/**
 * Reserves what the utterance may cost, joins the channel and queues it; what it didn't cost is given back when it has ended. If it can't be
 * queued, it is cancelled. Resolves once it is queued, in time to begin a public reply.
 * @throws UserError if the queue is full; BudgetError, StoreError; what the utterance was refused with, as while the bot is muted
 */
export async function playPaid(sessions: Sessions, { channel, stay, utterance, paid, signal, ...options }: ToPlay): Promise<Playback> {
  try {
    await paid?.payment.reserve();
    signal?.throwIfAborted();
    // Another process accepted it.
    if (!options.wasHandedOver) checkRoom(sessions.get(channel.guildId), options.memberId);
    const session = sessions.join(channel);
    session.setStay(stay);
    const playback = session.enqueue(utterance, options);
    signal?.addEventListener('abort', () => session.remove(playback.id));
    // Only what the service was never asked for is certain to cost nothing.
    if (paid) void playback.finished.then(async ({ ended }) => ended !== 'handed-over' && paid.payment.settle(await paid.charged()));
    const outcome = options.wasHandedOver ? null : await Promise.race([playback.finished, null]);
    if (outcome?.ended === 'failed') throw outcome.cause;
    return playback;
  } catch (error) {
    utterance.cancel();
    await paid?.payment.settle(0);
    throw error;
  }
}

/**
 * Utterances in the background have a limit of their own. Call just before `enqueue`.
 * @throws UserError if there is no room for another utterance of this member
 */
export function checkRoom(session: Pick<Session, 'items'> | undefined, memberId: string): void {
  const items = session?.items().filter(({ background }) => !background) ?? [];
  if (items.length >= MAX_IN_QUEUE) throw new UserError((t) => t.queue.full(MAX_IN_QUEUE));
  const own = items.filter((item) => item.memberId === memberId).length;
  if (own >= MAX_PER_MEMBER) throw new UserError((t) => t.queue.tooManyWaiting(MAX_PER_MEMBER));
}
