// The languages: which one is read where, and that translations say the same as English.
import { Locale } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/discord/command.ts';
import { en } from '../../src/locales/en/index.ts';
import { createFormat, joinSentences } from '../../src/locales/format.ts';
import { languages as listed, publicWordsFor, type Words, wordsFor } from '../../src/locales/index.ts';

const languages = listed.map(({ languageName, load }) => ({ ...load(), languageName }));
const others = languages.filter((words) => words.locale !== 'en');

/** Every text that takes no values, by its path: `say.stopButton`. */
function textsOf(words: Words): Map<string, string> {
  const found = new Map<string, string>();
  const collect = (value: unknown, path: string): void => {
    if (typeof value === 'string') found.set(path, value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) collect(inner, path === '' ? key : `${path}.${key}`);
  };
  collect(words, '');
  return found;
}

/** How many values each sentence takes, by its path. */
function valuesOf(words: Words): Map<string, number> {
  const found = new Map<string, number>();
  const collect = (value: unknown, path: string): void => {
    if (typeof value === 'function') found.set(path, value.length);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) collect(inner, path === '' ? key : `${path}.${key}`);
  };
  collect(words, '');
  return found;
}

describe('the language', () => {
  it('is the member’s own, and English if there is no translation', () => {
    expect(wordsFor(Locale.EnglishGB)).toBe(en);
    expect(wordsFor(Locale.SpanishLATAM)).toBe(wordsFor(Locale.SpanishES));
    for (const locale of [Locale.ChineseTW, Locale.Swedish, 'xx', '', null, undefined]) expect(wordsFor(locale)).toBe(en);
  });

  it('of public replies is what an admin chose, else the server’s own unless that is only the default, else English', () => {
    expect(publicWordsFor('de', Locale.French, Locale.Italian)).toBe(wordsFor('de'));
    expect(publicWordsFor(null, Locale.French, Locale.Italian)).toBe(wordsFor(Locale.French));
    expect(publicWordsFor(null, Locale.EnglishUS, Locale.Italian)).toBe(en);
    expect(publicWordsFor(null, null, Locale.Italian)).toBe(wordsFor(Locale.Italian));
  });

  it('is one of ten', () => {
    expect(languages.map(({ locale }) => locale).sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'pl', 'pt-BR', 'zh-CN']);
  });
});

describe.each(others.map((words) => [words.languageName, words] as const))('%s', (_, words) => {
  it('has a translation of every text', () => {
    const english = textsOf(en);
    const same = [...textsOf(words)].filter(([path, text]) => text === english.get(path) && /\p{L}{4,} +\p{L}{2,} +\p{L}/u.test(text));
    expect(same).toEqual([]);
  });

  it('names the same commands, options and settings as English', () => {
    const english = textsOf(en);
    const namedIn = (text = '') => [...text.matchAll(/`[^`]+`|<[^>]+>|https?:\/\/\S+/g)].map(([name]) => name).sort();
    for (const [path, text] of textsOf(words)) expect([path, namedIn(text)]).toEqual([path, namedIn(english.get(path))]);
  });

  it('uses every value of a sentence', () => {
    const english = valuesOf(en);
    for (const [path, count] of valuesOf(words)) expect([path, count]).toEqual([path, english.get(path)]);
  });
});

it.each(languages.map((words) => [words.languageName, words] as const))(
  '%s keeps titles and channels as they are beside a number',
  (_, words) => {
    for (const count of [1, 2, 5]) {
      expect(words.settings.found(count, 'C# 1')).toContain('C# 1');
      const sample = words.voices.samplePlays('C# 1', '123', count);
      expect(sample).toContain('C# 1');
      expect(sample).toContain('<#123>');
    }
  },
);

it('every command, option and choice has a description in every language but English, within Discord’s limits', () => {
  const locales = [...others.flatMap(({ locale }) => (locale === 'es' ? ['es-419', 'es-ES'] : [locale])), 'en-GB'].sort();
  const check = (part: { description?: string; description_localizations?: object | null; options?: unknown[]; choices?: unknown[] }) => {
    if (part.description) {
      expect(Object.keys(part.description_localizations ?? {}).sort()).toEqual(locales);
      for (const text of [part.description, ...Object.values(part.description_localizations ?? {})]) {
        expect(text.length).toBeGreaterThan(0);
        expect(text.length, text).toBeLessThanOrEqual(100);
      }
    }
    for (const inner of part.options ?? []) check(inner as typeof part);
    for (const choice of (part.choices ?? []) as { name: string; name_localizations?: object | null }[])
      for (const text of [choice.name, ...Object.values(choice.name_localizations ?? {})])
        expect(text.length, text).toBeLessThanOrEqual(100);
  };
  for (const { data } of commands as Command<never>[]) check(data as Parameters<typeof check>[0]);
});

it('sentences follow each other after a space, but not in Chinese and Japanese', () => {
  const withoutSpace = languages.filter((words) => joinSentences(words, 'A.', 'B.') === 'A.B.');
  expect(withoutSpace.map(({ locale }) => locale).sort()).toEqual(['ja', 'zh-CN']);
  expect(joinSentences(en, 'A.', 'B.')).toBe('A. B.');
});

describe('numbers', () => {
  it('take the plural of the language', () => {
    const { plural } = createFormat('pl');
    const forms = { one: '# głos', few: '# głosy', many: '# głosów', other: '# głosu' };
    expect([1, 3, 5, 1.5].map((count) => plural(count, forms))).toEqual(['1 głos', '3 głosy', '5 głosów', '1,5 głosu']);
  });

  it('are written as in the language, also far beyond what is likely', () => {
    const format = createFormat('de');
    expect([format.percent(0.5), format.percent(0), format.percent(0.0001)]).toEqual(['50\u00a0%', '0\u00a0%', '1\u00a0%']);
    expect(format.duration(0)).toBe('0 Sekunden');
    expect(format.duration(150)).toBe('2 Minuten, 30 Sekunden');
    expect([0.2, 17.4, 17.6].map(format.duration)).toEqual(['1 Sekunde', '17 Sekunden', '18 Sekunden']);
    expect(format.duration(725)).toBe('12 Minuten');
    expect(format.duration(1e300)).not.toBe('');
    expect(format.megabytes(2.5 * 1024 * 1024)).toBe('2,5 MB');
  });
});
