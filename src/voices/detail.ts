// The view of one voice, below the header of its page: its details, its samples, and what a member can do with it.
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIComponentInMessageActionRow,
  type APIEmbed,
  type APIEmbedField,
  ButtonStyle,
  ComponentType,
  TimestampStyles,
  time,
} from 'discord.js';
import type { VoiceModel } from '../api/index.ts';
import { COLOR, customId } from '../bot/discord-limits.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import { asList, asMarkdown, asPlain } from '../text/untrusted-text.ts';
import { canSpeak, titleOf } from './catalogue.ts';
import type { Cover } from './covers.ts';
import { coverFiles, whyCannotSpeak } from './page.ts';

const words = en.voices;

/** As many as fit into the embed. */
const MAX_SAMPLES = 8;

/** What the voice is chosen as; null = not for this member to choose. */
export interface Choices {
  mine: boolean;
  favourite: boolean;
  server: boolean | null;
}

/** What a voice can be chosen as: each has a button, which also gives the choice up. */
export type Choice = keyof Choices;

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** @param header of the page, which stays; `page` and `owner` are what its buttons lead back to */
export function voiceMessage(voice: VoiceModel, header: APIEmbed, page: number, owner: string, chosen: Choices, cover: Cover | null) {
  return {
    embeds: [cleanHeader(header), describe(voice, cover)],
    components: rows(voice, page, owner, chosen),
    ...coverFiles([cover]),
  };
}

/** Without what Discord added to it. */
function cleanHeader({ color, description, fields }: APIEmbed): APIEmbed {
  return {
    ...(color === undefined ? {} : { color }),
    ...(description === undefined ? {} : { description }),
    ...(fields === undefined ? {} : { fields }),
  };
}

/** With a header of 1,000 characters it stays under the limit of 6,000 for all embeds of a message. */
function describe(voice: VoiceModel, cover: Cover | null): APIEmbed {
  const { description, languages, tags, samples, createdAt } = voice;
  const createdSeconds = Date.parse(createdAt) / 1000;
  const facts = [
    words.counts(voice.likeCount, voice.taskCount),
    words.more(voice.markCount, voice.sharedCount),
    ...(Number.isFinite(createdSeconds) ? [time(Math.round(createdSeconds), TimestampStyles.LongDate)] : []),
  ];
  const lines = [
    asMarkdown(description, 1500, { keepLines: true }) || words.noDescription,
    canSpeak(voice) ? '' : `-# ${whyCannotSpeak(voice)}`,
    `-# ${facts.join(' · ')}`,
  ];
  return {
    color: COLOR,
    title: asMarkdown(titleOf(voice), 200),
    author: { name: words.by(voice.author.nickname) },
    description: lines.filter(Boolean).join('\n'),
    fields: [
      { name: words.id, value: `\`${voice.id}\``, inline: true },
      ...listField(words.languages, languages, 200),
      ...listField(words.tags, tags, 400),
      ...samples.slice(0, MAX_SAMPLES).map(({ title, text }, index) => ({
        name: asMarkdown(title, 80) || words.sample(index + 1),
        value: asMarkdown(text, 200) || words.noText,
      })),
    ],
    ...(samples.length > MAX_SAMPLES ? { footer: { text: words.furtherSamples(samples.length - MAX_SAMPLES) } } : {}),
    ...(cover ? { thumbnail: { url: cover.url } } : {}),
  };
}

function listField(name: string, values: string[], length: number): APIEmbedField[] {
  const value = asList(values, length);
  return value === '' ? [] : [{ name, value, inline: true }];
}

function rows(voice: VoiceModel, page: number, owner: string, chosen: Choices): Row[] {
  const audible = voice.samples.slice(0, MAX_SAMPLES).flatMap((sample, index) => (sample.audio.trim() === '' ? [] : [{ sample, index }]));
  const speaks = canSpeak(voice);
  const buttons = [
    ...(audible[0] ? [button(words.hear, customId('voices-hear', audible[0].index, page, owner))] : []),
    ...(speaks ? (['mine', 'favourite'] as const).map((choice) => choiceButton(choice, chosen[choice], page, owner)) : []),
    ...(speaks && chosen.server !== null ? [choiceButton('server', chosen.server, page, owner)] : []),
    button(words.back, customId('voices', 'back', page, owner)),
  ];
  const options = audible.map(({ sample: { title, text }, index }) => ({
    label: asPlain(title, 100) || words.sample(index + 1),
    value: String(index),
    ...(asPlain(text, 100) === '' ? {} : { description: asPlain(text, 100) }),
  }));
  const custom_id = customId('voices-sample', page, owner);
  const menu = { type: ComponentType.StringSelect as const, custom_id, placeholder: words.hearAnother, options };
  return [
    { type: ComponentType.ActionRow, components: buttons },
    ...(options.length > 1 ? [{ type: ComponentType.ActionRow as const, components: [menu] }] : []),
  ];
}

const LABELS = {
  mine: [words.use, words.used],
  favourite: [words.favour, words.favoured],
  server: [words.useForServer, words.usedForServer],
} as const satisfies Record<Choice, [off: string, on: string]>;

function choiceButton(choice: Choice, isChosen: boolean, page: number, owner: string): APIButtonComponentWithCustomId {
  return {
    ...button(LABELS[choice][isChosen ? 1 : 0], customId('voices-choose', choice, page, owner)),
    style: isChosen ? ButtonStyle.Success : ButtonStyle.Secondary,
  };
}

function button(label: string, custom_id: string): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style: ButtonStyle.Secondary, label, custom_id };
}

/** The same rows, with the clicked button showing the current choice. */
export function withChoice(components: readonly { toJSON(): unknown }[], clicked: string, choice: Choice, isChosen: boolean): Row[] {
  return components.map((one) => {
    const row = one.toJSON() as Row;
    const change = (part: APIComponentInMessageActionRow) =>
      part.type === ComponentType.Button && 'custom_id' in part && part.custom_id === clicked
        ? { ...part, label: LABELS[choice][isChosen ? 1 : 0], style: isChosen ? ButtonStyle.Success : ButtonStyle.Secondary }
        : part;
    return { ...row, components: row.components.map((part) => change(part) as APIComponentInMessageActionRow) };
  });
}

/** The voice that a message shows. @throws UserError if a moderator removed the embeds */
export function readShownVoice({ embeds: [, embed] }: { embeds: readonly { title: string | null; fields: APIEmbedField[] }[] }): {
  id: string;
  title: string;
} {
  const id = /^`([^`]+)`$/.exec(embed?.fields?.[0]?.value ?? '')?.[1];
  if (id === undefined) throw new UserError((t) => t.general.expiredMessage);
  return { id, title: (embed?.title ?? '').replace(/\\(.)/g, '$1') };
}
