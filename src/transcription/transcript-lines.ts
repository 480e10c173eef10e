// A transcript normalized into lines: no line breaks, times in whole milliseconds that never go back.
import type { Segment, Transcript } from '../api/types.ts';
import { escapeMarkup, truncate, withoutInvisible } from '../text/untrusted-text.ts';
import { splitLongWord } from './transcript-words.ts';

/** Who says a segment, with the name that they had then. */
interface Speaker {
  id: string;
  /** Null if whoever shows it has to name them. */
  name: string | null;
}

/** A transcript of sentences, that may know who says what, and when each word is said. */
export interface SpokenTranscript extends Omit<Transcript, 'speakerTurns'> {
  segments: (Segment & { speaker?: Speaker | undefined; words?: Segment[] | undefined })[];
}

/** Follows words that may be something else than what was said. */
export const DOUBTFUL_MARK = '[?]';

/** The transcript with what the service doubts marked in its words. Subtitles and pages then show it without knowing of it. */
export function markDoubtful(transcript: Transcript): Transcript {
  const { segments, text } = transcript;
  if (!segments.some(({ doubtful }) => doubtful)) return transcript;
  const mark = (segment: Segment) => (segment.doubtful ? { ...segment, text: `${segment.text.trimEnd()} ${DOUBTFUL_MARK}` } : segment);
  const marked = segments.map(mark);
  // Where the text isn't that of the segments, it rules, so it can't be marked.
  const joined = segments.map((segment) => segment.text).join(' ');
  return text === joined ? { ...transcript, segments: marked, text: marked.map((segment) => segment.text).join(' ') } : transcript;
}

// Times as people and subtitle files write them, from whole milliseconds.

/** Subtitle files have two digits for hours; no recording is that long. */
const MAX_MS = 99 * 3600_000;

/** Seconds to whole milliseconds; an invalid time (negative, NaN) becomes 0, an absurd one 99 hours. */
export function toMilliseconds(seconds: number): number {
  const ms = Math.round(seconds * 1000);
  return ms > 0 ? Math.min(ms, MAX_MS) : 0;
}

/** `0:01`, `12:03`, `1:02:03`, for members. */
function formatClock(ms: number): string {
  const { hours, minutes, seconds } = split(Math.floor(ms / 1000));
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}

/** How long a recording is, in seconds, for members; rounded as players do. */
export function formatLength(seconds: number): string {
  const ms = toMilliseconds(seconds);
  return formatClock(ms === 0 ? 0 : 1000 * Math.max(1, Math.round(ms / 1000)));
}

/** The same with tenths of seconds, `1:02:03.4`, for text files. */
export function formatPreciseClock(ms: number): string {
  const tenths = Math.round(ms / 100);
  return `${formatClock(Math.floor(tenths / 10) * 1000)}.${tenths % 10}`;
}

/** `00:00:01,200`, the format of SubRip; WebVTT separates with a full stop. */
export function formatCueTime(ms: number, separator: ',' | '.'): string {
  const { hours, minutes, seconds } = split(Math.floor(ms / 1000));
  return `${pad(hours)}:${pad(minutes)}:${pad(seconds)}${separator}${String(ms % 1000).padStart(3, '0')}`;
}

