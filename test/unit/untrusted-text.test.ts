// Texts that others wrote, made safe to show.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asCode, asList, asMarkdown, asPlain } from '../../src/text/untrusted-text.ts';
import { anyCharacter, hostileTexts } from '../helpers/arbitrary-text.ts';
import { expectHarmless } from '../helpers/harmless.ts';

const hostile = Object.entries(hostileTexts);
const anything = fc
  .oneof(
    fc.array(
      fc.oneof(fc.constantFrom(...Object.values(hostileTexts).map((text) => text.slice(0, 300))), fc.string({ unit: anyCharacter })),
      {
        maxLength: 6,
      },
    ),
  )
  .map((parts) => parts.join(''));
const length = fc.integer({ min: 1, max: 400 });

describe('an untrusted text', () => {
  it.each(hostile)('is made harmless and short enough: %s', (_what, text) => {
    for (const most of [20, 80, 240, 1500, 4096]) {
      const shown = [asMarkdown(text, most), asMarkdown(text, most, { keepLines: true }), asList([text, text], most)];
      for (const markdown of shown) expectHarmless({ content: markdown });
      expectHarmless({ components: [{ label: asPlain(text, most) }], content: asCode(text, most) });
      for (const one of [...shown, asPlain(text, most)]) expect(one.length).toBeLessThanOrEqual(most);
    }
  });

  it('is read only as far as it may be shown', () => {
    for (const one of ['*_~`|[', ' \n', '\\', '\u0301', '1.', 'a\u200d']) {
      const [long, longer] = [30_000, 5_000_000].map((times) => asMarkdown(one.repeat(times), 1500, { keepLines: true }));
      expect(longer).toBe(long);
    }
  });

  it('is harmless whatever it is made of, and wherever it is cut', () => {
    fc.assert(
      fc.property(anything, length, (text, most) => {
        for (const markdown of [asMarkdown(text, most), asMarkdown(text, most, { keepLines: true }), asList([text], most)]) {
          for (const content of [markdown, `me ${markdown}`]) expectHarmless({ content });
          expect(markdown.length).toBeLessThanOrEqual(most);
        }
        expectHarmless({ title: asPlain(text, most), content: asCode(text, most) });
        expect(asPlain(text, most)).not.toMatch(/\n|^\s|\s$/);
        expect(asCode(text, most)).toMatch(/^`[^`\n]+`$/);
      }),
    );
  });

  it.each([
    ['words', 'A calm, deep voice (male) - 100 %!'],
    ['other scripts', 'می‌خواهم שלום こんにちは ภาษาไทย हिन्दी'],
    ['emoji of several parts', '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️'],
    ['mail addresses and hashtags', 'me@example.org #news 12:30'],
  ])('is left unchanged if it is harmless: %s', (_what, text) => {
    expect(asMarkdown(text, 200)).toBe(text);
    expect(asPlain(text, 200)).toBe(text);
  });

  it('is shown as it was written', () => {
    expect(asMarkdown('*not* [this](https://a.example) @everyone', 200)).toBe('\\*not\\* \\[this](https\\://a.example) \\@everyone');
    expect(asMarkdown('1. one\n\n\n\n - two', 200, { keepLines: true })).toBe('1\\. one\n\n\\- two');
    expect(asCode("it's `code`")).toBe("`it's 'code'`");
    expect(asList(['a', ' ', 'b_c'], 200)).toBe('a, b\\_c');
  });

  it('is never cut within an escape or a character', () => {
    expect(asMarkdown('ab***', 5)).toBe('ab\\*…');
    expect(asMarkdown('ab\\\\\\', 6)).toBe('ab\\\\…');
    expect(asPlain('ab😀😀', 4)).toBe('ab…');
  });

  it('is blank if nothing of it is visible, and can be replaced', () => {
    for (const text of ['', ' \n', hostileTexts['nothing that can be seen'] ?? '', hostileTexts['joiners alone'] ?? '', '\u0301'])
      expect([asPlain(text, 50), asMarkdown(text, 50), asCode(text)]).toEqual(['', '', '` `']);
  });
});
