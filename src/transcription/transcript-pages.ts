// A transcript as pages of Discord's markdown, each short enough for one embed.
import type { Transcript } from '../api/types.ts';
import { escapeMarkup } from '../text/untrusted-text.ts';
import { wrap } from './subtitle-cues.ts';
import { formatClock } from './time-format.ts';
import { toLines } from './transcript-lines.ts';

/**
 * Lines `[0:01.2 → 0:03.4] text` (or only the text) in pages of at most `limit` UTF-16 units, with Markdown escaped. A segment longer
 * than a page continues on the next. A transcript without words has no pages.
 */
export function toPages(transcript: Transcript, options: { limit: number; timestamps: boolean }): string[] {
  const { limit, timestamps } = options;
  const pages: string[] = [];
  let page = '';
  for (const { text, start, end } of toLines(transcript)) {
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

/** Usually one. Escaping at most doubles a text, and a part mustn't end between a backslash and what it escapes. */
function parts(text: string, limit: number): string[] {
  const escaped = escapeMarkup(text);
  return escaped.length <= limit ? [escaped] : wrap(text, Math.floor(limit / 2)).map(escapeMarkup);
}
