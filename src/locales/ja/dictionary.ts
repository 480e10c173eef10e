// What /dictionary says, in Japanese.
import type { Words } from '../words.ts';

export const dictionary: Words['dictionary'] = {};
