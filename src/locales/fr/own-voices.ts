// What /voice says, about voices that members make of recordings, in French.
import type { Words } from '../words.ts';

export const ownVoices: Words['ownVoices'] = {};
