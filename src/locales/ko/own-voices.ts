// What /voice says, about voices that members make of recordings, in Korean.
import type { Words } from '../words.ts';

export const ownVoices: Words['ownVoices'] = {};
