// A transcript as paragraphs to read, and those as pages of Discord's Markdown.
import type { Transcript } from '../api/types.ts';
import { escapeMarkup } from '../text/untrusted-text.ts';
import { wrap } from './subtitle-cues.ts';
import { formatClock } from './time-format.ts';
import { toLines } from './transcript-lines.ts';

export interface Paragraph {
  text: string;
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

/** Joins segments until the speaker pauses or a long paragraph ends with a sentence. */
export function toParagraphs(transcript: Transcript): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let current: Paragraph | null = null;
  let lastEnd = 0;
  for (const { text, start, end } of toLines(transcript)) {
    for (const [index, piece] of pieces(text).entries()) {
      const space = current && !UNSPACED.test(current.text) ? ' ' : '';
      const hasPaused = index === 0 && start - lastEnd >= PAUSE;
      const isFull = current && current.text.length >= LONG && SENTENCE_END.test(current.text);
      if (current && !hasPaused && !isFull && current.text.length + space.length + piece.length <= LONGEST) {
        current.text += space + piece;
      } else {
        current = { text: piece, start: index === 0 ? start : null };
        paragraphs.push(current);
      }
    }
    lastEnd = end;
  }
  return paragraphs;
}

/** The sentences of a text; one longer than a paragraph is broken at its spaces. */
function pieces(text: string): string[] {
  return text.split(/(?<=[.!?…])\s+/).flatMap((sentence) => (sentence.length <= LONGEST ? [sentence] : wrap(sentence, LONGEST)));
}

/** Escaping at most doubles a paragraph, and a time takes a line; a page must hold one. */
export const MIN_PAGE_LIMIT = 2 * LONGEST + 20;

/**
 * Paragraphs as Markdown, each below its time unless that is unwanted, in pages. A transcript without words has no pages.
 * @param options `limit` of a page in UTF-16 units, at least MIN_PAGE_LIMIT; `most` paragraphs of a page
 */
export function toPages(
  transcript: Transcript,
  { limit, most, timestamps }: { limit: number; most: number; timestamps: boolean },
): string[][] {
  const pages: string[][] = [];
  let length = 0;
  for (const { text, start } of toParagraphs(transcript)) {
    const time = timestamps && start !== null ? `-# ${formatClock(start)}\n` : '';
    const paragraph = time + escapeMarkup(text);
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
