// What /voice says, about voices that members make of recordings, in Brazilian Portuguese.
import type { Words } from '../words.ts';

export const ownVoices: Words['ownVoices'] = {};
