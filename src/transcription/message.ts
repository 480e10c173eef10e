// The message of a transcript: the recording's name, its words, then what can be done with them, and at the end the file that the buttons read.
//
// The file travels in the message instead of lying in the store: Parley keeps no transcripts, so who can see one is up to Discord, and it
// is gone for good once its message is deleted. The buttons work after a restart, in any process, for as long as the message exists.
import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  type APIMessage,
  AttachmentBuilder,
  type Message,
} from 'discord.js';
import {
  asEdit,
  button,
  type CardMessage,
  card,
  cards,
  file,
  menu,
  pageWithin,
  readButtonIds,
  readTexts,
  row,
  text,
} from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import type { Translator } from '../locales/index.ts';
import { codeOfName, describeLanguage, isSameLanguage, languageName } from '../locales/language-names.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { type TranscriptDocument, type TranscriptFormat, transcriptFormats, writeTranscript } from './transcript-file.ts';
import { DOUBTFUL_MARK, formatLength, hasWords, type SpokenTranscript, toPages } from './transcript-lines.ts';

/** The option for automatic detection in menus of languages. */
export const AUTO_DETECT = 'auto';

/** UTF-16 units of a page, well below Discord's 4000: pages should be read, not scrolled through. */
const PAGE_LENGTH = 2400;
/** Discord allows 40 components, and each paragraph is one. */
const PAGE_PARAGRAPHS = 20;
const MAX_NAME = 100;

/** Discord's limit for files of bots, and so for a transcript's own file. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface View {
  /** 1-based; clamped to the existing pages. */
  page: number;
  /** The member who may turn the pages. */
  owner: string;
  /** Shows when each paragraph begins. */
  timestamps: boolean;
  /** Languages to offer besides automatic detection. */
  languages: readonly string[];
  /** If it is the answer to a voice message, and nobody asked for it with a command. */
  reply?: WordsReplyView | null;
  /** If it is what was captioned: the custom_id of the button that deletes a member's own words. */
  deleteId?: string | null;
}

/** What a button of the reply to a voice message keeps, so that its pages can be turned. */
export interface WordsReplyView {
  /** Who speaks in it. */
  speakerId: string;
  /** Hides the words until they are pressed. */
  spoiler: boolean;
}

/** Turns the pages. The name only tells the buttons apart. */
export const turnId = customId('transcript', { name: part.text, page: part.number, owner: part.text, timestamps: part.flag });
/** A menu of formats, to download one. */
export const fileId = customId('transcript-file', { name: part.text, timestamps: part.flag });
/** A menu of languages, to transcribe again. */
export const againId = customId('transcript-again', { owner: part.text, timestamps: part.flag });
/** Below the progress. */
export const cancelId = customId('transcribe-cancel', { tag: part.text, owner: part.text });
/** Below the answer to a voice message. */
export const stayOutId = customId('voice-messages:out', { owner: part.text, speakerId: part.text, spoiler: part.flag });
/** Below the panel of captions; and, with an owner and the first and last message that it was made of, below their transcript. */
export const deleteWordsId = customId('captions:delete', {
  owner: part.optional(part.text),
  first: part.optional(part.text),
  last: part.optional(part.text),
});

/** Null unless it is the reply to a voice message. */
export function readWordsReply(components: Message['components']): WordsReplyView | null {
  const [stayOut] = readButtonIds(components).flatMap((id) => stayOutId.read(id) ?? []);
  return stayOut ?? null;
}

