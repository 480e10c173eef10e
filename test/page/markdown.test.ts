// Discord's Markdown, as the page reads it.
import { describe, expect, test } from 'vitest';
import { parseInline, parseMarkdown } from '../../src/local/discord/page/messages/markdown.ts';

const text = (value: string) => ({ kind: 'text', text: value });

describe('Discord’s Markdown', () => {
  test('reads bold, slanted, underlined, struck and hidden words', () => {
    expect(parseInline('**a** *b* _c_ __d__ ~~e~~ ||f||').filter((node) => node.kind !== 'text')).toEqual([
      { kind: 'bold', children: [text('a')] },
      { kind: 'italic', children: [text('b')] },
      { kind: 'italic', children: [text('c')] },
      { kind: 'underline', children: [text('d')] },
      { kind: 'strike', children: [text('e')] },
      { kind: 'spoiler', children: [text('f')] },
    ]);
  });

  test('reads marks within marks', () => {
    expect(parseInline('**all *of* it**')).toEqual([
      { kind: 'bold', children: [text('all '), { kind: 'italic', children: [text('of')] }, text(' it')] },
    ]);
  });

  test('leaves lone marks, escaped marks and snake_case_names as they are', () => {
    expect(parseInline('2 * 3 * 4, \\*no\\*, \\_no\\_, snake_case_name')).toEqual([text('2 * 3 * 4, *no*, _no_, snake_case_name')]);
  });

  test('reads nothing inside code', () => {
    expect(parseInline('`**a** <@12345>` ``b ` c``')).toEqual([
      { kind: 'code', text: '**a** <@12345>' },
      text(' '),
      { kind: 'code', text: 'b ` c' },
    ]);
  });

  test('reads mentions, times, emoji and commands', () => {
    expect(parseInline('<@123456><@!123457><@&123458><#123459><t:1700000000:R><:wave:123460></say:123461>@here')).toEqual([
      { kind: 'user', id: '123456' },
      { kind: 'user', id: '123457' },
      { kind: 'role', id: '123458' },
      { kind: 'channel', id: '123459' },
      { kind: 'timestamp', seconds: 1700000000, style: 'R' },
      { kind: 'emoji', name: 'wave', id: '123460' },
      { kind: 'command', name: 'say' },
      { kind: 'everyone', text: '@here' },
    ]);
  });

  test('makes links of web addresses alone, without the full stop behind them', () => {
    expect(parseInline('see https://example.org/a_b. [here](https://example.org) [no](javascript:alert)')).toEqual([
      text('see '),
      { kind: 'link', url: 'https://example.org/a_b', children: [text('https://example.org/a_b')] },
      text('. '),
      { kind: 'link', url: 'https://example.org', children: [text('here')] },
      text(' [no](javascript:alert)'),
    ]);
  });

  test('reads headings, small print, quotes and lists line by line', () => {
    expect(parseMarkdown('# Top\n-# small\n> said\n> so\n- one\n  - in one\n- two\nend').map((block) => block.kind)).toEqual([
      'heading',
      'subtext',
      'quote',
      'list',
      'paragraph',
    ]);
    expect(parseMarkdown('3. three\n4. four')).toMatchObject([{ kind: 'list', ordered: true, start: 3, items: [{}, {}] }]);
    expect(parseMarkdown('>>> all\nof it')).toMatchObject([{ kind: 'quote', blocks: [{ kind: 'paragraph' }] }]);
  });

  test('keeps a code block as it was written', () => {
    expect(parseMarkdown('before\n```ts\nconst a = **1**;\n```\nafter')).toEqual([
      { kind: 'paragraph', children: [text('before')] },
      { kind: 'code', language: 'ts', text: 'const a = **1**;' },
      { kind: 'paragraph', children: [text('after')] },
    ]);
  });

  test('takes hostile text in good time', () => {
    const started = performance.now();
    for (const piece of ['**', '_', '||', '[', '`', '<@', '> ', '- ', '\\', '~~ ', '* _ '])
      parseMarkdown(piece.repeat(4000 / piece.length));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
