// The sounds of an English word, in ARPABET with stress ("K AE1 T"): of our own list or CMUdict where they have the word, guessed by
// `phonemize` elsewhere.
//
// phonemize alone gets 3 of 100 running words wrong ("types" in two syllables, "hosts" without its vowel), because it derives from rules what
// CMUdict lists.
import { createRequire } from 'node:module';
import { pluralOf } from './homographs.ts';
import { japanesePhones } from './japanese-names.ts';
import { PRONUNCIATIONS } from './pronunciations.ts';

export interface Dictionary {
  /** Whether it is a word, or made of one. */
  has(word: string): boolean;
  /** @param word lower case, with apostrophes; never empty */
  phonesOf(word: string): string[];
}

/** What is used of it; it comes without types. */
interface Phonemize {
  EnglishG2P: new () => { predict(word: string, language: 'en-US'): string | null };
}

/** What phonemize writes for each sound, longest first. Its stressed schwa is the vowel of "cut". */
const IPA: Readonly<Record<string, string>> = {
  tʃ: 'CH',
  dʒ: 'JH',
  oʊ: 'OW',
  eɪ: 'EY',
  aɪ: 'AY',
  aʊ: 'AW',
  ɔɪ: 'OY',
  ɑ: 'AA',
  æ: 'AE',
  ʌ: 'AH',
  ə: 'AH',
  ɔ: 'AO',
  ɛ: 'EH',
  ɝ: 'ER',
  ɚ: 'ER',
  ɪ: 'IH',
  i: 'IY',
  ʊ: 'UH',
  u: 'UW',
  e: 'EY',
  o: 'OW',
  a: 'AA',
  b: 'B',
  d: 'D',
  ð: 'DH',
  f: 'F',
  ɡ: 'G',
  g: 'G',
  h: 'HH',
  k: 'K',
  l: 'L',
  ɫ: 'L',
  m: 'M',
  n: 'N',
  ŋ: 'NG',
  p: 'P',
  ɹ: 'R',
  r: 'R',
  s: 'S',
  ʃ: 'SH',
  t: 'T',
  θ: 'TH',
  v: 'V',
  w: 'W',
  j: 'Y',
  z: 'Z',
  ʒ: 'ZH',
};
const IPA_SOUND = new RegExp(`[ˈˌ]|${Object.keys(IPA).join('|')}`, 'gu');
const VOWEL = /^[AEIOU]/;
const isVoiceless = (phone: string) => /^(?:P|K|F|TH|S|SH|CH)$/.test(phone);
/** Loads 70 MB in 0.4 s. */
export async function loadDictionary(): Promise<Dictionary> {
  const { dictionary } = await import('cmu-pronouncing-dictionary');
  // Node can't import phonemize's modules, which import JSON without saying so.
  const { EnglishG2P }: Phonemize = createRequire(import.meta.url)('phonemize/en-g2p');
  const rules = new EnglishG2P();

  const listed = (word: string): string[] | undefined =>
    (PRONUNCIATIONS.get(word) ?? (Object.hasOwn(dictionary, word) ? dictionary[word] : undefined))?.split(' ');

  /** Those that are made of a listed word: possessives and plurals, forms of a verb, what is written in one word, and what is drawn out. */
  function derived(word: string): string[] | undefined {
    const stem = /^(.+?)'?s$/.exec(word)?.[1];
    const singular = stem === undefined ? undefined : listed(stem);
    if (singular) return [...singular, ...pluralOf(singular.at(-1) ?? '')];
    if (word.endsWith("'")) return listed(word.slice(0, -1));
    return inflected(word) ?? compound(word) ?? firstOf(undrawn(word));
  }

  const firstOf = (words: readonly string[]): string[] | undefined => words.map(listed).find((phones) => phones !== undefined);

  function inflected(word: string): string[] | undefined {
    const [, stem, ending] = /^(.{3,})(ing|ed|er)$/.exec(word) ?? [];
    const verb = stem === undefined ? undefined : firstOf(verbsOf(stem));
    if (verb === undefined) return undefined;
    if (ending === 'ing') return [...verb, 'IH0', 'NG'];
    if (ending === 'er') return [...verb, 'ER0'];
    const last = verb.at(-1) ?? '';
    if (/^[TD]$/.test(last)) return [...verb, 'IH0', 'D'];
    return [...verb, isVoiceless(last) ? 'T' : 'D'];
  }

  /** The second part has less stress. */
  function compound(word: string): string[] | undefined {
    for (let at = word.length - MIN_PART; at >= MIN_PART; at--) {
      const [first, second] = [listed(word.slice(0, at)), listed(word.slice(at))];
      if (first && second) return [...first, ...second.map((phone) => phone.replace('1', '2'))];
    }
    return undefined;
  }

  return {
    has: (word) => (listed(word) ?? derived(word)) !== undefined,
    phonesOf: (word) => listed(word) ?? derived(word) ?? japanesePhones(word) ?? toPhones(rules.predict(word, 'en-US') ?? ''),
  };
}

/** Of "sooo" and "nooo", which would else be "soo". */
const SHORT_VOWELS = /^(?:so|no|go|to|do|yo|hello|lo|who|bro|me|he|she|we|be|the|hi|ya)$/;

/** What "sooo", "goood" and "yesss" are without what is drawn out: with each once, or twice. */
function undrawn(word: string): string[] {
  const [once, twice] = [word.replace(/(.)\1{2,}/g, '$1'), word.replace(/(.)\1{2,}/g, '$1$1')];
  if (once === word) return [];
  return SHORT_VOWELS.test(once) ? [once] : [twice, once];
}

/** The verb of "vlogging", "emoting" and "yeeting", and of "-ed" and "-er". */
const verbsOf = (stem: string): string[] => [stem, `${stem}e`, ...(/(.)\1$/.test(stem) ? [stem.slice(0, -1)] : [])];

/** The letters that each part of a compound has at least: shorter ones are found in names. */
const MIN_PART = 4;

/** From IPA whose stress marks stand before syllables; what isn't a sound is left out. */
export function toPhones(ipa: string): string[] {
  const phones: string[] = [];
  let stress = 0;
  for (const [sound] of ipa.matchAll(IPA_SOUND)) {
    const phone = IPA[sound];
    if (phone === undefined) stress = sound === 'ˈ' ? 1 : 2;
    else if (VOWEL.test(phone)) {
      phones.push(`${phone}${stress}`);
      stress = 0;
    } else phones.push(phone);
  }
  return phones;
}
