// Speaks what a member said while another process of the bot had the server: it waited there when the server passed over.
import type { ChatInputCommandInteraction } from 'discord.js';
import { UserError } from '../bot/user-error.ts';
import type { SayContext } from './context.ts';
import { type HandedOver, playAndFollow } from './index.ts';
import type { Plan } from './plan.ts';
import { createResumedReply } from './reply.ts';

/**
 * Resolves when it has been spoken, or at once if another process speaks it.
 * @param claim whether this process speaks it @param onStart called once it is queued @throws UserError, BudgetError, VoiceError, StoreError
 */
export async function resumeSpeaking(
  interaction: ChatInputCommandInteraction,
  context: SayContext,
  handed: HandedOver,
  { claim, onStart }: { claim: () => Promise<boolean>; onStart: () => void },
): Promise<void> {
  const { voiceChannelId, where, keepsVoice, messageId, reserved } = handed;
  const reply = createResumedReply(interaction, context, messageId);
  // First, so that the reply is corrected however this process ends.
  await reply.begin();
  if (!(await claim())) return;
  const channel = interaction.guild?.channels.cache.get(voiceChannelId);
  if (!channel?.isVoiceBased()) throw new UserError((t) => t.voiceChannels.memberNotInVoice);
  const { voices, wanted } = handed.plan;
  const plan: Plan = {
    ...handed.plan,
    // Its sound may be in the other process's cache, but not here.
    pin: null,
    characters: handed.plan.spoken.length,
    wanted: voices.find((voice) => voice?.id === wanted?.id) ?? wanted,
  };
  await playAndFollow(interaction, context, { plan, channel, reply, where, keepsVoice, isResumed: true, reserved, onStart });
}
