// Turns text into what Flite can say: plain ASCII, cut into sentences or parts of one.
import { EngineError } from '../engine.ts';
import { SPEECH_LIMITS } from '../limits.ts';

/** A piece to synthesise in one go, and the pause after it. */
export interface SpeakablePiece {
  text: string;
  pauseSeconds: number;
}

/** Seconds. */
const PAUSE = { sentence: 0.4, clause: 0.12, none: 0.02, end: 0.1 };
/** In characters. The first piece is shorter, so that the first sound comes soon. */
const MAX_FIRST_PIECE = 120;
const MAX_PIECE = 240;
/** Flite spells out longer runs without a space for minutes, or crashes. */
const LONG_RUN = /(\S{60})(?=\S)/g;

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

/**
 * @returns pieces in the order they are spoken, at least one
 * @throws EngineError `unspeakable` if nothing in the text can be said in English, `too-long` above `SPEECH_LIMITS.maxTextLength`
 */
export function toSpeakablePieces(text: string): SpeakablePiece[] {
  if (text.length > SPEECH_LIMITS.maxTextLength) {
    throw new EngineError(
      'too-long',
      `The text has ${text.length} characters, and ${SPEECH_LIMITS.maxTextLength} are spoken at most. Send it in parts.`,
    );
  }
  if (text.trim() === '') throw new EngineError('unspeakable', 'The text is empty. Send some words to speak.');
  if (isMostlyForeign(text)) {
    throw new EngineError(
      'unspeakable',
      'The local voices speak only English, in Latin letters. Write the text in English, or connect a voice service that speaks its language.',
    );
  }
  const pieces: SpeakablePiece[] = [];
  for (const sentence of splitSentences(toAscii(text))) {
    if (!isSpeakable(sentence)) continue;
    pieces.push(...splitLong(sentence, pieces.length === 0));
  }
  const last = pieces.at(-1);
  if (!last) throw new EngineError('unspeakable', 'The text has no letter or digit that can be spoken. Send some words in English.');
  last.pauseSeconds = PAUSE.end;
  return pieces;
}

/** True if most of the text is in other scripts: speaking only the rest would change what it says. */
function isMostlyForeign(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  // A character of these is a syllable or a word, and says as much as two or more letters.
  const syllables = count(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu);
  const latin = count(/\p{Script=Latin}/gu);
  return count(/\p{L}/gu) - latin + syllables > latin;
}

function toAscii(text: string): string {
  return text
    .replace(/[^\p{ASCII}]/gu, (sign) => SPOKEN[sign] ?? sign)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\n\x20-\x7e]/g, ' ')
    .replace(LONG_RUN, '$1 ');
}

function splitSentences(text: string): string[] {
  const paragraphs = text.split(/\n+/);
  const sentences: string[] = [];
  for (const paragraph of paragraphs) {
    for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(paragraph)) {
      const sentence = segment.replace(/\s+/g, ' ').trim();
      if (sentence) sentences.push(sentence);
    }
  }
  return sentences;
}

function isSpeakable(text: string): boolean {
  return /[a-z0-9]/i.test(text) || /[%$&+=@#]/.test(text);
}

/** Cuts after commas and other clause marks, or between words if there are none. */
function splitLong(sentence: string, first: boolean): SpeakablePiece[] {
  const pieces: SpeakablePiece[] = [];
  let rest = sentence;
  for (let limit = first ? MAX_FIRST_PIECE : MAX_PIECE; rest.length > limit; limit = MAX_PIECE) {
    const head = rest.slice(0, limit);
    const clauseEnd = /^.*[,;:)] /s.exec(head)?.[0].length ?? 0;
    const atClause = clauseEnd > limit / 4;
    const cut = atClause ? clauseEnd : Math.max(head.lastIndexOf(' '), 0) || limit;
    pieces.push({ text: rest.slice(0, cut).trim(), pauseSeconds: atClause ? PAUSE.clause : PAUSE.none });
    rest = rest.slice(cut).trim();
  }
  if (rest) pieces.push({ text: rest, pauseSeconds: PAUSE.sentence });
  return pieces.filter((piece) => isSpeakable(piece.text));
}
