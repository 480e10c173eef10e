// The message of a transcript: a page of it, its files, and buttons. All that the buttons need is in the message's own .json file.
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
import { languageName, languages } from './languages.ts';
import { formatClock, toMilliseconds } from './time-format.ts';
import { type TranscriptDocument, type TranscriptFormat, transcriptFormats, writeTranscript } from './transcript-file.ts';
import { hasWords } from './transcript-lines.ts';
import { toPages } from './transcript-pages.ts';

/** The option for automatic detection in the menu of languages. */
export const AUTO_DETECT = 'auto';

const EXTENSIONS: Record<TranscriptFormat, string> = { text: '.txt', srt: '.srt', vtt: '.vtt', json: '.json' };

export interface View {
  /** 1-based; clamped to the existing pages. */
  page: number;
  /** The member who may turn the pages. */
  owner: string;
  /** Shows the times of segments. */
  timestamps: boolean;
}

type Row = APIActionRowComponent<APIButtonComponent | APIStringSelectComponent>;

/** One page of a transcript with its buttons. */
export function transcriptPage(document: TranscriptDocument, view: View): { embeds: APIEmbed[]; components: Row[] } {
  const { transcript, name, language } = document;
  // Title and footer also count towards Discord's 6,000 per message, but there is only one embed.
  const pages = toPages(transcript, { limit: limits.embedDescription, timestamps: view.timestamps });
  const page = Math.min(Math.max(1, Math.trunc(view.page) || 1), Math.max(1, pages.length));
  const facts = [
    ...(pages.length > 1 ? [en.transcription.pageOf(page, pages.length)] : []),
    en.transcription.lengthOf(formatClock(toMilliseconds(transcript.duration))),
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
  if (document.recording !== null) rows.push(row([retranscribeMenu(view)]));
  return { embeds: [embed], components: rows };
}

/** The message of a new transcript: its first page, the .json that the buttons read, and another file if requested. */
export function transcriptMessage(
  document: TranscriptDocument,
  view: Omit<View, 'page'>,
  format: TranscriptFormat | null,
  maxBytes: number,
) {
  const formats = new Set<TranscriptFormat>(hasWords(document.transcript) && format ? [format, 'json'] : ['json']);
  const files = [...formats].map((format) => transcriptFile(document, format, view.timestamps));
  const { embeds, components } = transcriptPage(document, { ...view, page: 1 });
  // Without the file the buttons can't work; the first page is still useful.
  if (files.some(({ bytes }) => bytes.length > maxBytes))
    return {
      embeds: embeds.map((embed) => ({ ...embed, footer: { text: en.transcription.tooLargeToAttach } })),
      components: [],
      files: [],
    };
  return { embeds, components, files: files.map(({ name, bytes }) => new AttachmentBuilder(bytes, { name })) };
}

/** A file of the transcript, ready to be attached. */
export function transcriptFile(
  document: TranscriptDocument,
  format: TranscriptFormat,
  timestamps: boolean,
): { name: string; bytes: Buffer } {
  const { name, text } = writeTranscript(document, format, timestamps);
  return { name, bytes: Buffer.from(text) };
}

/** The message until the transcript is ready. */
export function progressMessage(name: string, text: string): { embeds: APIEmbed[] } {
  return { embeds: [{ ...titled(name), description: text }] };
}

/** Replaces the progress of a process that was killed; null for any other message. */
export function correctAfterRestart({ embeds: [embed], components }: { embeds: readonly APIEmbed[]; components: readonly unknown[] }) {
  // All other messages have a footer, buttons or fields.
  if (!embed?.title || embed.footer || embed.fields?.length || components.length > 0) return null;
  return { embeds: [{ color: COLOR, title: embed.title, description: en.transcription.interruptedByRestart }] };
}

function titled(name: string): APIEmbed {
  return { color: COLOR, title: asMarkdown(name, 200) || en.transcription.title };
}

const row = (components: Row['components']): Row => ({ type: ComponentType.ActionRow, components });

const button = (label: string, custom_id: string, disabled = false): APIButtonComponent => ({
  type: ComponentType.Button,
  style: ButtonStyle.Secondary,
  label,
  custom_id,
  disabled,
});

function pageButtons(page: number, pages: number, { owner, timestamps }: View): APIButtonComponent[] {
  const turn = (name: string, label: string, to: number, disabled: boolean) =>
    button(label, customId('transcript', name, to, owner, timestamps ? 1 : 0), disabled);
  return [
    turn('previous', en.general.previousPage, Math.max(1, page - 1), page <= 1),
    turn('next', en.general.nextPage, page + 1, page >= pages),
  ];
}

/** For anyone who sees the message: the files contain no more than it does. */
function fileButtons({ timestamps }: View): APIButtonComponent[] {
  return transcriptFormats.map((format) => button(EXTENSIONS[format], customId('transcript-file', format, timestamps ? 1 : 0)));
}

function retranscribeMenu({ owner, timestamps }: View): APIStringSelectComponent {
  return {
    type: ComponentType.StringSelect,
    custom_id: customId('transcript-again', owner, timestamps ? 1 : 0),
    placeholder: en.transcription.retranscribeMenu,
    options: [
      { label: en.transcription.detectLanguage, value: AUTO_DETECT },
      ...languages.map(({ code, name, ownName }) => ({ label: name, value: code, ...(ownName === name ? {} : { description: ownName }) })),
    ],
  };
}
