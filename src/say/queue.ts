// The queue from a member's side: how an utterance gets into it, and who may stop what.
import type { Interaction, VoiceBasedChannel } from 'discord.js';
import { PACKET_MS } from '../audio/index.ts';
import { isModerator } from '../bot/permissions.ts';
import { checkAccepted, checkQueueLimits } from '../bot/queue-limits.ts';
import type { Speaking } from '../bot/speaking.ts';
import { UserError } from '../bot/user-error.ts';
import { estimateSeconds, type SpeechUtterance } from '../speech/index.ts';
import type { Playback } from '../voice/types.ts';
import type { Allowance } from './allowance.ts';
import type { SayContext } from './context.ts';
import type { Plan, SayInteraction } from './plan.ts';
import { voiceName } from './voices.ts';

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
