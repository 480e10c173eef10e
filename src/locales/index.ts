// Which language a member reads. Every word is in <language>.json; English comes first, and is shown where another language lacks a sentence.
import { Locale } from 'discord.js';
import { createTranslator, openLanguage, type Translator } from './translator.ts';

export { type BrokenMessage, type KeyIn, onBrokenMessage, type Sentence, type Translator } from './translator.ts';

interface OfferedLanguage {
  /** BCP 47. */
  locale: string;
  /** What the language calls itself. */
  languageName: string;
  /** Discord's locales whose members read it: https://discord.com/developers/docs/reference#locales. Those not listed read English. */
  readBy: Locale[];
}

/** The languages an admin can choose for public replies, each by its own name. */
export const languages: readonly OfferedLanguage[] = [
  { locale: 'en', languageName: 'English', readBy: [Locale.EnglishUS, Locale.EnglishGB] },
  { locale: 'de', languageName: 'Deutsch', readBy: [Locale.German] },
  { locale: 'fr', languageName: 'Français', readBy: [Locale.French] },
  { locale: 'es', languageName: 'Español', readBy: [Locale.SpanishES, Locale.SpanishLATAM] },
  { locale: 'pt-BR', languageName: 'Português do Brasil', readBy: [Locale.PortugueseBR] },
  { locale: 'it', languageName: 'Italiano', readBy: [Locale.Italian] },
  { locale: 'pl', languageName: 'Polski', readBy: [Locale.Polish] },
  { locale: 'ja', languageName: '日本語', readBy: [Locale.Japanese] },
  { locale: 'ko', languageName: '한국어', readBy: [Locale.Korean] },
  { locale: 'zh-CN', languageName: '简体中文', readBy: [Locale.ChineseCN] },
];

const english = openLanguage('en');

/** What operators read, and whoever's language isn't listed. */
export const en = createTranslator(english, english);

/**
 * Translators of the languages that somebody has read. A language is loaded with its first sentence: nine that nobody reads would take
 * megabytes.
 */
const translators = new Map<string, Translator>([['en', en]]);

/** @param locale of Discord, or `Translator.locale`; English for all others */
export function translatorFor(locale: string | null | undefined): Translator {
  const language =
    languages.find(({ readBy }) => readBy.some((code) => code === locale)) ?? languages.find((other) => other.locale === locale);
  if (!language) return en;
  const translator = translators.get(language.locale) ?? createTranslator(openLanguage(language.locale), english);
  translators.set(language.locale, translator);
  return translator;
}
