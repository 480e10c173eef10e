// The languages that members choose from; a service may know others, which can be typed.

/** Discord's menus hold 25, and finding out by itself is one of them. BCP 47, the most spoken among members first. */
const LANGUAGES = [
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
  /** As its speakers call it. */
  ownName: string;
}

const english = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

export const languages: readonly Language[] = LANGUAGES.map((code) => ({
  code,
  name: english.of(code) ?? code,
  ownName: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
}));

/** Those whose code or name begins with what was typed, or has a word that does. */
export function findLanguages(typed: string): Language[] {
  const wanted = typed.trim().toLowerCase();
  return languages.filter(({ code, name, ownName }) =>
    [code, name, ownName].some((text) => text.toLowerCase().startsWith(wanted) || text.toLowerCase().includes(` ${wanted}`)),
  );
}

/** How a language is called in English; what is none is given back as it is. */
export function languageName(code: string): string {
  try {
    return english.of(code) ?? code;
  } catch {
    return code;
  }
}
