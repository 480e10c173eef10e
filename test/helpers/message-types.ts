// The types of the arguments of every sentence, from the English messages: what src/locales/messages.ts holds.
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { lists } from '../../src/locales/arguments.ts';

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
