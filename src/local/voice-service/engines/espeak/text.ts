// Turns text into what espeak-ng can say: sentences, without phonemes of its own, and in scripts that it reads aloud rather than spells.

import { EngineError } from '../engine.ts';
import { nothingToSpeak, requireWords } from '../english-text.ts';
import { sayQuantities } from './quantities.ts';
import type { Reader } from './readings.ts';

/** Which letters a language is written in. Latin ones are read by every voice. */
const SCRIPTS: Record<string, RegExp> = {
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu,
  ko: /\p{Script=Hangul}/gu,
  zh: /\p{Script=Han}/gu,
};
const LATIN = /\p{Script=Latin}/gu;
/** In characters, so that the first sound comes soon and none takes long. */
const MAX_PIECE = 240;
/** `[[` begins phonemes, even on the standard input. What isn't printed isn't spoken. */
const UNSPOKEN = /\[(?=\[)|[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu;

/**
 * @param language of the voice, BCP 47 @param read puts it into letters that espeak-ng reads
 * @returns pieces in the order they are spoken, at least one
 * @throws EngineError `unspeakable` if most of it is in another script, or nothing in it can be said
 */
export function toEspeakPieces(text: string, language: string, read: Reader): string[] {
  requireWords(text);
  const [base = language] = language.split('-');
  const own = SCRIPTS[base] ?? LATIN;
  const plain = toPlainLetters(text);
  requireScript(plain, own);
  const readable = withoutOtherScripts(plain, own).replace(/\n+/g, '. ').replace(UNSPOKEN, ' ').toWellFormed();
  const pieces = sayQuantities[base]?.(readable) ?? readable;
  const sentences = [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(pieces)].flatMap(({ segment }) => cut(segment));
  const spoken = sentences.map((sentence) => read(sentence).replace(UNSPOKEN, ' ').trim()).filter((one) => /[\p{L}\p{N}\p{S}]/u.test(one));
  if (spoken.length === 0) throw nothingToSpeak();
  return spoken;
}

/** "𝐇𝐚𝐥𝐥𝐨" and "Ｈａｌｌｏ" are Hallo, ① and １ are 1. Superscripts and fractions stay: they are read as such. */
const toPlainLetters = (text: string): string =>
  text.replace(/[\p{L}\u2460-\u24ff\uff10-\uff19]/gu, (letter) => {
    const plain = letter.normalize('NFKC');
    return /^[\p{Script=Latin}\p{Nd}]+$/u.test(plain) ? plain : letter;
  });

/** Its letters would be named one by one, some in English: "Cyrillic ve". */
const withoutOtherScripts = (text: string, own: RegExp): string =>
  text.replace(/\p{L}\p{M}*/gu, (letter) => (letter.search(own) === 0 || letter.search(LATIN) === 0 ? letter : ' '));

/** Speaking only what is in other scripts would change what the text says. */
function requireScript(text: string, own: RegExp): void {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu);
  const readable = own === LATIN ? count(LATIN) : count(own) + count(LATIN);
  if (letters > 0 && 2 * readable < letters)
    throw new EngineError(
      'unspeakable',
      'This voice does not read the script that most of the text is in. Choose a voice of its language.',
    );
}

/** After punctuation or a blank if there is one. */
function cut(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence.trim();
  while (rest.length > MAX_PIECE) {
    const head = rest.slice(0, MAX_PIECE);
    const at = Math.max(...[',', ';', '、', '，', ' '].map((mark) => head.lastIndexOf(mark) + 1));
    // Not in the middle of a character of two units.
    const end = at > MAX_PIECE / 4 ? at : MAX_PIECE - (head.isWellFormed() ? 0 : 1);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest];
}
