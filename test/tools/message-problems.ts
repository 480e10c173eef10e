import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { lists } from '../../src/locales/arguments.ts';
import { NUMBER_STYLES, TIME_STYLES } from '../../src/locales/format.ts';

export type Messages = Readonly<Record<string, string>>;

/** What beside en.json tells translators about the sentences. */
export interface Descriptions {
  arguments: Messages;
  /** By key, in which `*` stands for anything. */
  sentences: Messages;
  /** How many characters Discord takes, in the same way. */
  limits: Readonly<Record<string, number>>;
}

/** Shown to members as they are, so they are the same in every language. */
const VERBATIM = /`[^`{]+`|<[^>\s]+>|https?:\/\/\S+/g;

/** @throws a sentence with the file, if it isn't JSON with a text for each key */
export function readJson(file: string, content: string): Messages {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new Error(`${file}: not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${file}: not an object of keys and texts`);
  const wrong = Object.entries(value).find(([, text]) => typeof text !== 'string');
  if (wrong) throw new Error(`${file}: ${wrong[0]}: not a text`);
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]));
}

/** @param locale BCP 47 @param limitOf the most characters for a key; Infinity = no limit */
export function findProblems(locale: string, messages: Messages, english: Messages, limitOf: (key: string) => number): string[] {
  return Object.entries(messages).flatMap(([key, message]) => {
    const where = `${locale}.json: ${key}:`;
    if (!Object.hasOwn(english, key)) return [`${where} English has no such key`];
    if (/'\{/.test(message)) return [`${where} an apostrophe before a brace begins a quotation; write ’ instead of '`];
    try {
      const elements = parse(message, { ignoreTag: true });
      const problems = [
        ...compareArguments(elements, parse(english[key] ?? '', { ignoreTag: true })),
        ...findWrongForms(elements, locale),
        ...findWrongStyles(elements),
        ...findArgumentsInCode(message),
        ...compareVerbatim(message, english[key] ?? ''),
        ...(message === '' && english[key] !== '' ? ['is empty'] : []),
        ...(message.length > limitOf(key) ? [`has ${message.length} characters, but only ${limitOf(key)} fit`] : []),
      ];
      return problems.map((problem) => `${where} ${problem}`);
    } catch (error) {
      return [`${where} ${describeSyntaxError(error, message)}`];
    }
  });
}

/** Of several words: a language may have the same single ones. */
const PHRASE = /\p{L}{4,} +\p{L}{2,} +\p{L}/u;

/** The keys that a language doesn't have yet, so members read English, and those under which it has the English sentence. */
export function listUntranslated(messages: Messages, english: Messages): string[] {
  return Object.entries(english).flatMap(([key, text]) =>
    !Object.hasOwn(messages, key) || (messages[key] === text && PHRASE.test(text)) ? [key] : [],
  );
}

/** What is wrong with the descriptions: what they describe that isn't there, and the arguments that they don't describe. */
export function findWrongDescriptions(descriptions: Descriptions, english: Messages): string[] {
  const keys = Object.keys(english);
  const names = new Set(Object.values(english).flatMap((message) => [...typesOf(parse(message, { ignoreTag: true })).keys()]));
  const where = 'en.descriptions.json:';
  return [
    ...[...Object.keys(descriptions.sentences), ...Object.keys(descriptions.limits)]
      .filter((pattern) => !keys.some((key) => isMatch(pattern, key)))
      .map((pattern) => `${where} ${pattern}: there is no such sentence`),
    ...keys
      .filter((key) => !Object.keys(descriptions.sentences).some((pattern) => isMatch(pattern, key)))
      .map((key) => `${where} ${key}: isn’t described`),
    ...Object.keys(descriptions.arguments)
      .filter((name) => !names.has(name))
      .map((name) => `${where} {${name}}: no sentence has such an argument`),
    ...[...names].filter((name) => !Object.hasOwn(descriptions.arguments, name)).map((name) => `${where} {${name}}: isn’t described`),
  ];
}

