// What /dictionary says, in Brazilian Portuguese.
import type { Words } from '../words.ts';

export const dictionary: Words['dictionary'] = {};
