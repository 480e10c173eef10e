// The messages and the form of /dictionary, for any entries, and its files.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type LineProblem, readCsv, type Unread, writeCsv } from '../../src/dictionary/csv.ts';
import { addEntries, type Entry, importEntries, readEntry, removeWord, undoChange } from '../../src/dictionary/entry.ts';
import {
  changedMessage,
  exportMessage,
  importForm,
  importMessage,
  listMessage,
  MAX_SEARCH,
  needsReport,
} from '../../src/dictionary/views.ts';
import { en } from '../../src/locales/index.ts';
import { anyText, anyTranslator, hostileTexts } from '../helpers/arbitrary-text.ts';
import { expectFormTaken, expectTaken } from '../helpers/discord-limits.ts';

const LINE_PROBLEMS = [
  'noWord',
  'longWord',
  'noSpoken',
  'longSpoken',
  'language',
  'duplicate',
  'quotes',
  'full',
] as const satisfies LineProblem[];
const UNREAD_REASONS = ['full', 'tooManyBad'] as const satisfies Unread['reason'][];
const entry = (word: string, spoken: string, language: string | null = null): Entry => ({ word, spoken, language });

const texts = fc.oneof(
  anyText,
  fc.constantFrom(...Object.values(hostileTexts)).map((text) => `a${text.slice(0, 150)}`),
  fc.string({ unit: 'grapheme', minLength: 90, maxLength: 220 }),
);
/** Also `**PWNED**`, which is what an entry may look like where Discord formats. */
const anyEntries = fc
  .array(fc.tuple(texts, texts, fc.constantFrom('', 'en', 'de', 'ja')), { maxLength: 60 })
  .map((all) => all.map(([word, spoken, language]) => readEntry({ word, spoken, language }, en)).filter((one) => typeof one === 'object'))
  .map((entries) => addEntries([], entries, 1000).entries);
const again = (one: Entry) => {
  const read = readEntry({ ...one, language: one.language ?? '' }, en);
  return typeof read === 'string' ? entry('', '') : read;
};
const scopes = fc.constantFrom('server' as const, 'me' as const);

describe('Discord accepts', () => {
  it('every page of a list of any entries', () => {
    const typed = texts.map((text) => text.slice(0, MAX_SEARCH).toWellFormed());
    fc.assert(
      fc.property(
        anyTranslator,
        anyEntries,
        scopes,
        typed,
        fc.integer(),
        fc.boolean(),
        fc.boolean(),
        (t, entries, scope, search, page, mayChange, inGuild) => {
          for (const wanted of [page, 1, 2, 5, Number.NaN])
            expectTaken(
              listMessage(t, { scope, entries, count: entries.length, most: 1000, typed: search, page: wanted, mayChange, inGuild }),
            );
        },
      ),
    );
  });

  it('what was changed, whatever it was', () => {
    fc.assert(
      fc.property(
        anyTranslator,
        anyEntries,
        anyEntries,
        scopes,
        fc.option(fc.constant('0123456789abcdef')),
        (t, before, after, scope, key) => {
          for (const change of [
            { before, after },
            { before: [], after },
            { before, after: [] },
          ])
            if (change.before.length + change.after.length > 0) expectTaken(changedMessage(t, scope, change, key));
        },
      ),
    );
  });

  it('the report of any import', () => {
    const problems = fc.constantFrom(...LINE_PROBLEMS);
    const reasons = fc.constantFrom(...UNREAD_REASONS);
    const anyUnread = fc.option(fc.record({ from: fc.nat(), reason: reasons }));
    const skipped = fc.array(fc.record({ from: fc.nat(), to: fc.nat(), problem: problems }), { maxLength: 200 });
    fc.assert(
      fc.property(anyTranslator, skipped, anyUnread, scopes, texts, fc.nat(), fc.nat(), (t, lines, unread, scope, file, added, changed) => {
        for (const sentence of [
          changed === 0 ? t('dictionary.importedNew', { added }) : t('dictionary.imported', { added, changed }),
          t('dictionary.importedInstead', { count: added, removed: changed }),
          t('dictionary.importedNothing', { file }),
          t('dictionary.notText', { file }),
          t('dictionary.fileTooLarge', { file, limit: added }),
          t('dictionary.nothingApplies', { typed: file }),
          t(`dictionary.notFound.${scope}`, { word: file }),
          t(`dictionary.full.${scope}`, { most: added }),
          t('dictionary.adminsOnly'),
          t('dictionary.notAllowed', { roles: ['123456789012345678'] }),
        ]) {
          const report = needsReport(lines) ? 'not-imported.txt' : null;
          expectTaken(importMessage(t, scope, { sentence, accent: 'done', skipped: lines, unread, undoKey: null, report }));
        }
        expectTaken(exportMessage(t, scope, 'dictionary.csv'));
      }),
    );
  });

  it('the form', () => {
    fc.assert(
      fc.property(anyTranslator, scopes, (t, scope) => {
        const form = importForm(t, scope);
        expectFormTaken(form);
      }),
    );
  });
});

