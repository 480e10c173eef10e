// What hosted services transcribe, with the times of its words.
import type { Transcript } from '../../src/api/types.ts';

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
