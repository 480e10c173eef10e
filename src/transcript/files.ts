// A transcript as a file: .txt, .srt (SubRip), .vtt (WebVTT), .json, and the way back from .json.
import type { Transcript } from '../api/types.ts';
import { makeCues } from './cues.ts';
import { readLines } from './segments.ts';
import { formatClock, formatCueTime, milliseconds } from './times.ts';

export type TranscriptFormat = 'text' | 'srt' | 'vtt' | 'json';

interface TranscriptFile {
  name: string;
  text: string;
}

const writers: Record<TranscriptFormat, { extension: string; write: (transcript: Transcript, timestamps: boolean) => string }> = {
  text: { extension: 'txt', write: toText },
  srt: { extension: 'srt', write: toSrt },
  vtt: { extension: 'vtt', write: toVtt },
  json: { extension: 'json', write: toJson },
};

/** The transcript in a format; the file is named after the recording. `timestamps` counts for text alone. */
export function writeFile(transcript: Transcript, format: TranscriptFormat, recording: string, timestamps = true): TranscriptFile {
  const { extension, write } = writers[format];
  return { name: `${baseName(recording)}.${extension}`, text: write(transcript, timestamps) };
}

/** One line per segment: `[0:01.2 → 0:03.4] text`, or the text alone. */
function toText(transcript: Transcript, timestamps = true): string {
  return readLines(transcript)
    .map(({ text, start, end }) => `${timestamps ? `[${formatClock(start)} → ${formatClock(end)}] ` : ''}${text}\n`)
    .join('');
}

/** SubRip has no way to escape: what players would take for a time or for a tag is written with other characters. */
function toSrt(transcript: Transcript): string {
  return makeCues(readLines(transcript))
    .map(({ lines, start, end }, index) => {
      const text = lines.map((line) => line.replaceAll('-->', '→').replaceAll('<', '‹').replaceAll('>', '›').replaceAll('{\\', '('));
      return `${index + 1}\n${formatCueTime(start, ',')} --> ${formatCueTime(end, ',')}\n${text.join('\n')}\n`;
    })
    .join('\n');
}

/** WebVTT: https://www.w3.org/TR/webvtt1/#file-structure */
function toVtt(transcript: Transcript): string {
  const cues = makeCues(readLines(transcript)).map(({ lines, start, end }) => {
    const text = lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    return `${formatCueTime(start, '.')} --> ${formatCueTime(end, '.')}\n${text.join('\n')}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** The service's own result, times in seconds rounded to milliseconds. */
function toJson(transcript: Transcript): string {
  const seconds = (value: number) => milliseconds(value) / 1000;
  const segments = transcript.segments.map(({ text, start, end }) => ({ start: seconds(start), end: seconds(end), text }));
  return `${JSON.stringify({ text: transcript.text, duration: seconds(transcript.duration), segments }, null, 2)}\n`;
}

/** Reads what `toJson` wrote; null for anything else. */
export function fromJson(json: string): Transcript | null {
  try {
    const { text, duration, segments } = JSON.parse(json) as Partial<Transcript>;
    if (typeof text !== 'string' || typeof duration !== 'number' || !Array.isArray(segments)) return null;
    const valid = segments.every((s) => typeof s?.text === 'string' && typeof s.start === 'number' && typeof s.end === 'number');
    return valid ? { text, duration, segments } : null;
  } catch {
    return null;
  }
}

/** Without its extension, in characters that every file system and Discord take. */
function baseName(recording: string): string {
  const name = recording
    .toWellFormed()
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return Array.from(name).slice(0, 60).join('') || 'transcript';
}
