// Every regular expression of the program takes time in proportion to the text: on a repeated character of any kind, none backtracks from each
// to the end again. Their structure shows it; `npm run bench -- --only texts` measures it, with two characters and after any beginning, too.
import { analyse } from 'scslre';
import { expect, it } from 'vitest';
import { literalsIn, writtenExpressions } from '../helpers/source-text.ts';

/** What a repeated character makes slow in it, if anything. */
const faultsOf = (regex: RegExp) =>
  analyse(regex).reports.map(({ exponential, character }) => `${exponential ? 'exponential' : 'quadratic'} in ${character.literal.source}`);

it('finds the expressions in a program, and those that are slow', () => {
  const code = `() => { const a = b / c / d; \`\${x.replace(/[/\\]]+/g, \`/\${/y/}\`)} /no/\`; return /\\//u; // /no/
    "/no/" + (a) / 2 / 1 }`;
  expect(literalsIn(code).map(String)).toEqual(['/[/\\]]+/g', '/y/', '/\\//u']);
  expect(faultsOf(/\s+$/)).toEqual(['quadratic in \\s']);
  expect(faultsOf(/^(a+)+$/)).toEqual(['exponential in a']);
  expect(faultsOf(/\S+/g)).toEqual([]);
});

it('finds no expression that takes more than its share of time, whatever is repeated', () => {
  const written = writtenExpressions();
  expect(written.length).toBeGreaterThan(250);
  expect(written.flatMap(({ regex, file }) => faultsOf(regex).map((fault) => `${file}: ${regex} is ${fault}`))).toEqual([]);
});
