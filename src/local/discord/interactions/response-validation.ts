// Discord's limits on the first answer to an interaction.
// https://docs.discord.com/developers/interactions/receiving-and-responding#responding-to-an-interaction
import { InteractionResponseType as Answer, InteractionType } from 'discord-api-types/v10';
import { createFormCheck, type Form } from '../errors.ts';
import { checkModal } from './modal-validation.ts';

/** Which first answers fit which interaction. */
const ANSWERS: Partial<Record<InteractionType, number[]>> = {
  [InteractionType.ApplicationCommand]: [Answer.ChannelMessageWithSource, Answer.DeferredChannelMessageWithSource, Answer.Modal],
  [InteractionType.MessageComponent]: [
    Answer.ChannelMessageWithSource,
    Answer.DeferredChannelMessageWithSource,
    Answer.DeferredMessageUpdate,
    Answer.UpdateMessage,
    Answer.Modal,
  ],
  [InteractionType.ApplicationCommandAutocomplete]: [Answer.ApplicationCommandAutocompleteResult],
  [InteractionType.ModalSubmit]: [
    Answer.ChannelMessageWithSource,
    Answer.DeferredChannelMessageWithSource,
    Answer.DeferredMessageUpdate,
    Answer.UpdateMessage,
  ],
};

/**
 * `hasSource`: the interaction came from a message, which can then be changed. Messages themselves are checked where they are made.
 * @throws DiscordProblem 50035
 */
export function checkAnswer(interaction: InteractionType, type: Answer, hasSource: boolean, data: Form): void {
  const changes = type === Answer.DeferredMessageUpdate || type === Answer.UpdateMessage;
  if (!ANSWERS[interaction]?.includes(type) || (changes && !hasSource)) {
    const check = createFormCheck();
    check.fault('type', 'INTERACTION_CALLBACK_TYPE_INVALID', 'This response type does not fit this interaction.');
    throw check.problem();
  }
  if (type === Answer.ApplicationCommandAutocompleteResult) checkChoices(data.choices);
  if (type === Answer.Modal) checkModal(data);
}

function checkChoices(choices: unknown): void {
  const check = createFormCheck();
  if (!Array.isArray(choices)) check.fault('data.choices', 'BASE_TYPE_REQUIRED', 'This field is required');
  else if (choices.length > 25) check.fault('data.choices', 'BASE_TYPE_BAD_LENGTH', 'Must be between 0 and 25 in length.');
  else
    for (const [index, choice] of choices.entries()) {
      check.length(`data.choices.${index}.name`, choice?.name, 1, 100);
      if (typeof choice?.value !== 'number') check.length(`data.choices.${index}.value`, choice?.value, 1, 100);
    }
  check.done();
}
