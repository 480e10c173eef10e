// Flite's voices, and the limits within which they still sound right.
import type { VoiceLimits } from '../engine.ts';

export type FliteVoice = 'slt' | 'rms' | 'awb' | 'kal16';

/**
 * Pitches are measured means. At the ends of the ranges a recogniser still reads back what was said, and a listener hears another
 * person; further out the voices buzz (low) or squeak (high).
 */
export const FLITE_VOICES: Record<FliteVoice, VoiceLimits> = {
  slt: { about: 'US English, a woman', pitchHz: { min: 135, max: 230, natural: 167 }, rate: { min: 0.6, max: 1.3 } },
  rms: { about: 'US English, a man', pitchHz: { min: 94, max: 125, natural: 103 }, rate: { min: 0.6, max: 1.3 } },
  awb: { about: 'Scottish English, a man', pitchHz: { min: 95, max: 200, natural: 130 }, rate: { min: 0.6, max: 1.3 } },
  kal16: { about: 'US English, a man, robotic', pitchHz: { min: 70, max: 180, natural: 90 }, rate: { min: 0.6, max: 1.3 } },
};
