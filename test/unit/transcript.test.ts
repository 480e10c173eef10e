// Transcripts as pages, text, SubRip, WebVTT and JSON, for ordinary speech and arbitrary input.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../src/api/types.ts';
import { withoutInvisible } from '../../src/text/untrusted-text.ts';
import { alignTranscript } from '../../src/transcription/transcript-alignment.ts';
import { readTranscript, type TranscriptFormat, writeTranscript } from '../../src/transcription/transcript-file.ts';
import { formatLength, hasWords, MIN_PAGE_LIMIT, toPages, toParagraphs } from '../../src/transcription/transcript-lines.ts';
import { anyTranscript } from '../helpers/arbitrary-text.ts';
import { timedWords } from './timed-words.ts';

const transcript: Transcript = {
  text: 'Hello there. How are you?',
  duration: 3.4,
  segments: [
    { text: ' Hello there. ', start: 0, end: 1.2004 },
    { text: 'How are you?', start: 1.2, end: 3.4 },
  ],
};

const documentOf = (given: Transcript, name = 'memo.ogg') => ({
  transcript: given,
  name,
  recording: 'https://cdn.example/memo.ogg#size=1',
  source: '@me/1/2',
  language: 'en',
});
const write = (format: TranscriptFormat, given = transcript) => writeTranscript(documentOf(given), format).text;

it('a recording is as long as players say, and never 0:00 if it has any sound', () => {
  expect([17.4, 17.6, 0.2, 0, 3599.7].map(formatLength)).toEqual(['0:17', '0:18', '0:01', '0:00', '1:00:00']);
});

describe('a transcript', () => {
  const page = { limit: MIN_PAGE_LIMIT, most: 20, timestamps: true };
  const said = (...segments: [text: string, start: number, end: number][]): Transcript => ({
    text: '',
    duration: 60,
    segments: segments.map(([text, start, end]) => ({ text, start, end })),
  });

  it('is shown as a paragraph below the time when it begins', () => {
    expect(toPages(transcript, page)).toEqual([['-# 0:00\nHello there. How are you?']]);
  });

  it('is shown without times on request', () => {
    expect(toPages(transcript, { ...page, timestamps: false })).toEqual([['Hello there. How are you?']]);
  });

  it('begins a new paragraph when the speaker pauses', () => {
    const given = said(['One.', 0, 1], ['Two.', 2.9, 4], ['Three.', 6, 7]);
    expect(toParagraphs(given)).toEqual([
      { text: 'One. Two.', speaker: null, start: 0 },
      { text: 'Three.', speaker: null, start: 6000 },
    ]);
  });

  it('ends a long paragraph with its sentence', () => {
    const [half, rest] = ['word '.repeat(40).trim(), 'and the rest of it.'];
    const given = said([half, 0, 10], [half, 10, 20], [rest, 20, 25], ['Next.', 25, 26]);
    expect(toParagraphs(given)).toEqual([
      { text: `${half} ${half} ${rest}`, speaker: null, start: 0 },
      { text: 'Next.', speaker: null, start: 25_000 },
    ]);
  });

  it('does not invent a time for a paragraph that begins in the middle of a segment', () => {
    const sentence = `${'word '.repeat(60)}end.`;
    const paragraphs = toParagraphs({ text: Array.from({ length: 4 }, () => sentence).join(' '), duration: 60, segments: [] });
    expect(paragraphs.map(({ start }) => start)).toEqual([0, null]);
    expect(toPages(said([`${sentence} ${sentence} ${sentence}`, 5, 60]), page).flat()[1]).toMatch(/^word/);
  });

  it('joins Japanese and Chinese without spaces', () => {
    expect(toParagraphs(said(['今日は', 0, 1], ['いい天気です。', 1, 2], ['Yes.', 2, 3]))).toEqual([
      { text: '今日はいい天気です。Yes.', speaker: null, start: 0 },
    ]);
  });

  it('escapes Markdown that was said, also at the beginning of a line', () => {
    const [first] = toPages({ text: '# *stars* <@123>', duration: 1, segments: [] }, page);
    expect(first).toEqual(['-# 0:00\n\\# \\*stars\\* \\<@123>']);
  });

  it('without segments becomes one line', () => {
    expect(write('text', { text: 'All of it', duration: 2, segments: [] })).toBe('[0:00.0 → 0:02.0] All of it\n');
  });

  it('knows when nothing was said', () => {
    expect(hasWords({ text: ' ', duration: 9, segments: [{ text: '\n', start: 0, end: 9 }] })).toBe(false);
    expect(hasWords(transcript)).toBe(true);
  });

  it('shows hours if there are any', () => {
    const late = { text: '', duration: 4000, segments: [{ text: 'late', start: 3723.45, end: 3725 }] };
    expect(write('text', late)).toBe('[1:02:03.5 → 1:02:05.0] late\n');
    expect(write('srt', late)).toContain('01:02:03,450 --> 01:02:05,000');
  });
});

