// A text as words are found in it: without case, in units that people see as one character, each with its place in the text.

/** What decides where words begin and end. */
type Kind =
  /** Letters and digits of scripts that put blanks between words. */
  | 'letter'
  | 'hangul'
  /** Scripts that write words without blanks between them. */
  | 'unspaced'
  | 'blank'
  | 'other';

export interface FoldedText {
  /** The text in Unicode's NFC, which is what `starts` refers to. */
  text: string;
  /** What each unit is compared by. Signs that can't be seen have none. */
  keys: string[];
  kinds: Kind[];
  /** Where in the text each unit starts; one more than there are units. */
  starts: number[];
}

interface Character {
  key: string;
  kind: Kind | 'mark';
}

// Marks and joiners belong to the letter before them: a word never ends between the two.
const MARK = /^[\p{M}\u200c\u200d]$/u;
const UNSPACED = /^[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]$/v;
const HANGUL = /^[\p{L}&&\p{scx=Hangul}]$/v;
const LETTER = /^[\p{L}\p{N}]$/u;
const DOT_ABOVE = '\u0307';

/** Characters that were met before: looking one up is ten times as fast as folding it. */
const known = new Map<string, Character>();
/** More than any few languages use. */
const MAX_KNOWN = 20_000;

/** Folds the case as https://www.unicode.org/reports/tr31/#normalization_and_case does, except that i with and without a dot are one. */
export function foldText(original: string): FoldedText {
  const text = original.normalize('NFC');
  const keys: string[] = [];
  const kinds: Kind[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const { key, kind } = lookUp(character);
    const last = keys.length - 1;
    const extendsLast = kind === 'mark' ? last >= 0 && kinds[last] !== 'blank' : kind === 'blank' && kinds[last] === 'blank';
    if (!extendsLast) {
      keys.push(key);
      kinds.push(kind === 'mark' ? 'other' : kind);
      starts.push(at);
    } else if (kind === 'mark' && !(character === DOT_ABOVE && keys[last] === 'i')) {
      keys[last] += key;
    }
    at += character.length;
  }
  starts.push(at);
  return { text, keys, kinds, starts };
}

function lookUp(character: string): Character {
  const found = known.get(character);
  if (found) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const folded = { key: fold(character), kind: kindOf(character) };
  known.set(character, folded);
  return folded;
}

function kindOf(character: string): Character['kind'] {
  if (MARK.test(character)) return 'mark';
  if (/^\s$/.test(character)) return 'blank';
  if (UNSPACED.test(character)) return 'unspaced';
  if (HANGUL.test(character)) return 'hangul';
  return LETTER.test(character) ? 'letter' : 'other';
}

/**
 * JavaScript has no case folding: by way of the capitals, ß becomes ss, and final sigma the usual one. Turkish İ and ı become i, because a
 * word in capitals doesn't tell in which language they are.
 */
function fold(character: string): string {
  if (/^\s$/.test(character)) return ' ';
  if (/^[’ʼ]$/.test(character)) return "'";
  return character
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/^i\u0307/, 'i')
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}
