// What /voice says, about voices that members make of recordings, in Japanese.
import type { Words } from '../words.ts';

export const ownVoices: Words['ownVoices'] = {};
