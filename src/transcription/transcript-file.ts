// Transcripts as files: .txt, .srt (SubRip), .vtt (WebVTT) and .json, which can be read back.
import { z } from 'zod';
import { parseJson } from '../text/json.ts';
import { withoutInvisible } from '../text/untrusted-text.ts';
import { isSource } from './recording.ts';
import { alignTranscript } from './transcript-alignment.ts';
import { type Cue, toCues } from './transcript-cues.ts';
import {
  formatCueTime,
  formatPreciseClock,
  type SpokenTranscript,
  type TranscriptLine,
  toLines,
  toMilliseconds,
} from './transcript-lines.ts';

export const transcriptFormats = ['text', 'srt', 'vtt', 'json'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** A transcript with everything that its message needs after a restart. */
export interface TranscriptDocument {
  transcript: SpokenTranscript;
  /** The recording's file name. */
  name: string;
  /** A sealed link to the recording; null if it can't be read again. */
  recording: string | null;
  /** Where the recording was posted; see Recording. */
  source: string | null;
  /** The language as requested; null = detected by the service. */
  language: string | null;
}

const writers: Record<TranscriptFormat, { extension: string; write: (document: TranscriptDocument, timestamps: boolean) => string }> = {
  text: { extension: 'txt', write: toText },
  srt: { extension: 'srt', write: toSrt },
  vtt: { extension: 'vtt', write: toVtt },
  json: { extension: 'json', write: toJson },
};

/** The transcript in a format; the file is named after the recording. `timestamps` only applies to text. */
export function writeTranscript(document: TranscriptDocument, format: TranscriptFormat, timestamps = true): { name: string; text: string } {
  const { extension, write } = writers[format];
  // Beside a recording of the same name, .json says nothing to most people.
  const name = `${baseName(document.name)}${format === 'json' ? '-transcript' : ''}.${extension}`;
  return { name, text: write(document, timestamps) };
}

/** With the name of whoever says it. */
function withSpeaker({ speaker, text }: TranscriptLine): string {
  return speaker === null ? text : `${speaker}: ${text}`;
}

/** One line per segment: `[0:01.2 → 0:03.4] text`, or the text alone; the speaker's name before it, if it is known. */
function toText({ transcript }: TranscriptDocument, timestamps: boolean): string {
  return toLines(transcript)
    .map((line) => `${timestamps ? `[${formatPreciseClock(line.start)} → ${formatPreciseClock(line.end)}] ` : ''}${withSpeaker(line)}\n`)
    .join('');
}

function cuesOf(transcript: SpokenTranscript, named: boolean): Cue[] {
  return toCues(toLines(transcript), { duration: toMilliseconds(transcript.duration), named });
}

/** SubRip has no escaping: what players would take for a time or a tag is replaced with other characters. */
function toSrt({ transcript }: TranscriptDocument): string {
  return cuesOf(transcript, true)
    .map(({ lines, start, end }, index) => {
      const text = lines.map((line) => line.replaceAll('-->', '→').replaceAll('<', '‹').replaceAll('>', '›').replaceAll('{\\', '('));
      return `${index + 1}\n${formatCueTime(start, ',')} --> ${formatCueTime(end, ',')}\n${text.join('\n')}\n`;
    })
    .join('\n');
}

/** WebVTT, with speakers as voice spans: https://www.w3.org/TR/webvtt1/#file-structure */
function toVtt({ transcript }: TranscriptDocument): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const cues = cuesOf(transcript, false).map(({ lines, speaker, start, end }) => {
    const voice = speaker === null ? '' : `<v ${escaped(speaker)}>`;
    return `${formatCueTime(start, '.')} --> ${formatCueTime(end, '.')}\n${voice}${lines.map(escaped).join('\n')}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

const fileSchema = z.object({
  name: z.string(),
  language: z.string().nullable().default(null),
  recording: z.string().nullable().default(null),
  source: z.string().refine(isSource).nullable().default(null),
  /** The language that the service heard. */
  heard: z.string().max(100).optional().catch(undefined),
  text: z.string(),
  /** Seconds, like all times. */
  duration: z.number(),
  segments: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      text: z.string(),
      speaker: z.object({ id: z.string(), name: z.string() }).optional(),
      words: z
        .array(z.object({ text: z.string(), start: z.number(), end: z.number() }))
        .optional()
        .catch(undefined),
    }),
  ),
});

/** The service's result with the document's other fields; times in seconds, rounded to milliseconds. */
function toJson({ transcript, name, recording, source, language }: TranscriptDocument): string {
  const seconds = (value: number) => toMilliseconds(value) / 1000;
  const segments = transcript.segments.map(({ text, speaker, start, end, words }) => ({
    start: seconds(start),
    end: seconds(end),
    text,
    ...(speaker && { speaker: { id: speaker.id, name: speaker.name ?? speaker.id } }),
    ...(words && { words: words.map((word) => ({ text: word.text, start: seconds(word.start), end: seconds(word.end) })) }),
  }));
  const file: z.infer<typeof fileSchema> = {
    name,
    language,
    recording,
    source,
    ...(transcript.language !== undefined && { heard: transcript.language }),
    text: transcript.text,
    duration: seconds(transcript.duration),
    segments,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Reads what `toJson` wrote, in this version or an earlier one, which kept single words as segments; null for anything else. */
export function readTranscript(json: string): TranscriptDocument | null {
  const value = parseJson(json);
  const { success, data } = fileSchema.safeParse(value);
  if (!success) return null;
  const { name, language, recording, source, heard, ...words } = data;
  const stored = { ...words, ...(heard !== undefined && { language: heard }) };
  const isSpoken = stored.segments.some(({ speaker, words }) => speaker || words);
  return { name, language, recording, source, transcript: isSpoken ? stored : alignTranscript(stored) };
}

/** Without its extension, in characters that every file system and Discord accept. */
function baseName(recording: string): string {
  const name = withoutInvisible(recording.slice(0, 300))
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
  return Array.from(name).slice(0, 60).join('') || 'transcript';
}
