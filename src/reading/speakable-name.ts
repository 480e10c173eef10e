// Makes the names of members, channels and stickers speakable.
import type { Words } from '../locales/index.ts';
import { plainLetters } from '../speech/index.ts';
import { emojiName } from './emoji-names.ts';

/** Characters. Display names have 32, channels and roles 100. */
const MAX_READ = 100;
/** More of them would be read as a number that takes longer than the message. */
const MAX_DIGITS = 4;

/** A display name that a voice can say: 𝓡𝓸𝓫𝓲𝓷 is Robin, and 🦊 a fox; "someone" if nothing in it can be spoken. */
export function speakableName(name: string, words: Words): string {
  return plainName(name) ?? emojiIn(name, words.locale) ?? words.heard.inPlace.someone;
}

/** The letters and digits of a name as words; null if there are none. */
export function plainName(name: string): string | null {
  const plain = plainLetters(name.slice(0, MAX_READ))
    .replace(/[^\p{L}\p{M}\p{N}\s'’.&+-]+/gu, ' ')
    .replace(/(\p{L})\1{3,}/gu, '$1$1')
    .replace(new RegExp(`(\\p{N}{${MAX_DIGITS}})\\p{N}+`, 'gu'), '$1')
    .replace(/(?<![\p{L}\p{N}])[\p{M}'’.&+-]+|['’.&+-]+(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(plain) ? plain : null;
}

function emojiIn(name: string, locale: string): string | undefined {
  for (const [emoji] of name.slice(0, MAX_READ).matchAll(/\p{RI}{2}|\p{Extended_Pictographic}/gu)) {
    const spoken = emojiName(emoji, locale);
    if (spoken !== undefined) return spoken;
  }
  return undefined;
}
