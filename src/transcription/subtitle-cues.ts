// Subtitle cues: at most two lines of 42 characters each, the usual limit for reading along.
import type { TranscriptLine } from './transcript-lines.ts';

export interface Cue {
  lines: string[];
  /** Milliseconds. `start` < `end`, and cues don't overlap. */
  start: number;
  end: number;
}

const LINE_LENGTH = 42;
const LINES_PER_CUE = 2;
let graphemes: Intl.Segmenter | null = null;

/** Splits lines into cues; the time of a long line is divided in proportion to the characters. */
export function toCues(lines: TranscriptLine[]): Cue[] {
  const cues: Cue[] = [];
  let lastEnd = 0;
  for (const { text, start, end } of lines) {
    const groups = chunk(wrap(text, LINE_LENGTH), LINES_PER_CUE);
    const total = groups.flat().join('').length;
    let before = 0;
    for (const group of groups) {
      const from = Math.max(lastEnd, start + Math.round(((end - start) * before) / total));
      before += group.join('').length;
      lastEnd = Math.max(from + 1, start + Math.round(((end - start) * before) / total));
      cues.push({ lines: group, start: from, end: lastEnd });
    }
  }
  return cues;
}

/** Breaks a text at its spaces into lines of at most `width` UTF-16 units; a longer word is split between graphemes. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((word) => splitWord(word, width))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Segments only one line's worth of a word at a time: a service may return a word of a million characters. */
function splitWord(word: string, width: number): string[] {
  graphemes ??= new Intl.Segmenter();
  const pieces: string[] = [];
  let from = 0;
  while (word.length - from > width) {
    const part = word.slice(from, from + width + 2);
    // The first grapheme that doesn't fit. One longer than a line (a pile of accents) is split between its code points.
    const end = graphemes.segment(part).containing(width)?.index || (isHighSurrogate(part.charCodeAt(width - 1)) ? width - 1 : width);
    pieces.push(part.slice(0, end));
    from += end;
  }
  return [...pieces, word.slice(from)];
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
