// Cuts a long text where a speaker would breathe, so that each piece is one call to the service.

/** Texts up to here are one call, and so is each piece of a longer one. In UTF-16 units, as Discord counts. */
export const MAX_PIECE = 300;
/** The first piece of a long text is shorter, so that its first sound comes as fast as a short text's. */
const MAX_FIRST_PIECE = 150;

const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// Ends of clauses and words, with the blanks after them; scripts without blanks have marks of their own.
const CLAUSE_END = /[,;:،؛、，；：)\]»”–—…]\s*|\n+/gu;
const WORD_END = /\s+/gu;

/**
 * The pieces of `text`, each at most `max` long, none blank; together they are the text but for the blanks between them. Sentences
 * stay whole where they fit; longer ones are cut after a clause, else between words, and never inside a character.
 */
export function cutIntoPieces(text: string, max: number = MAX_PIECE): string[] {
  const whole = text.trim();
  if (whole.length <= max) return whole === '' ? [] : [whole];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of sentenceSegmenter.segment(whole)) {
    const room = pieces.length === 0 ? Math.min(max, MAX_FIRST_PIECE) : max;
    if (piece !== '' && (piece + segment.trimEnd()).length > room) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
    while (piece.trimEnd().length > max) {
      const end = lastCut(piece, pieces.length === 0 ? Math.min(max, MAX_FIRST_PIECE) : max);
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
    }
  }
  pieces.push(piece);
  return pieces.map((part) => part.trim()).filter((part) => part !== '');
}

/** Where to cut a text that is longer than `max`. */
function lastCut(text: string, max: number): number {
  // A clause much shorter than what fits would leave a stump.
  return lastMatchEnd(text, CLAUSE_END, max, max / 2) ?? lastMatchEnd(text, WORD_END, max, 0) ?? lastGrapheme(text, max);
}

function lastMatchEnd(text: string, pattern: RegExp, max: number, min: number): number | null {
  let found: number | null = null;
  for (const match of text.slice(0, max).matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end > min && text.slice(0, end).trim() !== '') found = end;
  }
  return found;
}

function lastGrapheme(text: string, max: number): number {
  let end = 0;
  for (const { index, segment } of graphemeSegmenter.segment(text)) {
    // A single character of a thousand joined signs is no character: it is cut like the rest.
    if (index + segment.length > max) return end === 0 ? max : end;
    end = index + segment.length;
  }
  return end;
}
