// `npm run messages`: writes the types of the arguments from en.json, then says what is wrong with the messages and what isn't translated.
// With --check nothing is written; with --complete, what isn't translated is wrong as well.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { languages } from '../../src/locales/index.ts';
import {
  type Descriptions,
  findProblems,
  findWrongDescriptions,
  limitOf,
  listUntranslated,
  readJson,
  TYPES_FILE,
  writeTypes,
} from './message-problems.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' }, complete: { type: 'boolean' } } });
const contentOf = (file: string) => readFileSync(new URL(`../../src/locales/${file}`, import.meta.url), 'utf8');
const read = (locale: string) => readJson(`${locale}.json`, contentOf(`${locale}.json`));

const problems: string[] = [];
const untranslated: string[] = [];
try {
  const english = read('en');
  const descriptions: Descriptions = JSON.parse(contentOf('en.descriptions.json'));
  for (const { locale } of languages) {
    try {
      const messages = read(locale);
      problems.push(...findProblems(locale, messages, english, (key) => limitOf(key, descriptions.limits)));
      if (locale !== 'en')
        untranslated.push(...listUntranslated(messages, english).map((key) => `${locale}.json: ${key}: ${english[key]}`));
    } catch (error) {
      problems.push(String(error instanceof Error ? error.message : error));
    }
  }
  if (problems.length === 0) {
    problems.push(...findWrongDescriptions(descriptions, english));
    const types = writeTypes(english);
    if (!values.check && !values.complete) writeFileSync(TYPES_FILE, types);
    else if (readFileSync(TYPES_FILE, 'utf8') !== types)
      problems.push('src/locales/messages.ts isn’t what en.json says: run `npm run messages`');
  }
} catch (error) {
  problems.push(String(error instanceof Error ? error.message : error));
}

if (untranslated.length > 0) console.log(`Not translated, so shown in English:\n${untranslated.join('\n')}`);
if (problems.length > 0) console.error(problems.join('\n'));
process.exitCode = problems.length > 0 || (values.complete && untranslated.length > 0) ? 1 : 0;
