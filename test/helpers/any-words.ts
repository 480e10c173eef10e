// Any of the languages, for tests that hold in all of them.
import fc from 'fast-check';
import { languages } from '../../src/locales/index.ts';

/** A counterexample names the language instead of listing its words. */
export const anyWords = fc.constantFrom(
  ...languages.map(({ load }) => load()).map((words) => ({ ...words, [fc.toStringMethod]: () => words.locale })),
);
