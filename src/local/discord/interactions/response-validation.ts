// Why the initial response to an interaction is refused: its type must fit the interaction, and its data Discord's limits.
// https://docs.discord.com/developers/interactions/receiving-and-responding#responding-to-an-interaction
import { InteractionType, InteractionResponseType as ResponseType } from 'discord-api-types/v10';
import { createValidator, type JsonObject } from '../validator.ts';
import { checkText } from './command-validation.ts';
import { validateModal } from './modal-validation.ts';

/** The response types that fit each type of interaction. */
const ALLOWED_TYPES: Partial<Record<InteractionType, number[]>> = {
  [InteractionType.ApplicationCommand]: [
    ResponseType.ChannelMessageWithSource,
    ResponseType.DeferredChannelMessageWithSource,
    ResponseType.Modal,
  ],
  [InteractionType.MessageComponent]: [
    ResponseType.ChannelMessageWithSource,
    ResponseType.DeferredChannelMessageWithSource,
    ResponseType.DeferredMessageUpdate,
    ResponseType.UpdateMessage,
    ResponseType.Modal,
  ],
  [InteractionType.ApplicationCommandAutocomplete]: [ResponseType.ApplicationCommandAutocompleteResult],
  [InteractionType.ModalSubmit]: [
    ResponseType.ChannelMessageWithSource,
    ResponseType.DeferredChannelMessageWithSource,
    ResponseType.DeferredMessageUpdate,
    ResponseType.UpdateMessage,
  ],
};

/**
 * `hasSource`: the interaction came from a component, whose message may be updated. Message data is validated when the message is built.
 * @throws DiscordError 50035
 */
export function validateInteractionResponse(interaction: InteractionType, type: ResponseType, hasSource: boolean, data: JsonObject): void {
  const updates = type === ResponseType.DeferredMessageUpdate || type === ResponseType.UpdateMessage;
  if (!ALLOWED_TYPES[interaction]?.includes(type) || (updates && !hasSource)) {
    const validator = createValidator();
    validator.addError('type', 'INTERACTION_CALLBACK_TYPE_INVALID', 'This response type does not fit this interaction.');
    throw validator.toError();
  }
  if (type === ResponseType.ApplicationCommandAutocompleteResult) validateChoices(data.choices);
  if (type === ResponseType.Modal) validateModal(data);
}

function validateChoices(choices: unknown): void {
  const validator = createValidator();
  if (!Array.isArray(choices)) validator.addError('data.choices', 'BASE_TYPE_REQUIRED', 'This field is required');
  else if (choices.length > 25) validator.addError('data.choices', 'BASE_TYPE_BAD_LENGTH', 'Must be between 0 and 25 in length.');
  else
    for (const [index, choice] of choices.entries()) {
      checkText(choice ?? {}, (name) => `data.choices.${index}.${name}`, 'name', 100, validator);
      if (typeof choice?.value !== 'number') validator.checkLength(`data.choices.${index}.value`, choice?.value, 1, 100);
    }
  validator.throwIfInvalid();
}
