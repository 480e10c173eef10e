// What /dictionary says, in Spanish.
import type { Words } from '../words.ts';

export const dictionary: Words['dictionary'] = {};