/** Null unless it is what was captioned. */
export function readDeleteId(components: Message['components']): string | null {
  return readButtonIds(components).find((id) => deleteWordsId.read(id)?.owner !== undefined) ?? null;
}

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** One page of a transcript with its controls. @param files the names of the message's files, the one that the buttons read last */
export function transcriptPage(document: TranscriptDocument, view: View, files: readonly string[], t: Translator): CardMessage {
  const pages = toPages(document.transcript, { limit: PAGE_LENGTH, most: PAGE_PARAGRAPHS, timestamps: view.timestamps });
  const page = pageWithin(Math.max(1, pages.length), view.page);
  const others = languageMenu(document, view, t);
  const noSpeech = others === null ? t('transcription.noSpeech') : t('transcription.noSpeechInLanguage');
  const canDownload = pages.length > 0;
  const { reply = null } = view;
  const shown = pages[page - 1]?.map((paragraph) => (reply?.spoiler ? `||${paragraph}||` : paragraph));
  const facts = listFacts(document, view, page, pages.length, t);
  const wrong = files.length > 0 && others !== null ? wrongLanguage(document, t) : null;
  return cards(
    card(
      pages.length > 0 ? 'done' : 'neutral',
      // A reply shows by itself what it is about, and every voice message has the same name.
      reply ? null : heading(document.name, t),
      ...(shown ?? [noSpeech]).map(text),
      facts.length > 0 ? text(`-# ${facts.join(' · ')}`) : null,
      wrong === null ? null : text(`-# ${wrong}`),
      ...(files.length === 0 && canDownload ? [text(`-# ${t('transcription.tooLargeToAttach')}`)] : []),
      ...(files.length > 0
        ? [pages.length > 1 ? pageButtons(page, pages.length, view, t) : null, canDownload ? downloadMenu(view, t) : null, others]
        : []),
      reply ? stayOutButton(reply, view.owner, t) : null,
      view.deleteId ? row(button(t('captions.deleteButton'), view.deleteId)) : null,
      ...files.map((name) => ({ ...file(name), ...(reply?.spoiler && { spoiler: true }) })),
    ),
  );
}

function stayOutButton({ speakerId, spoiler }: WordsReplyView, owner: string, t: Translator): Row | null {
  return row(button(t('voiceMessages.stayOutButton'), stayOutId.write({ owner, speakerId, spoiler })));
}

/** The language that the service heard, or else the one it was asked for. */
function heardLanguage({ transcript, language }: TranscriptDocument): string | null {
  return transcript.language === undefined ? language : codeOfName(transcript.language);
}

/** Null unless the service heard another language than the one it was asked for. */
function wrongLanguage(document: TranscriptDocument, t: Translator): string | null {
  const language = heardLanguage(document);
  if (document.language === null || language === null || isSameLanguage(language, document.language)) return null;
  return t('transcription.wrongLanguage', { language: asMarkdown(languageName(language, t.locale), 60) || '?' });
}

function listFacts(document: TranscriptDocument, view: View, page: number, pages: number, t: Translator): string[] {
  const { transcript, source } = document;
  const language = heardLanguage(document);
  return [
    // Captions are no recording. Below their last words, a length would look like the time of more.
    ...(view.deleteId ? [] : [formatLength(transcript.duration)]),
    ...(language === null ? [] : [asMarkdown(languageName(language, t.locale), 60)]),
    ...(transcript.text.includes(DOUBTFUL_MARK) ? [t('transcription.doubtful', { mark: DOUBTFUL_MARK })] : []),
    ...(pages > 1 ? [t('transcription.pageOf', { page, pages })] : []),
    ...(source === null ? [] : [`[${t('transcription.originalMessage')}](https://discord.com/channels/${source})`]),
  ].filter(Boolean);
}

/** The message of a new transcript, with its files. @param format of a file that was asked for, besides the one that the buttons read */
export function transcriptMessage(
  transcribed: TranscriptDocument,
  view: Omit<View, 'page'>,
  { format, maxBytes }: { format: TranscriptFormat | null; maxBytes: number },
  t: Translator,
): CardMessage & { files: AttachmentBuilder[] } {
  const document = { ...transcribed, transcript: nameSpeakers(transcribed.transcript, t) };
  const isSpoken = hasWords(document.transcript);
  const isAttached = format !== null && format !== 'json' && isSpoken;
  const isRead = isSpoken || format === 'json' || languageMenu(document, view, t) !== null;
  const formats: TranscriptFormat[] = isAttached ? [format, 'json'] : isRead ? ['json'] : [];
  const written = formats.map((fileFormat) => transcriptFile(document, fileFormat, view.timestamps));
  // Without the file the buttons can't work; the first page is still useful.
  const files = written.some(({ bytes }) => bytes.length > maxBytes) ? [] : written;
  const names = files.map(({ name }) => name);
  return {
    ...transcriptPage(document, { ...view, page: 1 }, names, t),
    files: files.map(({ name, bytes }) => new AttachmentBuilder(bytes, { name })),
  };
}

