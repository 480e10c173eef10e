// How text is prepared for Flite.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../src/local/voice-service/engines/engine.ts';
import { toSpeakablePieces } from '../../src/local/voice-service/engines/flite/text.ts';

const spoken = (text: string) => toSpeakablePieces(text).map((piece) => piece.text);

describe('text for Flite', () => {
  it('is split into sentences, but not at abbreviations and numbers', () => {
    expect(spoken('It cost $3.50, e.g. last year. Really? Yes!\nA new line')).toEqual([
      'It cost $3.50, e.g. last year.',
      'Really?',
      'Yes!',
      'A new line',
    ]);
  });

  it('is split at commas if a sentence is long, sooner at the beginning', () => {
    const clause = 'and then they walked a little further along the river';
    const pieces = toSpeakablePieces(`They left early, ${Array(8).fill(clause).join(', ')}.`);
    expect(pieces[0]?.text.length).toBeLessThanOrEqual(120);
    for (const piece of pieces) expect(piece.text.length).toBeLessThanOrEqual(240);
    expect(pieces.map((piece) => piece.text).join(' ')).toBe(`They left early, ${Array(8).fill(clause).join(', ')}.`);
    expect(pieces[0]?.pauseSeconds).toBeLessThan(0.2);
  });

  it('is split between words if it has no commas', () => {
    const text = Array(100).fill('word').join(' ');
    expect(spoken(text).join(' ')).toBe(text);
  });

  it('keeps accented letters, symbols and quotes in an ASCII form', () => {
    expect(spoken('“Café” — it’s 20° & 5€ for naïve Łukasz…')).toEqual(['"Cafe" , it\'s 20 degrees & 5 euros for naive Lukasz.']);
  });

  it('loses emoji and other scripts within English text', () => {
    expect(spoken('Hello 👋🏽 world привет')).toEqual(['Hello world']);
  });

  it.each([
    ['', 'empty'],
    [' \n\t ', 'empty'],
    ['...!?', 'no letter'],
    ['👋🏽', 'no letter'],
    ['Привет, как дела? OK', 'English'],
    ['你好', 'English'],
    ['こんにちは、世界! (Hello)', 'connect a voice service that speaks its language'],
    ['안녕하세요 from Seoul', 'English'],
    ['مرحبا بالعالم', 'English'],
    ['Ελλάδα και 1, 2, 3', 'English'],
  ])('is rejected with a reason if it has nothing to say in English: %j', (text, reason) => {
    expect(() => toSpeakablePieces(text)).toThrow(
      expect.objectContaining({ kind: 'unspeakable', message: expect.stringContaining(reason) }),
    );
  });

  it('becomes short printable ASCII or an error, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 600 }), (units) => {
        const text = String.fromCharCode(...units);
        try {
          for (const piece of toSpeakablePieces(text)) expect(piece.text).toMatch(/^[\x20-\x7e]{1,240}$/);
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});