describe('its files', () => {
  it('are named after the recording', () => {
    expect(writeTranscript(documentOf(transcript, 'My memo (1).final.ogg'), 'srt').name).toBe('My-memo-1-.final.srt');
    expect(writeTranscript(documentOf(transcript, '../../x'), 'vtt').name).toBe('transcript.vtt');
    expect(writeTranscript(documentOf(transcript, '日記.mp3'), 'text').name).toBe('日記.txt');
  });

  it('are SubRip', () => {
    expect(write('srt')).toBe('1\n00:00:00,000 --> 00:00:01,200\nHello there.\n\n2\n00:00:01,200 --> 00:00:03,400\nHow are you?\n');
  });

  it('are WebVTT, with its special characters escaped', () => {
    const given = { ...transcript, segments: [{ text: 'if a < b && b --> c', start: 0.0006, end: 1.5 }] };
    expect(write('vtt', given)).toBe('WEBVTT\n\n00:00:00.001 --> 00:00:01.500\nif a &lt; b &amp;&amp; b --&gt; c\n');
  });

  it('split a long word between graphemes', () => {
    for (const character of ['x', '日', '🇩🇪', '👩‍👩‍👧', 'e\u0301']) {
      const text = character.repeat(1000);
      const { text: srt } = writeTranscript(
        { transcript: { text, duration: 100, segments: [] }, name: 'a', recording: null, source: null, language: null },
        'srt',
      );
      const lines = srt.split('\n').filter((line) => line.includes(character));
      expect(lines.join('')).toBe(text);
      expect(lines.every((line) => line.length <= 42 && line.length % character.length === 0)).toBe(true);
    }
  });

  it('divide the time of a long segment among cues of two lines', () => {
    const text = 'word '.repeat(40).trim();
    const cues = write('srt', { text, duration: 10, segments: [{ text, start: 0, end: 10 }] }).split('\n\n');
    expect(cues).toHaveLength(3);
    expect(cues.map((cue) => cue.split('\n')[1])).toEqual([
      '00:00:00,000 --> 00:00:03,216',
      '00:00:03,216 --> 00:00:06,482',
      '00:00:06,482 --> 00:00:10,000',
    ]);
  });

  it('read back from JSON of an earlier version have its single words as sentences', () => {
    const raw = timedWords('Hello there. How are you?');
    expect(readTranscript(write('json', raw))?.transcript.segments.map(({ text }) => text)).toEqual(['Hello there.', 'How are you?']);
  });

  it('can be read back from JSON', () => {
    const segments = [{ text: ' Hello there. ', start: 0, end: 1.2 }, transcript.segments[1]];
    expect(readTranscript(write('json'))).toEqual({ ...documentOf(transcript), transcript: { ...transcript, segments } });
    const words = alignTranscript(timedWords('Hello there. How are you?'));
    expect(readTranscript(write('json', words))?.transcript).toEqual(words);
    for (const other of ['', 'null', '{}', '{"name":"","text":"","duration":1,"segments":[null]}', '[1'])
      expect(readTranscript(other)).toBeNull();
  });
});

/** Everything that was said in order, without spaces, because lines are broken at those. */
function wordsOf({ text, segments }: Transcript): string {
  const visible = (given: string) => withoutSpaces(withoutInvisible(given.replace(/[\p{Cc}\s]+/gu, ' ')));
  // Times that are not valid count as 0, and none is later than 99 hours.
  const startOf = ({ start }: { start: number }) => Math.min(Math.max(0, Math.round(start * 1000) || 0), 99 * 3600_000);
  const inOrder = segments.toSorted((a, b) => startOf(a) - startOf(b));
  return inOrder.map((segment) => visible(segment.text)).join('') || visible(text);
}
const withoutSpaces = (text: string) => text.replace(/\s/gu, '');

describe('any transcript', () => {
  it('becomes pages within the limit that contain every word', () => {
    fc.assert(
      fc.property(anyTranscript, fc.integer({ min: MIN_PAGE_LIMIT, max: 4000 }), fc.boolean(), (given, limit, timestamps) => {
        const pages = toPages(given, { limit, most: 20, timestamps });
        for (const paragraphs of pages) {
          expect(paragraphs.length).toBeLessThanOrEqual(20);
          expect(paragraphs.join('').length).toBeLessThanOrEqual(limit);
          for (const paragraph of paragraphs) {
            expect(paragraph.trim()).not.toBe('');
            expect(paragraph.isWellFormed()).toBe(true);
          }
        }
        expect(pages.length > 0).toBe(wordsOf(given) !== '');
        const shown = pages
          .flat()
          .join('')
          .replace(/\\([\\*_~`|<[#>+.:@-])/g, '$1');
        if (!timestamps) expect(withoutSpaces(shown)).toBe(wordsOf(given));
      }),
    );
  });

  it.each([
    ['srt', ','],
    ['vtt', '.'],
  ] as const)('makes valid %s: rising times, two lines of 42 characters', (format, separator) => {
    const time = `(\\d{2}):([0-5]\\d):([0-5]\\d)\\${separator}(\\d{3})`;
    const timing = new RegExp(`^${time} --> ${time}$`);
    const ms = ([h, m, s, f]: string[]) => ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1000 + Number(f);
    fc.assert(
      fc.property(anyTranscript, (given) => {
        const file = write(format, given);
        const blocks = file === '' ? [] : file.trimEnd().split('\n\n');
        if (format === 'vtt') expect(blocks.shift()).toBe('WEBVTT');
        let last = 0;
        let words = '';
        for (const [index, block] of blocks.entries()) {
          const lines = block.split('\n');
          if (format === 'srt') expect(lines.shift()).toBe(String(index + 1));
          const match = timing.exec(lines.shift() ?? '');
          expect(match).not.toBeNull();
          const [start, end] = [ms(match?.slice(1, 5) ?? []), ms(match?.slice(5, 9) ?? [])];
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
          expect(lines.length).toBeLessThanOrEqual(2);
          expect(lines.length).toBeGreaterThan(0);
          for (const line of lines) {
            const said = line.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
            expect(said.length).toBeLessThanOrEqual(42);
            expect(line).not.toContain('-->');
            expect(line.trim()).not.toBe('');
            words += said;
          }
        }
        if (format === 'vtt') expect(withoutSpaces(words)).toBe(wordsOf(given));
      }),
    );
  });
});
