// How Americans and the British say the sounds of a word, in Kokoro's symbols.
import type { Accent } from './voices.ts';

const CONSONANTS: Readonly<Record<string, string>> = {
  B: 'b',
  CH: 'ʧ',
  D: 'd',
  DH: 'ð',
  F: 'f',
  G: 'ɡ',
  HH: 'h',
  JH: 'ʤ',
  K: 'k',
  L: 'l',
  M: 'm',
  N: 'n',
  NG: 'ŋ',
  P: 'p',
  R: 'ɹ',
  S: 's',
  SH: 'ʃ',
  T: 't',
  TH: 'θ',
  V: 'v',
  W: 'w',
  Y: 'j',
  Z: 'z',
  ZH: 'ʒ',
};
const AMERICAN_VOWELS: Readonly<Record<string, string>> = {
  AA: 'ɑ',
  AE: 'æ',
  AH: 'ʌ',
  AO: 'ɔ',
  AW: 'W',
  AY: 'I',
  EH: 'ɛ',
  ER: 'ɜɹ',
  EY: 'A',
  IH: 'ɪ',
  IY: 'i',
  OW: 'O',
  OY: 'Y',
  UH: 'ʊ',
  UW: 'u',
};
const BRITISH_VOWELS: Readonly<Record<string, string>> = {
  AA: 'ɒ',
  AE: 'a',
  AH: 'ʌ',
  AO: 'ɔː',
  AW: 'W',
  AY: 'I',
  EH: 'ɛ',
  ER: 'ɜː',
  EY: 'A',
  IH: 'ɪ',
  IY: 'iː',
  OW: 'Q',
  OY: 'Y',
  UH: 'ʊ',
  UW: 'uː',
};

interface Phone {
  /** Without its stress. */
  name: string;
  /** 1 primary, 2 secondary, 0 none; null for a consonant. */
  stress: 0 | 1 | 2 | null;
}

const MARKS = ['', 'ˈ', 'ˌ'];

/** @param spelling lower case; tells apart what Americans say alike ("lot", "father") */
export function toSymbols(phones: readonly string[], accent: Accent, spelling: string): string {
  const parsed = phones.map((phone): Phone => {
    const stress = /\d$/.exec(phone)?.[0];
    return { name: phone.replace(/\d$/, ''), stress: stress === undefined ? null : (Number(stress) as 0 | 1 | 2) };
  });
  return accent === 'american' ? toAmerican(parsed) : toBritish(parsed, spelling);
}

function toAmerican(phones: readonly Phone[]): string {
  return phones
    .map(({ name, stress }, at) => {
      const [before, after, last] = [phones[at - 1], phones[at + 1], at === phones.length - 1];
      if (stress !== null) {
        // "hear" as "near": CMUdict tells them apart, nobody else does.
        if (name === 'IY' && after?.name === 'R') return `${MARKS[stress]}ɪ`;
        if (stress > 0) return MARKS[stress] + (AMERICAN_VOWELS[name] as string);
        if (name === 'AH' && after?.name === 'L' && at === phones.length - 2 && before?.stress === null) return 'ᵊ';
        if (name === 'AH' && after?.name === 'N' && at > 1 && (before?.name === 'T' || before?.name === 'D')) return 'ᵊ';
        if (
          name === 'IH' &&
          before &&
          /^(?:S|Z|SH|ZH|CH|JH|T|D)$/.test(before.name) &&
          /^[ZD]$/.test(after?.name ?? '') &&
          at === phones.length - 2
        )
          return 'ᵻ';
        return name === 'AH' ? 'ə' : name === 'ER' ? 'əɹ' : (AMERICAN_VOWELS[name] as string);
      }
      // The "t" of "water" and "party", not that of "button".
      const flapped = name === 'T' && isVowelLike(before) && after?.stress === 0 && !(after.name === 'AH' && phones[at + 2]?.name === 'N');
      return flapped && !last ? 'ɾ' : (CONSONANTS[name] as string);
    })
    .join('');
}

const isVowelLike = (phone: Phone | undefined) => phone !== undefined && (phone.stress !== null || phone.name === 'R');

