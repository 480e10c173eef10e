// A clause in Kokoro's symbols: what `spoken-text.ts` wrote in words, as an American or a Briton says it.
import { toSymbols } from './accents.ts';
import { type Context, homographPhones } from './homographs.ts';
import type { Dictionary } from './phones.ts';
import type { Accent } from './voices.ts';
import { letterPhones, ownSymbols } from './words.ts';

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
    if (isMark(token)) symbols = `${token === '...' ? '…' : token} ${symbols}`;
    else {
      const word = toWord(
        token,
        { words, at, isCapitalised: /^[A-Z][a-z]/.test(token) },
        BEGINS_WITH_VOWEL.test(symbols),
        accent,
        dictionary,
      );
      symbols = /^[;:,.!?…]/.test(symbols) || symbols === '' ? word + symbols : `${word} ${symbols}`;
    }
  }
  return symbols.trim();
}

function toWord(token: string, context: Context, beforeVowel: boolean, accent: Accent, dictionary: Dictionary): string {
  const word = context.words[context.at] as string;
  if (token.includes('_')) return spell(token.replace(/_s$|_/g, ''), token.endsWith('_s'), accent);
  if (/^[A-Z]$/.test(token) && token !== 'I' && (token !== 'A' || isName(context))) return spell(token, false, accent);
  const own = ownSymbols(word, accent, { next: context.words[context.at + 1] ?? '', beforeVowel }) ?? homographPhones(word, context);
  if (typeof own === 'string') return own;
  const capitals = /^([A-Z]{4,6})('?s)?$/.exec(token);
  if (own === undefined && capitals?.[1] && !dictionary.has(word)) return spell(capitals[1], capitals[2] !== undefined, accent);
  return toSymbols(own ?? dictionary.phonesOf(word), accent, word);
}

function spell(letters: string, isPlural: boolean, accent: Accent): string {
  const phones = letterPhones(letters, accent);
  return toSymbols(isPlural ? [...phones, 'Z'] : phones, accent, '');
}

/** "plan A", and "the A team". */
const isName = ({ words, at }: Context) =>
  (words[at + 1] ?? '') === '' || /^(?:the|an|plan|vitamin|grade|class|type)$/.test(words[at - 1] ?? '');

const isMark = (token: string) => /^[;:,.!?]/.test(token);
