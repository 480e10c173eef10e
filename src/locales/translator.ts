// Puts sentences into a language: `t('say.spoken', { seconds })`. Messages are in ICU MessageFormat, in <language>.json.
//
// intl-messageformat formats them, because it does that and nothing else: next-intl wraps it for React, Paraglide compiles messages into modules,
// so that every change needs a build, and Fluent and MessageFormat 2 (`messageformat` 4) have another syntax than the one that translators'
// tools check, ICU's. Its parser lets the checks see a message as it does.
import { readFileSync } from 'node:fs';
import { parse } from '@formatjs/icu-messageformat-parser';
import { formatToParts } from 'intl-messageformat';
import { lists, texts } from './arguments.ts';
import { createFormat, createFormatters, type Format, formats } from './format.ts';
import type { Messages } from './messages.ts';

/** Of a sentence, in `en.json`. */
type Key = keyof Messages;

/** The last parts of the keys of a group: those of `status.titles` are `here`, `voice` and so on. @param End what follows them */
export type KeyIn<Group extends string, End extends string = ''> = Key extends infer K
  ? K extends `${Group}.${infer Last}${End}`
    ? Last extends `${string}.${string}`
      ? never
      : Last
    : never
  : never;

/** The keys of sentences that take no arguments. */
export type PlainKey = { [K in Key]: keyof Messages[K] extends never ? K : never }[Key];

/** What each of several sentences takes: whoever chooses between them passes the arguments of all. */
type ArgumentsOf<K extends Key> = (K extends Key ? (args: Messages[K]) => void : never) extends (args: infer A) => void ? A : never;

type ArgumentList<K extends Key> = [K] extends [PlainKey] ? [] : [ArgumentsOf<K>];

/** Puts a sentence into one language. */
export interface Translator {
  <K extends Key>(key: K, ...args: ArgumentList<K>): string;
  /** BCP 47. */
  readonly locale: string;
  readonly format: Format;
}

/** A sentence that is put into words once it is known who reads it. */
export type Sentence = (t: Translator) => string;

/** A message that can't be used, so English is used in its place. */
export interface BrokenMessage {
  locale: string;
  /** null = none of the language's messages can be read. */
  key: string | null;
  cause: unknown;
}

type Values = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

let report: (broken: BrokenMessage) => void = () => {};

/** Has every broken message reported once. */
export function onBrokenMessage(reportBroken: (broken: BrokenMessage) => void): void {
  report = reportBroken;
}

const fileOf = (locale: string): Buffer => readFileSync(new URL(`./${locale}.json`, import.meta.url));

/** All messages of a language, by their keys; they aren't kept. @throws if the file isn't JSON, or can't be read */
export function readMessages(locale: string): Record<string, string> {
  return JSON.parse(fileOf(locale).toString());
}

/**
 * The messages of one group in a language: those of `say` have keys that begin with `say.`. Of the file, which has a line for each message, only
 * the lines of the group are decoded: a start needs a twelfth of what there is in ten languages, and an idle bot would be 1 to 2 MB larger for having
 * read the rest. @throws if a line isn't JSON, or the file can't be read
 */
export function readGroup(locale: string, group: string): Record<string, string> {
  const file = fileOf(locale);
  const begin = `\n  "${group}.`;
  const lines: string[] = [];
  for (let at = file.indexOf(begin); at >= 0; at = file.indexOf(begin, at + 1))
    lines.push(file.toString('utf8', at, file.indexOf('\n', at + 1)));
  return JSON.parse(`{${lines.join('').replace(/,\s*$/, '')}}`);
}

/** The messages of one language, which are loaded when the first is asked for. */
export interface Language {
  locale: string;
  format: Format;
  /** @returns null if the language lacks the message, or it is broken */
  write(key: string, args: Values): string | null;
}

export function openLanguage(locale: string, read = () => readMessages(locale)): Language {
  const format = createFormat(locale);
  const formatters = createFormatters(format);
  const broken = new Set<string | null>();
  let messages: Readonly<Record<string, string>> | null = null;

  function reportOnce(key: string | null, cause: unknown): void {
    if (broken.has(key)) return;
    broken.add(key);
    report({ locale, key, cause });
  }

  function load(): Readonly<Record<string, string>> {
    try {
      return read();
    } catch (cause) {
      reportOnce(null, cause);
      return {};
    }
  }

  return {
    locale,
    format,
    write(key, args) {
      try {
        messages ??= load();
        const message = Object.hasOwn(messages, key) ? messages[key] : undefined;
        return message === undefined ? null : formatMessage(message, args, format, formatters);
      } catch (cause) {
        reportOnce(key, cause);
        return null;
      }
    },
  };
}

/** @param english is asked for what the language doesn't have */
export function createTranslator(language: Language, english: Language): Translator {
  function translate<K extends Key>(key: K, ...args: ArgumentList<K>): string;
  function translate(key: Key, args: Values = {}): string {
    // If even English lacks a sentence, its key at least says what the reply is about.
    return language.write(key, args) ?? english.write(key, args) ?? key;
  }
  return Object.assign(translate, { locale: language.locale, format: language.format });
}

/**
 * Messages are parsed whenever they are used, which takes microseconds: a thousand parsed ones would take 35 MB.
 * @throws if the message has a syntax error, or an argument isn't given
 */
function formatMessage(message: string, args: Values, format: Format, formatters: ReturnType<typeof createFormatters>): string {
  if (!/['{]/.test(message)) return message;
  const values = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, asShown(name, value, format)]));
  // Mentions, times and commands, `<@…>`, `<t:…>` and `</say:1>`, aren't tags.
  const parts = formatToParts<never>(parse(message, { ignoreTag: true }), format.locale, formatters, formats, values, undefined, message);
  return parts.map(({ value }) => value).join('');
}

function asShown(name: string, value: Values[string], format: Format) {
  if (typeof value === 'string') return Object.hasOwn(texts, name) ? texts[name]?.(value) : value;
  if (typeof value === 'object' && value !== null) return Object.hasOwn(lists, name) ? lists[name]?.(value, format) : value.join(' ');
  return value;
}
