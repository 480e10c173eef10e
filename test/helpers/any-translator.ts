// Any of the languages, for tests that hold in all of them.
import fc from 'fast-check';
import { languages, translatorFor } from '../../src/locales/index.ts';

/** A counterexample names the language. */
export const anyTranslator = fc.constantFrom(
  ...languages.map(({ locale }) => Object.assign(translatorFor(locale), { [fc.toStringMethod]: () => locale })),
);
