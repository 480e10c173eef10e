// The form behind "Say more": another text, in the same manner.
import { type APIModalInteractionResponseCallbackData, ComponentType, type ModalSubmitInteraction, TextInputStyle } from 'discord.js';
import { truncate } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import { asPlain } from '../text/foreign.ts';
import { MAX_TEXT, type Manner, mannerId } from './wish.ts';

const FIELD = 'text';
/** Of the title of a form, and of a label. */
const MAX_TITLE = 45;

/** @param voice as it is called @throws RangeError where the id of the voice fits into no button either */
export function sayMoreForm(voice: string, manner: Manner): APIModalInteractionResponseCallbackData {
  const custom_id = mannerId('say-more', [], manner);
  if (custom_id === null) throw new RangeError('The id of the voice is too long for a form.');
  return {
    custom_id,
    title: truncate(en.say.sayMoreTitle(asPlain(voice, MAX_TITLE)), MAX_TITLE),
    components: [
      {
        type: ComponentType.Label,
        label: en.say.sayMoreLabel,
        component: {
          type: ComponentType.TextInput,
          custom_id: FIELD,
          style: TextInputStyle.Paragraph,
          max_length: MAX_TEXT,
          required: true,
        },
      },
    ],
  };
}

export function textOf({ fields }: ModalSubmitInteraction): string {
  return fields.getTextInputValue(FIELD).trim();
}
