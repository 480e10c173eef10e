// An entry of a dictionary: a word or phrase, and how it is said.
import { z } from 'zod';
import type { Words } from '../locales/index.ts';
import { languageCode } from '../locales/language-names.ts';
import { makeSpeakable } from '../speech/index.ts';
import { asPlain } from '../text/untrusted-text.ts';
import { foldText } from './folded-text.ts';

/** UTF-16 units: a long phrase, and a sentence to say in its place. */
export const MAX_WORD = 100;
export const MAX_SPOKEN = 200;
/** UTF-16 units of a word as it is compared: a Hangul syllable comes apart into three, but a ligature may into eighteen. */
const MAX_FOLDED = 3 * MAX_WORD;
/** Before names take the place of mentions, which are longer. */
const MAX_READ = 500;

export const entrySchema = z.object({
  word: z.string(),
  spoken: z.string(),
  /** Applies to texts in this language only, a code of two or three letters; null = to all. */
  language: z.string().nullable(),
});
export type Entry = z.infer<typeof entrySchema>;

/** Why an entry can't be taken, by what is wrong. */
type Problem = 'noWord' | 'longWord' | 'noSpoken' | 'longSpoken' | 'language';

/** Names of what a member refers to in a word, as in makeSpeakable. */
export type Names = NonNullable<Parameters<typeof makeSpeakable>[2]>;

/**
 * An entry as it is kept. Words are looked for in texts that are ready to be spoken, so both sides are made so, too: markdown is removed,
 * emoji and mentions go by their names.
 * @param typed its language is a code (BCP 47); empty = all languages
 * @param t the words of those texts
 */
export function readEntry(typed: { word: string; spoken: string; language: string }, t: Words, names: Names = {}): Entry | Problem {
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

/** Two words are the same if this is. */
export function foldWord(word: string): string {
  return foldText(word).keys.join('').trim();
}

/** A dictionary has one entry of a key. */
export function keyOf({ word, language }: Pick<Entry, 'word' | 'language'>): string {
  return `${foldWord(word)}\n${language ?? ''}`;
}

/** One line without anything invisible; empty if there is nothing to speak. Only as much is read as an entry of any use has. */
function clean(text: string, { heard, locale }: Words, names: Names): string {
  return asPlain(makeSpeakable(asPlain(text, MAX_READ), { ...heard.inPlace, locale }, names) ?? '', MAX_READ);
}
