// How the words of dictionaries are found in a text and replaced, and how entries are kept.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { bytesOf, compileDictionary, createDictionaries, replaceWords } from '../../src/dictionary/dictionaries.ts';
import { type Entry, keyOf, MAX_SPOKEN, type Names, readEntry } from '../../src/dictionary/entry.ts';
import { en } from '../../src/locales/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { anyText } from '../helpers/arbitrary-text.ts';

const entry = (word: string, spoken: string, language: string | null = null): Entry => ({ word, spoken, language });

const read = (word: string, spoken: string, language: string, names: Names = {}) => readEntry({ word, spoken, language }, en, names);

/** With entries for all languages. */
function replace(text: string, entries: Record<string, string>): string {
  const dictionary = compileDictionary(Object.entries(entries).map(([word, spoken]) => entry(word, spoken)));
  return replaceWords(text, null, [dictionary]);
}

describe('words', () => {
  test.each([
    ['whole words', 'GIFs, gif. (GIF) gift', { GIF: 'jif' }, 'GIFs, jif. (jif) gift'],
    ['phrases, over any blanks', 'good  morning\nall', { 'morning all': 'x', 'good morning': 'hi' }, 'hi\nall'],
    ['a possessive', "Parley's and Parley’s", { parley: 'parlay' }, "parlay's and parlay’s"],
    ['either apostrophe', "don’t, don't", { "don't": 'do not' }, 'do not, do not'],
    ['words with signs', 'C++ and C, .NET too', { 'C++': 'see plus plus', '.net': 'dot net' }, 'see plus plus and C, dot net too'],
    ['no word beside a digit', 'GPT4 and GPT 4', { gpt: 'G P T' }, 'GPT4 and G P T 4'],
    ['Cyrillic in any case', 'ПРИВЕТ, Мир!', { привет: 'здравствуйте' }, 'здравствуйте, Мир!'],
    ['Greek with either sigma', 'ΟΔΟΣ οδός οδος', { οδος: 'δρόμος' }, 'δρόμος οδός δρόμος'],
    ['German sharp s in capitals', 'STRASSE Straße STRAẞE', { straße: 'weg' }, 'weg weg weg'],
    ['Turkish i with and without a dot', 'İSTANBUL ISTANBUL istanbul ıstanbul', { istanbul: 'x' }, 'x x x x'],
    ['letters and marks as one', 'cafe\u0301 café cafe', { café: 'x' }, 'x x cafe'],
    ['no letter without its mark', 'e\u0323 e', { e: 'x' }, `${'e\u0323'.normalize('NFC')} x`],
    ['full width', 'ＧＩＦ', { gif: 'jif' }, 'jif'],
    ['Arabic', 'قال محمد ذلك ومحمد', { محمد: 'x' }, 'قال x ذلك ومحمد'],
    ['Persian with and without joiners', 'می‌خواهم میخواهم', { می‌خواهم: 'x' }, 'x x'],
    ['Hindi, but not half a syllable', 'कम कमी', { कम: 'x' }, 'x कमी'],
    ['Japanese anywhere', '東京都とAIを使う', { 東京: 'とうきょう', AI: 'エーアイ' }, 'とうきょう都とエーアイを使う'],
    ['Chinese anywhere', '我在重庆市', { 重庆: 'x' }, '我在x市'],
    ['Thai anywhere', 'ฉันรักกรุงเทพมาก', { กรุงเทพ: 'x' }, 'ฉันรักxมาก'],
    ['Korean before particles, but not inside a word', '서울에서 뉴서울 LG는', { 서울: 'x', LG: '엘지' }, 'x에서 뉴서울 엘지는'],
    ['digits', '24/7 and 1247', { '24/7': 'always' }, 'always and 1247'],
  ])('are %s', (_, text, entries, expected) => {
    expect(replace(text, entries as Record<string, string>)).toBe(expected);
  });

  it('are the longest where several begin', () => {
    const entries = { new: 'a', 'new york': 'b', 'new york city': 'c', york: 'd' };
    expect(replace('New York City, new york, new, york, new york cit', entries)).toBe('c, b, a, d, b cit');
    expect(replace('東京 東京都', { 東: 'a', 東京: 'b', 東京都: 'c' })).toBe('b c');
  });

  it('are replaced once, never in what was put in', () => {
    expect(replace('a b a', { a: 'b', b: 'a' })).toBe('b a b');
    expect(replace('lol', { lol: 'lol lol' })).toBe('lol lol');
    expect(replace('a c', { a: 'b', 'b c': 'wrong' })).toBe('b c');
  });

  it('leave the rest of the text as it is', () => {
    const text = '  e\u0301 «Ünïcode»\n\n\ud83d x 👩‍👩‍👧 ';
    expect(replace(text, { nothing: 'x' })).toBe(text);
    expect(replace(text, {})).toBe(text);
  });

  it('are compared without what can’t be seen', () => {
    expect(replace('star\ufe0e', { star: 'x' })).toBe('x');
  });
});

