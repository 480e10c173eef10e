// The messages and the form for making a voice: the question who speaks, the progress, and the controls of the finished voice.
import {
  type APIButtonComponent,
  type APIMessage,
  type APIModalInteractionResponseCallbackData,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
  TimestampStyles,
  time,
} from 'discord.js';
import type { VoiceModel } from '../api/index.ts';
import {
  asEdit,
  button,
  type CardMessage,
  card,
  cards,
  customId,
  limits,
  readButtonIds,
  readTexts,
  row,
  separator,
  text,
} from '../discord/cards.ts';
import type { Words } from '../locales/index.ts';
import { asMarkdown, asPlain } from '../text/untrusted-text.ts';
import { canSpeak } from './catalogue.ts';
import type { Stage } from './own-voice-maker.ts';
import { MAX_TITLE, type VoiceRequest } from './own-voice-request.ts';
import { handleOf, MAX_OWN_VOICES, type OwnVoice } from './owners.ts';
import { type Cover, coverFiles, whyCannotSpeak, withCover } from './page.ts';

/** Asks for the title of a voice. @param isOfAnother whether somebody else speaks in the recording */
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

/** Asks the member in private whose voice it is. @param host where the recordings are sent; null = this machine */
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

/** Asks the member who speaks in the recording, in public. */
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

/** Says that the voice is ready: in public if another member has agreed to it, so both can read it. */
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

/** Null if the id doesn't fit into a button. The voice can still be used in `/say`. */
function voiceButtons(t: Words, { id, ownerId }: Pick<OwnVoice, 'id' | 'ownerId'>, language: string | null) {
  const hear = ['voice-hear', ownerId, language ?? '', id];
  if (hear.join(':').length > limits.customId) return null;
  return row(
    button(t.voices.hear, hear.join(':'), ButtonStyle.Primary),
    button(t.voices.choices.mine.off, customId('voice-use', ownerId, id)),
  );
}

/** Says why a voice wasn't made. @param accent `neutral` if that was somebody's decision */
export function endMessage(title: string, sentence: string, accent: 'failed' | 'neutral' = 'failed'): CardMessage {
  return cards(card(accent, heading(title), text(sentence)));
}

/** The progress once its process was killed; null if the message is no progress any more. */
export function interruptedOwnVoice({ components }: Pick<APIMessage, 'components'>, { ownVoices: { create: t } }: Words) {
  if (!readButtonIds(components).some((id) => id.startsWith('voice-cancel:'))) return null;
  const [title] = readTexts(components);
  return asEdit(cards(card('neutral', title === undefined ? null : text(title), text(t.interrupted))));
}

const heading = (title: string) => text(`### ${asMarkdown(title, 2 * MAX_TITLE) || '?'}`);

// The messages and the form of /voice mine: the voices a member has made, each with what can be done with it.

/** Characters that the form accepts. */
export const MAX_DESCRIPTION = 500;

/** One of the member's voices. */
export interface MineEntry {
  voice: OwnVoice;
  /** The service's state of it; `gone` = it no longer has it, null = it could not be asked. */
  model: VoiceModel | 'gone' | null;
  cover: Cover | null;
}

export interface MineView {
  /** Oldest first. */
  entries: MineEntry[];
  /** Where the member is; null = outside of servers. */
  guildId: string | null;
  /** The id of the voice that the member has chosen; null = none. */
  chosenId: string | null;
  /** What has just happened. */
  news?: string | undefined;
}

/** The list, with the files of its covers. */
export function mineMessage(t: Words, { entries, guildId, chosenId, news }: MineView) {
  const words = t.ownVoices.mine;
  const shown = entries.slice(0, MAX_OWN_VOICES);
  return {
    ...cards(
      card(
        news === undefined ? 'neutral' : 'done',
        text([`### ${words.heading}`, shown.length > 0 ? `-# ${words.explain}` : words.none].join('\n')),
        news === undefined ? null : text(news),
        ...shown.flatMap((entry) => [
          separator(),
          withCover(t, entry.voice, entry.cover, about(t, entry, guildId)),
          actionRow(t, entry, guildId, entry.voice.id === chosenId),
        ]),
      ),
    ),
    ...coverFiles(shown.map(({ cover }) => cover)),
  };
}

