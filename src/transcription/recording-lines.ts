// Recordings as lines of a question, from which its answer reads them back: nothing about them is stored, and answers work after a restart.
import type { Message } from 'discord.js';
import { readTexts } from '../bot/card-parts.ts';
import type { Words } from '../locales/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { fromLink, type Recording, toLink } from './recording.ts';

/** UTF-16 units of all lines; the rest of a message's 4000 is the question's. */
const MAX_LENGTH = 3600;
const MAX_NAME = 40;

/** A line for each recording, as many as fit. */
export function toRecordingLines(recordings: readonly Recording[], t: Words): string[] {
  let length = 0;
  const lines = recordings.map((recording) => {
    const name = asMarkdown(recording.name, MAX_NAME) || t.transcription.title;
    return `-# ${name} · [${t.transcription.listen}](${toLink(recording).replaceAll('(', '%28').replaceAll(')', '%29')})`;
  });
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= MAX_LENGTH;
  });
}

/** The recordings of a question. */
export function readRecordings({ components }: Pick<Message, 'components'>): Recording[] {
  const links = readTexts(components).flatMap((text) => [...text.matchAll(/\]\((https?:[^()\s]+)\)/g)].map(([, link = '']) => link));
  return links.flatMap((link) => fromLink(link) ?? []);
}
