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
import { asEdit, button, type CardMessage, card, cards, readButtonIds, readTexts, row, separator, text } from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import type { Translator } from '../locales/index.ts';
import { asMarkdown, asPlain } from '../text/untrusted-text.ts';
import type { Stage } from './own-voice-maker.ts';
import { MAX_TITLE, type VoiceRequest } from './own-voice-request.ts';
import { handleOf, MAX_OWN_VOICES, type OwnVoice } from './owners.ts';
import { type Cover, coverFiles, whyCannotSpeak, withCover } from './page.ts';
import { canSpeak } from './titles.ts';

// What a member decides about a voice that is to be made. Its request is stored under the key.
export const titleFormId = customId('voice-title', { key: part.text });
export const consentId = customId('voice-consent', { kind: part.oneOf('own', 'permission'), key: part.text });
export const withdrawId = customId('voice-withdraw', { key: part.text });
/** For the speaker only. */
export const agreeId = customId('voice-agree', { key: part.text, makerId: part.text, speakerId: part.text });
/** For the speaker, who refuses, and for the member who asked, who withdraws. */
export const refuseId = customId('voice-refuse', { key: part.text, makerId: part.text, speakerId: part.text });
export const cancelMakingId = customId('voice-cancel', { tag: part.text, ownerId: part.text });

// What can be done with a finished voice. The id of a voice may contain anything.
export const hearOwnId = customId('voice-hear', { ownerId: part.text, language: part.text, voice: part.rest });
export const useOwnId = customId('voice-use', { ownerId: part.text, voice: part.rest });
/** Below the list that only the owner sees. */
export const mineId = customId('voice-mine', { action: part.text, voice: part.rest });
/** The form that changes a voice. */
export const editFormId = customId('voice-edit', { voice: part.rest });

/** Asks for the title of a voice. @param isOfAnother whether somebody else speaks in the recording */
export function titleForm(t: Translator, key: string, isOfAnother: boolean): APIModalInteractionResponseCallbackData {
  return {
    custom_id: titleFormId.write({ key }),
    title: t('ownVoices.create.formTitle'),
    components: [
      {
        type: ComponentType.Label,
        label: t('ownVoices.create.formLabel'),
        ...(isOfAnother ? { description: t('ownVoices.create.formAsks') } : {}),
        component: { type: ComponentType.TextInput, style: TextInputStyle.Short, custom_id: 'title', min_length: 1, max_length: MAX_TITLE },
      },
    ],
  };
}

