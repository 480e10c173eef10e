// Roman numerals: "World War II", "Louis XIV" and "Final Fantasy VII". Others in capitals may be letters: "the IV drip".
import { cardinal, ordinal } from './numbers.ts';
import type { Accent } from './voices.ts';

/** 1 to 39: nobody writes longer ones behind a name, and "MIX" and "CV" are none. */
const NUMERAL = '(X{0,3}(?:IX|IV|V?I{1,3}|V)|X{1,2})';
/** Kings, queens and popes, who are counted by ordinals. */
const REIGNING =
  'Albert|Alexander|Alfonso|Benedict|Carlos|Catherine|Charles|Clement|Edward|Elizabeth|Felipe|Francis|Frederick|George|Gregory|Gustav|Harald|Henry|Innocent|Ivan|James|Joao|John|Juan|Leo|Leopold|Louis|Mary|Mehmed|Napoleon|Nicholas|Otto|Paul|Peter|Philip|Philippe|Pius|Ramesses|Ramses|Richard|Robert|Suleiman|Urban|Victor|Wilhelm|William';
/** Here, a single letter is a number, too. */
const COUNTED = 'War|Part|Chapter|Act|Volume|Book|Phase|Stage|Type|Tier|Mark|Section|Article|Title|Schedule|Class|Division';

const VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50 };

export function sayNumerals(text: string, accent: Accent): string {
  const say = (numeral: string, toWords: typeof cardinal) => toWords(String(valueOfNumeral(numeral)), accent);
  return text
    .replace(/(?<=\bSuper Bowl )(?!I\b)(?:X?L|L?X{1,3}|(?=[VI]))(?:IX|IV|V?I{0,3})\b/g, (numeral) => say(numeral, cardinal))
    .replace(new RegExp(`\\b(${REIGNING}) ${NUMERAL}\\b(?!')`, 'g'), (whole: string, name: string, numeral: string) =>
      // "If Henry I call" is nobody's text, but "so Mary I think" is.
      numeral === 'I' ? whole : `${name} the ${say(numeral, ordinal)}`,
    )
    .replace(
      new RegExp(`\\b(${COUNTED}) (I|V|X)\\b(?! [a-z]+\\b(?<! (?:and|of|was|is|in|or|to|the|began|ended|started)))(?!')`, 'g'),
      (_, name: string, numeral: string) => `${name} ${say(numeral, cardinal)}`,
    )
    .replace(new RegExp(`(?<=\\b(?!The|A|An|This|My|Your|An|No)[A-Z][\\w']+ )(?=[IVX]{2})${NUMERAL}\\b(?!['.]\\w)`, 'g'), (numeral) =>
      say(numeral, cardinal),
    );
}

function valueOfNumeral(numeral: string): number {
  return [...numeral].reduce((sum, letter, at) => {
    const [value, next] = [VALUES[letter] as number, VALUES[numeral[at + 1] ?? ''] ?? 0];
    return value < next ? sum - value : sum + value;
  }, 0);
}
