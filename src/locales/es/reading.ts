// What /read says, and what is spoken around a message that is read aloud, in Spanish.
import type { Words } from '../words.ts';

export const reading: Words['reading'] = {};
