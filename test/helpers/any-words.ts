// Any of the languages, for tests that hold in all of them.
import fc from 'fast-check';
import { languages } from '../../src/locales/index.ts';

export const anyWords = fc.constantFrom(...languages);