/** @param pattern a key, in which `*` stands for anything */
function isMatch(pattern: string, key: string): boolean {
  return new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll('.', '\\.'))
      .join('.*')}$`,
  ).test(key);
}

/** The most characters of a sentence; Infinity if Discord has no limit for it. */
export function limitOf(key: string, limits: Descriptions['limits']): number {
  return Math.min(...Object.entries(limits).map(([pattern, limit]) => (isMatch(pattern, key) ? limit : Number.POSITIVE_INFINITY)));
}

function compareArguments(elements: MessageFormatElement[], english: MessageFormatElement[]): string[] {
  const [own, expected] = [typesOf(elements), typesOf(english)];
  return [
    ...[...expected.keys()].filter((name) => !own.has(name)).map((name) => `the argument {${name}} is missing`),
    ...[...own.keys()].filter((name) => !expected.has(name)).map((name) => `there is no argument {${name}}`),
    ...[...own]
      .filter(([name, type]) => expected.has(name) && expected.get(name) !== type)
      .map(([name]) => `{${name}} is used as something else than in English`),
  ];
}

/** Forms that members of a language come across. In French, a million takes a form of its own, which may be left out: nobody has that many. */
function requiredForms(locale: string): Set<string> {
  const rules = new Intl.PluralRules(locale);
  return new Set([...Array(201).keys(), 0.5, 1.5].map((count) => rules.select(count)));
}

function findWrongForms(elements: readonly MessageFormatElement[], locale: string): string[] {
  const known: string[] = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    const inner = Object.values(element.options).flatMap(({ value }) => findWrongForms(value, locale));
    if (element.type === TYPE.select) return inner;
    const forms = Object.keys(element.options).filter((form) => !form.startsWith('='));
    const name = `the plural of {${element.value}}`;
    return [
      ...[...requiredForms(locale)].filter((form) => !forms.includes(form)).map((form) => `${name} lacks the form “${form}”`),
      ...forms.filter((form) => !known.includes(form)).map((form) => `${name} has the form “${form}”, which the language doesn’t have`),
      ...(element.pluralType === 'ordinal' ? [`${name} is an ordinal, which isn’t supported`] : []),
      ...inner,
    ];
  });
}

function findWrongStyles(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return Object.values(element.options).flatMap(({ value }) => findWrongStyles(value));
    if (element.type === TYPE.date) return [`{${element.value}, date} isn’t supported`];
    if (element.type !== TYPE.number && element.type !== TYPE.time) return [];
    const known: readonly string[] = element.type === TYPE.number ? NUMBER_STYLES : TIME_STYLES;
    if (element.type === TYPE.number && !element.style) return [];
    return typeof element.style === 'string' && known.includes(element.style)
      ? []
      : [`{${element.value}} has a style that isn’t one of ${known.join(', ')}`];
  });
}

/** An argument could end the code that it stands in; those that are to be shown as code become it by themselves. */
function findArgumentsInCode(message: string): string[] {
  const code = message.split('`').filter((_, index) => index % 2 === 1);
  return code.flatMap((part) => part.match(/\{\w+/g) ?? []).map((begun) => `${begun}} stands in \`inline code\`, which it could end`);
}

function compareVerbatim(message: string, english: string): string[] {
  const shown = (text: string) => new Set(text.match(VERBATIM) ?? []);
  const [own, expected] = [shown(message), shown(english)];
  return [
    ...[...expected].filter((part) => !own.has(part)).map((part) => `${part} is missing`),
    ...[...own].filter((part) => !expected.has(part)).map((part) => `${part} isn’t in the English sentence`),
  ];
}

function describeSyntaxError(error: unknown, message: string): string {
  const reason = error instanceof Error ? error.message.toLowerCase().replaceAll('_', ' ') : String(error);
  return `can’t be read as ICU MessageFormat (${reason}): ${message}`;
}

export const TYPES_FILE = new URL('../../src/locales/messages.ts', import.meta.url);

/** The contents of the file of types. @throws if a message has a syntax error */
export function writeTypes(messages: Readonly<Record<string, string>>): string {
  const lines = Object.entries(messages).map(([key, message]) => {
    const types = [...typesOf(parse(message, { ignoreTag: true }))].map(([name, type]) => `${name}: ${type}`);
    return `  ${/^[\w$]+$/.test(key) ? key : `'${key}'`}: ${types.length === 0 ? 'NoArguments' : `{ ${types.join('; ')} }`};\n`;
  });
  return `// Written by \`npm run messages\`, from en.json: what each sentence takes.
type NoArguments = Record<never, never>;

export interface Messages {
${lines.join('')}}
`;
}

/** The type of each argument of a message, by its name. */
export function typesOf(elements: readonly MessageFormatElement[]): Map<string, string> {
  const types = new Map<string, string>();
  const note = (name: string, type: string) => {
    // As text, a number or a choice can be shown as well.
    if (!types.has(name) || type !== 'string') types.set(name, type);
  };
  const visit = (element: MessageFormatElement): void => {
    if (element.type === TYPE.argument) note(element.value, Object.hasOwn(lists, element.value) ? 'readonly string[]' : 'string');
    if (element.type === TYPE.number || element.type === TYPE.date || element.type === TYPE.time) note(element.value, 'number');
    if (element.type === TYPE.plural) note(element.value, 'number');
    if (element.type === TYPE.select) note(element.value, selected(Object.keys(element.options)));
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const { value } of Object.values(element.options)) value.forEach(visit);
  };
  elements.forEach(visit);
  return types;
}

function selected(cases: readonly string[]): string {
  if (!cases.includes('true')) return 'string';
  return cases.includes('null') ? 'boolean | null' : 'boolean';
}
