// A text that the service refuses: what was typed is gone from Discord once it was sent, so its member gets it back, in a form that sends it
// where the refused one was to go.
import { ButtonStyle } from 'discord.js';
import { button, row } from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import { describeError, putControls } from '../discord/errors.ts';
import { createTextKey, KEEP_QUESTION_MS, keepText } from '../store/index.ts';
import { voiceName } from '../voice-catalogue/voice-name.ts';
import type { SayContext, SayInteraction, SayRequest } from './context.ts';
import { type Output, voiceOptions } from './custom-ids.ts';
import { isTextRefusal } from './refusals.ts';
import type { ForeignTextError } from './voice-choice.ts';

/** What a text becomes, and where. */
export interface Destination {
  /** `s` = speech, `m` = a voice message, `f` = a file, `p` = a file that only the member sees. */
  output: Output | 'p';
  /** Id of the voice channel that was named; absent, null or empty = none. */
  channelId?: string | null | undefined;
}

const destination = { output: part.oneOf<Destination['output']>('s', 'm', 'f', 'p'), channelId: part.text };
/** Below a refusal that only the member sees: opens the form with the text. */
export const editId = customId('say-edit-to', { ...destination, textKey: part.text, options: voiceOptions });
/** Below a text that its voice doesn't speak: has another voice say it, or this one anyway. */
export const sayInId = customId('say-in', { ...destination, anyway: part.flag, textKey: part.text, options: voiceOptions });
/** The form that the button with `editId` opens. */
export const editFormId = customId('say-edit-to', { ...destination, options: voiceOptions });

/**
 * Puts buttons below the refusal of a text that its voice doesn't speak: another voice, if one speaks it, another text, or this voice anyway,
 * unless it would be refused. Never rejects.
 */
export async function offerOtherVoice(
  error: ForeignTextError,
  interaction: SayInteraction,
  context: SayContext,
  { text, language: _, anyway: __, ...options }: SayRequest,
  { output, channelId }: Destination,
): Promise<void> {
  const { speaking } = error;
  const to = { output, channelId: channelId ?? '', textKey: createTextKey() };
  const otherId = speaking && sayInId.writeIfItFits({ ...to, anyway: false, options: { ...options, voice: speaking.id } });
  const anywayId = error.isLegible ? sayInId.writeIfItFits({ ...to, anyway: true, options }) : null;
  const formId = editId.writeIfItFits({ ...to, options });
  await offer(error, interaction, context, { text, textKey: to.textKey }, (t) =>
    row(
      ...(otherId ? [button(t('say.otherVoiceButton', { voice: voiceName(speaking, t) }), otherId, ButtonStyle.Primary)] : []),
      ...(formId ? [button(t('say.editButton'), formId)] : []),
      ...(anywayId ? [button(t('say.anywayButton'), anywayId)] : []),
    ),
  );
}

/**
 * Puts a button below the refusal that gives the member the text back in a form, unless something other than the text was refused. Never
 * rejects.
 */
export async function offerEditing(
  error: unknown,
  interaction: SayInteraction,
  context: SayContext,
  { text, ...options }: SayRequest,
  { output, channelId }: Destination,
): Promise<void> {
  if (!isTextRefusal(error)) return;
  const to = { output, channelId: channelId ?? '', textKey: createTextKey() };
  const id = editId.writeIfItFits({ ...to, options }) ?? editId.writeIfItFits({ ...to, options: { ...options, voice: null } });
  if (id !== null) await offer(error, interaction, context, { text, textKey: to.textKey }, (t) => row(button(t('say.editButton'), id)));
}

/** Keeps the text for its member, and puts buttons below the refusal that find it there. Never rejects. */
async function offer(
  error: Error,
  { user }: SayInteraction,
  { store, log }: SayContext,
  { text, textKey }: { text: string; textKey: string },
  controls: Parameters<typeof putControls>[1],
): Promise<void> {
  try {
    await keepText(store, user.id, textKey, text, KEEP_QUESTION_MS);
    putControls(error, controls);
  } catch (failure) {
    log.warn(describeError(failure), 'could not keep a refused text for its member');
  }
}
