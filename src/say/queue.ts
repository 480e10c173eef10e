// Order in the queue: how much of it one member may take, whose it is to end what, and what lists of it show.
import type { Interaction, VoiceBasedChannel } from 'discord.js';
import { isModerator } from '../bot/permissions.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import type { Playback, QueueItem, Session } from '../voice/types.ts';
import type { Allowance } from './allowance.ts';
import type { SayContext } from './context.ts';
import type { Asked, Plan } from './plan.ts';
import type { VoicedUtterance } from './utterance.ts';
import { nameOf } from './voices.ts';

/** Half an hour of a full queue is more than anybody waits for. */
const MAX_IN_QUEUE = 50;
const MAX_OF_MEMBER = 5;

/**
 * Takes what it may cost out of the budgets, joins and queues. Where that fails, the utterance is cancelled.
 * @throws UserError, BudgetError, VoiceError, StoreError
 */
export async function queueUp(
  interaction: Asked,
  { sessions }: Pick<SayContext, 'sessions'>,
  channel: VoiceBasedChannel,
  plan: Plan,
  { utterance, allowance }: { utterance: VoicedUtterance; allowance: Allowance },
): Promise<Playback> {
  const { id, user } = interaction;
  const label = labelOf(nameOf(utterance.voice), plan.showText ? plan.spoken : null);
  try {
    await allowance.reserve();
    checkRoom(sessions.get(channel.guildId), user.id);
    const session = sessions.join(channel);
    session.setStay(plan.stay);
    const playback = session.enqueue(utterance, { id, memberId: user.id, label });
    // Whatever becomes of the answer, and however it ends: what the service was never asked for costs nothing, all else may have been billed.
    void playback.finished.then(async () => allowance.settle(await utterance.charged()));
    return playback;
  } catch (error) {
    utterance.cancel();
    await allowance.settle(0);
    throw error;
  }
}

/** Ends all that the member has in the queue; says how many that were. */
export function dropAllOf(session: Session | undefined, memberId: string | undefined): number {
  // The waiting ones first, or each would begin when the one before it is ended.
  const own = session?.items().filter((item) => item.memberId === memberId) ?? [];
  return own.reverse().filter(({ id }) => session?.remove(id)).length;
}

/** To be called just before `enqueue`. @throws UserError where there is no room for one more of this member's */
export function checkRoom(session: Pick<Session, 'items'> | undefined, memberId: string): void {
  const items = session?.items() ?? [];
  if (items.length >= MAX_IN_QUEUE) throw new UserError(en.queue.full(MAX_IN_QUEUE));
  const own = items.filter((item) => item.memberId === memberId).length;
  if (own >= MAX_OF_MEMBER) throw new UserError(en.queue.tooManyWaiting(MAX_OF_MEMBER));
}

/** One's own, or a moderator's of the voice channel that I am in. @throws UserError */
export function checkOwner(interaction: Interaction, { sessions }: Pick<SayContext, 'sessions'>, ownerId: string | undefined): void {
  const isOwner = interaction.user.id === ownerId;
  if (!isOwner && !isModerator(interaction, sessions.get(interaction.guildId ?? ''))) throw new UserError(en.queue.notYours);
}

/** What lists of the queue show of an utterance; no text where an admin has it left out. */
function labelOf(voice: string, text: string | null): string {
  return [voice.replaceAll('\n', ' '), ...(text === null ? [] : [text])].join('\n');
}

export function readLabel({ label = '' }: QueueItem): { voice: string; text: string | null } {
  const [voice = '', ...text] = label.split('\n');
  return { voice, text: text.length > 0 ? text.join(' ') : null };
}
