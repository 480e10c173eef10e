// A clause in Kokoro's symbols: what `spoken-text.ts` wrote in words, as an American or a Briton says it.
import { toSymbols } from './accents.ts';
import type { Dictionary } from './phones.ts';
import type { Accent } from './voices.ts';
import { letterPhones, type Neighbours, ownPhones, ownSymbols } from './words.ts';

/** A word with its apostrophes, letters to spell ("F_B_I", "U_R_L_s"), or a mark. */
const TOKEN = /[A-Z](?:_[A-Z])+(?:_s)?|[A-Za-z]+(?:'[A-Za-z]+)*'?|\.\.\.|[;:,.!?]/g;
const BEGINS_WITH_VOWEL = /^[ˈˌ]?[AIOQWYaiuɐɑɒæɔəɛɜɪʊʌ]/;

/** @param clause of ASCII letters, apostrophes, marks and blanks, without digits */
export function toKokoro(clause: string, accent: Accent, dictionary: Dictionary): string {
  const tokens = clause.match(TOKEN) ?? [];
  const words = tokens.map((token) => (isMark(token) ? '' : token.replace(/^'|'$/g, '').toLowerCase()));
  let symbols = '';
  // From the end, because "the" and "to" depend on what follows.
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at] as string;
    const neighbours = { previous: words[at - 1] ?? '', next: words[at + 1] ?? '', beforeVowel: BEGINS_WITH_VOWEL.test(symbols) };
    if (isMark(token)) symbols = `${token === '...' ? '…' : token} ${symbols}`;
    else {
      const word = toWord(token, words[at] as string, accent, neighbours, dictionary);
      symbols = /^[;:,.!?…]/.test(symbols) || symbols === '' ? word + symbols : `${word} ${symbols}`;
    }
  }
  return symbols.trim();
}

function toWord(token: string, word: string, accent: Accent, neighbours: Neighbours, dictionary: Dictionary): string {
  if (token.includes('_')) {
    const [letters, plural] = [token.replace(/_s$|_/g, ''), token.endsWith('_s')];
    const phones = letterPhones(letters, accent);
    return toSymbols(plural ? [...phones, 'Z'] : phones, accent, '');
  }
  if (/^[A-Z]$/.test(token) && token !== 'I' && (token !== 'A' || isName(neighbours)))
    return toSymbols(letterPhones(token, accent), accent, '');
  return ownSymbols(word, accent, neighbours) ?? toSymbols(ownPhones(word, neighbours) ?? dictionary.phonesOf(word), accent, word);
}

/** "plan A", and "the A team". */
const isName = ({ previous, next }: Neighbours) => next === '' || /^(?:the|an|plan|vitamin|grade|class|type)$/.test(previous);

const isMark = (token: string) => /^[;:,.!?]/.test(token);
