// Why the initial response to an interaction is refused: its type must fit the interaction, and its choices Discord's limits.
// https://docs.discord.com/developers/interactions/receiving-and-responding#responding-to-an-interaction
import { InteractionType, InteractionResponseType as ResponseType } from 'discord-api-types/v10';
import { DiscordError, discordErrors } from '../errors.ts';
import { createValidator, fieldError } from '../validator.ts';
import { checkText } from './command-validation.ts';

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

/** `hasSource`: the interaction came from a component, whose message may be updated. @throws DiscordError 50035 */
export function validateResponseType(interaction: InteractionType, type: ResponseType, hasSource: boolean): void {
  const updates = type === ResponseType.DeferredMessageUpdate || type === ResponseType.UpdateMessage;
  if (ALLOWED_TYPES[interaction]?.includes(type) && (!updates || hasSource)) return;
  throw fieldError('type', 'INTERACTION_CALLBACK_TYPE_INVALID', 'This response type does not fit this interaction.');
}

/** Runs what reads a response's `data`, so that errors name it in their paths. */
export function nestErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof DiscordError && error.errors ? discordErrors.invalidBody({ data: error.errors }) : error;
  }
}

/** @throws DiscordError 50035 */
export function validateChoices(choices: unknown): void {
  const validator = createValidator();
  if (!Array.isArray(choices)) validator.addError('choices', 'BASE_TYPE_REQUIRED', 'This field is required');
  else if (choices.length > 25) validator.addError('choices', 'BASE_TYPE_BAD_LENGTH', 'Must be between 0 and 25 in length.');
  else
    for (const [index, choice] of choices.entries()) {
      checkText(choice ?? {}, (name) => `choices.${index}.${name}`, 'name', 100, validator);
      if (typeof choice?.value !== 'number') validator.checkLength(`choices.${index}.value`, choice?.value, 1, 100);
    }
  validator.throwIfInvalid();
}
