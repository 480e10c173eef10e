// Replacing the words of a full dictionary in the longest text, next to what most bots do: one RegExp for each entry, tried in turn.

import { compileDictionary, replaceWords } from '../../src/dictionary/dictionaries.ts';
import type { Entry } from '../../src/dictionary/entry.ts';
import type { Bench } from './conversion.ts';
import { type Row, rowOf } from './rows.ts';

const ENTRIES = 1000;
const LENGTH = 2000;
const WARM_UP = 20;
const RUNS = 200;

const SYLLABLES = ['ka', 'lo', 'min', 'ter', 'su', 'ven', 'ri', 'do', 'pla', 'en'];
/** Words of these may begin anywhere, since there are no blanks. */
const SIGNS = [...'東京特許可局都市名人'];

export async function benchDictionary({ progress }: Bench): Promise<Row[]> {
  progress('dictionary: one pass, a RegExp for each entry');
  const entries = entriesOf(SYLLABLES);
  // Every third word has an entry, in any case.
  const text = Array.from({ length: LENGTH }, (_, index) => wordOf(index * 331 + (index % 3) * ENTRIES, SYLLABLES))
    .map((word, index) => (index % 2 ? word.toUpperCase() : word))
    .join(' ')
    .slice(0, LENGTH);
  const dictionary = compileDictionary(entries);
  const patterns = entries.map(({ word, spoken }) => [new RegExp(`\\b${word}\\b`, 'gi'), spoken] as const);
  const parley = measure(() => replaceWords(text, null, [dictionary]));
  const usual = measure(() => patterns.reduce((said, [pattern, spoken]) => said.replace(pattern, spoken), text));
  const unspaced = Array.from({ length: LENGTH }, (_, index) => SIGNS[(index * index + index) % 9]).join('');
  const ofSigns = compileDictionary(entriesOf(SIGNS));
  const part = 'dictionary';
  const aim = { atMost: 1 };
  return [
    rowOf({ part, figure: '1,000 entries in 2,000 characters', unit: 'ms', parley, usual: { 'a RegExp per entry': usual }, aim }),
    rowOf({
      part,
      figure: '1,000 entries in 2,000 characters without blanks',
      unit: 'ms',
      parley: measure(() => replaceWords(unspaced, null, [ofSigns])),
      aim,
    }),
    rowOf({ part, figure: 'compiling 1,000 entries', unit: 'ms', parley: measure(() => compileDictionary(entries)), aim: null }),
  ];
}

function entriesOf(parts: readonly string[]): Entry[] {
  return Array.from({ length: ENTRIES }, (_, index) => ({ word: wordOf(index, parts), spoken: `said ${index}`, language: null }));
}

/** A word of at least three parts; always the same for a number. */
function wordOf(number: number, parts: readonly string[]): string {
  return [...String(number).padStart(3, '0')].map((digit) => parts[Number(digit)]).join('');
}

/** Milliseconds of each run. */
function measure(act: () => unknown): number[] {
  for (let run = 0; run < WARM_UP; run++) act();
  return Array.from({ length: RUNS }, () => {
    const begun = performance.now();
    act();
    return performance.now() - begun;
  });
}
