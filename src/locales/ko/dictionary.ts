// What /dictionary says, in Korean.
import type { Words } from '../words.ts';

export const dictionary: Words['dictionary'] = {};
