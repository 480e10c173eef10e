// The languages: which one is read where, what is shown where one lacks a sentence, and what arguments can't do.
import { parse } from '@formatjs/icu-messageformat-parser';
import { Locale } from 'discord.js';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { lists, texts } from '../../src/locales/arguments.ts';
import { inEveryLanguage } from '../../src/locales/command-texts.ts';
import { createFormat, joinSentences } from '../../src/locales/format.ts';
import { type BrokenMessage, en, languages, onBrokenMessage, translatorFor } from '../../src/locales/index.ts';
import { createTranslator, openLanguage, readGroup, readMessages } from '../../src/locales/translator.ts';
import { asMarkdown } from '../../src/text/untrusted-text.ts';
import { anyText, hostileTexts } from '../helpers/arbitrary-text.ts';
import { typesOf } from '../tools/message-problems.ts';

const translators = languages.map(({ languageName, locale }) => [languageName, translatorFor(locale)] as const);

describe('the language', () => {
  it('is the member’s own, and English if there is no translation', () => {
    expect(translatorFor(Locale.EnglishGB)).toBe(en);
    expect(translatorFor(Locale.SpanishLATAM)).toBe(translatorFor(Locale.SpanishES));
    for (const locale of [Locale.EnglishUS, Locale.ChineseTW, Locale.Swedish, 'xx', '', null, undefined])
      expect(translatorFor(locale)).toBe(en);
  });

  it('is one of ten', () => {
    expect(languages.map(({ locale }) => locale).sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'pl', 'pt-BR', 'zh-CN']);
  });
});

describe('the messages of a group', () => {
  it.each(languages.map(({ locale }) => locale))('are the same in %s, whether or not the others are read', (locale) => {
    const all = Object.entries(readMessages(locale));
    for (const group of ['commands', 'say', 'none'])
      expect(readGroup(locale, group)).toEqual(Object.fromEntries(all.filter(([key]) => key.startsWith(`${group}.`))));
  });
});

describe('a language that', () => {
  let broken: BrokenMessage[] = [];
  const read = (messages: () => Record<string, string>) => {
    broken = [];
    onBrokenMessage((one) => broken.push(one));
    return createTranslator(openLanguage('de', messages), openLanguage('en'));
  };
  afterEach(() => onBrokenMessage(() => {}));

  it('lacks a sentence shows it in English', () => {
    const t = read(() => ({ 'queue.empty': 'Leer.' }));
    expect(t('queue.empty')).toBe('Leer.');
    expect(t('queue.left', { channel: '1' })).toBe(en('queue.left', { channel: '1' }));
    expect(broken).toEqual([]);
  });

  it.each([
    ['has a syntax error in one', '{channel'],
    ['asks one for an argument that nobody gives', 'Weg aus {kanal}.'],
    ['has one without a plural form', '{channel, plural, one {x}}'],
  ])('%s shows it in English, and says so once', (_, message) => {
    const t = read(() => ({ 'queue.left': message, 'queue.empty': 'Leer.' }));
    for (const channel of ['1', '2']) expect(t('queue.left', { channel })).toBe(en('queue.left', { channel }));
    expect(t('queue.empty')).toBe('Leer.');
    expect(broken).toMatchObject([{ locale: 'de', key: 'queue.left', cause: expect.any(Error) }]);
  });

  it('can’t be read is English, and says so once', () => {
    const t = read(() => JSON.parse('{'));
    expect([t('queue.empty'), t('say.noText')]).toEqual([en('queue.empty'), en('say.noText')]);
    expect(broken).toMatchObject([{ locale: 'de', key: null, cause: expect.any(SyntaxError) }]);
  });

  it('nobody can read, because English is broken as well, still leaves a reply', () => {
    const nothing = openLanguage('en', () => ({}));
    expect(createTranslator(nothing, nothing)('queue.empty')).toBe('queue.empty');
  });
});

it('is checked by the compiler: keys, the names of arguments and their types', () => {
  const english = openLanguage('en');
  const t = createTranslator(english, english);
  // @ts-expect-error: no such key
  expect(t('queue.gone')).toBe('queue.gone');
  // @ts-expect-error: a missing argument
  expect(t('queue.left')).toBe('queue.left');
  // @ts-expect-error: a misnamed argument
  expect(t('queue.left', { kanal: '1' })).toBe('queue.left');
  // @ts-expect-error: a text for a number
  expect(t('queue.full', { most: '2' })).toContain('2');
  // @ts-expect-error: an argument for a sentence without any
  expect(t('queue.empty', { most: 2 })).toBe(en('queue.empty'));
});

