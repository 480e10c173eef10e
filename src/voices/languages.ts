// Languages by what members call them: a code, or a name in English, in their own language or in the language itself.
import type { Words } from '../locales/index.ts';
import { fold } from './titles.ts';

/** Names of languages by code. Each takes a fraction of a millisecond to make. */
const ownNames = new Map<string, string>();

/** @param code BCP 47; names of anything else are the code itself */
export function namesOf(code: string, t: Words): string[] {
  const own = ownNames.get(code) ?? nameIn(code, code);
  ownNames.set(code, own);
  return [t.voices.languageName(code), nameIn('en', code), own];
}

function nameIn(locale: string, code: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * The code that stands for what was typed; anything unknown is returned as it is, because the service may know it.
 * @param shown codes that the catalogue has shown, which are preferred
 */
export function toLanguageCode(typed: string, shown: Iterable<string>, t: Words): string {
  const wanted = fold(typed);
  const isMeant = (code: string) => [code, ...namesOf(code, t)].some((name) => fold(name) === wanted);
  return [...new Set(shown)].find(isMeant) ?? knownCodes().find(isMeant) ?? typed;
}

let codes: string[] | null = null;

/** Every code of two letters that has a name: https://www.loc.gov/standards/iso639-2/php/code_list.php */
function knownCodes(): string[] {
  if (codes) return codes;
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  codes = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => english.of(code) !== undefined);
  return codes;
}
