// What Unicode emoji are called in each language: the short names of Unicode's CLDR, which emojibase has for 28 languages.
import { createRequire } from 'node:module';
import type { CompactEmoji } from 'emojibase';

const require = createRequire(import.meta.url);

/** Variants of the same picture: for text or emoji, and skin tones. */
const VARIANTS = /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;

/** Picture to name, by language; null if the library doesn't have it. Loaded at first use: a language takes 6 ms and 0.3 MB. */
const loaded = new Map<string, ReadonlyMap<string, string> | null>();

/** Without the skin tone; undefined for what is no emoji, newer than the library, or in a language that it doesn't have. @param locale BCP 47 */
export function emojiName(emoji: string, locale: string): string | undefined {
  const names = namesIn(locale.split('-')[0] ?? locale);
  const plain = emoji.replace(VARIANTS, '');
  // What is joined in a way that has no name is called like its first part.
  return names?.get(plain) ?? names?.get(plain.split('\u200d')[0] ?? '');
}

function namesIn(language: string): ReadonlyMap<string, string> | null {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const names = load(language);
  loaded.set(language, names);
  return names;
}

function load(language: string): ReadonlyMap<string, string> | null {
  try {
    const emoji: CompactEmoji[] = require(`emojibase-data/${language}/compact.json`);
    return new Map(emoji.map(({ unicode, label }) => [unicode.replace(VARIANTS, ''), label]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') {
      process.emitWarning(`Emoji have no names in "${language}" until the next start, because they could not be read: ${error}`);
    }
    return null;
  }
}
