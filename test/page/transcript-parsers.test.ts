// Subtitle files in other parsers: WebVTT in Chromium's, SubRip in ffmpeg's, if those are installed.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Transcript } from '../../src/api/types.ts';
import { writeTranscript } from '../../src/transcription/transcript-file.ts';
import { anyTranscript } from '../helpers/arbitrary-text.ts';
import { ffmpeg, titled } from '../helpers/requirements.ts';
import { connectToSharedBrowser, describeInBrowser, type TestBrowser } from './browser.ts';

/** Times in milliseconds. */
interface Cue {
  start: number;
  end: number;
  text: string;
}

const awkward: Transcript = {
  text: '',
  duration: 4000,
  segments: [
    { text: 'if a < b && b --> c then <i>x</i> &amp; {\\an8} NOTE', start: 0, end: 1.25 },
    { text: 'WEBVTT', start: 1.25, end: 1.25 },
    { text: '00:00:01.000 --> 00:00:02.000', start: 2, end: 3 },
    { text: '12', start: 3, end: 3.5 },
    { text: 'übel 日本語 👩‍👩‍👧 ‫שלום‬', start: 3.5, end: 5 },
    { text: 'word '.repeat(60), start: 5, end: 60 },
    { text: 'an hour later', start: 3723.456, end: 3725 },
  ],
};

const write = (transcript: Transcript, format: 'srt' | 'vtt') =>
  writeTranscript({ transcript, name: 'memo.ogg', recording: null, source: null, language: null }, format).text;

/** Our own file, parsed in the simplest way: one block per cue. */
function cuesOf(file: string): Cue[] {
  const ms = (time: string) => Math.round(time.split(':').reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0) * 1000);
  return file
    .trimEnd()
    .split('\n\n')
    .filter((block) => block.includes(' --> '))
    .map((block) => {
      const lines = block.split('\n');
      const timing = lines.findIndex((line) => line.includes(' --> '));
      const [start = '', end = ''] = (lines[timing] ?? '').split(' --> ');
      return { start: ms(start), end: ms(end), text: lines.slice(timing + 1).join('\n') };
    });
}

const withoutEscapes = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

describeInBrowser("WebVTT in Chromium's parser", () => {
  let browser: TestBrowser;
  let read: (file: string) => Promise<Cue[]>;

  beforeAll(async () => {
    browser = await connectToSharedBrowser();
    const page = await browser.open('data:text/html,<video></video>');
    read = (file) =>
      page.evaluate(async (content) => {
        const track = Object.assign(document.createElement('track'), { kind: 'subtitles', default: true });
        const loaded = new Promise((resolve, reject) => {
          track.onload = resolve;
          track.onerror = () => reject(new Error('The track was not read.'));
        });
        track.src = `data:text/vtt;charset=utf-8,${encodeURIComponent(content)}`;
        const video = document.querySelector('video') as HTMLVideoElement;
        video.replaceChildren(track);
        track.track.mode = 'showing';
        await loaded;
        return [...(track.track.cues ?? [])].map((cue) => {
          const { startTime, endTime } = cue;
          return {
            start: Math.round(startTime * 1000),
            end: Math.round(endTime * 1000),
            text: (cue as VTTCue).getCueAsHTML().textContent ?? '',
          };
        });
      }, file);
  });
  afterAll(() => browser?.close());

  it('has every cue with its times and words', async () => {
    const file = write(awkward, 'vtt');
    const cues = await read(file);
    expect(cues).toEqual(cuesOf(file).map((cue) => ({ ...cue, text: withoutEscapes(cue.text) })));
    expect(cues[0]?.text).toContain('if a < b && b --> c then <i>x</i> &amp;');
    expect(cues.at(-1)).toEqual({ start: 3_723_456, end: 3_725_000, text: 'an hour later' });
  });

  it('has as many cues as were written, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(anyTranscript, async (transcript) => {
        const file = write(transcript, 'vtt');
        const expected = cuesOf(file).map(({ start, end, text }) => ({ start, end, text: withoutEscapes(text) }));
        expect(await read(file)).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });
});

describe("SubRip in ffmpeg's parser", () => {
  const read = (file: string): Cue[] => {
    const { stdout, status } = spawnSync('ffmpeg', ['-v', 'error', '-f', 'srt', '-i', 'pipe:0', '-c', 'copy', '-f', 'srt', 'pipe:1'], {
      input: file,
    });
    expect(status).toBe(0);
    return cuesOf(stdout.toString());
  };

  it.skipIf(!ffmpeg.isMet)(titled('has every cue with its times and words', ffmpeg), () => {
    const file = write(awkward, 'srt');
    const cues = read(file);
    expect(cues).toEqual(cuesOf(file));
    expect(cues.length).toBeGreaterThan(8);
  });

  it.skipIf(!ffmpeg.isMet)(titled('has as many cues as were written, whatever was said', ffmpeg), () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const file = write(transcript, 'srt');
        if (file !== '') expect(read(file)).toEqual(cuesOf(file));
      }),
      { numRuns: 4 },
    );
  });
});
