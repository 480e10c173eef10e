// Whether what others wrote is shown as plain text, independent of the code that makes it safe.

import { expect } from 'vitest';
import { type Block, type Inline, parseMarkdown } from '../../src/local/discord/page/messages/markdown.ts';

const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u00ad\u115f\u180e\u200b\u2060-\u2064\u2800\u3164\ufeff\u{e0000}-\u{e007f}]|\u034f/u;

export interface Shown {
  content?: string | null;
  title?: string;
  /** Parley sends none. */
  embeds?: readonly object[];
  components?: readonly unknown[];
}

/** Fails if untrusted text is more than plain text: links, mentions, formatting, reversed direction or hidden parts. */
export function expectHarmless({ content, title = '', embeds = [], components = [] }: Shown): void {
  expect(embeds).toEqual([]);
  expectInert(content ?? '');
  expectOneLine(title);
  for (const { key, text } of textsIn(components)) {
    if (LABEL_KEYS.includes(key)) expectOneLine(text);
    if (key === 'content') expectInert(text);
  }
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

/** Every text in components or forms, with the part whose field it is. */
export function* textsIn(part: unknown): Generator<{ key: string; text: string; part: object }> {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (typeof value === 'string') yield { key, text: value, part };
    else yield* textsIn(value);
  }
}
