// Which language a member reads. Every word is in <language>/<topic>.ts; English is the shape the others follow, and the fallback.
import { Locale } from 'discord.js';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import { es } from './es/index.ts';
import { fr } from './fr/index.ts';
import { it } from './it/index.ts';
import { ja } from './ja/index.ts';
import { ko } from './ko/index.ts';
import { pl } from './pl/index.ts';
import { ptBR } from './pt-BR/index.ts';
import type { Sentence, Words } from './words.ts';
import { zhCN } from './zh-CN/index.ts';

export type { Sentence, Words };

/** By Discord's locales: https://discord.com/developers/docs/reference#locales. Those not listed read English. */
const byLocale: Partial<Record<string, Words>> = {
  [Locale.EnglishUS]: en,
  [Locale.EnglishGB]: en,
  [Locale.German]: de,
  [Locale.French]: fr,
  [Locale.SpanishES]: es,
  [Locale.SpanishLATAM]: es,
  [Locale.PortugueseBR]: ptBR,
  [Locale.Italian]: it,
  [Locale.Polish]: pl,
  [Locale.Japanese]: ja,
  [Locale.Korean]: ko,
  [Locale.ChineseCN]: zhCN,
};

/** The languages an admin can choose for public replies, each by its own name. */
export const languages: readonly Words[] = [...new Set(Object.values(byLocale))].filter((words) => words !== undefined);

/** @param locale of Discord, or `Words.locale` */
export function wordsFor(locale: string | null | undefined): Words {
  return byLocale[locale ?? ''] ?? languages.find((words) => words.locale === locale) ?? en;
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

/** The description of a command or an option, in every language. */
export function described(sentence: Sentence) {
  return { description: sentence(en), description_localizations: localizations(sentence) };
}

/** The name of a choice, in every language. The names of commands and options stay English: guides and other members use them. */
export function named(sentence: Sentence) {
  return { name: sentence(en), name_localizations: localizations(sentence) };
}

function localizations(sentence: Sentence): Partial<Record<Locale, string>> {
  const others = Object.entries(byLocale).filter(([locale]) => locale !== Locale.EnglishUS);
  return Object.fromEntries(others.flatMap(([locale, words]) => (words ? [[locale, sentence(words)]] : [])));
}
