// Identifies a file by its content: names and declared types cannot be trusted.
//
// `file-type` would not do: one header that looks like MPEG's is enough for it to call a file an MP3, and it looks no further than 4 KB for
// one.

import { containerOf } from '../audio/containers/formats.ts';
import { hasMp3, id3Length, parseAdtsHeader } from '../audio/containers/mpeg-frames.ts';
import { codecOf, pagesIn } from '../audio/ogg/page.ts';

/** `ffmpeg`: not decoded here but by ffmpeg, which calls the container `demuxer`. `name` is for people. */
export type Container =
  | { kind: 'wav' | 'mp3' | 'flac' | 'ogg-opus' | 'ogg-vorbis' | 'webm'; name: string }
  | { kind: 'ffmpeg'; name: string; demuxer: string };

/** Bytes in which all streams of an Ogg file begin. */
const FIRST_PAGES = 4096;

/** @returns null if it is not an audio file of a known kind */
export function detectContainer(file: Uint8Array): Container | null {
  const bytes = file.subarray(id3Length(file));
  const known = containerOf(bytes);
  if (known?.kind === 'ogg') return detectOggCodec(bytes);
  if (known?.kind === 'wav' || known?.kind === 'flac' || known?.kind === 'webm') return { kind: known.kind, name: known.name };
  if (known) return { kind: 'ffmpeg', name: known.name, demuxer: known.demuxer };
  if (isAdts(bytes)) return { kind: 'ffmpeg', name: 'AAC', demuxer: 'aac' };
  if (hasMp3(bytes)) return { kind: 'mp3', name: 'MP3' };
  return null;
}

/** Several streams may begin, each with a page of its own. */
function detectOggCodec(bytes: Uint8Array): Container {
  const start = bytes.subarray(0, FIRST_PAGES);
  for (const { body } of pagesIn(start)) {
    const codec = codecOf(start.subarray(body));
    if (codec === 'Opus') return { kind: 'ogg-opus', name: 'Ogg/Opus' };
    if (codec === 'Vorbis') return { kind: 'ogg-vorbis', name: 'Ogg/Vorbis' };
    if (codec === 'FLAC') return { kind: 'flac', name: 'FLAC' };
  }
  return { kind: 'ffmpeg', name: 'Ogg without Opus, Vorbis or FLAC', demuxer: 'ogg' };
}

/** Two AAC frames in a row. */
function isAdts(bytes: Uint8Array): boolean {
  const first = parseAdtsHeader(bytes, 0);
  return first !== null && parseAdtsHeader(bytes, first.bytes) !== null;
}
