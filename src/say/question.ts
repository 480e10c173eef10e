// The private question before speaking a text that costs much, or that the member expected to be free.
import { ButtonStyle } from 'discord.js';
import { asPrivate, button, type CardMessage, card, cards, row, text } from '../discord/cards.ts';
import type { Translator } from '../locales/index.ts';
import { KEEP_QUESTION_MS } from '../store/index.ts';
import type { SayContext, SayInteraction } from './context.ts';
import { confirmId, type Output } from './custom-ids.ts';
import { keepTextOf, type Plan, shareToConfirm } from './plan.ts';

export interface Question {
  output: Output;
  /** Id of the voice channel. */
  channelId?: string | null;
  /** Whether to ask even if it costs little, but something; default false. */
  always?: boolean;
}

/** Asks the member in private, if there is a reason to. @returns whether they were asked, so their press continues @throws StoreError */
export async function askFirst(
  interaction: SayInteraction,
  context: SayContext,
  plan: Plan,
  { output, channelId = null, always = false }: Question,
): Promise<boolean> {
  const share = shareToConfirm(plan, context);
  if (share === null && !(always && plan.characters > 0)) return false;
  await keepTextOf(plan, interaction, context, KEEP_QUESTION_MS);
  await interaction.reply(asPrivate(confirmMessage(context.t, plan, share, output, channelId)));
  return true;
}

/**
 * Asks the member before a large part of the credit is spent.
 * @param share of the balance, 0 to 1; null if it is small or unknown, but the member could expect the sound to be free
 */
export function confirmMessage(t: Translator, plan: Plan, share: number | null, output: Output, channelId: string | null): CardMessage {
  const id = confirmId.writeIfItFits({ output, channelId: channelId ?? '', textKey: plan.textKey ?? '', options: plan.request });
  const count = plan.spoken.length;
  const question =
    id === null
      ? t('say.tooExpensive', { share: share ?? 0, count })
      : share === null
        ? t('say.confirmMaking', { count })
        : t('say.confirm', { share, count });
  const yes = id === null ? null : row(button(share === null ? t('say.makeButton') : t('say.confirmButton'), id, ButtonStyle.Primary));
  return cards(card('waiting', text(question), text(plan.shown), yes));
}
