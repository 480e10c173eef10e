// The view of one voice: its details, its samples, what a member can do with it, and the way back to its page.
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInMessageActionRow,
  type APIMessageTopLevelComponent,
  type APIThumbnailComponent,
  type APIUnfurledMediaItem,
  ButtonStyle,
  ComponentType,
  TimestampStyles,
  time,
} from 'discord.js';
import type { VoiceModel } from '../api/index.ts';
import { button, card, cards, limits, menu, row, separator, text } from '../discord/cards.ts';
import { UserError } from '../discord/errors.ts';
import type { Translator } from '../locales/index.ts';
import { asMarkdown, asPlain } from '../text/untrusted-text.ts';
import { filterLine, textsOf } from './catalogue.ts';
import { type Cover, chooseId, coverFiles, hearId, listFacts, type Position, sampleId, turnId, whyCannotSpeak, withCover } from './page.ts';
import { canSpeak } from './titles.ts';
import { titleOf } from './voice-name.ts';

/** Samples with a button: as many as fit; the menu has more. */
const SHOWN_SAMPLES = 4;
const MAX_SAMPLES = 25;

/** What the voice is chosen as; null = this member may not choose it as that. */
export interface Choices {
  mine: boolean;
  favourite: boolean;
  server: boolean | null;
}

/** What a voice can be chosen as: each has a button, which also undoes the choice. */
export type Choice = keyof Choices;

export function voiceMessage(t: Translator, voice: VoiceModel, position: Position, chosen: Choices, cover: Cover | null) {
  const author = asMarkdown(voice.author.nickname, 70);
  const about = [
    `## ${asMarkdown(titleOf(voice), 150)}`,
    author && `-# ${t('voices.by', { creator: author })}`,
    asMarkdown(voice.description, 800, { keepLines: true }),
    canSpeak(voice) ? '' : `-# ${whyCannotSpeak(t, voice)}`,
  ];
  const samples = samplesText(t, voice);
  const filters = filterLine(t, position.filters, voice);
  return {
    ...cards(
      card(
        'neutral',
        withCover(t, voice, cover, about.filter(Boolean).join('\n')),
        text(factsText(t, voice)),
        ...(samples ? [separator(), text(samples)] : []),
        separator(),
        filters ? text(filters) : null,
        sampleMenu(t, voice, position),
        buttons(t, voice, position, chosen),
      ),
    ),
    ...coverFiles([cover]),
  };
}

/** The id is read back from here. */
function factsText(t: Translator, voice: VoiceModel): string {
  const createdSeconds = Date.parse(voice.createdAt) / 1000;

  const counts = [
    voice.likeCount > 0 ? t('voices.likes', { count: voice.likeCount }) : '',
    voice.taskCount > 0 ? t('voices.uses', { count: voice.taskCount }) : '',
    Number.isFinite(createdSeconds) ? time(Math.round(createdSeconds), TimestampStyles.LongDate) : '',
  ];
  const lines = [listFacts(t, voice, 200, 300), counts.filter(Boolean).join(' · ')];
  return [...lines.filter(Boolean), `${t('voices.id')} \`${voice.id}\``].map((line) => `-# ${line}`).join('\n');
}

function samplesText(t: Translator, { samples }: VoiceModel): string {
  const shown = samples.slice(0, SHOWN_SAMPLES).map(({ title, text: words }, index) => {
    const spoken = asMarkdown(words, 150);
    return `**${asMarkdown(title, 60) || t('voices.sample', { place: index + 1 })}**${spoken ? `\n${spoken}` : ''}`;
  });
  const more = samples.length - SHOWN_SAMPLES;
  return [...shown, ...(more > 0 ? [`-# ${t('voices.furtherSamples', { count: more })}`] : [])].join('\n');
}

function audibleSamples({ samples }: VoiceModel) {
  return samples.slice(0, MAX_SAMPLES).flatMap((sample, index) => (sample.audio.trim() === '' ? [] : [{ sample, index }]));
}

function sampleMenu(t: Translator, voice: VoiceModel, { page, ownerId }: Position) {
  const options = audibleSamples(voice).map(({ sample: { title, text: words }, index }) => ({
    label: asPlain(title, limits.optionLabel) || t('voices.sample', { place: index + 1 }),
    value: String(index),
    ...(asPlain(words, limits.optionLabel) === '' ? {} : { description: asPlain(words, limits.optionLabel) }),
  }));
  return options.length > 1 ? row(menu(sampleId.write({ page, ownerId }), t('voices.hearAnother'), options)) : null;
}

function buttons(t: Translator, voice: VoiceModel, { page, ownerId }: Position, chosen: Choices) {
  const [first] = audibleSamples(voice);
  const speaks = canSpeak(voice);
  const choose = (choice: Choice) => {
    const isChosen = chosen[choice];
    const id = chooseId.write({ choice, page, ownerId });
    return speaks && isChosen !== null ? button(labelOf(t, choice, isChosen), id, styleOf(isChosen)) : null;
  };
  return row(
    first ? button(t('voices.hear'), hearId.write({ sample: first.index, page, ownerId })) : null,
    choose('mine'),
    choose('favourite'),
    choose('server'),
    button(t('voices.back'), turnId.write({ name: 'back', page, ownerId })),
  );
}

function labelOf(t: Translator, choice: Choice, isChosen: boolean): string {
  return isChosen ? t(`voices.choices.${choice}.on`) : t(`voices.choices.${choice}.off`);
}

function styleOf(isChosen: boolean) {
  return isChosen ? ButtonStyle.Success : ButtonStyle.Secondary;
}

type Part = APIMessageTopLevelComponent | APIComponentInMessageActionRow | APIThumbnailComponent | APIButtonComponent;

/** The same components, with the pressed button showing the current choice, and the files to keep, which Discord finds by their names. */
export function withChoice(t: Translator, shown: readonly { toJSON(): unknown }[], pressed: string, choice: Choice, isChosen: boolean) {
  const attachments: { id: string; filename: string }[] = [];
  const asSent = ({ url, attachment_id: id }: APIUnfurledMediaItem) => {
    const filename = URL.parse(url)?.pathname.split('/').at(-1);
    if (id === undefined || filename === undefined) return { url };
    attachments.push({ id, filename });
    return { url: `attachment://${filename}` };
  };
  const change = <P extends Part>(part: P): P => {
    if ('custom_id' in part && part.custom_id === pressed)
      return { ...part, label: labelOf(t, choice, isChosen), style: styleOf(isChosen) };
    if (part.type === ComponentType.Thumbnail) return { ...part, media: asSent(part.media) };
    return {
      ...part,
      ...('components' in part ? { components: part.components.map(change) } : {}),
      ...('accessory' in part ? { accessory: change(part.accessory) } : {}),
    };
  };
  const components = shown.map((actionRow) => change(actionRow.toJSON() as APIActionRowComponent<APIComponentInMessageActionRow>));
  return { components, attachments };
}

/** The voice that a message shows. @throws UserError if it shows none */
export function readShownVoice(message: Parameters<typeof textsOf>[0]): { id: string; title: string } {
  const lines = textsOf(message).flatMap((text) => text.split('\n'));
  const id = lines.map((line) => /^-# [^`*\\]*`([^`]+)`$/.exec(line)?.[1]).find(Boolean);
  if (id === undefined) throw new UserError((t) => t('general.expiredMessage'));
  const title = lines.find((line) => line.startsWith('## '))?.slice(3) ?? '';
  return { id, title: title.replace(/\\(.)/g, '$1') };
}
