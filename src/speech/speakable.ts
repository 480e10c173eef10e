// Turns a Discord message into what a voice should say.
//
// Regular expressions rather than a parser: discord-markdown-parser 1.3.1 (like simple-markdown, which it contains) throws RangeError on
// 4,000 asterisks and takes 2.8 s for `[a](` repeated a thousand times, in the thread that sends everybody's sound; here neither takes
// more than 30 ms. It also knows neither lists nor slash commands with spaces.
import { plainLetters } from './letters.ts';
import { type LinkWords, replaceLinks } from './links.ts';
import { type Names, nameReferences, PAUSE, type ReferenceWords } from './references.ts';

/** Said in place of what cannot be spoken. */
export interface SpeakableWords extends LinkWords, ReferenceWords {
  spoiler: string;
  /** Absent: code is left out. */
  code?: string;
}

const MAX_REPEATS = 3;

/** Characters; what an embed holds. Messages, and so the texts of commands, have 2,000. */
const MAX_READ = 4096;

/** Parts of some flags. */
const TAGS = /[\u{e0020}-\u{e007f}]+/gu;
const PAUSES = new RegExp(`(?: ?${PAUSE})+ ?`, 'g');

/**
 * The text as it should be spoken: mentions and emoji by name, links as a word, spoilers hidden, code and markdown removed, decorated letters
 * made plain, long repeats shortened. null if nothing speakable is left, that is no letter and no digit.
 * Only the first 4,096 characters are read; names and times add 4,000 at most.
 */
export function makeSpeakable(text: string, words: SpeakableWords, names: Names = {}): string | null {
  let spoken = plainLetters(text.slice(0, MAX_READ).replace(/\r\n?/g, '\n'));
  spoken = replaceCode(spoken, words.code ?? '');
  spoken = spoken.replace(/\|\|[\s\S]+?\|\|/g, ` ${words.spoiler} `);
  spoken = nameReferences(spoken, names, words);
  spoken = replaceLinks(spoken, words);
  spoken = removeMarkdown(spoken);
  spoken = shortenRepeats(spoken);
  spoken = tidySpaces(addPauses(spoken.replace(TAGS, '')));
  return /[\p{L}\p{N}]/u.test(spoken) ? spoken : null;
}

/**
 * At most `maxLength` characters, cut between words, with `ending` spoken in place of the rest. An `ending` that would take more than
 * half of them is added on top.
 */
export function truncateSpeech(text: string, maxLength: number, ending: string): string {
  if (text.length <= maxLength) return text;
  const end = `, ${ending}.`;
  const room = Math.max(maxLength - end.length, Math.ceil(maxLength / 2));
  const start = text.slice(0, room + 1);
  const lastSpace = start.search(/\s\S*$/);
  // Scripts without spaces, and words that don't fit at all, are cut anywhere but inside a character.
  const cut = lastSpace > room / 2 ? start.slice(0, lastSpace) : start.slice(0, room).replace(/[\ud800-\udbff]$/, '');
  return `${cut.replace(/(?<![\s,;:.!?…–-])[\s,;:.!?…–-]+$/u, '')}${end}`;
}

function replaceCode(text: string, word: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, ` ${word} `).replace(/(`{1,2})(?!`)[^\n]*?[^`\n]\1(?!`)/g, ` ${word} `);
}

function removeMarkdown(text: string): string {
  return (
    text
      // Not `^`: for it, a line also begins after signs that count as blanks here.
      .replace(/(?<![^\n])[^\S\n]*(?:>>>|>)[^\S\n]?/g, '')
      .replace(/(?<![^\n])[^\S\n]*(?:#{1,3}|-#)[^\S\n]+/g, '')
      .replace(/(?<![^\n])[^\S\n]*(?:[-*+][^\S\n]+)+/g, '')
      // Escaped characters are meant literally: moved to the private use area while the others are removed.
      .replace(/\\([*_~|`\\>#-])/g, (_, sign: string) => String.fromCodePoint(0xe000 + (sign.codePointAt(0) ?? 0)))
      .replace(/(?<!\p{N})(\*{1,3})(?=\S)([^*]*?\S)\1/gu, '$2')
      .replace(/(^|[^\p{L}\p{N}_])(_{1,3})(?=\S)([\s\S]*?\S)\2(?![\p{L}\p{N}_])/gu, '$1$3')
      .replace(/~~(?=\S)([\s\S]*?\S)~~/g, '$1')
      .replace(/[\ue000-\ue07f]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xe000))
  );
}

/** A comma where a voice should pause, unless there is a sign for it already. */
function addPauses(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(PAUSES, PAUSE)
    .replace(/(^|[\n,.!?;:…([，。、！？])\ue100/g, '$1 ')
    .replace(/\ue100(?=$|[\n,.!?;:…)\]，。、！？])/g, '')
    .replaceAll(PAUSE, ', ');
}

/** One blank between words, and none where it would be heard as nothing. */
function tidySpaces(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .replace(/ (?=[,.!?;:)\]](?:\s|[,.!?;:)\]]|$))/g, '')
    .replace(/([([]) /g, '$1')
    .trim();
}

/** Three in a row say what thirty do. Digits stay: they change the number. */
function shortenRepeats(text: string): string {
  return text
    .replace(/([^\p{N}\s])\1{3,}/gu, (_, sign: string) => sign.repeat(MAX_REPEATS))
    .replace(/(\p{L}{2,6}?)\1{3,}/gu, (_, part: string) => part.repeat(MAX_REPEATS))
    .replace(/(?<!\S)(\S{1,32})(?:\s+\1){3,}(?!\S)/gu, (whole, word: string) =>
      /^\p{N}+$/u.test(word) ? whole : Array(MAX_REPEATS).fill(word).join(' '),
    );
}
