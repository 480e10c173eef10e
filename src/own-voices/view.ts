// The messages and the form of making a voice: the question who speaks, the progress, and what can be done with the voice.
import { type APIMessage, type APIModalInteractionResponseCallbackData, ButtonStyle, ComponentType, TextInputStyle } from 'discord.js';
import { asEdit, button, type CardMessage, card, cards, row, text } from '../bot/cards.ts';
import { customId, limits } from '../bot/discord-limits.ts';
import type { Words } from '../locales/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { handleOf, type OwnVoice } from '../voices/owners.ts';
import type { Stage } from './maker.ts';
import { MAX_TITLE, type VoiceRequest } from './request.ts';

/** Asks for the title of a voice. @param isOfAnother somebody else speaks in the recording */
export function titleForm({ ownVoices: { create: t } }: Words, key: string, isOfAnother: boolean): APIModalInteractionResponseCallbackData {
  return {
    custom_id: customId('voice-title', key),
    title: t.formTitle,
    components: [
      {
        type: ComponentType.Label,
        label: t.formLabel,
        ...(isOfAnother ? { description: t.formAsks } : {}),
        component: { type: ComponentType.TextInput, style: TextInputStyle.Short, custom_id: 'title', min_length: 1, max_length: MAX_TITLE },
      },
    ],
  };
}

/** Asks the member whose voice it is, in private. @param host that the recordings are sent to; null = this machine */
export function consentQuestion({ ownVoices: { create: t } }: Words, request: VoiceRequest, key: string, host: string | null): CardMessage {
  const { title, recordings, isOwnVoiceMessage, isShared } = request;
  const answer = (kind: 'own' | 'permission', label: string) => button(label, customId('voice-consent', kind, key), ButtonStyle.Primary);
  const answers = isOwnVoiceMessage
    ? [answer('own', t.makeButton)]
    : [answer('own', t.ownButton), answer('permission', t.permissionButton)];
  return cards(
    card(
      'waiting',
      heading(title),
      text(`${t.sends(recordings.length, host)}\n${isShared ? t.everyoneMayUse : t.onlyYouMayUse}`),
      text(isOwnVoiceMessage ? t.ownMessage : t.whoSpeaks),
      row(...answers, button(t.cancelButton, customId('voice-withdraw', key))),
    ),
  );
}

/** Whose voice it would be, and who wants it. */
interface Asked {
  makerId: string;
  speakerId: string;
  messageUrl: string;
  title: string;
}

/** Asks the member who speaks, where everybody reads it. */
export function speakerQuestion(
  { ownVoices: { create: t } }: Words,
  { makerId, speakerId, messageUrl, title }: Asked,
  key: string,
  host: string | null,
): CardMessage {
  return cards(
    card(
      'waiting',
      heading(title),
      text(t.asksSpeaker(speakerId, makerId, messageUrl)),
      text(`-# ${t.untilThen(host)}`),
      row(
        button(t.agreeButton, customId('voice-agree', key, makerId, speakerId), ButtonStyle.Primary),
        button(t.refuseButton, customId('voice-refuse', key, makerId, speakerId)),
      ),
    ),
  );
}

export function stageSentence({ ownVoices: { create: t } }: Words, stage: Stage): string {
  return stage.kind === 'sending' ? t.sending(stage.share) : t[stage.kind];
}

/** @param begun the voice, which can be cancelled by its tag */
export function progressMessage(
  t: Words,
  title: string,
  sentence: string,
  { tag, ownerId }: { tag: string; ownerId: string },
): CardMessage {
  const cancel = button(t.ownVoices.create.cancelButton, customId('voice-cancel', tag, ownerId));
  return cards(card('waiting', heading(title), text(sentence), row(cancel)));
}

/** Says that the voice is ready. It is public if another member has agreed to the voice: both read it. */
export function readyMessage(t: Words, voice: OwnVoice, language: string | null): CardMessage {
  const { id, ownerId, title, sharedWith, consent } = voice;
  const { create } = t.ownVoices;
  const isPublic = consent.kind === 'speaker';
  const forOwner = isPublic ? create.onlyOwnerMayUse(ownerId) : create.onlyYouMayUse;
  const lines = [
    isPublic ? t.general.toMember(ownerId, create.ready) : create.ready,
    sharedWith.length > 0 ? create.everyoneMayUse : forOwner,
    ...(isPublic ? [`-# ${create.agreed(consent.memberId)}`] : []),
  ];
  return cards(
    card('done', heading(title), text(lines.join('\n')), voiceButtons(t, { id: isPublic ? handleOf(id) : id, ownerId }, language)),
  );
}

/** Null if the id doesn't fit into a button; the voice is in `/say` all the same. */
function voiceButtons(t: Words, { id, ownerId }: Pick<OwnVoice, 'id' | 'ownerId'>, language: string | null) {
  const hear = ['voice-hear', ownerId, language ?? '', id];
  if (hear.join(':').length > limits.customId) return null;
  return row(
    button(t.voices.hear, hear.join(':'), ButtonStyle.Primary),
    button(t.voices.choices.mine.off, customId('voice-use', ownerId, id)),
  );
}

/** A voice that isn't made. @param accent `neutral` if that was somebody's decision */
export function endMessage(title: string, sentence: string, accent: 'failed' | 'neutral' = 'failed'): CardMessage {
  return cards(card(accent, heading(title), text(sentence)));
}

/** Replaces the progress of a process that was killed; null for any other message. */
export function correctAfterRestart({ components = [] }: Pick<APIMessage, 'components'>, { ownVoices: { create: t } }: Words) {
  const [only] = components;
  if (only?.type !== ComponentType.Container) return null;
  const buttons = only.components.flatMap((part) => (part.type === ComponentType.ActionRow ? part.components : []));
  if (!buttons.some((one) => 'custom_id' in one && one.custom_id.startsWith('voice-cancel:'))) return null;
  const [title] = only.components;
  return asEdit(cards(card('neutral', ...(title?.type === ComponentType.TextDisplay ? [title] : []), text(t.interrupted))));
}

const heading = (title: string) => text(`### ${asMarkdown(title, 2 * MAX_TITLE) || '?'}`);