/** By their number, in the order in which they begin to speak. Those of captions have their own names. */
function nameSpeakers(transcript: SpokenTranscript, t: Translator): SpokenTranscript {
  const numbers = new Map<string, number>();
  const segments = transcript.segments.map((segment) => {
    const { speaker } = segment;
    if (!speaker || speaker.name !== null) return segment;
    const number = numbers.get(speaker.id) ?? numbers.size + 1;
    numbers.set(speaker.id, number);
    return { ...segment, speaker: { id: speaker.id, name: t('transcription.speaker', { number }) } };
  });
  return { ...transcript, segments };
}

/** A file of the transcript, ready to be attached. */
export function transcriptFile(
  document: TranscriptDocument,
  format: TranscriptFormat,
  timestamps: boolean,
): { name: string; bytes: Buffer } {
  const { name, text: content } = writeTranscript(document, format, timestamps);
  return { name, bytes: Buffer.from(content) };
}

/** The message until the transcript is ready. @param stage what is being done @param job as its button knows it */
export function progressMessage(name: string, stage: string, { tag, owner }: { tag: string; owner: string }, t: Translator): CardMessage {
  const cancel = button(t('transcription.cancelButton'), cancelId.write({ tag, owner }));
  return cards(card('waiting', heading(name, t), text(stage), row(cancel)));
}

const heading = (name: string, t: Translator) => text(`**${asMarkdown(name, MAX_NAME) || t('transcription.title')}**`);

/** Replaces the progress once its member has cancelled. @param charged seconds */
export function cancelledMessage({ components }: Pick<Message, 'components'>, charged: number, t: Translator): CardMessage {
  const sentence = charged > 0 ? t('transcription.cancelledCharged', { seconds: charged }) : t('transcription.cancelled');
  return cards(card('neutral', text(readTexts(components)[0] ?? `**${t('transcription.title')}**`), text(sentence)));
}

/** The progress once its process was killed; null if the message is no progress any more. */
export function interruptedTranscript({ components }: Pick<APIMessage, 'components'>, t: Translator) {
  if (!readButtonIds(components).some((id) => cancelId.read(id))) return null;
  const [name = `**${t('transcription.title')}**`] = readTexts(components);
  return asEdit(cards(card('failed', text(name), text(t('transcription.interruptedByRestart')))));
}

function pageButtons(page: number, pages: number, { owner, timestamps }: View, t: Translator): Row | null {
  const turn = (name: string, label: string, to: number, disabled: boolean) => ({
    ...button(label, turnId.write({ name, page: to, owner, timestamps })),
    disabled,
  });
  return row(
    turn('previous', t('general.previousPage'), Math.max(1, page - 1), page <= 1),
    turn('next', t('general.nextPage'), page + 1, page >= pages),
  );
}

/** For anyone who sees the message: the files contain no more than it does. */
function downloadMenu({ timestamps }: View, t: Translator): Row | null {
  const options = transcriptFormats.map((format) => ({ label: t(`commands.transcribe.formats.${format}`), value: format }));
  return row(menu(fileId.write({ name: 'menu', timestamps }), t('transcription.download'), options));
}

/** Null if the recording can't be read again, or if there is nothing to choose: the service knows only the language of this transcript. */
function languageMenu(
  { language, recording }: TranscriptDocument,
  { owner, timestamps, languages }: Omit<View, 'page'>,
  t: Translator,
): Row | null {
  if (recording === null) return null;
  if (languages.length <= 1 && (language === null || languages.includes(language))) return null;
  return row(menu(againId.write({ owner, timestamps }), t('transcription.otherLanguage'), languageOptions(languages, t)));
}

/** For a menu: automatic detection, then the languages by their names. */
export function languageOptions(codes: readonly string[], t: Translator) {
  const languages = codes.slice(0, 24).map((code) => describeLanguage(code, t.locale));
  return [
    { label: t('transcription.detectLanguage'), value: AUTO_DETECT },
    ...languages.map(({ code, name, ownName }) => ({ label: name, value: code, ...(ownName === name ? {} : { description: ownName }) })),
  ];
}
