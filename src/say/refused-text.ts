// A text that the service refuses: what was typed is gone from Discord once it was sent, so its member gets it back, in a form that sends it
// where the refused one was to go.
import { button, row } from '../discord/cards.ts';
import { describeError, putControls } from '../discord/errors.ts';
import { createTextKey, KEEP_QUESTION_MS, keepText } from '../store/index.ts';
import { isTextRefusal, type SayContext, type SayInteraction, type SayRequest } from './plan.ts';
import { type Output, voiceOptionsId } from './reply.ts';

/** What a text becomes, and where: `p` = a file that only the member sees. */
export interface Destination {
  output: Output | 'p';
  /** Id of the voice channel that was named. */
  channelId?: string | null | undefined;
}

/** `prefix:output:channel:…part:manner:voice`, where a voice with a long id is left out. */
export function destinationId(
  prefix: string,
  { output, channelId }: Destination,
  parts: string[],
  options: Omit<SayRequest, 'text'>,
): string | null {
  const all = [output, channelId ?? '', ...parts];
  return voiceOptionsId(prefix, all, options) ?? voiceOptionsId(prefix, all, { ...options, voice: null });
}

/** Puts a button below the refusal that opens the text, unless the text isn't what was refused. Never rejects. */
export async function offerEditing(
  error: unknown,
  interaction: SayInteraction,
  { store, log }: SayContext,
  request: SayRequest,
  destination: Destination,
): Promise<void> {
  if (!isTextRefusal(error)) return;
  const key = createTextKey();
  const id = destinationId('say-edit', destination, [key], request);
  if (id === null) return;
  try {
    await keepText(store, interaction.user.id, key, request.text, KEEP_QUESTION_MS);
    putControls(error, (t) => row(button(t('say.editButton'), id)));
  } catch (failure) {
    log.warn(describeError(failure), 'could not keep a refused text for its member');
  }
}
