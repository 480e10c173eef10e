// What /dictionary says, in Italian.
import type { Words } from '../words.ts';

export const dictionary: Words['dictionary'] = {};
