// Fuzzy matching: how many edits separate what was typed from the closest part of a text. Bit-parallel, with one 31-bit word for each
// column of the usual table: H. Hyyrö, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances" (2003), in its
// version for searching. No library: the usual ones, such as fastest-levenshtein, compare with the whole text, not its closest part.

const MAX_TYPED = 31;

export interface FuzzyPattern {
  /** Fewest edits (a character extra, missing or wrong, or two swapped) between the typed text and any part of `text`. */
  editDistance(text: string): number;
  /** Edits that count as a typo: none in up to three characters, three in thirteen or more. */
  readonly maxEdits: number;
}

/** @param typed only its first 31 UTF-16 units count */
export function createFuzzyPattern(typed: string): FuzzyPattern {
  const { length } = typed.slice(0, MAX_TYPED);
  /** For each character, a bit for each of its positions. */
  const positions = new Map<number, number>();
  for (let position = 0; position < length; position++) {
    const code = typed.charCodeAt(position);
    positions.set(code, (positions.get(code) ?? 0) | (1 << position));
  }
  const last = 1 << (length - 1);

  return {
    maxEdits: length < 4 ? 0 : length < 8 ? 1 : length < 13 ? 2 : 3,
    editDistance(text) {
      if (length === 0) return 0;
      // Vertical differences in the table, +1 and -1. A match may start anywhere, so the first row is all 0.
      let plus = -1;
      let minus = 0;
      let diagonal = 0;
      let previous = 0;
      let edits = length;
      let fewest = length;
      for (let index = 0; index < text.length; index++) {
        const current = positions.get(text.charCodeAt(index)) ?? 0;
        const swapped = ((~diagonal & current) << 1) & previous;
        diagonal = (((current & plus) + plus) ^ plus) | current | minus | swapped;
        const right = minus | ~(diagonal | plus);
        const left = diagonal & plus;
        if (right & last) edits++;
        if (left & last && --edits < fewest) fewest = edits;
        plus = (left << 1) | ~(diagonal | (right << 1));
        minus = diagonal & (right << 1);
        previous = current;
      }
      return fewest;
    },
  };
}
