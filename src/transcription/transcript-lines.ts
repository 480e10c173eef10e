// A transcript normalized into lines: no line breaks, times in whole milliseconds that never go back.
import type { Transcript } from '../api/types.ts';
import { withoutInvisible } from '../text/untrusted-text.ts';
import { toMilliseconds } from './time-format.ts';

/** A segment with words. `start` < `end`, in milliseconds; starts never decrease from one line to the next. */
export interface TranscriptLine {
  text: string;
  start: number;
  end: number;
}

/**
 * The transcript's segments in order of time. Segments without words are dropped, overlapping ones are cut short, and a transcript
 * without segments becomes one line.
 */
export function toLines(transcript: Transcript): TranscriptLine[] {
  const segments = transcript.segments.some((segment) => clean(segment.text) !== '')
    ? transcript.segments
    : [{ text: transcript.text, start: 0, end: transcript.duration }];
  const lines = segments
    .map((segment) => ({ text: clean(segment.text), start: toMilliseconds(segment.start), end: toMilliseconds(segment.end) }))
    .filter((line) => line.text !== '')
    .sort((a, b) => a.start - b.start);
  let lastEnd = 0;
  return lines.map((line, index) => {
    const start = Math.max(line.start, lastEnd);
    const nextStart = lines[index + 1]?.start;
    const end = nextStart !== undefined && nextStart > start ? Math.min(line.end, nextStart) : line.end;
    lastEnd = Math.max(end, start + 1);
    return { text: line.text, start, end: lastEnd };
  });
}

export function hasWords(transcript: Transcript): boolean {
  return toLines(transcript).length > 0;
}

/** One line, without invisible characters. */
function clean(text: string): string {
  return withoutInvisible(text.replace(/[\p{Cc}\s]+/gu, ' ')).trim();
}