function about(t: Words, { voice, model }: MineEntry, guildId: string | null): string {
  const { title, description, createdAt, sharedWith } = voice;
  const words = t.ownVoices.mine;
  const others = sharedWith.filter((id) => id !== guildId).length;
  const sharing = sharedWith.length > 0 ? words.sharedWith(others < sharedWith.length, others) : words.onlyYou;
  const lines = [
    `**${asMarkdown(title, 150) || '?'}**`,
    asMarkdown(description, 300),
    `-# ${sharing} · ${words.made(time(Math.round(createdAt / 1000), TimestampStyles.LongDate))}`,
    model === 'gone' ? `-# ${words.goneAtService}` : '',
    model !== null && model !== 'gone' && !canSpeak(model) ? `-# ${whyCannotSpeak(t, model)}` : '',
  ];
  return lines.filter(Boolean).join('\n');
}

function actionRow(t: Words, { voice, model }: MineEntry, guildId: string | null, isChosen: boolean) {
  const { id, ownerId, sharedWith } = voice;
  const { mine } = t.ownVoices;
  const { on, off } = t.voices.choices.mine;
  const speaks = model === null || (model !== 'gone' && canSpeak(model));
  const isShared = guildId === null ? sharedWith.length > 0 : sharedWith.includes(guildId);
  const share = guildId === null ? null : idButton(mine.share, 'voice-mine:share', id);
  return row(
    speaks ? idButton(t.voices.hear, `voice-hear:${ownerId}:`, id) : null,
    isChosen ? idButton(on, 'voice-mine:drop', id, ButtonStyle.Success) : speaks ? idButton(off, 'voice-mine:use', id) : null,
    model === 'gone' ? null : idButton(mine.edit, 'voice-mine:edit', id),
    isShared ? idButton(mine.unshare, 'voice-mine:unshare', id) : share,
    idButton(mine.delete, 'voice-mine:delete', id),
  );
}

type Style = ButtonStyle.Secondary | ButtonStyle.Success | ButtonStyle.Danger;

/** The id comes last, because it may contain anything. Null if it doesn't fit. */
function idButton(label: string, prefix: string, id: string, style: Style = ButtonStyle.Secondary): APIButtonComponent | null {
  const customId = `${prefix}:${id}`;
  return customId.length > limits.customId ? null : button(label, customId, style);
}

export function deleteQuestion({ ownVoices: { mine: t } }: Words, { id, title }: OwnVoice): CardMessage {
  const yes = idButton(t.deleteYes, 'voice-mine:delete-now', id, ButtonStyle.Danger);
  return cards(card('waiting', text(t.deleteQuestion(title)), row(yes, idButton(t.cancel, 'voice-mine:list', id))));
}

/** The form for the title and the description. */
export function editForm({ ownVoices: { mine: t } }: Words, { id, title, description }: OwnVoice): APIModalInteractionResponseCallbackData {
  const shownTitle = asPlain(title, MAX_TITLE);
  return {
    custom_id: `voice-edit:${id}`,
    title: t.formTitle,
    components: [
      {
        type: ComponentType.Label,
        label: t.titleField,
        component: {
          type: ComponentType.TextInput,
          style: TextInputStyle.Short,
          custom_id: 'title',
          min_length: 1,
          max_length: MAX_TITLE,
          ...(shownTitle ? { value: shownTitle } : {}),
        },
      },
      {
        type: ComponentType.Label,
        label: t.descriptionField,
        component: {
          type: ComponentType.TextInput,
          style: TextInputStyle.Paragraph,
          custom_id: 'description',
          required: false,
          max_length: MAX_DESCRIPTION,
          ...(description ? { value: description.slice(0, MAX_DESCRIPTION) } : {}),
        },
      },
    ],
  };
}
