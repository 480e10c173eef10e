// Any text, and any result of a transcription, for property tests; those that are meant to harm among them.
import fc from 'fast-check';
import type { Transcript } from '../../src/api/types.ts';
import { languages, translatorFor } from '../../src/locales/index.ts';

/** Values of an arbitrary, `share` times as many as a property has runs: see property-seed.ts. */
export function sampleOf<T>(arbitrary: fc.Arbitrary<T>, share = 1): T[] {
  const { numRuns = 0 } = fc.readConfigureGlobal();
  return fc.sample(arbitrary, Math.ceil(numRuns * share));
}

const LINK = '[Free Nitro](https://evil.example/x)';

/** Texts meant to harm those who see them, by what they try to do. */
export const hostileTexts: Record<string, string> = {
  'length without markup': 'x'.repeat(60_000),
  'length with markup': '*_~`|['.repeat(10_000),
  backslashes: '\\'.repeat(60_000),
  'backslashes before markup': `\\${LINK} \\\\${LINK} \\\\\\${LINK}`,
  blanks: `${' \n\t'.repeat(20_000)}x`,
  'a pile of marks': `Z${'\u0301\u0489'.repeat(30_000)}`,
  'marks on everything': 'Z\u0301\u0302\u0303\u0304\u0305\u0306'.repeat(9_000),
  'halves of characters': '\ud83d'.repeat(60_000),
  'a masked link': LINK,
  'masked links': LINK.repeat(1_700),
  'a masked link with a title': '[x](<https://evil.example> "y")',
  'a link, bare': 'see https://evil.example/a_b_c',
  'a link in brackets': '<https://evil.example>',
  'markup in markup': `**__~~||*_${LINK}_*||~~__**`,
  'a link at the cut': `${'y'.repeat(70)}${LINK}${'y'.repeat(40)}${LINK}${'y'.repeat(200)}${LINK}${'y'.repeat(1200)}${LINK}`,
  'lines that look like others': 'A\n# PWNED\n-# PWNED\n> PWNED\n>>> PWNED\n- PWNED\n* PWNED\n1. PWNED\n```js\nPWNED\n```',
  'a beginning that looks like another': '# PWNED',
  'code that is not ended': '```PWNED` ``',
  mentions: '@everyone @here <@666666666666666666> <@&666666666666666666> <#666666666666666666> </say:666666666666666666>',
  'emoji and times': '<:evil:666666666666666666> <a:evil:666666666666666666> <t:0:R>',
  'a text turned around': '\u202egnp.exe\u202c \u2066\u2067x\u2069 \u200f\u061c',
  'what cannot be seen': `a${'\u200b\u2060\ufeff\u00ad\u034f\u180e'.repeat(9_000)}b\u2062${LINK}`,
  'joiners alone': '\u200d\u200c'.repeat(30_000),
  'nothing that can be seen': '\u3164\u115f\u2800\ufe0f\u{e0041}',
  controls: '\0\u0007\u001b[31mred\u0085\u2028\u2029',
};

/** Texts that often break programs: the hostile ones, and those with a meaning to JavaScript, URLs or shells. */
const nasty = [
  ...Object.values(hostileTexts).map((text) => text.slice(0, 9000)),
  ...[
    '',
    ' ',
    '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽'.repeat(30),
    '﷽'.repeat(500),
    'W'.repeat(6000),
    '```js\nlet x = 1;\n```',
    '||spoiler|| ~~no~~ > # - 1.',
    ':::',
  ],
  ...['https://[::1]:99999/ http://127.0.0.1/x?y=%zz file:///etc/passwd', '%s %n %00 ../../x', '<id:browse>', 'half \ud83d of \ude00'],
  ...['__proto__', 'constructor', 'toString', 'null', 'NaN', '-1', '1e309', '9007199254740993', '{"$ref":"#"}'],
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

/** The same, with ordinary prose, blanks, and hostile texts at full length. */
export const anyHostileText = fc.oneof(
  { weight: 3, arbitrary: anyText },
  fc.constantFrom(...Object.values(hostileTexts)),
  fc.lorem({ maxCount: 400 }),
  fc.constantFrom('', ' '),
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

/** A counterexample names the language. */
export const anyTranslator = fc.constantFrom(
  ...languages.map(({ locale }) => Object.assign(translatorFor(locale), { [fc.toStringMethod]: () => locale })),
);
