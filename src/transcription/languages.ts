// The languages that members can choose from; others that the service knows can be typed.

/** BCP 47. Discord's menus hold 25 options, one of which is automatic detection; the most used come first. */
const CODES = [
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
] as const;

export interface Language {
  code: string;
  /** In English. */
  name: string;
  /** In the language itself. */
  ownName: string;
}

const english = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

export const languages: readonly Language[] = CODES.map((code) => ({
  code,
  name: english.of(code) ?? code,
  ownName: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
}));

/** Languages whose code, or any word of whose names, starts with what was typed. */
export function findLanguages(typed: string): Language[] {
  const wanted = typed.trim().toLowerCase();
  return languages.filter(({ code, name, ownName }) =>
    [code, name, ownName].some((text) => text.toLowerCase().startsWith(wanted) || text.toLowerCase().includes(` ${wanted}`)),
  );
}

/** The English name of a language; an unknown code is returned as it is. */
export function languageName(code: string): string {
  try {
    return english.of(code) ?? code;
  } catch {
    return code;
  }
}