describe('the language of an entry', () => {
  const dictionary = compileDictionary([
    entry('chat', 'cat', 'fr'),
    entry('chat', 'talk'),
    entry('rot', 'red', 'de'),
    entry('rot', 'decay', 'en'),
  ]);
  const say = (text: string, language: string | null) => replaceWords(text, language, [dictionary]);

  it('decides if that of the text is known', () => {
    expect([say('chat', 'fr'), say('chat', 'fr-CA'), say('chat', 'en'), say('rot', 'de'), say('rot', 'en-GB'), say('rot', 'fr')]).toEqual([
      ...['cat', 'cat', 'talk', 'red', 'decay', 'rot'],
    ]);
  });

  it('does not matter otherwise, but entries for all languages come first', () => {
    expect([say('chat', null), say('rot', null)]).toEqual(['talk', 'red']);
  });

  it('lets a shorter entry count if the longer one is of another', () => {
    const both = compileDictionary([entry('new york', 'x', 'de'), entry('new', 'y')]);
    expect(replaceWords('new york', 'en', [both])).toBe('y york');
  });
});

describe('two dictionaries', () => {
  it('are one, in which the first counts for the same word', () => {
    const own = compileDictionary([entry('gif', 'own'), entry('new', 'own new')]);
    const server = compileDictionary([entry('GIF', 'server'), entry('lol', 'laughing'), entry('new york', 'server york')]);
    expect(replaceWords('gif lol new york new', null, [own, server])).toBe('own laughing server york own new');
  });

  it('fall back to the second if the first’s entry is of another language', () => {
    const own = compileDictionary([entry('gif', 'own', 'fr')]);
    expect(replaceWords('gif', 'en', [own, compileDictionary([entry('gif', 'server')])])).toBe('server');
  });
});

describe('any text with any entries', () => {
  const words = fc.oneof(anyText, fc.constantFrom('a', 'A b', 'ß', 'SS', 'İ', 'i', '東', '가'));
  const entries = fc
    .array(fc.tuple(words, words, fc.constantFrom('', 'en', 'ja')), { maxLength: 20 })
    .map((all) => all.map(([word, spoken, language]) => read(word, spoken, language)).filter((one) => typeof one === 'object'));

  it('is replaced without an error, and stays within bounds', () => {
    fc.assert(
      fc.property(words, entries, fc.constantFrom(null, 'en', 'ja', '', 'x'.repeat(100)), (text, all, language) => {
        const replaced = replaceWords(text, language, [compileDictionary(all), compileDictionary(all.slice(5))]);
        expect(replaced.length).toBeLessThanOrEqual(text.normalize('NFC').length + 4000);
      }),
    );
  });

  it('has no word of the dictionary left, if what is put in has none', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.'), maxLength: 60 });
    fc.assert(
      fc.property(letters, (text) => {
        const replaced = replace(text, { a: '1', ab: '2', 'b a': '3' });
        expect(` ${replaced} `).not.toMatch(/[ .123](a|ab)[ .123]/);
      }),
    );
  });

  it('grows by no more than is ever spoken', () => {
    const long = 'x'.repeat(MAX_SPOKEN);
    expect(replace('a '.repeat(1000), { a: long }).length).toBeLessThan(6000);
  });
});

