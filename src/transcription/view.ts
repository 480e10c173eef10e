// How a transcript stands in a message: a page of it, its files, the buttons. All they need later is in the message's own .json file.
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIEmbed,
  type APIStringSelectComponent,
  AttachmentBuilder,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import { COLOR, customId, limits } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import { truncate } from '../text/truncate.ts';
import { asMarkdown, asPlain } from '../text/untrusted-text.ts';
import {
  formatClock,
  hasSpeech,
  makePages,
  milliseconds,
  type TranscriptDocument,
  type TranscriptFormat,
  transcriptFormats,
  writeFile,
} from '../transcript/index.ts';
import { languageName, languages } from './languages.ts';

/** In the menu of languages: no language named. */
export const DETECT = 'auto';

const EXTENSIONS: Record<TranscriptFormat, string> = { text: '.txt', srt: '.srt', vtt: '.vtt', json: '.json' };

export interface View {
  /** From 1 on; what lies outside is brought inside. */
  page: number;
  /** The member who may turn the pages. */
  owner: string;
  /** Whether the times of the segments are shown. */
  timestamps: boolean;
}

type Row = APIActionRowComponent<APIButtonComponent | APIStringSelectComponent>;

/** One page of a transcript with its buttons. */
export function transcriptPage(document: TranscriptDocument, view: View): { embeds: APIEmbed[]; components: Row[] } {
  const { transcript, name, language } = document;
  // The title and the footer count towards the 6,000 of all embeds, and there is only this one.
  const pages = makePages(transcript, { limit: limits.embedDescription, timestamps: view.timestamps });
  const page = Math.min(Math.max(1, Math.trunc(view.page) || 1), Math.max(1, pages.length));
  const facts = [
    ...(pages.length > 1 ? [en.transcription.pageOf(page, pages.length)] : []),
    en.transcription.lengthOf(formatClock(milliseconds(transcript.duration))),
    ...(language === null ? [] : [asPlain(languageName(language), 60)]),
    ...(pages.length > 1 ? [en.transcription.fullTextByButtons] : []),
  ];
  const embed: APIEmbed = {
    ...titled(name),
    description: pages[page - 1] ?? (document.recording === null ? en.transcription.noSpeech : en.transcription.noSpeechInLanguage),
    footer: { text: truncate(facts.join(' · '), limits.embedFooter) },
  };
  const rows: Row[] = [];
  if (pages.length > 1) rows.push(row(pageButtons(page, pages.length, view)));
  if (pages.length > 0) rows.push(row(fileButtons(view)));
  if (document.recording !== null) rows.push(row([againMenu(view)]));
  return { embeds: [embed], components: rows };
}

/** The message of a new transcript: its first page, the .json that the buttons read, and another file where one is wanted. */
export function transcriptMessage(
  document: TranscriptDocument,
  view: Omit<View, 'page'>,
  wanted: TranscriptFormat | null,
  maxBytes: number,
) {
  const formats = new Set<TranscriptFormat>(hasSpeech(document.transcript) && wanted ? [wanted, 'json'] : ['json']);
  const files = [...formats].map((format) => transcriptFile(document, format, view.timestamps));
  const { embeds, components } = transcriptPage(document, { ...view, page: 1 });
  // Without its file nothing could be read back; the first page is still worth having.
  if (files.some(({ bytes }) => bytes.length > maxBytes))
    return {
      embeds: embeds.map((embed) => ({ ...embed, footer: { text: en.transcription.tooLargeToAttach } })),
      components: [],
      files: [],
    };
  return { embeds, components, files: files.map(({ name, bytes }) => new AttachmentBuilder(bytes, { name })) };
}

/** A file of a transcript, ready to be attached. */
export function transcriptFile(
  document: TranscriptDocument,
  format: TranscriptFormat,
  timestamps: boolean,
): { name: string; bytes: Buffer } {
  const { name, text } = writeFile(document, format, timestamps);
  return { name, bytes: Buffer.from(text) };
}

/** What stands there until the transcript does. */
export function stageMessage(name: string, stage: string): { embeds: APIEmbed[] } {
  return { embeds: [{ ...titled(name), description: stage }] };
}

/** How an answer looks that a killed process left at a stage; null if it is none of those. */
export function stageAfterRestart({ embeds: [embed], components }: { embeds: readonly APIEmbed[]; components: readonly unknown[] }) {
  // Whatever else I show has a footer, buttons or fields.
  if (!embed?.title || embed.footer || embed.fields?.length || components.length > 0) return null;
  return { embeds: [{ color: COLOR, title: embed.title, description: en.transcription.interruptedByRestart }] };
}

function titled(name: string): APIEmbed {
  return { color: COLOR, title: asMarkdown(name, 200) || en.transcription.title };
}

const row = (components: Row['components']): Row => ({ type: ComponentType.ActionRow, components });

const button = (label: string, custom_id: string, disabled = false): APIButtonComponent => ({
  ...{ type: ComponentType.Button, style: ButtonStyle.Secondary, label, custom_id, disabled },
});

function pageButtons(page: number, pages: number, { owner, timestamps }: View): APIButtonComponent[] {
  const turn = (name: string, label: string, to: number, disabled: boolean) =>
    button(label, customId('transcript', name, to, owner, timestamps ? 1 : 0), disabled);
  return [
    turn('previous', en.general.previousPage, Math.max(1, page - 1), page <= 1),
    turn('next', en.general.nextPage, page + 1, page >= pages),
  ];
}

/** For whoever sees the message: the files hold no more than it does. */
function fileButtons({ timestamps }: View): APIButtonComponent[] {
  return transcriptFormats.map((format) => button(EXTENSIONS[format], customId('transcript-file', format, timestamps ? 1 : 0)));
}

function againMenu({ owner, timestamps }: View): APIStringSelectComponent {
  return {
    type: ComponentType.StringSelect,
    custom_id: customId('transcript-again', owner, timestamps ? 1 : 0),
    placeholder: en.transcription.retranscribeMenu,
    options: [
      { label: en.transcription.detectLanguage, value: DETECT },
      ...languages.map(({ code, name, ownName }) => ({ label: name, value: code, ...(ownName === name ? {} : { description: ownName }) })),
    ],
  };
}
