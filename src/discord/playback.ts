// The one way into a server's queue: makes sure that there is room, reserves what an utterance may cost, and joins the voice channel.
import type { VoiceBasedChannel } from 'discord.js';
import type { EnqueueOptions, Playback, Session, Sessions, Utterance } from '../voice-session/types.ts';
import { UserError } from './errors.ts';
import type { PaidUtterance, Payment } from './payment.ts';

/** About half an hour of speech; nobody waits longer. */
const MAX_IN_QUEUE = 50;
const MAX_PER_MEMBER = 5;

interface ToPlay extends EnqueueOptions {
  channel: VoiceBasedChannel;
  /** Whether the bot stays in the channel afterwards. */
  stay: boolean;
  utterance: Utterance;
  /** Absent = the utterance costs nothing. */
  paid?: { payment: Payment } & Pick<PaidUtterance, 'charged' | 'billed'>;
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
    // If another process has accepted the utterance, there is room for it.
    if (!options.wasHandedOver) checkRoom(sessions.get(channel.guildId), options.memberId);
    const session = sessions.join(channel);
    session.setStay(stay);
    const playback = session.enqueue(utterance, options);
    signal?.addEventListener('abort', () => session.remove(playback.id));
    // Even an utterance that nobody heard may have been charged: only what the service was never asked for is certain to cost nothing.
    if (paid)
      void playback.finished.then(
        async ({ ended }) => ended !== 'handed-over' && paid.payment.settle(await paid.charged(), await paid.billed()),
      );
    if (playback.refused?.ended === 'failed' && !options.wasHandedOver) throw playback.refused.cause;
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
  if (items.length >= MAX_IN_QUEUE) throw new UserError((t) => t('queue.full', { most: MAX_IN_QUEUE }));
  const own = items.filter((item) => item.memberId === memberId).length;
  if (own >= MAX_PER_MEMBER) throw new UserError((t) => t('queue.tooManyWaiting', { most: MAX_PER_MEMBER }));
}
