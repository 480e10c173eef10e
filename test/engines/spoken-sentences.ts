// How a text is read out: a hundred sentences, each with what a person would say, and a comparison of what was said with what a recogniser wrote:
// "7:30 PM" is "seven thirty p m", and "wifi" is "Wi-Fi". Every eighth sentence is read alike on both sides of the Atlantic.
import { toSpokenText } from '../../src/local/voice-service/engines/kokoro/spoken-text.ts';
import given from '../fixtures/spoken-sentences.json' with { type: 'json' };
import { countWordErrors, wordsOf } from '../helpers/speech.ts';

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
export const countSpokenErrors = (said: string, heard: string): number =>
  countWordErrors(spokenWords(said), spokenWords(heard), MAX_JOINED);
