// What /dictionary says, in German.
import type { Words } from '../words.ts';

export const dictionary: Words['dictionary'] = {};
