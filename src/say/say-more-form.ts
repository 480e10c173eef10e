// The form behind "Say more": another text in the same voice.
import { type APIModalInteractionResponseCallbackData, ComponentType, type ModalSubmitInteraction, TextInputStyle } from 'discord.js';
import type { Words } from '../locales/index.ts';
import { truncate } from '../text/truncate.ts';
import { asPlain } from '../text/untrusted-text.ts';
import { MAX_TEXT, type VoiceOptions, voiceOptionsId } from './request.ts';

const FIELD = 'text';
/** Discord's limit for the title of a form, and for a label. */
const MAX_TITLE = 45;

/** @throws RangeError if the id of the voice is too long for a custom_id */
export function sayMoreForm(t: Words, voiceName: string, options: VoiceOptions): APIModalInteractionResponseCallbackData {
  const custom_id = voiceOptionsId('say-more', [], options);
  if (custom_id === null) throw new RangeError('The id of the voice is too long for a form.');
  return {
    custom_id,
    title: truncate(t.say.sayMoreTitle(asPlain(voiceName, MAX_TITLE)), MAX_TITLE),
    components: [
      {
        type: ComponentType.Label,
        label: t.say.sayMoreLabel,
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

export function readFormText({ fields }: ModalSubmitInteraction): string {
  return fields.getTextInputValue(FIELD).trim();
}
