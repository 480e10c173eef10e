// The sounds of an English word, in ARPABET with stress ("K AE1 T"): of CMUdict where it has the word, guessed by `phonemize` elsewhere.
//
// phonemize alone gets 3 of 100 running words wrong ("types" in two syllables, "hosts" without its vowel), because it derives from rules what
// CMUdict lists.
import { createRequire } from 'node:module';

export interface Dictionary {
  /** @param word lower case, with apostrophes; never empty */
  phonesOf(word: string): string[];
}

/** What is used of it; it comes without types. */
interface Phonemize {
  EnglishG2P: new () => { predict(word: string, language: 'en-US'): string | null };
}

/** What phonemize writes for each sound, longest first. Its stressed schwa is the vowel of "cut". */
const IPA: Readonly<Record<string, string>> = {
  ...{ tʃ: 'CH', dʒ: 'JH', oʊ: 'OW', eɪ: 'EY', aɪ: 'AY', aʊ: 'AW', ɔɪ: 'OY' },
  ...{ ɑ: 'AA', æ: 'AE', ʌ: 'AH', ə: 'AH', ɔ: 'AO', ɛ: 'EH', ɝ: 'ER', ɚ: 'ER', ɪ: 'IH', i: 'IY', ʊ: 'UH', u: 'UW' },
  ...{ e: 'EY', o: 'OW', a: 'AA' },
  ...{ b: 'B', d: 'D', ð: 'DH', f: 'F', ɡ: 'G', g: 'G', h: 'HH', k: 'K', l: 'L', ɫ: 'L', m: 'M', n: 'N', ŋ: 'NG', p: 'P', ɹ: 'R', r: 'R' },
  ...{ s: 'S', ʃ: 'SH', t: 'T', θ: 'TH', v: 'V', w: 'W', j: 'Y', z: 'Z', ʒ: 'ZH' },
};
const IPA_SOUND = new RegExp(`[ˈˌ]|${Object.keys(IPA).join('|')}`, 'gu');
const VOWEL = /^[AEIOU]/;
/** A hiss, after which a plural or a possessive is a syllable of its own. */
const SIBILANT = /^(?:S|Z|SH|ZH|CH|JH)$/;
const VOICELESS = /^(?:P|T|K|F|TH)$/;

/** Loads 70 MB in 0.4 s. */
export async function loadDictionary(): Promise<Dictionary> {
  const { dictionary } = await import('cmu-pronouncing-dictionary');
  // Node can't import phonemize's modules, which import JSON without saying so.
  const { EnglishG2P }: Phonemize = createRequire(import.meta.url)('phonemize/en-g2p');
  const rules = new EnglishG2P();

  const listed = (word: string): string[] | undefined => (Object.hasOwn(dictionary, word) ? dictionary[word]?.split(' ') : undefined);

  /** Those that are made of a listed word: possessives, plurals, and what is written in one word. */
  function derived(word: string): string[] | undefined {
    const stem = /^(.+?)'?s$/.exec(word)?.[1];
    const phones = stem === undefined ? undefined : listed(stem);
    if (phones) return [...phones, ...plural(phones.at(-1) ?? '')];
    if (word.endsWith("'")) return listed(word.slice(0, -1));
    return undefined;
  }

  return {
    phonesOf: (word) => listed(word) ?? derived(word) ?? toPhones(rules.predict(word, 'en-US') ?? ''),
  };
}

function plural(last: string): string[] {
  if (SIBILANT.test(last)) return ['IH0', 'Z'];
  return VOICELESS.test(last) ? ['S'] : ['Z'];
}

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
