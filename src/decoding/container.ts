// Identifies a file by its content: names and declared types cannot be trusted.
//
// `file-type` would not do: one header that looks like MPEG's is enough for it to call a file an MP3, and it looks no further than 4 KB for
// one.

import { containerOf } from '../audio/containers/formats.ts';
import { id3Bytes, parseAdtsHeader, parseMp3Header } from '../audio/containers/mpeg-frames.ts';

/** `ffmpeg`: not decoded here but by ffmpeg, which calls the container `demuxer`. `name` is for people. */
export type Container =
  | { kind: 'wav' | 'mp3' | 'flac' | 'ogg-opus' | 'ogg-vorbis' | 'webm'; name: string }
  | { kind: 'ffmpeg'; name: string; demuxer: string };

/** How far into a file the first MP3 frame may be: some begin with the end of a frame that was cut, or with an unknown tag. */
const MP3_SEARCH = 64 * 1024;
/** Frames in a row that prove an MP3: bytes that look like one header are everywhere. */
const MP3_PROOF = 3;

/** @returns null if it is not an audio file of a known kind */
export function detectContainer(file: Uint8Array): Container | null {
  const bytes = file.subarray(id3Length(file));
  const known = containerOf(bytes);
  if (known?.kind === 'ogg') return detectOggCodec(bytes);
  if (known?.kind === 'wav' || known?.kind === 'flac' || known?.kind === 'webm') return { kind: known.kind, name: known.name };
  if (known) return { kind: 'ffmpeg', name: known.name, demuxer: known.demuxer };
  if (isAdts(bytes)) return { kind: 'ffmpeg', name: 'AAC', demuxer: 'aac' };
  if (findMp3(bytes) !== null) return { kind: 'mp3', name: 'MP3' };
  return null;
}

/** Length of the ID3v2 tags at the beginning; cover pictures can make them megabytes long. */
export function id3Length(bytes: Uint8Array): number {
  let at = 0;
  for (let tag = id3Bytes(bytes); tag > 0; tag = id3Bytes(bytes, at)) at = Math.min(bytes.length, at + tag);
  return at;
}

/** Finds the first MPEG audio frame; null if there is none. */
export function findMp3(bytes: Uint8Array): number | null {
  const end = Math.min(bytes.length - 4, MP3_SEARCH);
  for (let start = 0; start <= end; start++) {
    if (bytes[start] !== 0xff) continue;
    let at = start;
    let frames = 0;
    for (let header = parseMp3Header(bytes, at); header; header = parseMp3Header(bytes, at)) {
      at += header.bytes;
      frames++;
      if (frames >= MP3_PROOF || (at >= bytes.length && start === 0)) return start;
    }
  }
  return null;
}

function detectOggCodec(bytes: Uint8Array): Container {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  if (start.includes('OpusHead')) return { kind: 'ogg-opus', name: 'Ogg/Opus' };
  if (start.includes('\x01vorbis')) return { kind: 'ogg-vorbis', name: 'Ogg/Vorbis' };
  if (start.includes('\x7fFLAC')) return { kind: 'flac', name: 'FLAC' };
  return { kind: 'ffmpeg', name: 'Ogg without Opus, Vorbis or FLAC', demuxer: 'ogg' };
}

/** Two AAC frames in a row. */
function isAdts(bytes: Uint8Array): boolean {
  const first = parseAdtsHeader(bytes, 0);
  return first !== null && parseAdtsHeader(bytes, first.bytes) !== null;
}
