// Kokoro's voices: of its 28 English ones, those that its authors grade best.
import type { VoiceLimits } from '../engine.ts';

export type Accent = 'american' | 'british';

interface KokoroVoice extends VoiceLimits {
  accent: Accent;
}

/** Pitch is part of how each voice speaks: it can't be chosen, and any other is refused. */
const voice = (accent: Accent, about: string, pitch: number): KokoroVoice => ({
  accent,
  about,
  pitchHz: { min: pitch, max: pitch, natural: pitch },
  rate: { min: 0.7, max: 1.3 },
});

/** By the name in Kokoro. Pitches are measured means. Grades: https://huggingface.co/hexgrad/Kokoro-82M/blob/main/VOICES.md */
export const KOKORO_VOICES = {
  // A.
  af_heart: voice('american', 'US English, a woman, natural', 197),
  // A-.
  af_bella: voice('american', 'US English, a woman, natural and lively', 193),
  // B-.
  af_nicole: voice('american', 'US English, a woman, natural, close to the microphone', 145),
  bf_emma: voice('british', 'British English, a woman, natural', 181),
  // C+.
  am_michael: voice('american', 'US English, a man, natural', 114),
  am_fenrir: voice('american', 'US English, a man, natural and energetic', 140),
  am_puck: voice('american', 'US English, a young man, natural', 118),
  // C.
  bm_george: voice('british', 'British English, a man, natural', 142),
};

/** Speaks if none is chosen. */
export const KOKORO_DEFAULT = 'af_heart';

export type KokoroVoiceName = keyof typeof KOKORO_VOICES;