describe('a file', () => {
  it('holds any entries, and gives them back', async () => {
    await fc.assert(
      fc.asyncProperty(anyEntries, async (all) => {
        // What looks like an escaped sign is read as that sign again.
        const entries = all.filter((one) => JSON.stringify(again(one)) === JSON.stringify(one));
        const { entries: found, skipped } = await readCsv(writeCsv(entries), en, 1000);
        expect(found).toEqual(entries);
        expect(skipped).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is read whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText).map((parts) => parts.join(',')),
        async (text) => {
          const { entries, lines } = await readCsv(text, en, 5);
          expect(entries.length).toBeLessThanOrEqual(5);
          expect([...lines.keys()]).toEqual(entries);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each([
    [
      'of Excel where a comma is the decimal point',
      '\ufeffword;say_as;language\r\nGIF;jif;\r\n"a ""b""";"c; d";DE\r\n',
      [entry('GIF', 'jif'), entry('a "b"', 'c; d', 'de')],
    ],
    ['with tabs and without a header', 'GIF\tjif\nLOL\tlaughing\ten', [entry('GIF', 'jif'), entry('LOL', 'laughing', 'en')]],
    ['with a header as people write it', 'Word,Say as\nGIF,jif', [entry('GIF', 'jif')]],
    ['with empty lines', '\n\nGIF,jif\n\n\nLOL,laughing\n\n', [entry('GIF', 'jif'), entry('LOL', 'laughing')]],
    ['with a line break in a cell', 'GIF,"jif\njif"\nLOL,x', [entry('GIF', 'jif jif'), entry('LOL', 'x')]],
  ])('%s is understood', async (_, text, expected) => {
    expect((await readCsv(text, en, 1000)).entries).toEqual(expected);
  });

  it('is reported line by line as far as it is wrong', async () => {
    const text = 'word,say_as\nGIF,jif\n!!,x\nA,\nB\ngif,again\nC,d,klingonese\n"E",f\n"open,g\nh,i\n';
    const { entries, lines, skipped } = await readCsv(text, en, 1000);
    expect(entries).toEqual([entry('GIF', 'jif'), entry('E', 'f')]);
    expect([...lines.values()]).toEqual([2, 8]);
    expect(skipped).toEqual([
      { from: 3, to: 3, problem: 'noWord' },
      { from: 4, to: 5, problem: 'noSpoken' },
      { from: 6, to: 6, problem: 'duplicate' },
      { from: 7, to: 7, problem: 'language' },
      { from: 10, to: 10, problem: 'quotes' },
    ]);
  });

  it('of ten thousand lines is taken as far as there is room', async () => {
    const text = Array.from({ length: 10_000 }, (_, index) => `w${index},x`).join('\n');
    const { entries, skipped, unread } = await readCsv(text, en, 1000);
    expect(entries.length).toBe(1000);
    expect(skipped).toEqual([]);
    expect(unread).toEqual({ from: 1001, reason: 'full' });
  });

  test.each([
    ['no second cell', 'a\n', 51],
    ['the same word', 'a,b\n', 52],
    ['a quotation mark that is never closed', '"a\n', null],
    ['nothing but commas', ',', 1],
    ['commas and line breaks that belong to a cell', `${','.repeat(2000)}"\n"`, null],
    ['nothing on them', '\n', null],
  ])('is read no further than fifty lines with %s', async (_, line, from) => {
    const { entries, skipped, unread } = await readCsv(line.repeat((1024 * 1024) / line.length), en, 1000);
    expect(entries.length).toBeLessThanOrEqual(1);
    expect(skipped.reduce((sum, lines) => sum + lines.to - lines.from + 1, 0)).toBeLessThanOrEqual(50);
    expect(unread).toMatchObject({ ...(from !== null && { from }), reason: 'tooManyBad' });
  });

  it('has no cell that a spreadsheet takes for a formula', () => {
    for (const sign of ['=', '+', '-', '@']) expect(writeCsv([entry(`${sign}1x`, `${sign}2`)])).toContain(`"'${sign}1x","'${sign}2"`);
  });

  it('has no such cell either for a spreadsheet that separates by semicolons, and is imported again as it was', async () => {
    const parts = fc
      .array(fc.constantFrom(';', '=1', '+', '-', '@x', "'", '"', ' ', 'a', ','), { maxLength: 12 })
      .map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(parts, parts, async (word, spoken) => {
        // Without spaces after them, signs at the beginning are not markdown, which goes bit by bit.
        const [first, second] = [word, spoken].map((text) => text.replace(/(?<=[+-]) +/g, ''));
        const typed = readEntry({ word: `${first}b`, spoken: `${second}c`, language: '' }, en);
        if (typeof typed === 'string') return;
        const written = writeCsv([typed]);
        expect((await readCsv(written, en, 10)).entries).toEqual([typed]);
        const rows: string[][] = parse(written, { delimiter: ';', bom: true, relax_quotes: true, relax_column_count: true });
        for (const cell of rows.flat()) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/);
      }),
      {
        numRuns: 200,
        examples: [
          ['x', 'x;=1+1'],
          ['x";"=1', "';'=1"],
          ['', '- + '],
        ],
      },
    );
  });
});

describe('changing entries', () => {
  const before = [entry('GIF', 'jif'), entry('lol', 'laughing'), entry('lol', 'rire', 'fr')];

  it('can be undone, but not what was changed since', () => {
    const added = addEntries(before, [entry('gif', 'ghif'), entry('brb', 'back soon')], 10);
    expect(added.entries).toEqual([entry('gif', 'ghif'), ...before.slice(1), entry('brb', 'back soon')]);
    expect(undoChange(added.entries, added.change, 10)).toEqual([...before.slice(1), entry('GIF', 'jif')]);
    const since = addEntries(added.entries, [entry('brb', 'be right back')], 10).entries;
    expect(undoChange(since, added.change, 10)).toContainEqual(entry('brb', 'be right back'));
    const removed = removeWord(before, 'LOL');
    expect(removed.entries).toEqual([entry('GIF', 'jif')]);
    expect(undoChange(removed.entries, removed.change, 10)).toEqual(before);
  });

  it('adds as many as there is room for, and changes existing ones in any case', () => {
    const { entries, left } = addEntries(before, [entry('gif', 'x'), entry('a', '1'), entry('b', '2')], 4);
    expect(entries).toEqual([entry('gif', 'x'), ...before.slice(1), entry('a', '1')]);
    expect(left).toEqual([entry('b', '2')]);
  });

  it('replaces all by an import, if that is wanted', () => {
    const imported = importEntries(before, [entry('a', '1')], 'replace', 10);
    expect(imported.entries).toEqual([entry('a', '1')]);
    expect(undoChange(imported.entries, imported.change, 10)).toEqual(before);
    expect(importEntries(before, [entry('a', '1')], 'merge', 10).entries).toEqual([...before, entry('a', '1')]);
  });
});
