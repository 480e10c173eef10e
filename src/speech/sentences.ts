// Cuts a text where a speaker would pause: into pieces for one call each, or sentence by sentence for a call that takes them as they come.

/** UTF-16 units, as Discord counts. */
export const MAX_PIECE = 300;
/** The first piece of a long text is shorter, so it starts as fast as a short text. */
const MAX_FIRST_PIECE = 150;
/** Sentences that together fit into this are kept together: a voice speaks "No. Never." better in one go. */
const SHORT_SENTENCES = 80;

// Created at first use: the first object of Intl, of any kind, takes 6 MB.
let sentences: Intl.Segmenter | null = null;
let graphemes: Intl.Segmenter | null = null;

// Ends of clauses and words, with the spaces after them; scripts without spaces have their own punctuation.
const CLAUSE_END = /[,;:،؛、，；：)\]»”–—…]\s*|\n+/gu;
const WORD_END = /\s+/gu;

/**
 * The pieces of `text`, each at most `max` long and none blank; only the spaces between them are lost. Sentences stay whole if they fit;
 * longer ones are cut after a clause, otherwise between words, and never inside a character.
 */
export function cutIntoPieces(text: string, max: number = MAX_PIECE): string[] {
  return cut(text.trim(), { max, fill: max })
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * The sentences of `text`, at most 300 long and none blank. Together they are the whole text: each keeps the space after it, without which
 * a service would glue two words into one.
 */
export function cutIntoSentences(text: string): string[] {
  return cut(text.trim(), { max: MAX_PIECE, fill: SHORT_SENTENCES }).filter((part) => part !== '');
}

function segmentSentences(text: string): Intl.Segments {
  sentences ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return sentences.segment(text);
}

/** @param sizes `max` of a piece; sentences are put together up to `fill` */
function cut(whole: string, { max, fill }: { max: number; fill: number }): string[] {
  if (whole.length <= fill) return [whole];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of segmentSentences(whole)) {
    const room = pieces.length === 0 ? Math.min(max, MAX_FIRST_PIECE) : max;
    if (piece.trim() !== '' && (piece + segment.trimEnd()).length > Math.min(room, fill)) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
    while (piece.trimEnd().length > max) {
      const end = lastCut(piece, pieces.length === 0 ? Math.min(max, MAX_FIRST_PIECE) : max);
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
    }
  }
  return [...pieces, piece];
}

/** Finds where to cut a text that is longer than `max`. */
function lastCut(text: string, max: number): number {
  // Not after a clause much shorter than what fits.
  return lastMatchEnd(text, CLAUSE_END, max, max / 2) ?? lastMatchEnd(text, WORD_END, max, 0) ?? lastGrapheme(text, max);
}

function lastMatchEnd(text: string, pattern: RegExp, max: number, min: number): number | null {
  let found: number | null = null;
  for (const match of text.slice(0, max).matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end > min && text.slice(0, end).trim() !== '') found = end;
  }
  return found;
}

function lastGrapheme(text: string, max: number): number {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    // A single character of a thousand joined code points is cut like the rest.
    if (index + segment.length > max) return end === 0 ? max : end;
    end = index + segment.length;
  }
  return end;
}

// The moods that a text can be spoken in, by models that take them as markers in the text.

export const MOODS = ['happy', 'excited', 'calm', 'sad', 'angry', 'scared', 'whispering', 'shouting'] as const;
export type Mood = (typeof MOODS)[number];

/**
 * How each model wants a marker: s1 in parentheses, its successors in brackets. Every other model would read it out.
 * https://docs.fish.audio/developer-platform/core-features, https://docs.comfy.org/tutorials/partner-nodes/fishaudio/prompt-guide
 */
const MARKERS: Record<string, [begin: string, end: string]> = {
  s1: ['(', ')'],
  's1-mini': ['(', ')'],
  s2: ['[', ']'],
  's2-pro': ['[', ']'],
  's2.1-pro': ['[', ']'],
};

/** Whether the model of this name is known to understand moods. */
export function hasMoods(model: string): boolean {
  return Object.hasOwn(MARKERS, model);
}

/** The text with the mood's marker before every sentence, where models want it; unchanged if the model is not known to understand it. */
export function withMood(text: string, mood: Mood | null | undefined, model: string | undefined): string {
  if (!mood || model === undefined || !hasMoods(model)) return text;
  const marker = MARKERS[model]?.join(mood) ?? '';
  return [...segmentSentences(text)]
    .map(({ segment }) => (/[\p{L}\p{N}]/u.test(segment) ? segment.replace(/^\s*/, (space) => `${space}${marker} `) : segment))
    .join('');
}
