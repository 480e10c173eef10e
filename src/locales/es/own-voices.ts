// What /voice says, about voices that members make of recordings, in Spanish.
import type { Words } from '../words.ts';

export const ownVoices: Words['ownVoices'] = {};
