// A plan as an utterance, to be played or sent, and what it takes from the daily budgets.

import { BudgetError } from '../charging/index.ts';
import { budgetSentence, UserError } from '../discord/errors.ts';
import { createPayment, type Payment } from '../discord/payment.ts';
import type { SpeechUtterance } from '../synthesis/index.ts';
import type { SayContext, SayInteraction } from './context.ts';
import { type Plan, spendingOf, toSpeechRequest } from './plan.ts';

interface PaidSpeech {
  utterance: SpeechUtterance;
  payment: Payment;
}

/**
 * The caller reserves and settles the payment. The utterance releases the plan's pin.
 * @param options `isDownload`: it isn't played before all of its sound has come; `reserved`: characters that another process has reserved
 */
export function createPaidSpeech(
  interaction: SayInteraction,
  context: Pick<SayContext, 'credit' | 'speech' | 'signal'>,
  plan: Plan,
  { isDownload = false, reserved }: { isDownload?: boolean; reserved?: number | undefined } = {},
): PaidSpeech {
  const payment = createPayment(context.credit, spendingOf(interaction, plan), plan.spoken.length, reserved);
  const [voice, ...fallbacks] = plan.voices;
  const utterance = context.speech.utterance(toSpeechRequest(plan, voice), {
    signal: context.signal,
    fallbackIds: fallbacks.map((fallback) => fallback?.id ?? null),
    memberId: interaction.user.id,
    pin: plan.pin,
    isDownload,
    // Without a pin, everything that the utterance can cost is reserved from the start.
    ...(plan.pin && { permit: () => payment.reserveAll().catch(explainBudget) }),
  });
  return { utterance, payment };
}

/** For the case that the sound was cached when the member asked, but has been deleted since. */
function explainBudget(error: unknown): never {
  throw error instanceof BudgetError
    ? new UserError((t) => t('say.cachedSoundGone', { budget: budgetSentence(t, error) }), { cause: error })
    : error;
}
