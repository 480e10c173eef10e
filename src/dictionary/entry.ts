// An entry of a dictionary: a word or phrase, and how it is said.
import { z } from 'zod';
import { inPlace } from '../locales/in-place.ts';
import type { Translator } from '../locales/index.ts';
import { languageCode } from '../locales/language-names.ts';
import { makeSpeakable } from '../synthesis/index.ts';
import { asPlain } from '../text/untrusted-text.ts';

// A text folded for finding words in it: without case, in units that people see as one character, each with its place in the text.

/** The kind of a character decides where words begin and end. */
type Kind =
  /** Letters and digits of scripts that put spaces between words. */
  | 'letter'
  | 'hangul'
  /** Scripts that write words without spaces between them. */
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

/** Cache of characters: looking one up is ten times as fast as folding it. */
const characters = new Map<string, Character>();
/** More characters than a handful of languages use. */
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
  const cached = characters.get(character);
  if (cached) return cached;
  if (characters.size >= MAX_KNOWN) characters.clear();
  const folded = { key: fold(character), kind: kindOf(character) };
  characters.set(character, folded);
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
 * JavaScript has no case folding. Going through upper case turns ß into ss, and a final sigma into the usual one. Turkish İ and ı become i,
 * because a word in capitals doesn't tell which language it is in.
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

/** UTF-16 units: a long phrase, and a sentence to say in its place. */
export const MAX_WORD = 100;
export const MAX_SPOKEN = 200;
/** UTF-16 units of a folded word: a Hangul syllable decomposes into three, but a ligature may decompose into eighteen. */
const MAX_FOLDED = 3 * MAX_WORD;
/** UTF-16 units as typed, in which mentions are longer than the names that replace them. */
const MAX_READ = 500;

export const entrySchema = z.object({
  word: z.string(),
  spoken: z.string(),
  /** Applies only to texts in this language, a code of two or three letters; null = to all. */
  language: z.string().nullable(),
});
export type Entry = z.infer<typeof entrySchema>;

/** Why an entry can't be taken, by what is wrong. */
type Problem = 'noWord' | 'longWord' | 'noSpoken' | 'longSpoken' | 'language';

/** Names of what a member refers to in a word, as in makeSpeakable. */
export type Names = NonNullable<Parameters<typeof makeSpeakable>[2]>;

/**
 * An entry as it is stored. Words are looked for in texts that are ready to be spoken, so both sides are made speakable, too: without
 * markdown, and with names in place of emoji and mentions.
 * @param typed its language is a code (BCP 47); empty = all languages
 * @param t in the language of those texts
 */
export function readEntry(typed: { word: string; spoken: string; language: string }, t: Translator, names: Names = {}): Entry | Problem {
  const { language } = typed;
  const word = clean(typed.word, t, names);
  const spoken = clean(typed.spoken, t, names);
  const folded = foldWord(word);
  if (word.length > MAX_WORD || folded.length > MAX_FOLDED) return 'longWord';
  if (folded === '') return 'noWord';
  if (spoken.length > MAX_SPOKEN) return 'longSpoken';
  if (spoken === '') return 'noSpoken';
  const code = language.trim() === '' ? null : languageCode(language);
  if (language.trim() !== '' && code === null) return 'language';
  return { word, spoken, language: code };
}

/** The same for words that count as equal. */
export function foldWord(word: string): string {
  return foldText(word).keys.join('').trim();
}

/** Each key has at most one entry in a dictionary. */
export function keyOf({ word, language }: Pick<Entry, 'word' | 'language'>): string {
  return `${foldWord(word)}\n${language ?? ''}`;
}

/** One line without anything invisible; empty if there is nothing to speak. Reads no more than a useful entry can have. */
function clean(text: string, t: Translator, names: Names): string {
  return asPlain(makeSpeakable(asPlain(text, MAX_READ), inPlace(t), names) ?? '', MAX_READ);
}

// What happens to the entries of a dictionary: adding, removing and importing, and undoing each of these.

/** Enough to undo it. */
export const changeSchema = z.object({
  /** Entries that were removed or replaced. */
  before: z.array(entrySchema),
  /** Entries that were added or took the place of one. */
  after: z.array(entrySchema),
});
export type Change = z.infer<typeof changeSchema>;

export interface Changed {
  entries: Entry[];
  change: Change;
  /** Entries that there was no room for. */
  left: Entry[];
}

export type ImportMode = 'merge' | 'replace';

/** Adds the entries, or changes what is said for those that are there already. */
export function addEntries(entries: readonly Entry[], added: readonly Entry[], most: number): Changed {
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  const change: Change = { before: [], after: [] };
  const left: Entry[] = [];
  for (const entry of added) {
    const key = keyOf(entry);
    const before = byKey.get(key);
    if (before && before.spoken === entry.spoken && before.word === entry.word) continue;
    if (!before && byKey.size >= most) {
      left.push(entry);
      continue;
    }
    if (before) change.before.push(before);
    change.after.push(entry);
    byKey.set(key, entry);
  }
  return { entries: [...byKey.values()], change, left };
}

/** Removes the word in every language. */
export function removeWord(entries: readonly Entry[], word: string): Changed {
  const folded = foldWord(word);
  const isMeant = (entry: Entry) => foldWord(entry.word) === folded;
  return { entries: entries.filter((entry) => !isMeant(entry)), change: { before: entries.filter(isMeant), after: [] }, left: [] };
}

export function importEntries(entries: readonly Entry[], imported: readonly Entry[], mode: ImportMode, most: number): Changed {
  if (mode === 'merge') return addEntries(entries, imported, most);
  const { entries: after, left } = addEntries([], imported, most);
  return { entries: after, change: { before: [...entries], after }, left };
}

/** Leaves entries alone that somebody has changed again since. */
export function undoChange(entries: readonly Entry[], { before, after }: Change, most: number): Entry[] {
  // Keys of a thousand words take 10 ms, and these entries are as they were added.
  const added = new Set(after.map((entry) => JSON.stringify(entry)));
  const kept = entries.filter((entry) => !added.has(JSON.stringify(entry)));
  const taken = new Set(kept.map(keyOf));
  return [...kept, ...before.filter((entry) => !taken.has(keyOf(entry)))].slice(0, most);
}

/** Entries with this text in the word or in what is said, in the order of the words. */
export function findEntries(entries: readonly Entry[], typed: string): Entry[] {
  const wanted = foldWord(typed);
  const matching = entries.filter(({ word, spoken }) => [word, spoken].some((text) => foldWord(text).includes(wanted)));
  return matching
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry);
}
