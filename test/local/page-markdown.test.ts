// Discord's Markdown, as the page parses it.
import { describe, expect, test } from 'vitest';
import { parseInline, parseMarkdown } from '../../src/local/discord/page/messages/markdown.ts';

const text = (value: string) => ({ kind: 'text', text: value });

describe('Discord’s Markdown', () => {
  test('parses bold, italic, underlined, struck and spoiler text', () => {
    expect(parseInline('**a** *b* _c_ __d__ ~~e~~ ||f||').filter((node) => node.kind !== 'text')).toEqual([
      { kind: 'bold', children: [text('a')] },
      { kind: 'italic', children: [text('b')] },
      { kind: 'italic', children: [text('c')] },
      { kind: 'underline', children: [text('d')] },
      { kind: 'strike', children: [text('e')] },
      { kind: 'spoiler', children: [text('f')] },
    ]);
  });

  test('parses marks within marks', () => {
    expect(parseInline('**all *of* it**')).toEqual([
      { kind: 'bold', children: [text('all '), { kind: 'italic', children: [text('of')] }, text(' it')] },
    ]);
  });

  test('leaves lone marks, escaped marks and snake_case_names as they are', () => {
    expect(parseInline('2 * 3 * 4, \\*no\\*, \\_no\\_, snake_case_name')).toEqual([text('2 * 3 * 4, *no*, _no_, snake_case_name')]);
  });

  test('parses nothing inside code', () => {
    expect(parseInline('`**a** <@12345>` ``b ` c``')).toEqual([
      { kind: 'code', text: '**a** <@12345>' },
      text(' '),
      { kind: 'code', text: 'b ` c' },
    ]);
  });

  test('parses mentions, timestamps, emoji and commands', () => {
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

  test('makes links of web addresses, without the full stop after them', () => {
    expect(parseInline('see https://example.org/a_b. [here](https://example.org) [no](javascript:alert)')).toEqual([
      text('see '),
      { kind: 'link', url: 'https://example.org/a_b', children: [text('https://example.org/a_b')] },
      text('. '),
      { kind: 'link', url: 'https://example.org', children: [text('here')] },
      text(' [no](javascript:alert)'),
    ]);
  });

  test('parses headings, subtext, quotes and lists line by line', () => {
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

  test('does not nest quotes, as in Discord', () => {
    expect(parseMarkdown('> > twice')).toEqual([{ kind: 'quote', blocks: [{ kind: 'paragraph', children: [text('> twice')] }] }]);
    expect(parseMarkdown('>>> one\n>>> two')).toMatchObject([{ blocks: [{ kind: 'paragraph' }] }]);
  });

  test('makes links of http and https addresses only', () => {
    for (const url of ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//evil.example', 'https:'])
      expect(JSON.stringify(parseMarkdown(`[x](${url}) [x](<${url}>) <${url}>`)), url).not.toContain('"link"');
    expect(parseInline('[x](https://a.example/"onclick="y)')).toMatchObject([{ kind: 'link', url: 'https://a.example/"onclick="y' }]);
  });

  test.for([
    ...['**', '*', '_', '||', '[', '`', '``` ', '<@', '<a:', '> ', '>>> ', '- ', '# ', '\\', '~~ ', '* _ ', '**a ', '*a **b ', '__a_'],
    ...['[](', '[a](', '[a](<', '[x](https://e.x "', '[![', 'https://a', '- a\n  ', '> ```\n', '    '],
  ])('parses 16,000 characters of %j', (piece) => {
    // Takes half a second at most; with the square of the length it would take minutes, longer than a test may.
    expect(parseMarkdown(piece.repeat(16_000 / piece.length))).not.toEqual([]);
  });

  test('parses marks nested a thousand deep', () => {
    for (const [open, close] of [
      ['**', '**'],
      ['||*', '*||'],
      ['[', '](https://a.example)'],
      ['*a ', ' a*'],
    ] as const)
      expect(parseMarkdown(open.repeat(1_000) + close.repeat(1_000))).toHaveLength(1);
    const list = Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n');
    expect(parseMarkdown(list)).toHaveLength(1);
  });
});
