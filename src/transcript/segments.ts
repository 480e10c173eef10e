// What a service gives, made regular: text without line breaks, times in whole milliseconds that only rise.
import type { Transcript } from '../api/types.ts';
import { withoutInvisible } from '../text/untrusted-text.ts';
import { milliseconds } from './times.ts';

/** A segment with something in it. `start` < `end`, both in milliseconds; starts never fall from one to the next. */
export interface Line {
  text: string;
  start: number;
  end: number;
}

/**
 * The transcript's segments in the order of their times. A segment without words is left out, one that reaches into the next is cut
 * there, and a transcript without segments becomes one line.
 */
export function readLines(transcript: Transcript): Line[] {
  const segments = transcript.segments.some((segment) => tidy(segment.text) !== '')
    ? transcript.segments
    : [{ text: transcript.text, start: 0, end: transcript.duration }];
  const lines = segments
    .map((segment) => ({ text: tidy(segment.text), start: milliseconds(segment.start), end: milliseconds(segment.end) }))
    .filter((line) => line.text !== '')
    .sort((a, b) => a.start - b.start);
  let last = 0;
  return lines.map((line, index) => {
    const start = Math.max(line.start, last);
    const next = lines[index + 1]?.start;
    const end = next !== undefined && next > start ? Math.min(line.end, next) : line.end;
    last = Math.max(end, start + 1);
    return { text: line.text, start, end: last };
  });
}

/** Was anything said? */
export function hasSpeech(transcript: Transcript): boolean {
  return readLines(transcript).length > 0;
}

/** One line, without what cannot be seen. */
function tidy(text: string): string {
  return withoutInvisible(text.replace(/[\p{Cc}\s]+/gu, ' ')).trim();
}