describe('an entry', () => {
  it('is kept as texts are spoken', () => {
    expect(read(' **LOL** ', ' laughing\nout  loud ', '')).toEqual(entry('LOL', 'laughing out loud'));
    expect(read('<:pog:123456789012345678>', 'poggers', 'EN-us')).toEqual(entry('pog', 'poggers', 'en'));
    expect(read('<@1>', 'Ann', '', { user: () => 'Robin' })).toEqual(entry('Robin', 'Ann'));
    expect(read('a\u202eb\u200b', '@everyone', '')).toEqual(entry('ab', 'everyone'));
  });

  test.each([
    ['nothing', '', 'x', '', 'noWord'],
    ['signs alone', '!?…', 'x', '', 'noWord'],
    ['what can’t be seen', '\u200b\u3164', 'x', '', 'noWord'],
    ['a word that is too long', 'one two '.repeat(13), 'x', '', 'longWord'],
    ['nothing to say', 'x', '…', '', 'noSpoken'],
    ['signs that come apart into too many', '⅒'.repeat(100), 'x', '', 'longWord'],
    ['too much to say', 'x', 'one two '.repeat(26), '', 'longSpoken'],
    ['an unknown language', 'x', 'y', 'klingonese', 'language'],
    ['a code that is none', 'x', 'y', '!!', 'language'],
  ])('is not %s', (_, word, spoken, language, problem) => {
    expect(read(word, spoken, language)).toBe(problem);
  });

  it('may be a long phrase in any script', () => {
    const syllables = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0xac01 + 28 * index)).join('');
    for (const word of [syllables, `${'the größe of an été, '.repeat(4)}naïve café`]) expect(read(word, 'x', '')).toEqual(entry(word, 'x'));
  });

  it('is the same in any case, but not in another language', () => {
    expect(keyOf(entry('STRASSE', 'a'))).toBe(keyOf(entry('straße', 'b')));
    expect(keyOf(entry('x', 'a', 'de'))).not.toBe(keyOf(entry('x', 'a')));
  });
});

