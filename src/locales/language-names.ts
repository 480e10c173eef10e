// The names of languages, and their codes.

/** BCP 47: the most used languages, most used first. Discord's menus hold 25 options, one of which is automatic detection. */
export const COMMON_CODES: readonly string[] = [
  'en',
  'es',
  'pt',
  'fr',
  'de',
  'ru',
  'ja',
  'zh',
  'ko',
  'it',
  'pl',
  'tr',
  'nl',
  'uk',
  'ar',
  'hi',
  'id',
  'vi',
  'th',
  'sv',
  'cs',
  'ro',
  'el',
  'fi',
];

export interface Language {
  code: string;
  /** Name in the reader's language. */
  name: string;
  /** Name in the language itself. */
  ownName: string;
}

/** @param locale of the reader */
export function describeLanguage(code: string, locale: string): Language {
  return { code, name: languageName(code, locale), ownName: languageName(code, code) };
}

/** Those of the languages whose code, or any word of whose names, starts with what was typed. @param locale of the reader */
export function findLanguages(codes: readonly string[], typed: string, locale: string): Language[] {
  const wanted = typed.trim().toLowerCase();
  return codes
    .map((code) => describeLanguage(code, locale))
    .filter(({ code, name, ownName }) =>
      [code, name, ownName, languageName(code, 'en')].some(
        (text) => text.toLowerCase().startsWith(wanted) || text.toLowerCase().includes(` ${wanted}`),
      ),
    );
}

/** The name of a language in the language `locale`; an unknown code is returned as it is. */
export function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** "pt" of "pt-BR": without region or script, whether or not it is a code. */
export function baseOf(code: string): string {
  return code.trim().split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
}

/** The code of two or three letters, without region or script; null if it is none of a language. @param code BCP 47 */
export function languageCode(code: string): string | null {
  const base = baseOf(code);
  if (!/^[a-z]{2,3}$/.test(base)) return null;
  return englishNames().of(base) === undefined ? null : base;
}

/** A code of the language that has this English name; the name itself if none of the most used has. */
export function codeOfName(name: string): string {
  const wanted = name.trim().toLowerCase();
  return COMMON_CODES.find((code) => languageName(code, 'en').toLowerCase() === wanted) ?? name;
}

/** Whether two codes are of one language, written in whatever script or spoken wherever. */
export function isSameLanguage(a: string, b: string): boolean {
  return macrolanguage(a) === macrolanguage(b);
}

function macrolanguage(code: string): string {
  const base = languageCode(code) ?? code.toLowerCase();
  const canonical = /^[a-z]{2,3}$/.test(base) ? (new Intl.Locale(base).language ?? base) : base;
  // Recognisers don't tell them apart.
  return ['nb', 'nn'].includes(canonical) ? 'no' : ['yue', 'cmn'].includes(canonical) ? 'zh' : canonical;
}

let names: Intl.DisplayNames | null = null;

function englishNames(): Intl.DisplayNames {
  names ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return names;
}
