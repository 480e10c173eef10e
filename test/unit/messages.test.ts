// The checks of the files of messages: each mistake is a sentence with file, key and cause.
import { readFileSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { readMessages } from '../../src/locales/translator.ts';
import { findProblems, findWrongDescriptions, listUntranslated, readJson, TYPES_FILE, writeTypes } from '../tools/message-problems.ts';

const ENGLISH = {
  left: 'I’ve left {channel}. `/say` brings me back.',
  count: '{count, plural, one {# text} other {# texts}}',
  cost: 'About {cost, number, significant} credit',
  label: 'Say it',
};

const problemsOf = (messages: Record<string, string>, locale = 'de') =>
  findProblems(locale, messages, ENGLISH, (key) => (key === 'label' ? 10 : Number.POSITIVE_INFINITY));

it('the types of the arguments are those of the English sentences; `npm run messages` writes them', () => {
  expect(readFileSync(TYPES_FILE, 'utf8')).toBe(writeTypes(readMessages('en')));
});

test.each([
  ['a syntax error', { left: 'Weg aus {channel. `/say`' }, /^de\.json: left: can’t be read as ICU MessageFormat \(.+\): Weg aus/],
  ['a key that English doesn’t have', { gone: 'Weg.' }, 'de.json: gone: English has no such key'],
  ['an argument that is missing', { left: 'Weg. `/say`' }, 'de.json: left: the argument {channel} is missing'],
  ['an unknown argument', { left: 'Weg aus {channel} und {kanal}. `/say`' }, 'de.json: left: there is no argument {kanal}'],
  ['a number as a text', { cost: 'Etwa {cost}' }, 'de.json: cost: {cost} is used as something else than in English'],
  ['an unknown style', { cost: 'Etwa {cost, number, cents}' }, /^de\.json: cost: \{cost\} has a style that isn’t one of duration/],
  ['a plural form too few', { count: '{count, plural, other {# Texte}}' }, 'de.json: count: the plural of {count} lacks the form “one”'],
  [
    'a plural form too many',
    { count: '{count, plural, one {# Text} few {# Texte} other {# Texte}}' },
    'de.json: count: the plural of {count} has the form “few”, which the language doesn’t have',
  ],
  [
    'a straight apostrophe before a brace',
    { left: "Aus l'{channel} weg. `/say`" },
    "de.json: left: an apostrophe before a brace begins a quotation; write ’ instead of '",
  ],
  [
    'an argument within code',
    { left: 'Weg aus `{channel}`. `/say`' },
    'de.json: left: {channel} stands in `inline code`, which it could end',
  ],
  ['a translated command', { left: 'Weg aus {channel}. `/sag`' }, 'de.json: left: `/say` is missing'],
  ['an empty text', { label: '' }, 'de.json: label: is empty'],
  ['a label that is too long', { label: 'Bitte sag das' }, 'de.json: label: has 13 characters, but only 10 fit'],
])('names %s', (_, messages, expected) => {
  expect(problemsOf(messages)[0]).toMatch(expected);
});

it('asks for the forms of a language with more of them, but not for that of a million in French', () => {
  expect(problemsOf({ count: '{count, plural, one {# tekst} other {# tekstu}}' }, 'pl')).toHaveLength(2);
  expect(problemsOf({ count: '{count, plural, one {# texte} other {# textes}}' }, 'fr')).toEqual([]);
});

it('has nothing against English', () => {
  expect(problemsOf(ENGLISH, 'en')).toEqual([]);
});

it('names a file that isn’t JSON, and a text that is none', () => {
  expect(() => readJson('de.json', '{')).toThrow(/^de\.json: not JSON: /);
  expect(() => readJson('de.json', '[]')).toThrow('de.json: not an object of keys and texts');
  expect(() => readJson('de.json', '{"label": 1}')).toThrow('de.json: label: not a text');
});

it('lists what isn’t translated, or is still the English sentence', () => {
  expect(listUntranslated({ ...ENGLISH, label: 'Sag es', count: '#' }, { ...ENGLISH, more: 'More', long: 'Some more words' })).toEqual([
    'left',
    'more',
    'long',
  ]);
});

it('names what the descriptions lack, and what they describe that isn’t there', () => {
  const wrong = findWrongDescriptions(
    { arguments: { channel: 'A channel.', gone: 'Nothing.' }, sentences: { 'co*': 'A number.', gone: 'Nothing.' }, limits: { label: 45 } },
    ENGLISH,
  );
  expect(wrong).toEqual([
    'en.descriptions.json: gone: there is no such sentence',
    'en.descriptions.json: left: isn’t described',
    'en.descriptions.json: label: isn’t described',
    'en.descriptions.json: {gone}: no sentence has such an argument',
    'en.descriptions.json: {count}: isn’t described',
    'en.descriptions.json: {cost}: isn’t described',
  ]);
});
