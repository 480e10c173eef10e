// The question before a text is spoken that costs much, or that was expected to be free.
import { MessageFlags } from 'discord.js';
import { KEEP_QUESTION_MS } from '../store/index.ts';
import { confirmMessage, type Output } from './message.ts';
import { keepTextOf, type Plan, type SayInteraction, shareToConfirm } from './plan.ts';
import type { SayContext } from './request.ts';

export interface Question {
  output: Output;
  /** Id of the voice channel. */
  channelId?: string | null;
  /** Whether to ask however little it costs, as long as it isn't free; default false. */
  always?: boolean;
}

/** Asks the member in private, if there is reason to. @returns whether they were asked: then it is for the button to go on @throws StoreError */
export async function askFirst(
  interaction: SayInteraction,
  context: SayContext,
  plan: Plan,
  { output, channelId = null, always = false }: Question,
): Promise<boolean> {
  const share = shareToConfirm(plan, context);
  if (share === null && !(always && plan.characters > 0)) return false;
  await keepTextOf(plan, interaction, context, KEEP_QUESTION_MS);
  const question = confirmMessage(context.words, plan, share, output, channelId);
  await interaction.reply({ ...question, flags: [question.flags, MessageFlags.Ephemeral] });
  return true;
}
