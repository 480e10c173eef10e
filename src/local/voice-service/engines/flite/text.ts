// Turns text into what Flite can say: plain ASCII, cut into sentences or parts of one.
import { nothingToSpeak, requireEnglish, splitSentences, toAscii } from '../english-text.ts';

/** A piece to synthesise in one go, and the pause after it. */
interface SpeakablePiece {
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

/**
 * @returns pieces in the order they are spoken, at least one
 * @throws EngineError `unspeakable` if nothing in the text can be said in English
 */
export function toSpeakablePieces(text: string): SpeakablePiece[] {
  requireEnglish(text);
  const pieces: SpeakablePiece[] = [];
  for (const sentence of splitSentences(toAscii(text).replace(LONG_RUN, '$1 '))) {
    if (!isSpeakable(sentence)) continue;
    pieces.push(...splitLong(sentence, pieces.length === 0));
  }
  const last = pieces.at(-1);
  if (!last) throw nothingToSpeak();
  last.pauseSeconds = PAUSE.end;
  return pieces;
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
