// Kokoro's voices: of its 28 English ones, those that its authors grade best.
import type { VoiceLimits } from '../engine.ts';

export type Accent = 'american' | 'british';

export interface KokoroVoice extends VoiceLimits {
  accent: Accent;
}

/** Pitch is part of how each voice speaks: it can't be chosen, and any other is refused. */
const fixedPitch = (natural: number) => ({ min: natural, max: natural, natural });
const RATE = { min: 0.7, max: 1.3 };

/** By the name in Kokoro. Pitches are measured means. Grades: https://huggingface.co/hexgrad/Kokoro-82M/blob/main/VOICES.md */
export const KOKORO_VOICES = {
  // A.
  af_heart: {
    accent: 'american',
    about: 'US English, a woman, natural',
    pitchHz: fixedPitch(197),
    rate: RATE,
  },
  // A-.
  af_bella: {
    accent: 'american',
    about: 'US English, a woman, natural and lively',
    pitchHz: fixedPitch(193),
    rate: RATE,
  },
  // B-.
  af_nicole: {
    accent: 'american',
    about: 'US English, a woman, natural, close to the microphone',
    pitchHz: fixedPitch(145),
    rate: RATE,
  },
  // B-.
  bf_emma: {
    accent: 'british',
    about: 'British English, a woman, natural',
    pitchHz: fixedPitch(181),
    rate: RATE,
  },
  // C+.
  am_michael: {
    accent: 'american',
    about: 'US English, a man, natural',
    pitchHz: fixedPitch(114),
    rate: RATE,
  },
  // C+.
  am_fenrir: {
    accent: 'american',
    about: 'US English, a man, natural and energetic',
    pitchHz: fixedPitch(140),
    rate: RATE,
  },
  // C+.
  am_puck: {
    accent: 'american',
    about: 'US English, a young man, natural',
    pitchHz: fixedPitch(118),
    rate: RATE,
  },
  // C.
  bm_george: {
    accent: 'british',
    about: 'British English, a man, natural',
    pitchHz: fixedPitch(142),
    rate: RATE,
  },
} as const satisfies Record<string, KokoroVoice>;

/** Speaks if none is chosen. */
export const KOKORO_DEFAULT = 'af_heart';

export type KokoroVoiceName = keyof typeof KOKORO_VOICES;
