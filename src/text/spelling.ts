// Close spelling: how many slips part what was typed from the nearest part of a text. Bit-parallel, a word of 31 bits for a column of
// the usual table: H. Hyyrö, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances" (2003), searching in a text.

const MAX_TYPED = 31;

export interface Spelling {
  /** The least number of slips (a character too many, missing, wrong, or two exchanged) between it and any part of `text`. */
  slipsIn(text: string): number;
  /** So many are forgiven: none in up to three characters, three in thirteen or more. */
  readonly forgiven: number;
}

/** @param typed only its first 31 UTF-16 units count */
export function createSpelling(typed: string): Spelling {
  const { length } = typed.slice(0, MAX_TYPED);
  /** For each character, at which places of what was typed it stands. */
  const places = new Map<number, number>();
  for (let place = 0; place < length; place++) {
    const code = typed.charCodeAt(place);
    places.set(code, (places.get(code) ?? 0) | (1 << place));
  }
  const last = 1 << (length - 1);

  return {
    forgiven: length < 4 ? 0 : length < 8 ? 1 : length < 13 ? 2 : 3,
    slipsIn(text) {
      if (length === 0) return 0;
      // Vertical differences of the table, +1 and -1; a match may begin anywhere, so the first row is all 0.
      let plus = -1;
      let minus = 0;
      let diagonal = 0;
      let before = 0;
      let slips = length;
      let fewest = length;
      for (let place = 0; place < text.length; place++) {
        const here = places.get(text.charCodeAt(place)) ?? 0;
        const exchanged = ((~diagonal & here) << 1) & before;
        diagonal = (((here & plus) + plus) ^ plus) | here | minus | exchanged;
        const right = minus | ~(diagonal | plus);
        const left = diagonal & plus;
        if (right & last) slips++;
        if (left & last && --slips < fewest) fewest = slips;
        plus = (left << 1) | ~(diagonal | (right << 1));
        minus = diagonal & (right << 1);
        before = here;
      }
      return fewest;
    },
  };
}