/** Spelled with these, an "a" is long in the south of Britain. */
const BATH =
  /^(?:after|advant|aunt|answer|ask|bath|basket|blast|branch|brass|broadcast|calf|can't|cast|castl|chanc|chant|class(?!ic)|clasp|command|craft|danc|demand|disast|draft|draught|exampl|fast|fasten|france|franc|giraff|glanc|glass|grant|graph|grasp|grass|half|halv|last|laugh|mask|mast|master|nast|pass(?!iv|ion|eng|ag)|past(?!a|e)|paragraph|path(?!e|o)|photograph|plant|plast|plaster|raft|rather|ranch|sampl|shan't|slant|staff|task|telegraph|vast|banana|tomato|drama|pajama)/;
/** An "o" before "r" that is short in Britain. */
const SHORT_OR = /orr|orange|forest|foreign|florid|moral|origin|horri|corri|coral|histor|author|major|minor|prior|quarr|warr/;

function toBritish(phones: readonly Phone[], spelling: string): string {
  return phones
    .map(({ name, stress }, at) => {
      const [before, after] = [phones[at - 1], phones[at + 1]];
      if (stress === null) {
        // Spoken only before a vowel.
        if (name === 'R' && after?.stress == null) return '';
        return CONSONANTS[name] as string;
      }
      const mark = MARKS[stress] as string;
      if (name === 'ER') return mark + rColoured(stress, after, spelling);
      if (after?.name === 'R') return mark + beforeR(name, stress, phones[at + 2], spelling, before);
      if (name === 'AH') return stress === 0 ? 'ə' : `${mark}ʌ`;
      if (name === 'AE') return mark + (BATH.test(spelling) ? 'ɑː' : 'a');
      if (name === 'AA') return mark + (/a[uw]/.test(spelling) ? 'ɔː' : isSpelledShort(spelling) ? 'ɒ' : 'ɑː');
      if (name === 'AO')
        return mark + ((/o(?![aouwr])/.test(spelling) && !/au|aw|al/.test(spelling)) || /^wa[ns]/.test(spelling) ? 'ɒ' : 'ɔː');
      if (name === 'IY') return stress === 0 ? 'i' : `${mark}iː`;
      if (name === 'UW') {
        const gliding = /^[TDN]$/.test(before?.name ?? '') && /[tdn](?:u|ew|eu)/.test(spelling) && !/oo|ou|do|to/.test(spelling);
        return `${gliding ? 'j' : ''}${mark}uː`;
      }
      return mark + (BRITISH_VOWELS[name] as string);
    })
    .join('');
}

/** "lot", "want" and "quality"; not "father", "calm" and "drama". */
const isSpelledShort = (spelling: string) => /o/.test(spelling) || /wa|wha|qua/.test(spelling);

/** The vowel of "bird", "hurry" and "letter", with its "r" if a vowel follows. */
function rColoured(stress: number, after: Phone | undefined, spelling: string): string {
  const linked = after?.stress != null;
  if (stress === 0) return linked ? 'əɹ' : 'ə';
  if (linked && /urr|our|orr/.test(spelling)) return 'ʌɹ';
  return linked ? 'ɜːɹ' : 'ɜː';
}

/** The vowel before an "r", which is itself spoken only if a vowel follows. */
function beforeR(name: string, stress: number, next: Phone | undefined, spelling: string, before: Phone | undefined): string {
  const linked = next?.stress != null;
  if (name === 'AA') return linked && isSpelledShort(spelling) ? 'ɒ' : 'ɑː';
  if (name === 'AO') return linked && SHORT_OR.test(spelling) ? 'ɒ' : 'ɔː';
  if (name === 'EH') return linked && !/a[ir]/.test(spelling) ? 'ɛ' : 'ɛː';
  if (name === 'IH' || name === 'IY') return linked && /irr|ir[aeiou]|yr/.test(spelling) ? 'ɪ' : 'ɪə';
  if (name === 'UH' || name === 'UW') return before?.name === 'Y' ? 'ʊə' : 'ɔː';
  if (name === 'AH') return stress === 0 ? 'ə' : 'ʌ';
  if (name === 'AE') return 'a';
  return linked ? (BRITISH_VOWELS[name] as string) : `${BRITISH_VOWELS[name]}ə`;
}
