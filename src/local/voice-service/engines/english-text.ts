// What the built-in synthesisers take: English in Latin letters, as plain ASCII.
import { EngineError } from './engine.ts';

/** Characters without an ASCII decomposition, as English says or writes them. */
const SPOKEN: Record<string, string> = {
  '€': ' euros ',
  '£': ' pounds ',
  '¥': ' yen ',
  '°': ' degrees ',
  '©': ' copyright ',
  '×': ' times ',
  '÷': ' divided by ',
  '±': ' plus or minus ',
  '½': ' one half ',
  '¼': ' one quarter ',
  '¾': ' three quarters ',
  '…': '. ',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': ', ',
  '—': ', ',
  '。': '. ',
  '、': ', ',
  '¿': '',
  '¡': '',
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'th',
  þ: 'th',
};

/** @throws EngineError `unspeakable` if it is empty */
export function requireWords(text: string): void {
  if (text.trim() === '') throw new EngineError('unspeakable', 'The text is empty. Send some words to speak.');
}

/** @throws EngineError `unspeakable` if it is empty, or in another script than English */
export function requireEnglish(text: string): void {
  requireWords(text);
  if (isMostlyForeign(text)) {
    throw new EngineError(
      'unspeakable',
      'This voice speaks only English, in Latin letters. Write the text in English, or connect a voice service that speaks its language.',
    );
  }
}

export const nothingToSpeak = () => new EngineError('unspeakable', 'The text has no letter or digit that can be spoken. Send some words.');

/** True if most of the text is in other scripts: speaking only the rest would change what it says. */
function isMostlyForeign(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  // A character of these is a syllable or a word, and says as much as two or more letters.
  const syllables = count(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu);
  const latin = count(/\p{Script=Latin}/gu);
  return count(/\p{L}/gu) - latin + syllables > latin;
}

/** Accents are removed; what has no place in ASCII becomes a blank. */
export function toAscii(text: string): string {
  return text
    .replace(/[^\p{ASCII}]/gu, (sign) => SPOKEN[sign] ?? sign)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\n\x20-\x7e]/g, ' ');
}

/** The same with Latin letters without their accents. Patterns know only these letters: to them, the "rn" of "Björn" is a word of its own. */
export function foldLatin(text: string): string {
  return text.replace(/\p{Script=Latin}\p{M}*/gu, (letter) => {
    const plain = SPOKEN[letter.normalize('NFC')] ?? letter.normalize('NFD').replace(/\p{M}/gu, '');
    return SPOKEN[plain] ?? plain;
  });
}

/** Line by line, and sentence by sentence. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  for (const paragraph of text.split(/\n+/)) {
    for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(paragraph)) {
      const sentence = segment.replace(/\s+/g, ' ').trim();
      if (sentence) sentences.push(sentence);
    }
  }
  return sentences;
}
