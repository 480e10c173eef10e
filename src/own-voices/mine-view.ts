// The messages and the form of /voice mine: the voices a member has made, each with what can be done with it.
import {
  type APIButtonComponent,
  type APIModalInteractionResponseCallbackData,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
  TimestampStyles,
  time,
} from 'discord.js';
import type { VoiceModel } from '../api/index.ts';
import { button, type CardMessage, card, cards, row, separator, text } from '../bot/cards.ts';
import { limits } from '../bot/discord-limits.ts';
import type { Words } from '../locales/index.ts';
import { asMarkdown, asPlain } from '../text/untrusted-text.ts';
import { canSpeak } from '../voices/catalogue.ts';
import type { Cover } from '../voices/covers.ts';
import { MAX_OWN_VOICES, type OwnVoice } from '../voices/owners.ts';
import { coverFiles, whyCannotSpeak, withCover } from '../voices/page.ts';
import { MAX_TITLE } from './request.ts';

/** Characters, as many as the form takes. */
export const MAX_DESCRIPTION = 500;

/** One of the member's voices. */
export interface MineEntry {
  voice: OwnVoice;
  /** As the service has it; `gone` = it no longer does, null = it could not be asked. */
  model: VoiceModel | 'gone' | null;
  cover: Cover | null;
}

export interface MineView {
  /** Oldest first. */
  entries: MineEntry[];
  /** Where the member is; null = outside of servers. */
  guildId: string | null;
  /** The id of the voice they speak in; null = none of their choice. */
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

/** The id comes last, as it may contain anything. Null if it doesn't fit. */
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
