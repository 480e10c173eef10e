import fc from 'fast-check';
import type { Transcript } from '../../src/api/types.ts';

/** Values of an arbitrary, `share` times as many as a property has runs: see property-seed.ts. */
export function sampleOf<T>(arbitrary: fc.Arbitrary<T>, share = 1): T[] {
  const { numRuns = 0 } = fc.readConfigureGlobal();
  return fc.sample(arbitrary, Math.ceil(numRuns * share));
}

/** Characters that often break programs: invisible ones, lone surrogates, and those with a meaning in Discord or JavaScript. */
const nasty = [
  '',
  ' ',
  '\n'.repeat(60),
  '\0\u0001\u007f\u0085',
  '\u200b\u200d\u2060\ufeff'.repeat(40),
  '\u202eright to left\u202c and \u2067back\u2069',
  'שלום العالم',
  '\ud83d',
  '\udc00\ud800',
  `half \ud83d of ${'\ude00'.repeat(30)}`,
  `e${'\u0301\u0489'.repeat(5000)}`,
  '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽'.repeat(30),
  '﷽'.repeat(500),
  'W'.repeat(6000),
  'a\u0300 '.repeat(700),
  '```js\nlet x = 1;\n```',
  '```',
  '**__~~||`',
  '||spoiler|| ~~no~~ > # - 1.',
  '@everyone @here <@1> <@!123456789012345678> <@&123456789012345678> <#123456789012345678>',
  '<:name:123456789012345678> <a:b:123456789012345678> <t:99999999999999:R> </say:123456789012345678> <id:browse>',
  'https://[::1]:99999/ http://127.0.0.1/x?y=%zz file:///etc/passwd',
  '%s %n %00 ../../x',
  ':::',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e309',
  '9007199254740993',
  '{"$ref":"#"}',
  "'; drop table settings; --",
];

/**
 * Any character of Unicode, for `fc.string({ unit: anyCharacter })`. fast-check's `unit: 'binary'` makes the same strings, but takes 0.9 s and
 * 130 MB to set up in each process.
 */
export const anyCharacter = fc.nat(0x10_ffff - 0x800).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code) || (code >= 0xd800 && code < 0xe000))
      throw new Error('not one character');
    return code < 0xd800 ? code : code - 0x800;
  },
);

/** Characters of Unicode in any order, assigned or not. */
export const anyCharacters = (maxLength: number) => fc.string({ unit: anyCharacter, maxLength });

const urlPart = fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed()));

/** Any address of the web. fast-check's `webUrl` makes much the same ones, but takes 1.5 s to set up in each process. */
export const anyUrl = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.array(urlPart, { maxLength: 3 }), fc.option(urlPart), fc.option(urlPart))
  .map(([scheme, host, path, query, fragment]) => {
    const url = `${scheme}://${host}/${path.join('/')}`;
    return `${url}${query === null ? '' : `?${query}`}${fragment === null ? '' : `#${fragment}`}`;
  });

/** Any text, including lone surrogates. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...nasty) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...nasty, 'Hello there.'), { maxLength: 5 }).map((parts) => parts.join(' ').slice(0, 9000)),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 150 }) },
  { weight: 2, arbitrary: anyCharacters(300) },
  { weight: 1, arbitrary: fc.array(fc.nat(0xffff), { maxLength: 150 }).map((units) => String.fromCharCode(...units)) },
);

const seconds = fc.oneof(fc.double(), fc.double({ min: 0, max: 20, noNaN: true }));

export const anyTranscript: fc.Arbitrary<Transcript> = fc.record({
  text: fc.string({ unit: 'grapheme' }),
  duration: fc.double(),
  segments: fc.array(
    fc.record({
      text: fc.oneof(
        anyCharacters(10),
        fc.lorem({ maxCount: 80 }),
        fc.constantFrom('a --> b\n\n<i>{\\an8} & c', 'NOTE', 'STYLE', '1', '00:00:01,000 --> 00:00:02,000', '&lt;', '<', '{\\b1}'),
        fc.string({ unit: 'grapheme', minLength: 100, maxLength: 300 }),
      ),
      start: seconds,
      end: seconds,
    }),
    { maxLength: 12 },
  ),
});

/** As hosted services answer: a segment for each word, without punctuation. @param pauses seconds after words, by their index */
export function timedWords(
  text: string,
  { pauses = {}, seconds = 0.3 }: { pauses?: Record<number, number>; seconds?: number } = {},
): Transcript {
  let at = 0;
  const words =
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{Script=Latin}\p{Script=Hangul}\p{N}\p{M}'.]*[\p{Script=Latin}\p{Script=Hangul}\p{N}]/gu,
    ) ?? [];
  const segments = words.map((word, index) => {
    const start = at;
    at = Math.round((at + seconds + (pauses[index] ?? 0)) * 1000) / 1000;
    return { text: word.toLowerCase(), start, end: Math.round((start + seconds) * 1000) / 1000 };
  });
  return { text, duration: at, segments };
}
