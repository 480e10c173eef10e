// Words that aren't said as a dictionary has them: those that carry no stress in a sentence, what the British say in their own way, and
// letters.
import type { Accent } from './voices.ts';

/** In Kokoro's symbols, American and then British where that differs. In a dictionary, each of these has the stress of a sentence of its own. */
const UNSTRESSED: Readonly<Record<string, string>> = {
  an: 'ən',
  and: 'ænd and',
  as: 'æz az',
  at: 'æt at',
  be: 'bi',
  by: 'bI',
  for: 'fɔɹ fɔː',
  from: 'fɹʌm fɹɒm',
  had: 'hæd had',
  has: 'hæz haz',
  have: 'hæv hav',
  he: 'hi',
  her: 'hɜɹ hɜː',
  him: 'hɪm',
  his: 'hɪz',
  if: 'ɪf',
  in: 'ɪn',
  is: 'ɪz',
  it: 'ɪt',
  its: 'ɪts',
  "it's": 'ɪts',
  me: 'mi',
  my: 'mI',
  of: 'ʌv ɒv',
  or: 'ɔɹ ɔː',
  our: 'ˌWəɹ ˌWə',
  she: 'ʃi',
  than: 'ðæn ðan',
  that: 'ðæt ðat',
  them: 'ðɛm',
  their: 'ðɛɹ ðɛː',
  there: 'ðɛɹ ðɛː',
  they: 'ðA',
  us: 'ʌs',
  was: 'wʌz wɒz',
  we: 'wi',
  were: 'wɜɹ wɜː',
  will: 'wɪl',
  with: 'wɪð',
  would: 'wʊd',
  you: 'ju',
  your: 'jɔɹ jɔː',
  are: 'ɑɹ ɑː',
  been: 'bɪn biːn',
  can: 'kæn kan',
  could: 'kʊd',
  should: 'ʃʊd',
  am: 'æm am',
  i: 'ˌI',
  "i'm": 'ˌIm',
  "you're": 'jʊɹ jɔː',
  "we're": 'wɪɹ wɪə',
  "they're": 'ðɛɹ ðɛː',
  on: 'ˌɔn ˌɒn',
  but: 'bˌʌt',
  do: 'dˌu dˌuː',
  not: 'nˌɑt nˌɒt',
  so: 'sˌO sˌQ',
  this: 'ðˌɪs',
  these: 'ðˌiz ðˌiːz',
  those: 'ðˌOz ðˌQz',
  what: 'wˌʌt wˌɒt',
  when: 'wˌɛn',
  which: 'wˌɪʧ',
  who: 'hˌu hˌuː',
  how: 'hˌW',
  because: 'bəkˈʌz bɪkˈɒz',
  into: 'ˌɪntu',
  about: 'əbˌWt',
  some: 'sˌʌm',
};

/** What no rule derives from the American sounds, in Kokoro's symbols. */
const BRITISH: Readonly<Record<string, string>> = {
  adult: 'ˈadʌlt',
  adults: 'ˈadʌlts',
  advertisement: 'ədvˈɜːtɪsmənt',
  again: 'əɡˈɛn',
  ate: 'ˈɛt',
  been: 'biːn',
  clerk: 'klˈɑːk',
  data: 'dˈAtə',
  derby: 'dˈɑːbi',
  either: 'ˈIðə',
  erase: 'ɪɹˈAz',
  fragile: 'fɹˈaʤIl',
  garage: 'ɡˈaɹɑːʒ',
  herb: 'hˈɜːb',
  herbs: 'hˈɜːbz',
  hostile: 'hˈɒstIl',
  laboratory: 'ləbˈɒɹətɹi',
  leisure: 'lˈɛʒə',
  lever: 'lˈiːvə',
  lieutenant: 'lɛftˈɛnənt',
  missile: 'mˈɪsIl',
  mobile: 'mˈQbIl',
  neither: 'nˈIðə',
  privacy: 'pɹˈɪvəsi',
  process: 'pɹˈQsɛs',
  progress: 'pɹˈQɡɹɛs',
  route: 'ɹˈuːt',
  routes: 'ɹˈuːts',
  router: 'ɹˈuːtə',
  schedule: 'ʃˈɛdjuːl',
  scheduled: 'ʃˈɛdjuːld',
  shone: 'ʃˈɒn',
  tomato: 'təmˈɑːtQ',
  tomatoes: 'təmˈɑːtQz',
  vase: 'vˈɑːz',
  vitamin: 'vˈɪtəmɪn',
  yoghurt: 'jˈɒɡət',
  zebra: 'zˈɛbɹə',
};

/** What stands after a word in a clause. */
interface Following {
  /** The next word, lower case; '' if there is none. */
  next: string;
  /** The next word begins with a vowel that is heard. */
  beforeVowel: boolean;
}

/** In Kokoro's symbols, for a word that has a way of its own; else undefined. */
export function ownSymbols(word: string, accent: Accent, { next, beforeVowel }: Following): string | undefined {
  if (word === 'the') return beforeVowel ? 'ði' : 'ðə';
  if (word === 'a') return accent === 'american' ? 'ɐ' : 'ə';
  if (word === 'to') return next === '' ? 'tˌu' : beforeVowel ? 'tʊ' : 'tə';
  // "constructor" is a property of every object.
  const listed = (list: Readonly<Record<string, string>>) => (Object.hasOwn(list, word) ? list[word] : undefined);
  const [american, british = american] = listed(UNSTRESSED)?.split(' ') ?? [];
  return accent === 'british' ? (listed(BRITISH) ?? british) : american;
}

/** In ARPABET. */
const LETTERS: Readonly<Record<string, string>> = {
  A: 'EY1',
  B: 'B IY1',
  C: 'S IY1',
  D: 'D IY1',
  E: 'IY1',
  F: 'EH1 F',
  G: 'JH IY1',
  H: 'EY1 CH',
  I: 'AY1',
  J: 'JH EY1',
  K: 'K EY1',
  L: 'EH1 L',
  M: 'EH1 M',
  N: 'EH1 N',
  O: 'OW1',
  P: 'P IY1',
  Q: 'K Y UW1',
  R: 'AA1 R',
  S: 'EH1 S',
  T: 'T IY1',
  U: 'Y UW1',
  V: 'V IY1',
  W: 'D AH1 B AH0 L Y UW0',
  X: 'EH1 K S',
  Y: 'W AY1',
  Z: 'Z IY1',
};

/** The names of letters, in ARPABET. The last one has the stress. @param letters capitals */
export function letterPhones(letters: string, accent: Accent): string[] {
  return [...letters].flatMap((letter, at) => {
    const name = letter === 'Z' && accent === 'british' ? 'Z EH1 D' : (LETTERS[letter] as string);
    return (at === letters.length - 1 ? name : name.replace('1', '2')).split(' ');
  });
}
