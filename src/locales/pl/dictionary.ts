// What /dictionary says, in Polish.
import type { Words } from '../words.ts';

export const dictionary: Words['dictionary'] = {};
