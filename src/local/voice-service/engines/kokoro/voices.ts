// Kokoro's voices: of its 28 English ones, those that its authors grade best.
import type { VoiceLimits } from '../engine.ts';

export type Accent = 'american' | 'british';

export interface KokoroVoice extends VoiceLimits {
  title: string;
  accent: Accent;
  sex: 'female' | 'male';
  description: string;
}

/** Pitch is part of how each voice speaks: it can't be chosen, and any other is refused. */
const fixedPitch = (natural: number) => ({ min: natural, max: natural, natural });
const RATE = { min: 0.7, max: 1.3 };

/** By the name in Kokoro. Pitches are measured means. Grades: https://huggingface.co/hexgrad/Kokoro-82M/blob/main/VOICES.md */
export const KOKORO_VOICES = {
  // A.
  af_heart: {
    title: 'Heart',
    accent: 'american',
    sex: 'female',
    about: 'US English, a woman, natural',
    description: 'A warm American woman who sounds as if she means it.',
    pitchHz: fixedPitch(190),
    rate: RATE,
  },
  // A-.
  af_bella: {
    title: 'Bella',
    accent: 'american',
    sex: 'female',
    about: 'US English, a woman, natural and lively',
    description: 'A lively American woman with a bright, expressive voice.',
    pitchHz: fixedPitch(190),
    rate: RATE,
  },
  // B-.
  af_nicole: {
    title: 'Nicole',
    accent: 'american',
    sex: 'female',
    about: 'US English, a woman, natural, close to the microphone',
    description: 'An American woman who speaks softly, close to your ear.',
    pitchHz: fixedPitch(190),
    rate: RATE,
  },
  // B-.
  bf_emma: {
    title: 'Emma',
    accent: 'british',
    sex: 'female',
    about: 'British English, a woman, natural',
    description: 'A British woman, clear and composed, as on the evening news.',
    pitchHz: fixedPitch(190),
    rate: RATE,
  },
  // C+.
  am_michael: {
    title: 'Michael',
    accent: 'american',
    sex: 'male',
    about: 'US English, a man, natural',
    description: 'A calm American man who explains things well.',
    pitchHz: fixedPitch(120),
    rate: RATE,
  },
  // C+.
  am_fenrir: {
    title: 'Fenrir',
    accent: 'american',
    sex: 'male',
    about: 'US English, a man, natural and energetic',
    description: 'An energetic American man, good for announcements.',
    pitchHz: fixedPitch(120),
    rate: RATE,
  },
  // C+.
  am_puck: {
    title: 'Puck',
    accent: 'american',
    sex: 'male',
    about: 'US English, a young man, natural',
    description: 'A young American man, quick and cheerful.',
    pitchHz: fixedPitch(120),
    rate: RATE,
  },
  // C.
  bm_george: {
    title: 'George',
    accent: 'british',
    sex: 'male',
    about: 'British English, a man, natural',
    description: 'A British man with the patience of a storyteller.',
    pitchHz: fixedPitch(120),
    rate: RATE,
  },
} as const satisfies Record<string, KokoroVoice>;

export type KokoroVoiceName = keyof typeof KOKORO_VOICES;
