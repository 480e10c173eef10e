// The voices the speech engine has, and the limits within which they still sound right.
import type { VoiceBase } from './engine.ts';

export interface EngineVoiceLimits {
  /** A plain description of the speaker. */
  about: string;
  /** Mean pitch in Hz within which the voice stays natural. */
  pitchHz: { min: number; max: number; natural: number };
  /** Speaking rate of a variant, 1 being the voice's own. */
  rate: { min: number; max: number };
}

/**
 * Pitches are measured means. At the ends of the ranges a recogniser still reads back what was said, and a listener hears another
 * person; further out the voices buzz (low) or squeak (high).
 */
export const ENGINE_VOICES: Record<VoiceBase, EngineVoiceLimits> = {
  slt: { about: 'US English, a woman', pitchHz: { min: 135, max: 230, natural: 167 }, rate: { min: 0.75, max: 1.3 } },
  rms: { about: 'US English, a man', pitchHz: { min: 94, max: 125, natural: 103 }, rate: { min: 0.75, max: 1.3 } },
  awb: { about: 'Scottish English, a man', pitchHz: { min: 95, max: 200, natural: 130 }, rate: { min: 0.75, max: 1.3 } },
  kal16: { about: 'US English, a man, robotic', pitchHz: { min: 70, max: 180, natural: 90 }, rate: { min: 0.75, max: 1.3 } },
};

/** What a request for speech may ask for. */
export const SPEECH_LIMITS = {
  /** UTF-16 units of text in one request. */
  maxTextLength: 20_000,
  sampleRates: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000],
  opusSampleRates: [8000, 12000, 16000, 24000, 48000],
  speed: { min: 0.5, max: 2 },
  volumeDb: { min: -20, max: 20 },
  mp3Bitrates: [64, 128, 192],
  opusBitrate: { min: 6000, max: 128_000 },
} as const;

/** What a recording may be at most. */
export const RECOGNITION_LIMITS = {
  maxBytes: 20 * 1024 * 1024,
  maxSeconds: 60 * 60,
} as const;
