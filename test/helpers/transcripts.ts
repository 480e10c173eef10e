// Arbitrary transcripts, as a service might return them.
import fc from 'fast-check';
import type { Transcript } from '../../src/api/types.ts';
import { anyCharacters } from './arbitrary-text.ts';

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
