// Which language a member reads. Every word is in <language>/<topic>.ts; English is the shape the others follow, and the fallback.
import { createRequire } from 'node:module';
import { Locale } from 'discord.js';
import { commands as de } from './de/commands.ts';
import { en } from './en/index.ts';
import { commands as es } from './es/commands.ts';
import { commands as fr } from './fr/commands.ts';
import { commands as it } from './it/commands.ts';
import { commands as ja } from './ja/commands.ts';
import { commands as ko } from './ko/commands.ts';
import { commands as pl } from './pl/commands.ts';
import { commands as ptBR } from './pt-BR/commands.ts';
import type { Sentence, Words } from './words.ts';
import { commands as zhCN } from './zh-CN/commands.ts';

export type { Sentence, Words };

/** A language before anybody reads it. */
interface Language extends Pick<Words, 'locale' | 'commands'> {
  /** What the language calls itself. */
  languageName: string;
  /** Discord's locales whose members read it: https://discord.com/developers/docs/reference#locales. Those not listed read English. */
  readBy: Locale[];
  load(): Words;
}

// Words are loaded when somebody first reads them, except for what Discord is told at the start: nine languages that nobody reads would take
// 14 MB. `require` rather than `import()`, because whoever needs a sentence doesn't have to wait for it.
const require = createRequire(import.meta.url);

/** The languages an admin can choose for public replies, each by its own name. */
export const languages: readonly Language[] = [
  { locale: 'en', languageName: 'English', commands: en.commands, readBy: [Locale.EnglishUS, Locale.EnglishGB], load: () => en },
  { locale: 'de', languageName: 'Deutsch', commands: de, readBy: [Locale.German], load: () => require('./de/index.ts').default },
  { locale: 'fr', languageName: 'Français', commands: fr, readBy: [Locale.French], load: () => require('./fr/index.ts').default },
  {
    locale: 'es',
    languageName: 'Español',
    commands: es,
    readBy: [Locale.SpanishES, Locale.SpanishLATAM],
    load: () => require('./es/index.ts').default,
  },
  {
    locale: 'pt-BR',
    languageName: 'Português do Brasil',
    commands: ptBR,
    readBy: [Locale.PortugueseBR],
    load: () => require('./pt-BR/index.ts').default,
  },
  { locale: 'it', languageName: 'Italiano', commands: it, readBy: [Locale.Italian], load: () => require('./it/index.ts').default },
  { locale: 'pl', languageName: 'Polski', commands: pl, readBy: [Locale.Polish], load: () => require('./pl/index.ts').default },
  { locale: 'ja', languageName: '日本語', commands: ja, readBy: [Locale.Japanese], load: () => require('./ja/index.ts').default },
  { locale: 'ko', languageName: '한국어', commands: ko, readBy: [Locale.Korean], load: () => require('./ko/index.ts').default },
  {
    locale: 'zh-CN',
    languageName: '简体中文',
    commands: zhCN,
    readBy: [Locale.ChineseCN],
    load: () => require('./zh-CN/index.ts').default,
  },
];

/** @param locale of Discord, or `Words.locale` */
export function wordsFor(locale: string | null | undefined): Words {
  const language = languages.find(({ readBy }) => readBy.some((one) => one === locale)) ?? languages.find((one) => one.locale === locale);
  return language?.load() ?? en;
}

/**
 * The language of replies that everybody reads: the one an admin chose, else the server's own, unless that is only Discord's default.
 * @param guildLocale null outside of servers: only the member reads it
 */
export function publicWordsFor(chosen: string | null, guildLocale: string | null, memberLocale: string): Words {
  if (chosen !== null) return wordsFor(chosen);
  if (guildLocale === null) return wordsFor(memberLocale);
  return guildLocale === Locale.EnglishUS ? en : wordsFor(guildLocale);
}

/** A text that Discord is told in every language. */
export type CommandText = (t: Pick<Words, 'commands'>) => string;

/** The description of a command or an option, in every language. */
export function described(text: CommandText) {
  return { description: text(en), description_localizations: localizations(text) };
}

/** The name of a choice, in every language. The names of commands and options stay English: guides and other members use them. */
export function named(text: CommandText) {
  return { name: text(en), name_localizations: localizations(text) };
}

function localizations(text: CommandText): Partial<Record<Locale, string>> {
  const locales = languages.flatMap((language) => language.readBy.map((locale) => [locale, text(language)] as const));
  return Object.fromEntries(locales.filter(([locale]) => locale !== Locale.EnglishUS));
}
