// How a text is read out: a hundred sentences, each with what a person would say, and a comparison of what was said with what a recogniser wrote:
// "7:30 PM" is "seven thirty p m", and "wifi" is "Wi-Fi". Every eighth sentence is read alike on both sides of the Atlantic.
import { toSpokenText } from '../../src/local/voice-service/engines/kokoro/spoken-text.ts';
import given from '../fixtures/spoken-sentences.json' with { type: 'json' };
import { wordsOf } from './speech.ts';

/** A text, and what is said in words, with initialisms letter by letter; absent = the text as it is. */
const sentences: { text: string; said?: string }[] = given;

export const SPOKEN_SENTENCES = sentences.map(({ text, said = text }) => ({ text, said }));

/** Written in one way by a person and in another by the recogniser, and heard alike. */
const ALIKE: Readonly<Record<string, string>> = {
  oh: 'o',
  okay: 'ok',
  miz: 'ms',
  miss: 'ms',
  missus: 'mrs',
  mister: 'mr',
  cetera: 'cetra',
};
/** The recogniser writes "sixty S". */
const DECADE = /^(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies$/;
/** Words that are written together or apart at will. */
const MAX_JOINED = 4;

/** @param text as a person or the recogniser writes it */
export function spokenWords(text: string): string[] {
  return wordsOf(toSpokenText(text, 'american').replaceAll('_', ' '))
    .map((word) => word.replaceAll("'", '').replace(/(met|lit)re(s?)$/, '$1er$2'))
    .flatMap((word) => (DECADE.test(word) ? [word.replace(/ies$/, 'y'), 's'] : [ALIKE[word] ?? word]));
}

/** Words inserted, left out or changed, at the least; joining words or writing one apart is no error. */
export function countSpokenErrors(said: string, heard: string): number {
  const [expected, actual] = [spokenWords(said), spokenWords(heard)];
  const costs = Array.from({ length: expected.length + 1 }, () => new Array<number>(actual.length + 1).fill(Infinity));
  const cost = (i: number, j: number) => costs[i]?.[j] ?? Infinity;
  for (let i = 0; i <= expected.length; i++) {
    for (let j = 0; j <= actual.length; j++) {
      const row = costs[i] as number[];
      if (i === 0 && j === 0) row[j] = 0;
      else row[j] = Math.min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, i > 0 && j > 0 ? cost(i - 1, j - 1) + 1 : Infinity);
      for (let left = 1; left <= Math.min(i, MAX_JOINED); left++) {
        for (let right = 1; right <= Math.min(j, MAX_JOINED); right++) {
          if (left > 1 && right > 1) continue;
          if (expected.slice(i - left, i).join('') === actual.slice(j - right, j).join(''))
            row[j] = Math.min(row[j] as number, cost(i - left, j - right));
        }
      }
    }
  }
  return cost(expected.length, actual.length);
}
