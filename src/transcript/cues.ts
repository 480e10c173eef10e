// Subtitle cues: at most two lines of 42 characters each, as viewers can read them in passing.
import type { Line } from './segments.ts';

export interface Cue {
  lines: string[];
  /** Milliseconds. `start` < `end`, and no cue begins before the one before it ends. */
  start: number;
  end: number;
}

const LINE_LENGTH = 42;
const LINES = 2;
const graphemes = new Intl.Segmenter();

/** Cuts lines into cues; a long one's time is shared out by the number of characters. */
export function makeCues(lines: Line[]): Cue[] {
  const cues: Cue[] = [];
  let last = 0;
  for (const { text, start, end } of lines) {
    const pieces = inGroups(wrap(text, LINE_LENGTH), LINES);
    const total = pieces.flat().join('').length;
    let before = 0;
    for (const piece of pieces) {
      const from = Math.max(last, start + Math.round(((end - start) * before) / total));
      before += piece.join('').length;
      last = Math.max(from + 1, start + Math.round(((end - start) * before) / total));
      cues.push({ lines: piece, start: from, end: last });
    }
  }
  return cues;
}

/** Breaks a text at its spaces into lines of at most `width` UTF-16 units; a longer word is cut between characters. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((word) => cut(word, width))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Looks at each line's part of a word alone: what is said by somebody else's service may be a word of a million characters. */
function cut(word: string, width: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (word.length - from > width) {
    const part = word.slice(from, from + width + 2);
    // The character that does not fit any more. A cluster may be longer than a whole line (a pile of accents): then its code points count.
    const end = graphemes.segment(part).containing(width)?.index || (isHighSurrogate(part.charCodeAt(width - 1)) ? width - 1 : width);
    pieces.push(part.slice(0, end));
    from += end;
  }
  return [...pieces, word.slice(from)];
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

function inGroups<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