/** Asks the member in private whose voice it is. @param host where the recordings are sent; null = this machine */
export function consentQuestion(t: Translator, request: VoiceRequest, key: string, host: string | null): CardMessage {
  const { title, recordings, isOwnVoiceMessage, isShared } = request;
  const answer = (kind: 'own' | 'permission', label: string) => button(label, consentId.write({ kind, key }), ButtonStyle.Primary);
  const answers = isOwnVoiceMessage
    ? [answer('own', t('ownVoices.create.makeButton'))]
    : [answer('own', t('ownVoices.create.ownButton')), answer('permission', t('ownVoices.create.permissionButton'))];
  const verb = recordings.length === 1 ? 'sends' : 'sendsSeveral';
  const sends = host === null ? t(`ownVoices.create.${verb}OnOwnMachine`) : t(`ownVoices.create.${verb}`, { host });
  return cards(
    card(
      'waiting',
      heading(title),
      text(`${sends}\n${isShared ? t('ownVoices.create.everyoneMayUse') : t('ownVoices.create.onlyYouMayUse')}`),
      text(isOwnVoiceMessage ? t('ownVoices.create.ownMessage') : t('ownVoices.create.whoSpeaks')),
      row(...answers, button(t('ownVoices.create.cancelButton'), withdrawId.write({ key }))),
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
  t: Translator,
  { makerId, speakerId, messageUrl, title }: Asked,
  key: string,
  host: string | null,
): CardMessage {
  return cards(
    card(
      'waiting',
      heading(title),
      text(t('ownVoices.create.asksSpeaker', { speaker: speakerId, maker: makerId, url: messageUrl })),
      text(`-# ${host === null ? t('ownVoices.create.untilThenOnOwnMachine') : t('ownVoices.create.untilThen', { host })}`),
      row(
        button(t('ownVoices.create.agreeButton'), agreeId.write({ key, makerId, speakerId }), ButtonStyle.Primary),
        button(t('ownVoices.create.refuseButton'), refuseId.write({ key, makerId, speakerId })),
      ),
    ),
  );
}

export function stageSentence(t: Translator, stage: Stage): string {
  return stage.kind === 'sending' ? t('ownVoices.create.sending', { share: stage.share }) : t(`ownVoices.create.${stage.kind}`);
}

/** @param begun the voice, which can be cancelled by its tag */
export function progressMessage(
  t: Translator,
  title: string,
  sentence: string,
  { tag, ownerId }: { tag: string; ownerId: string },
): CardMessage {
  const cancel = button(t('ownVoices.create.cancelButton'), cancelMakingId.write({ tag, ownerId }));
  return cards(card('waiting', heading(title), text(sentence), row(cancel)));
}

/** Says that the voice is ready: in public if another member has agreed to it, so both can read it. */
export function readyMessage(t: Translator, voice: OwnVoice, language: string | null): CardMessage {
  const { id, ownerId, title, sharedWith, consent } = voice;

  const isPublic = consent.kind === 'speaker';
  const forOwner = isPublic ? t('ownVoices.create.onlyOwnerMayUse', { owner: ownerId }) : t('ownVoices.create.onlyYouMayUse');
  const lines = [
    isPublic ? t('general.toMember', { member: ownerId, sentence: t('ownVoices.create.ready') }) : t('ownVoices.create.ready'),
    sharedWith.length > 0 ? t('ownVoices.create.everyoneMayUse') : forOwner,
    ...(isPublic ? [`-# ${t('ownVoices.create.agreed', { speaker: consent.memberId })}`] : []),
  ];
  return cards(
    card('done', heading(title), text(lines.join('\n')), voiceButtons(t, { id: isPublic ? handleOf(id) : id, ownerId }, language)),
  );
}

/** Null if the id doesn't fit into a button. The voice can still be used in `/say`. */
function voiceButtons(t: Translator, { id, ownerId }: Pick<OwnVoice, 'id' | 'ownerId'>, language: string | null) {
  const hear = hearOwnId.writeIfItFits({ ownerId, language: language ?? '', voice: id });
  if (hear === null) return null;
  return row(
    button(t('voices.hear'), hear, ButtonStyle.Primary),
    button(t('voices.choices.mine.off'), useOwnId.write({ ownerId, voice: id })),
  );
}

/** Says why a voice wasn't made. @param accent `neutral` if that was somebody's decision */
export function endMessage(title: string, sentence: string, accent: 'failed' | 'neutral' = 'failed'): CardMessage {
  return cards(card(accent, heading(title), text(sentence)));
}

/** The progress once its process was killed; null if the message is no progress any more. */
export function interruptedOwnVoice({ components }: Pick<APIMessage, 'components'>, t: Translator) {
  if (!readButtonIds(components).some((id) => cancelMakingId.read(id))) return null;
  const [title] = readTexts(components);
  return asEdit(cards(card('neutral', title === undefined ? null : text(title), text(t('ownVoices.create.interrupted')))));
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
export function mineMessage(t: Translator, { entries, guildId, chosenId, news }: MineView) {
  const shown = entries.slice(0, MAX_OWN_VOICES);
  return {
    ...cards(
      card(
        news === undefined ? 'neutral' : 'done',
        text(
          [`### ${t('ownVoices.mine.heading')}`, shown.length > 0 ? `-# ${t('ownVoices.mine.explain')}` : t('ownVoices.mine.none')].join(
            '\n',
          ),
        ),
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

function about(t: Translator, { voice, model }: MineEntry, guildId: string | null): string {
  const { title, description, createdAt, sharedWith } = voice;

  const others = sharedWith.filter((id) => id !== guildId).length;
  const sharing =
    sharedWith.length > 0 ? t('ownVoices.mine.sharedWith', { here: others < sharedWith.length, others }) : t('ownVoices.mine.onlyYou');
  const lines = [
    `**${asMarkdown(title, 150) || '?'}**`,
    asMarkdown(description, 300),
    `-# ${sharing} · ${t('ownVoices.mine.made', { when: time(Math.round(createdAt / 1000), TimestampStyles.LongDate) })}`,
    model === 'gone' ? `-# ${t('ownVoices.mine.goneAtService')}` : '',
    model !== null && model !== 'gone' && !canSpeak(model) ? `-# ${whyCannotSpeak(t, model)}` : '',
  ];
  return lines.filter(Boolean).join('\n');
}

function actionRow(t: Translator, { voice, model }: MineEntry, guildId: string | null, isChosen: boolean) {
  const { id, ownerId, sharedWith } = voice;

  const speaks = model === null || (model !== 'gone' && canSpeak(model));
  const isShared = guildId === null ? sharedWith.length > 0 : sharedWith.includes(guildId);
  const share = guildId === null ? null : mineButton(t('ownVoices.mine.share'), 'share', id);
  return row(
    speaks ? buttonIfItFits(t('voices.hear'), hearOwnId.writeIfItFits({ ownerId, language: '', voice: id })) : null,
    isChosen
      ? mineButton(t('voices.choices.mine.on'), 'drop', id, ButtonStyle.Success)
      : speaks
        ? mineButton(t('voices.choices.mine.off'), 'use', id)
        : null,
    model === 'gone' ? null : mineButton(t('ownVoices.mine.edit'), 'edit', id),
    isShared ? mineButton(t('ownVoices.mine.unshare'), 'unshare', id) : share,
    mineButton(t('ownVoices.mine.delete'), 'delete', id),
  );
}

type Style = ButtonStyle.Secondary | ButtonStyle.Success | ButtonStyle.Danger;

function buttonIfItFits(label: string, id: string | null, style: Style = ButtonStyle.Secondary): APIButtonComponent | null {
  return id === null ? null : button(label, id, style);
}

function mineButton(label: string, action: string, voice: string, style?: Style): APIButtonComponent | null {
  return buttonIfItFits(label, mineId.writeIfItFits({ action, voice }), style);
}

export function deleteQuestion(t: Translator, { id, title }: OwnVoice): CardMessage {
  const yes = mineButton(t('ownVoices.mine.deleteYes'), 'delete-now', id, ButtonStyle.Danger);
  return cards(
    card('waiting', text(t('ownVoices.mine.deleteQuestion', { title })), row(yes, mineButton(t('ownVoices.mine.cancel'), 'list', id))),
  );
}

/** The form for the title and the description. */
export function editForm(t: Translator, { id, title, description }: OwnVoice): APIModalInteractionResponseCallbackData {
  const shownTitle = asPlain(title, MAX_TITLE);
  return {
    custom_id: editFormId.write({ voice: id }),
    title: t('ownVoices.mine.formTitle'),
    components: [
      {
        type: ComponentType.Label,
        label: t('ownVoices.mine.titleField'),
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
        label: t('ownVoices.mine.descriptionField'),
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