describe('dictionaries in the store', () => {
  function open() {
    const store = openSqliteStore(':memory:');
    onTestFinished(() => store.close());
    return { store, dictionaries: createDictionaries(store) };
  }

  it('apply from the next text on: the member’s first, then the server’s', async () => {
    const { dictionaries } = open();
    const say = async (guildId: string | null, memberId: string) => (await dictionaries.for(guildId, memberId))('gif lol', null);
    expect(await say('1', '2')).toBe('gif lol');
    await dictionaries.change({ guildId: '1' }, () => [entry('gif', 'server'), entry('lol', 'laughing')]);
    await dictionaries.change({ userId: '2' }, () => [entry('gif', 'own')]);
    expect([await say('1', '2'), await say('1', '3'), await say(null, '2'), await say('4', '2')]).toEqual([
      ...['own laughing', 'server laughing', 'own lol', 'own lol'],
    ]);
    await dictionaries.clear({ userId: '2' });
    expect(await say('1', '2')).toBe('server laughing');
    expect((await dictionaries.entries({ userId: '2' })).length).toBe(0);
  });

  it('apply in other processes, too', async () => {
    const { store, dictionaries } = open();
    const other = createDictionaries(store);
    const say = async () => (await other.for('1', '2'))('gif', null);
    for (const spoken of ['jif', 'ghif', 'jif']) {
      await dictionaries.change({ guildId: '1' }, () => [entry('gif', spoken)]);
      expect(await say()).toBe(spoken);
    }
    await dictionaries.clear({ guildId: '1' });
    expect(await say()).toBe('gif');
    expect(await store.list('dictionary')).toEqual([]);
  });

  it('lose no change if many come at once, and none to one that is refused', async () => {
    const { dictionaries } = open();
    const owner = { guildId: '1' };
    const changes = Array.from({ length: 20 }, (_, index) =>
      dictionaries.change(owner, (before) => {
        if (index % 5 === 4) throw new Error('refused');
        return [...before, entry(`w${index}`, 'x')];
      }),
    );
    const settled = await Promise.allSettled(changes);
    expect(settled.filter(({ status }) => status === 'rejected').length).toBe(4);
    expect((await dictionaries.entries(owner)).length).toBe(16);
  });

  it('take no more memory than they are counted with', () => {
    const kinds: Record<string, (index: number) => string> = {
      'usual words': (index) => `word${index}`,
      'the longest phrases': (index) => `${index}${'각'.repeat(95)}`,
      fractions: (index) => `${index}${'⅒'.repeat(70)}`,
      'long words that begin alike': (index) => 'w'.repeat(95) + index,
    };
    // Enough copies that what else comes and goes in a process, such as its compiled code, makes no difference.
    const all = Object.entries(kinds).map(([what, wordOf]) => {
      const entries = Array.from({ length: 300 }, (_, index) => entry(wordOf(index), `said ${index}`));
      const counted = bytesOf(compileDictionary(entries));
      return { what, entries, counted, copies: Math.ceil(20e6 / counted) };
    });
    const script = `
      import { readFileSync } from 'node:fs';
      import { compileDictionary } from './src/dictionary/dictionaries.ts';
      const heap = () => { gc(); return process.memoryUsage().heapUsed; };
      const grown = JSON.parse(readFileSync(0, 'utf8')).map(({ entries, copies }) => {
        const kept = [compileDictionary(entries)];
        const before = heap();
        for (let copy = 0; copy < copies; copy++) kept.push(compileDictionary(entries));
        return (heap() - before) / copies;
      });
      console.log(JSON.stringify(grown));
    `;
    const args = ['--expose-gc', '--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input: JSON.stringify(all) });
    const grown: number[] = JSON.parse(stdout || expect.fail(stderr));
    for (const [number, { what, counted }] of all.entries()) {
      expect(grown[number], what).toBeGreaterThan(counted / 5);
      expect(grown[number], what).toBeLessThan(counted);
    }
  });

  it('are compiled without holding others up, and once for all who wait', async () => {
    const { dictionaries } = open();
    const long = Array.from({ length: 1000 }, (_, index) => entry(`${index}${'각'.repeat(95)}`, 'x'));
    await dictionaries.change({ guildId: '1' }, () => long);
    let turns = 0;
    const turn = () => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const all = await Promise.all(['2', '3', '4'].map((member) => dictionaries.for('1', member)));
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(19);
    expect(turns).toBeLessThan(40);
    expect(all.map((replace) => replace(long[999]?.word ?? '', null))).toEqual(['x', 'x', 'x']);
  });

  it('take one import at a time, and the next one after a failure', async () => {
    const { dictionaries } = open();
    const order: string[] = [];
    const failed = Promise.withResolvers<void>();
    const first = dictionaries.inTurn(() => failed.promise);
    const next = ['second', 'third'].map((name) => dictionaries.inTurn(async () => void order.push(name)));
    await dictionaries.entries({ guildId: '1' });
    expect(order).toEqual([]);
    failed.reject(new Error('broken off'));
    await expect(first).rejects.toThrow('broken off');
    await Promise.all(next);
    expect(order).toEqual(['second', 'third']);
  });

  it('are empty if the store holds nonsense', async () => {
    const { store, dictionaries } = open();
    await store.set('dictionary:guild:1', { not: 'a list' });
    await store.set('dictionary-version:guild:1', 'v');
    expect((await dictionaries.for('1', '2'))('gif', null)).toBe('gif');
    expect(await dictionaries.entries({ guildId: '1' })).toEqual([]);
  });
});
