// The queue from a member's side: how an utterance gets into it, and who may stop what.
import type { Interaction, VoiceBasedChannel } from 'discord.js';
import { PACKET_MS } from '../audio/index.ts';
import { budgetSentence, UserError } from '../discord/errors.ts';
import { isModerator } from '../discord/permissions.ts';
import { checkAccepted, checkQueueLimits } from '../discord/queue-limits.ts';
import type { Speaking } from '../discord/speaking.ts';
import { estimateSeconds, type SpeechUtterance } from '../speech/index.ts';
import type { Playback } from '../voice/types.ts';
import { BudgetError, type CreditService, type Reservation, type Spending } from '../wallet/index.ts';
import { type Plan, type SayInteraction, voiceName } from './plan.ts';
import type { SayContext } from './request.ts';

/**
 * Reserves what the utterance may cost, joins the channel and queues it. If that fails, the utterance is cancelled.
 * @throws UserError, BudgetError, VoiceError, StoreError
 */
export async function joinAndEnqueue(
  { id, user }: SayInteraction,
  { sessions, publicWords }: Pick<SayContext, 'sessions' | 'publicWords'>,
  {
    channel,
    plan,
    utterance,
    allowance,
    isResumed = false,
  }: { channel: VoiceBasedChannel; plan: Plan; utterance: SpeechUtterance; allowance: Allowance; isResumed?: boolean },
): Promise<Playback> {
  const label = {
    voice: plan.voices[0] && voiceName(plan.voices[0], publicWords),
    text: plan.showText ? plan.shown : null,
    seconds: plan.pin?.packets ? (plan.pin.packets.length * PACKET_MS) / 1000 : estimateSeconds(plan.spoken, plan.speed),
  };
  try {
    await allowance.reserve();
    if (!isResumed) checkQueueLimits(sessions.get(channel.guildId), user.id);
    const session = sessions.join(channel);
    session.setStay(plan.stay);
    const playback = session.enqueue(utterance, { id, memberId: user.id, label, isMovable: true, wasHandedOver: isResumed });
    // What the service was never asked for costs nothing, everything else may have been billed.
    void playback.finished.then(async ({ ended }) => ended !== 'handed-over' && allowance.settle(await utterance.charged()));
    if (!isResumed) await checkAccepted(playback);
    return playback;
  } catch (error) {
    utterance.cancel();
    await allowance.settle(0);
    throw error;
  }
}

/** Ends everything that the member has in the queue; resolves with how many utterances that were. @throws StoreError */
export function endAllOf({ items, end }: Speaking, memberId: string): Promise<number> {
  return end(items.filter((item) => item.memberId === memberId).map(({ id }) => id));
}

/** Members control their own utterances, moderators of the bot's voice channel all. @throws UserError */
export function checkOwnerOrModerator(
  interaction: Interaction,
  where: { channelId: string | null } | null | undefined,
  ownerId: string | undefined,
  action: 'skip' | 'stop' | 'use' = 'use',
): void {
  if (interaction.user.id === ownerId || isModerator(interaction, where)) return;
  throw new UserError(({ queue: t }) => {
    if (ownerId === undefined) return t.onlyModerators;
    return { skip: t.onlyOwnerCanSkip, stop: t.onlyOwnerCanStop, use: t.onlyOwnerCanUse }[action](ownerId);
  });
}

// What a text may take from the daily budgets: nothing while its sound is pinned, all of it once the service has to be called after all.

export interface Allowance {
  /** Reserves what the text is planned to cost. Rejects with BudgetError, StoreError. */
  reserve(): Promise<void>;
  /** Reserves everything the text can cost, unless that was done before. Rejects with UserError if a budget is exceeded, StoreError. */
  reserveAll(): Promise<void>;
  /** Leaves the reservation to another process, unless `settle` is called after all; returns its amount. */
  pass(): number;
  /** Ends the reservation, including one under way, with what was really used. Never rejects. */
  settle(used: number): Promise<void>;
}

/** @param planned what the text is planned to cost @param maxCharacters what it can cost @param passed what another process has reserved */
export function createAllowance(
  { reserve }: Pick<CreditService, 'reserve'>,
  planned: Spending,
  maxCharacters: number,
  passed = 0,
): Allowance {
  let reservation: Reservation | null = null;
  let amount = 0;
  let reservingAll: Promise<void> | null = null;
  /** Settled, or passed on. */
  let hasEnded = false;

  async function reserveRest(): Promise<void> {
    if (planned.amount >= maxCharacters) return;
    const all = await reserve({ ...planned, amount: maxCharacters }).catch((error: unknown) => {
      throw error instanceof BudgetError ? new UserError((t) => t.say.cachedSoundGone(budgetSentence(t, error)), { cause: error }) : error;
    });
    if (hasEnded) return all.settle(0);
    // What another process had reserved, though the sound turned out to be cached here.
    await reservation?.settle(0);
    reservation = all;
    amount = maxCharacters;
  }

  return {
    async reserve() {
      reservation = await reserve(planned, passed);
      amount = Math.max(planned.amount, passed);
    },
    reserveAll() {
      reservingAll ??= reserveRest();
      return reservingAll;
    },
    pass() {
      hasEnded = true;
      return amount;
    },
    async settle(used) {
      hasEnded = true;
      await reservation?.settle(used);
    },
  };
}