describe('what somebody else wrote', () => {
  const hostile = fc.oneof(
    anyText,
    fc.constantFrom(...Object.values(hostileTexts), '`', '{file}', "'{file}'", '{n, plural, other {#}}', '#'),
  );
  const messages = new Map(languages.map(({ locale }) => [locale, readMessages(locale)]));
  const anySentence = fc.constantFrom(...Object.keys(readMessages('en')));
  const anyLanguage = fc.constantFrom(...languages.map(({ locale }) => openLanguage(locale)));
  it('changes nothing in any sentence but what stands for it, and is never read as the syntax of a message', () => {
    fc.assert(
      fc.property(anyLanguage, anySentence, hostile, (language, key, text) => {
        const own = [...typesOf(parse(messages.get(language.locale)?.[key] ?? '', { ignoreTag: true }))];
        const given = (textFor: (name: string) => string) =>
          Object.fromEntries(
            own.map(([name, type]) => {
              if (type === 'number') return [name, 2];
              if (type.startsWith('boolean')) return [name, true];
              return [name, type === 'string' ? textFor(name) : [textFor(name)]];
            }),
          );
        const shown = (name: string, value: string) => texts[name]?.(value) ?? lists[name]?.([value], language.format) ?? value;
        const placeholder = (name: string) => `𝄞${name}𝄞`;
        const withPlaceholders = language.write(key, given(placeholder)) ?? '';
        const expected = own.reduce(
          (all, [name]) => all.replaceAll(shown(name, placeholder(name)), () => shown(name, text)),
          withPlaceholders,
        );
        expect(
          language.write(
            key,
            given(() => text),
          ),
        ).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('can’t end the code it is shown as', () => {
    // The names of commands and the address of the voice service aren’t somebody else’s.
    const asCode = Object.keys(texts).filter((name) => texts[name]?.('x') === '`x`' && !['command', 'host'].includes(name));
    fc.assert(
      fc.property(hostile, (text) => {
        for (const name of asCode) expect(texts[name]?.(text)).toMatch(/^`[^`]+`$/);
      }),
    );
  });

  it('pings nobody and formats nothing as the title of a voice', () => {
    for (const title of ['@everyone', '<@123456789012345678>', '**a**', '[a](https://b.example)', '`a`'])
      expect(en('voices.gone', { title })).toContain(`**${asMarkdown(title, 150)}**`);
    expect(en('voices.gone', { title: '@everyone' })).toContain('\\@everyone');
  });

  it('chooses no sentence but by its own name', () => {
    for (const state of ['__proto__', 'constructor', 'other', '', 'toString']) {
      expect(en('voices.notReady', { state })).toBe(en('voices.notReady', { state: 'training' }));
    }
  });
});

it.each(translators)('%s keeps titles and channels as they are beside a number', (_, t) => {
  for (const count of [1, 2, 5]) {
    const sample = t('voices.samplePlays', { title: 'C# 1', channel: '123', before: count });
    expect(sample).toContain('C# 1');
    expect(sample).toContain('<#123>');
  }
});

it('every command, option and choice has a description in every language but English, within Discord’s limits', () => {
  const locales = languages.flatMap(({ readBy }) => readBy).filter((locale) => locale !== Locale.EnglishUS);
  const check = (part: Part) => {
    if (part.description) {
      expect(Object.keys(part.description_localizations ?? {}).sort()).toEqual([...locales].sort());
      for (const text of [part.description, ...Object.values(part.description_localizations ?? {})]) {
        expect(text).toMatch(/^(?!commands\.).{1,100}$/u);
      }
    }
    for (const inner of part.options ?? []) check(inner);
    for (const { name, name_localizations } of part.choices ?? [])
      for (const text of [name, ...Object.values(name_localizations ?? {})]) expect(text).toMatch(/^(?!commands\.).{1,100}$/u);
  };
  for (const data of inEveryLanguage<Part[]>(commands.map(({ data }) => data))) check(data);
});

it('how long the text of /say may be is said before anybody hits it, in every language', () => {
  const say = inEveryLanguage<Part[]>(commands.map(({ data }) => data)).find(({ name }) => name === 'say');
  const text = say?.options?.find(({ name }) => name === 'text');
  const described = [text?.description, ...Object.values(text?.description_localizations ?? {})];
  expect(described.length).toBeGreaterThanOrEqual(languages.length);
  for (const one of described) expect(String(one).replace(/[\s.,]/g, '')).toContain('2000');
});

type Localizations = Partial<Record<string, string | null>> | null | undefined;

/** A command, or an option of one. */
interface Part {
  name: string;
  description?: string;
  description_localizations?: Localizations;
  options?: readonly Part[] | undefined;
  choices?: readonly { name: string; name_localizations?: Localizations }[];
}

it('sentences follow each other after a space, but not in Chinese and Japanese', () => {
  const withoutSpace = languages.filter((language) => joinSentences(language, 'A.', 'B.') === 'A.B.');
  expect(withoutSpace.map(({ locale }) => locale).sort()).toEqual(['ja', 'zh-CN']);
  expect(joinSentences(en, 'A.', 'B.')).toBe('A. B.');
});

describe('numbers', () => {
  it('take the plural of the language', () => {
    const t = createTranslator(
      openLanguage('pl', () => ({ 'settings.characters': '{count, plural, one {# głos} few {# głosy} many {# głosów} other {# głosu}}' })),
      openLanguage('en'),
    );
    expect([1, 3, 5, 1.25].map((count) => t('settings.characters', { count }))).toEqual(['1 głos', '3 głosy', '5 głosów', '1,3 głosu']);
  });

  it('are written as in the language, also far beyond what is likely', () => {
    const format = createFormat('de');
    expect([0.00155, 0.0123, 12.34].map(format.significant)).toEqual(['0,0016', '0,0123', '12,3']);
    expect([format.percent(0.5), format.percent(0), format.percent(0.0001)]).toEqual(['50\u00a0%', '0\u00a0%', '1\u00a0%']);
    expect(format.duration(0)).toBe('0 Sekunden');
    expect(format.duration(150)).toBe('2 Minuten, 30 Sekunden');
    expect([0.2, 17.4, 17.6].map(format.duration)).toEqual(['1 Sekunde', '17 Sekunden', '18 Sekunden']);
    expect(format.duration(725)).toBe('12 Minuten');
    expect(format.duration(1e300)).not.toBe('');
    expect(format.megabytes(2.5 * 1024 * 1024)).toBe('2,5 MB');
  });
});
