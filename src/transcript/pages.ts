// A transcript as pages of Discord's markdown, each short enough for one embed.
import type { Transcript } from '../api/types.ts';
import { escapeMarkup } from '../text/untrusted-text.ts';
import { wrap } from './cues.ts';
import { readLines } from './segments.ts';
import { formatClock } from './times.ts';

/**
 * Lines `[0:01.2 → 0:03.4] text` (or the text alone) in pages of at most `limit` UTF-16 units. Markdown that was said is shown as it is.
 * A segment that is longer than a page goes on in the next. No pages for a transcript without words.
 */
export function makePages(transcript: Transcript, options: { limit: number; timestamps: boolean }): string[] {
  const { limit, timestamps } = options;
  const pages: string[] = [];
  let page = '';
  for (const { text, start, end } of readLines(transcript)) {
    const time = timestamps ? `[${formatClock(start)} → ${formatClock(end)}] ` : '';
    for (const [index, part] of parts(text, limit - time.length).entries()) {
      const line = index === 0 ? time + part : part;
      if (page !== '' && page.length + 1 + line.length > limit) {
        pages.push(page);
        page = '';
      }
      page = page === '' ? line : `${page}\n${line}`;
    }
  }
  if (page !== '') pages.push(page);
  return pages;
}

/** Mostly one. Escaping at most doubles a text, and a part must not end between a backslash and what it escapes. */
function parts(text: string, limit: number): string[] {
  const escaped = escapeMarkup(text);
  return escaped.length <= limit ? [escaped] : wrap(text, Math.floor(limit / 2)).map(escapeMarkup);
}
