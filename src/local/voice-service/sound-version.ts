// Which sound the built-in voices make of a text.
import type { Espeak } from './engines/index.ts';

/**
 * To be raised whenever a built-in voice would say something else, or sound different: sounds, samples and levels that were kept of an earlier
 * version are then made again. The ids of voices stay.
 */
const SOUND_VERSION = 4;

/** @param espeak what is installed of it, if it speaks, too: another version of it sounds different */
export const soundVersion = (espeak: Espeak | null): string =>
  espeak ? `${SOUND_VERSION}, espeak-ng ${espeak.version}` : String(SOUND_VERSION);
