// Close spelling, held against the table of the textbook.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSpelling } from '../../src/text/spelling.ts';

/** The same by dynamic programming: the first row is all 0, for a match may begin anywhere, and the least of the last row is taken. */
function slipsByTable(typed: string, text: string): number {
  const rows = [Array<number>(text.length + 1).fill(0)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= typed.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= text.length; column++) {
      const same = typed[row - 1] === text[column - 1] ? 0 : 1;
      const options = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same];
      const exchanged = row > 1 && column > 1 && typed[row - 1] === text[column - 2] && typed[row - 2] === text[column - 1];
      if (exchanged) options.push(at(row - 2, column - 2) + 1);
      (rows[row] as number[])[column] = Math.min(...options);
    }
  }
  return Math.min(...(rows[typed.length] as number[]));
}

test('counts slips as the table does, for any typing and any text', () => {
  const few = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength });
  const any = (maxLength: number) => fc.string({ unit: 'binary', maxLength });
  for (const make of [few, any])
    fc.assert(
      fc.property(make(31), make(60), (typed, text) => {
        const start = typed.slice(0, 31);
        expect(createSpelling(start).slipsIn(text)).toBe(slipsByTable(start, text));
      }),
      { numRuns: 200 },
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
])('%j is in %j with %i slips', (typed, text, slips) => {
  expect(createSpelling(typed).slipsIn(text)).toBe(slips);
});

test('forgives nothing in a few letters, where everything would be close', () => {
  expect(['', 'abc', 'abcd', 'abcdefgh', 'a'.repeat(13), 'a'.repeat(100)].map((typed) => createSpelling(typed).forgiven)).toEqual([
    0, 0, 1, 2, 3, 3,
  ]);
});
