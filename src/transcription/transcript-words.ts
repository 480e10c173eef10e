// What a word is in a transcript: a piece of text with its punctuation, which no line and no subtitle breaks in two.

/** A word as it is written. */
export interface WrittenWord {
  text: string;
  /** Whether a space comes before it. */
  isSpaced: boolean;
}

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_END = new RegExp(`(?:${UNSPACED.source}|[。、！？，])\\p{M}*$`, 'u');
const CHINESE_OR_JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const SPOKEN = /[\p{L}\p{N}]/u;
const SPOKEN_ALL = /[\p{L}\p{N}]/gu;
/** Stands with what comes after it. */
const OPENING = /[\p{Ps}\p{Pi}¿¡]$/u;
/** UTF-16 units that are segmented at once: a service may return a text of megabytes without a space. */
const MAX_SEGMENTED = 2000;

/** What most words are; told apart because looking closer takes time. */
const PLAIN_WORD = /^[A-Za-z0-9]+$/;
const PLAIN_CHARACTER = /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]$/;

let segmenter: Intl.Segmenter | null = null;
let graphemes: Intl.Segmenter | null = null;

/** The words of one line, in order: joined, with their spaces, they are the line. Punctuation alone belongs to the word before it. */
export function splitWords(line: string): WrittenWord[] {
  const words: WrittenWord[] = [];
  /** What has no word to stand with yet. */
  let opened: WrittenWord | null = null;
  const add = (text: string, isSpaced: boolean) => {
    const last = words.at(-1);
    if (opened) {
      opened.text += (isSpaced ? ' ' : '') + text;
      if (!SPOKEN.test(text)) return;
      words.push(opened);
      opened = null;
    } else if (SPOKEN.test(text)) words.push({ text, isSpaced: isSpaced && last !== undefined });
    else if (last && !(OPENING.test(text) && text.length < MAX_SEGMENTED)) last.text += (isSpaced ? ' ' : '') + text;
    else opened = { text, isSpaced: isSpaced && last !== undefined };
  };
  for (const [index, chunk] of line.split(' ').entries()) {
    if (chunk === '') continue;
    for (const [at, piece] of splitUnspaced(chunk).entries()) add(piece, at === 0 && index > 0);
  }
  const rest = opened as WrittenWord | null;
  const last = words.at(-1);
  if (rest && last) last.text += (rest.isSpaced ? ' ' : '') + rest.text;
  else if (rest) words.push(rest);
  return words;
}

/** Pieces of a word that is longer than a line. Segments only one line's worth at a time: a service may return a word of a million characters. */
export function splitLongWord(word: string, width: number): string[] {
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

function splitUnspaced(chunk: string): string[] {
  if (chunk.length === 1 || !UNSPACED.test(chunk)) return [chunk];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const pieces: string[] = [];
  for (let at = 0; at < chunk.length; ) {
    const isHalf = (chunk.codePointAt(at + MAX_SEGMENTED - 1) ?? 0) > 0xffff;
    const part = chunk.slice(at, at + MAX_SEGMENTED - (isHalf ? 1 : 0));
    for (const { segment } of segmenter.segment(part)) pieces.push(segment);
    at += part.length;
  }
  return pieces;
}

/**
 * What is compared of a text: its letters and digits, without case, width, accents that may be written in two ways, and punctuation ("3.5" is
 * "35"). One entry for each word, or for each character of a script without spaces.
 */
export function unitsOf(text: string): string[] {
  if (PLAIN_WORD.test(text)) return [text.toLowerCase()];
  if (PLAIN_CHARACTER.test(text)) return [text];
  const units: string[] = [];
  for (const chunk of text.normalize('NFKC').toLowerCase().split(/\s+/)) {
    let word = '';
    for (const character of chunk.match(SPOKEN_ALL) ?? []) {
      if (!UNSPACED.test(character)) word += character;
      else {
        if (word !== '') units.push(word);
        units.push(character);
        word = '';
      }
    }
    if (word !== '') units.push(word);
  }
  return units;
}

/** Whether two pieces of a text are written without a space between them. */
export function joinsWithoutSpace(before: string, after: string): boolean {
  return UNSPACED.test(after.slice(0, 2)) && UNSPACED_END.test(before.slice(-4));
}

/** Letters and digits alone, to tell whether two texts say the same. */
export function lettersOf(text: string): string {
  return unitsOf(text).join('');
}

/** Whether a line is written so that it holds fewer characters: Chinese or Japanese, even with some words in Latin letters. */
export function isChineseOrJapanese(text: string): boolean {
  const letterCount = text.match(SPOKEN_ALL)?.length ?? 0;
  return (text.match(CHINESE_OR_JAPANESE)?.length ?? 0) > letterCount / 4;
}

const CLOSING = `["'”’»)\\]}」』）】》〉]*$`;
const SENTENCE_END = new RegExp(`[.!?…。！？｡]${CLOSING}`, 'u');
const CLAUSE_END = new RegExp(`[,;:،؛、，；：–—]${CLOSING}`, 'u');
/** Titles, initials and ordinal numbers: a full stop that ends nothing. */
const ABBREVIATION = /^[\p{Ps}\p{Pi}"']*(?:Mrs?|Ms|Dr|Prof|Sra?|Dra|Mme|Mlle|St|Hr|Fr|bzw|ca|vs|\p{L}|\p{N}{1,2}|(?:\p{L}\.)+\p{L})\.$/iu;
const SHORT_NUMBER = /^\p{N}{1,2}\.$/u;
/** They don't write ordinal numbers with a full stop: by their codes and, as services name them, their English names. */
const WITHOUT_ORDINAL_STOPS =
  /^((en|es|fr|it|nl|pt|ro|ru|uk)(-.*)?|english|spanish|french|italian|dutch|portuguese|romanian|russian|ukrainian)$/i;

export const hasOrdinalStops = (language: string): boolean => !WITHOUT_ORDINAL_STOPS.test(language);

/** Where a sentence, a clause or neither ends with this word. @param next the word after it @param ordinals whether `3.` may be the third */
export function endOf(word: string, next: string | undefined, ordinals = true): 'sentence' | 'clause' | null {
  if (SENTENCE_END.test(word)) {
    if (next === undefined || UNSPACED.test(word)) return 'sentence';
    const isAbbreviation = ABBREVIATION.test(word) && (ordinals || !SHORT_NUMBER.test(word));
    return isAbbreviation || (/[.…]["'”’»)\]]*$/u.test(word) && /^\p{Ll}/u.test(next)) ? null : 'sentence';
  }
  return CLAUSE_END.test(word) ? 'clause' : null;
}
