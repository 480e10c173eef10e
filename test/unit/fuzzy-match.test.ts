// Fuzzy matching, compared with the textbook algorithm.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFuzzyPattern } from '../../src/text/fuzzy-match.ts';
import { anyCharacter } from '../helpers/arbitrary-text.ts';

/** By dynamic programming: the first row is all 0, as a match may start anywhere, and the result is the minimum of the last row. */
function distanceByTable(typed: string, text: string): number {
  const rows = [Array<number>(text.length + 1).fill(0)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= typed.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= text.length; column++) {
      const same = typed[row - 1] === text[column - 1] ? 0 : 1;
      const options = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same];
      const isSwapped = row > 1 && column > 1 && typed[row - 1] === text[column - 2] && typed[row - 2] === text[column - 1];
      if (isSwapped) options.push(at(row - 2, column - 2) + 1);
      (rows[row] as number[])[column] = Math.min(...options);
    }
  }
  return Math.min(...(rows[typed.length] as number[]));
}

test('agrees with the textbook algorithm for any input', () => {
  const few = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength });
  const any = (maxLength: number) => fc.string({ unit: anyCharacter, maxLength });
  for (const make of [few, any])
    fc.assert(
      fc.property(make(31), make(60), (typed, text) => {
        const start = typed.slice(0, 31);
        expect(createFuzzyPattern(start).editDistance(text)).toBe(distanceByTable(start, text));
      }),
      { numRuns: 60 },
    );
});

test.each([
  ['narrator', 'calm narrator', 0],
  ['narator', 'calm narrator', 1],
  ['narrrator', 'calm narrator', 1],
  ['narratro', 'calm narrator', 1],
  ['nerrator', 'calm narrator', 1],
  ['', 'anything', 0],
  ['abc', '', 3],
])('%j is in %j with %i edits', (typed, text, slips) => {
  expect(createFuzzyPattern(typed).editDistance(text)).toBe(slips);
});

test('allows no edits in short words, to which everything would be close', () => {
  expect(['', 'abc', 'abcd', 'abcdefgh', 'a'.repeat(13), 'a'.repeat(100)].map((typed) => createFuzzyPattern(typed).maxEdits)).toEqual([
    0, 0, 1, 2, 3, 3,
  ]);
});