function split(totalSeconds: number) {
  return { hours: Math.floor(totalSeconds / 3600), minutes: Math.floor(totalSeconds / 60) % 60, seconds: totalSeconds % 60 };
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** A segment with words. `start` < `end`, in milliseconds; starts never decrease from one line to the next. */
export interface TranscriptLine {
  text: string;
  /** The speaker's name, cleaned like the text; null if it isn't known. */
  speaker: string | null;
  start: number;
  end: number;
  /** When its words are said, in milliseconds from `start` to `end`; null if that isn't known. */
  words: readonly { text: string; start: number; end: number }[] | null;
}

/**
 * The transcript's segments in order of time. Segments without words are dropped, overlapping ones are cut short, and a transcript
 * without segments becomes one line.
 */
export function toLines(transcript: SpokenTranscript): TranscriptLine[] {
  const segments: SpokenTranscript['segments'] = transcript.segments.some((segment) => clean(segment.text) !== '')
    ? transcript.segments
    : [{ text: transcript.text, start: 0, end: transcript.duration }];
  const lines = segments
    .map(({ text, speaker, start, end, words }) => ({
      text: clean(text),
      speaker: speaker ? clean(speaker.name ?? '') || '?' : null,
      start: toMilliseconds(start),
      end: toMilliseconds(end),
      words: words ?? null,
    }))
    .filter((line) => line.text !== '')
    .sort((a, b) => a.start - b.start);
  let lastEnd = 0;
  return lines.map((line, index) => {
    const start = Math.max(line.start, lastEnd);
    const nextStart = lines[index + 1]?.start;
    const end = nextStart !== undefined && nextStart > start ? Math.min(line.end, nextStart) : line.end;
    lastEnd = Math.max(end, start + 1);
    const within = (seconds: number) => Math.min(Math.max(toMilliseconds(seconds), start), lastEnd);
    const words = line.words?.map((word) => ({ text: clean(word.text), start: within(word.start), end: within(word.end) })) ?? null;
    return { text: line.text, speaker: line.speaker, start, end: lastEnd, words };
  });
}

export function hasWords(transcript: SpokenTranscript): boolean {
  return [...transcript.segments, transcript].some(({ text }) => clean(text) !== '');
}

/** What most lines of most transcripts are: an hour has thousands, each of which is cleaned for the message and for its files. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/;

/** One line, without invisible characters. */
export function clean(text: string): string {
  if (CLEAN.test(text)) return text;
  return withoutInvisible(text.replace(/[\p{Cc}\s]+/gu, ' ')).trim();
}

// A transcript as paragraphs to read, and those as pages of Discord's Markdown.

export interface Paragraph {
  text: string;
  /** Null if it isn't known. */
  speaker: string | null;
  /** Milliseconds; null if it begins in the middle of a segment. */
  start: number | null;
}

/** Milliseconds of silence after which a new paragraph begins. */
const PAUSE = 2000;
/** UTF-16 units after which a paragraph ends with its sentence. */
const LONG = 350;
/** UTF-16 units. */
const LONGEST = 700;

const SENTENCE_END = /[.!?…。！？]["'”’»)]*$/u;
/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}。、！？]$/u;

/** Joins segments until the speaker pauses, somebody else speaks, or a long paragraph ends with a sentence. */
export function toParagraphs(transcript: SpokenTranscript): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let current: Paragraph | null = null;
  let lastEnd = 0;
  for (const { text, speaker, start, end } of toLines(transcript)) {
    for (const [index, piece] of pieces(text).entries()) {
      const space = current && !UNSPACED.test(current.text) ? ' ' : '';
      const isNew = index === 0 && (start - lastEnd >= PAUSE || speaker !== paragraphs.at(-1)?.speaker);
      const isFull = current && current.text.length >= LONG && SENTENCE_END.test(current.text);
      if (current && !isNew && !isFull && current.text.length + space.length + piece.length <= LONGEST) {
        current.text += space + piece;
      } else {
        current = { text: piece, speaker, start: index === 0 ? start : null };
        paragraphs.push(current);
      }
    }
    lastEnd = end;
  }
  return paragraphs;
}

/** The sentences of a text; one longer than a paragraph is broken at its spaces. */
function pieces(text: string): string[] {
  return text.split(/(?<=[.!?…])\s+/).flatMap((sentence) => (sentence.length <= LONGEST ? [sentence] : wrap(sentence)));
}

/** Breaks a text at its spaces; a word longer than a paragraph is split between graphemes. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((word) => splitLongWord(word, LONGEST))) {
    if (line !== '' && line.length + 1 + word.length > LONGEST) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Names on Discord are shorter. */
const MAX_NAME = 60;
/** Escaping at most doubles a paragraph and the name of its speaker, and a time takes a line; a page must hold one. */
export const MIN_PAGE_LIMIT = 2 * (LONGEST + MAX_NAME) + 30;

/**
 * Paragraphs as Markdown, each below its time unless that is unwanted, in pages. A transcript without words has no pages.
 * @param options `limit` of a page in UTF-16 units, at least MIN_PAGE_LIMIT; `most` paragraphs of a page
 */
export function toPages(
  transcript: SpokenTranscript,
  { limit, most, timestamps }: { limit: number; most: number; timestamps: boolean },
): string[][] {
  const pages: string[][] = [];
  let length = 0;
  for (const { text, speaker, start } of toParagraphs(transcript)) {
    const time = timestamps && start !== null ? `-# ${formatClock(start)}\n` : '';
    const name = speaker === null ? '' : `**${escapeMarkup(truncate(speaker, MAX_NAME))}** `;
    const paragraph = time + name + escapeMarkup(text);
    const page = pages.at(-1);
    if (page && page.length < most && length + paragraph.length <= limit) {
      page.push(paragraph);
      length += paragraph.length;
    } else {
      pages.push([paragraph]);
      length = paragraph.length;
    }
  }
  return pages;
}
