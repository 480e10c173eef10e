// What /dictionary says, in French.
import type { Words } from '../words.ts';

export const dictionary: Words['dictionary'] = {};
