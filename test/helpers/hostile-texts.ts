// Texts meant to harm those who see them, and a check of what is shown, independent of the code that makes it safe.

import fc from 'fast-check';
import { expect } from 'vitest';
import { type Block, type Inline, parseMarkdown } from '../../src/local/discord/page/messages/markdown.ts';
import { languages, translatorFor } from '../../src/locales/index.ts';
import { anyCharacters } from './arbitrary-text.ts';

const LINK = '[Free Nitro](https://evil.example/x)';

/** Keyed by what they try to do. */
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

/** Any text, the harmful ones among them. */
export const anyHostileText = fc.oneof(
  anyCharacters(400),
  fc.lorem({ maxCount: 400 }),
  fc.constant(''),
  fc.constant(' '),
  fc.constant('*`_~|'.repeat(200)),
  fc.constantFrom(...Object.values(hostileTexts)),
);

const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u00ad\u115f\u180e\u200b\u2060-\u2064\u2800\u3164\ufeff\u{e0000}-\u{e007f}]|\u034f/u;

interface Shown {
  content?: string | null;
  title?: string;
  embeds?: readonly {
    title?: string | null;
    description?: string | null;
    author?: { name: string } | null;
    footer?: { text: string } | null;
    fields?: readonly { name: string; value: string }[] | null;
  }[];
  components?: readonly unknown[];
}

/** Fails if untrusted text is more than plain text: links, mentions, formatting, reversed direction or hidden parts. */
export function expectHarmless({ content, title = '', embeds = [], components = [] }: Shown): void {
  for (const embed of embeds) {
    for (const text of [embed.title, embed.description, ...(embed.fields ?? []).flatMap(({ name, value }) => [name, value])])
      expectInert(text ?? '');
    for (const text of [embed.author?.name, embed.footer?.text]) expectOneLine(text ?? '');
  }
  expectInert(content ?? '');
  for (const text of [title, ...textsIn(components, LABEL_KEYS)]) expectOneLine(text);
  for (const text of textsIn(components, ['content'])) expectInert(text);
}

function expectOneLine(text: string): void {
  expect(UNSEEN.exec(text)?.[0]).toBeUndefined();
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/\p{M}{5}/u);
}

function expectInert(markdown: string): void {
  expectOneLine(markdown.replaceAll('\n', ' '));
  expect(markdown.split('\n').length).toBeLessThanOrEqual(60);
  for (const block of parseMarkdown(markdown)) expectPlainBlock(block, markdown);
}

function expectPlainBlock(block: Block, markdown: string): void {
  const text = JSON.stringify(block);
  // A card's own heading may name what others wrote; the largest is never ours.
  const isOwnHeading = block.kind === 'heading' && block.level > 1;
  if (block.kind !== 'paragraph' && block.kind !== 'subtext' && !isOwnHeading) expect(text, markdown).not.toMatch(/PWNED|evil/);
  if ('children' in block) for (const one of block.children) expectPlainInline(one, markdown);
}

/** Parley's own sentences have bold words, code, times, mentions of real channels and members, and links to Discord's own pages. */
function expectPlainInline(node: Inline, markdown: string): void {
  if (node.kind === 'link' && node.url.startsWith('https://discord.com/')) return;
  expect(node.kind, JSON.stringify(markdown)).not.toMatch(/^(link|everyone|emoji|spoiler|strike|underline|italic)$/);
  if (node.kind !== 'text' && node.kind !== 'code' && node.kind !== 'bold')
    expect(JSON.stringify(node), markdown).not.toMatch(/PWNED|evil|\b6{18}\b/);
  if ('children' in node) for (const one of node.children) expectPlainInline(one, markdown);
}

/** Fields of menus, buttons, forms and pictures that Discord doesn't format. */
const LABEL_KEYS = ['label', 'description', 'placeholder', 'title'];

/** The texts that components have under these keys. */
function textsIn(part: unknown, keys: readonly string[]): string[] {
  if (Array.isArray(part)) return part.flatMap((one) => textsIn(one, keys));
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    if (typeof value === 'string') return keys.includes(key) ? [value] : [];
    return textsIn(value, keys);
  });
}

/** A counterexample names the language. */
export const anyTranslator = fc.constantFrom(
  ...languages.map(({ locale }) => Object.assign(translatorFor(locale), { [fc.toStringMethod]: () => locale })),
);
