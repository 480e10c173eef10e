// What Discord is told of the commands, in every language at once. A definition holds the keys of its texts.
import { Locale } from 'discord.js';
import { languages } from './index.ts';
import { type KeyIn, type PlainKey, readGroup } from './translator.ts';

/** The key of a text that Discord is told in every language. */
export type CommandKey = PlainKey & `commands.${string}`;

/** A command with a description in the files of languages. */
export type DescribedCommand = KeyIn<'commands', '.description'>;

/** The description of a command or an option. */
export function described(key: CommandKey) {
  return { description: key };
}

/** The name of a choice. The names of commands and options stay English: guides and other members use them. */
export function named(key: CommandKey) {
  return { name: key };
}

/** Which of the keys a text that somebody reads belongs to, in whatever language. */
export function findInAnyLanguage<Value>(texts: readonly (readonly [key: CommandKey, value: Value])[], text: string): Value | null {
  for (const { messages } of commandTexts()) {
    for (const [key, value] of texts) if (messages[key] === text) return value;
  }
  return null;
}

/** Puts texts in the place of their keys, anywhere in the definitions. @throws if a language can't be read */
export function inEveryLanguage<T>(definitions: T): T {
  const texts = commandTexts();
  const english = texts.find(({ locale }) => locale === 'en')?.messages ?? {};
  const textsOf = (key: string) =>
    texts.flatMap(({ readBy, messages }) => readBy.map((locale) => [locale, messages[key] ?? english[key]] as const));
  return JSON.parse(JSON.stringify(definitions), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const fields = Object.entries(value).flatMap(([field, key]: [string, unknown]) => {
      if (!isKey(field, key)) return [[field, key]];
      const others = textsOf(key).filter(([locale]) => locale !== Locale.EnglishUS);
      return [
        [field, english[key]],
        [`${field}_localizations`, Object.fromEntries(others)],
      ];
    });
    return Object.fromEntries(fields);
  });
}

interface CommandTexts {
  locale: string;
  readBy: readonly Locale[];
  messages: Record<string, string>;
}

let read: readonly CommandTexts[] | undefined;

/**
 * The texts for commands in each language, a twelfth of its messages. They are kept: a sorted page of voices asks for them with each click.
 * @throws if a language can't be read
 */
function commandTexts(): readonly CommandTexts[] {
  read ??= languages.map(({ locale, readBy }) => ({
    locale,
    readBy,
    messages: readGroup(locale, 'commands'),
  }));
  return read;
}

function isKey(field: string, value: unknown): value is string {
  return (field === 'name' || field === 'description') && typeof value === 'string' && value.startsWith('commands.');
}
