// The voices of espeak-ng that are offered: two for each language that the other built-in voices don't know. Robotic, but at once on any computer.
import type { VoiceLimits } from '../engine.ts';

export interface EspeakVoice extends VoiceLimits {
  /** BCP 47. */
  language: string;
  /** Its name in the program, of which there must be one like it. */
  program: string;
  /** Of the program, which changes the pitch and the timbre. */
  variant: string;
  title: string;
}

/** espeak-ng reads pinyin in every version, but hanzi from 1.52 on only. */
const LANGUAGES = {
  de: { language: 'de', program: 'de', about: 'German', titles: ['Jonas', 'Greta'] },
  es: { language: 'es', program: 'es', about: 'Spanish', titles: ['Mateo', 'Lucía'] },
  fr: { language: 'fr', program: 'fr-fr', about: 'French', titles: ['Luc', 'Manon'] },
  it: { language: 'it', program: 'it', about: 'Italian', titles: ['Marco', 'Giulia'] },
  ja: { language: 'ja', program: 'ja', about: 'Japanese', titles: ['ハルト', 'さくら'] },
  ko: { language: 'ko', program: 'ko', about: 'Korean', titles: ['민준', '서연'] },
  pl: { language: 'pl', program: 'pl', about: 'Polish', titles: ['Jan', 'Zofia'] },
  pt: { language: 'pt-BR', program: 'pt-br', about: 'Brazilian Portuguese', titles: ['João', 'Beatriz'] },
  zh: { language: 'zh-CN', program: 'cmn-latn-pinyin', about: 'Chinese', titles: ['小明', '小红'] },
} as const;

const SPEAKERS = [
  { suffix: '', variant: '', who: 'a man', pitch: 110 },
  { suffix: '-f', variant: '+f2', who: 'a woman', pitch: 190 },
] as const;

/** By their base, which is also their id in the catalogue. */
export const ESPEAK_VOICES: Readonly<Record<string, EspeakVoice>> = Object.fromEntries(
  Object.entries(LANGUAGES).flatMap(([code, { language, program, about, titles }]) =>
    SPEAKERS.map(({ suffix, variant, who, pitch }, index): [string, EspeakVoice] => [
      `espeak-${code}${suffix}`,
      {
        language,
        program,
        variant,
        title: titles[index] ?? code,
        about: `${about}, ${who}, robotic`,
        pitchHz: { min: pitch, max: pitch, natural: pitch },
        rate: { min: 0.7, max: 1.3 },
      },
    ]),
  ),
);

/** Whether this is one of espeak-ng's voices. */
export const isEspeak = (voice: object): boolean => 'base' in voice && String(voice.base) in ESPEAK_VOICES;
