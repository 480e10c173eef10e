// A text that the service refuses: what was typed is gone from Discord once it was sent, so its member gets it back, in a form that sends it
// where the refused one was to go.
import { button, row } from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import { describeError, putControls } from '../discord/errors.ts';
import { createTextKey, KEEP_QUESTION_MS, keepText } from '../store/index.ts';
import type { SayContext, SayInteraction, SayRequest } from './context.ts';
import { isTextRefusal } from './refusals.ts';
import { type Output, voiceOptions } from './reply.ts';

/** What a text becomes, and where. */
export interface Destination {
  /** `s` = speech, `m` = a voice message, `f` = a file, `p` = a file that only the member sees. */
  output: Output | 'p';
  /** Id of the voice channel that was named; empty = none. */
  channelId: string;
}

const destination = { output: part.oneOf<Destination['output']>('s', 'm', 'f', 'p'), channelId: part.text };
/** Below a refusal that only the member sees: opens the form with the text. */
export const editId = customId('say-edit-to', { ...destination, textKey: part.text, options: voiceOptions });
/** The form. */
export const editFormId = customId('say-edit-to', { ...destination, options: voiceOptions });

/** Puts a button below the refusal that opens the text, unless the text isn't what was refused. Never rejects. */
export async function offerEditing(
  error: unknown,
  interaction: SayInteraction,
  { store, log }: SayContext,
  request: SayRequest,
  { output, channelId }: { output: Destination['output']; channelId?: string | null | undefined },
): Promise<void> {
  if (!isTextRefusal(error)) return;
  const key = createTextKey();
  const { text: _, ...options } = request;
  const to = { output, channelId: channelId ?? '', textKey: key };
  const id = editId.writeIfItFits({ ...to, options }) ?? editId.writeIfItFits({ ...to, options: { ...options, voice: null } });
  if (id === null) return;
  try {
    await keepText(store, interaction.user.id, key, request.text, KEEP_QUESTION_MS);
    putControls(error, (t) => row(button(t('say.editButton'), id)));
  } catch (failure) {
    log.warn(describeError(failure), 'could not keep a refused text for its member');
  }
}
