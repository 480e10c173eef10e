// How names and words that are written as Japanese ones are said in English: "Kaguya", "Todoroki" and "Wakanda". What ends in "e" isn't told from
// an English word with a silent one.

const SYLLABLE = /(?:([kgsztdnhbpmrwj]|([kstp])\2|ts|sh|ssh|ch|[kgnhbpmr]y|y|f(?=u))?(ai|ei|ou|uu|[aiueo])(n(?![aiueoy]))?)/y;
const CONSONANTS: Readonly<Record<string, string>> = { h: 'HH', y: 'Y', j: 'JH', ts: 'T S', sh: 'SH', ssh: 'SH', ch: 'CH' };
/** Under stress, and without it. */
const VOWELS: Readonly<Record<string, [string, string]>> = {
  a: ['AA1', 'AH0'],
  i: ['IY1', 'IY0'],
  u: ['UW1', 'UW0'],
  e: ['EH1', 'EH0'],
  o: ['OW1', 'OW0'],
  ai: ['AY1', 'AY2'],
  ei: ['EY1', 'EY2'],
  ou: ['OW1', 'OW2'],
  uu: ['UW1', 'UW2'],
};

/** With the stress on the last syllable but one. In ARPABET; undefined if it isn't Japanese. @param word lower case, in no dictionary */
export function japanesePhones(word: string): string[] | undefined {
  if (word.endsWith('e')) return undefined;
  const syllables: RegExpExecArray[] = [];
  SYLLABLE.lastIndex = 0;
  while (SYLLABLE.lastIndex < word.length) {
    const syllable = SYLLABLE.exec(word);
    // No vowel follows another, as in "Noita".
    if (!syllable || (syllables.length > 0 && syllable[1] === undefined && syllables.at(-1)?.[4] === undefined)) return undefined;
    syllables.push(syllable);
  }
  if (syllables.length < 2 || syllables.at(-1)?.[4] !== undefined) return undefined;
  return syllables.flatMap(([, consonant = '', double, vowel = '', end], at) => {
    const [stressed, unstressed] = VOWELS[vowel] as [string, string];
    return [
      ...consonantPhones(double ?? consonant),
      at === syllables.length - 2 ? stressed : unstressed,
      ...(end === undefined ? [] : nasalBefore(syllables[at + 1]?.[1] ?? '')),
    ];
  });
}

const nasalBefore = (consonant: string): string[] => (/^[kg]/.test(consonant) ? ['NG'] : consonant.startsWith('n') ? [] : ['N']);

function consonantPhones(letters: string): string[] {
  if (letters === '') return [];
  const whole = CONSONANTS[letters];
  if (whole !== undefined) return whole.split(' ');
  return [...letters].map((letter) => CONSONANTS[letter] ?? letter.toUpperCase());
}
