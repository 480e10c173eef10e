// What /dictionary says, in Simplified Chinese.
import type { Words } from '../words.ts';

export const dictionary: Words['dictionary'] = {};
