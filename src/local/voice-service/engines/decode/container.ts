// Identifies a file by its content: names and declared types cannot be trusted.
//
// `file-type` would not do: one header that looks like MPEG's is enough for it to call a file an MP3, it looks no further than 4 KB for
// one, and ffmpeg's names for the containers would still be listed here.
import { parseMp3Header } from '../../../../audio/decode/mp3-frames.ts';

/** `ffmpeg`: not decoded here but by ffmpeg, which calls the container `demuxer`. `name` is for people. */
export type Container =
  | { kind: 'wav' | 'mp3' | 'flac' | 'ogg-opus' | 'ogg-vorbis' | 'webm'; name: string }
  | { kind: 'ffmpeg'; name: string; demuxer: string };

/** How far into a file the first MP3 frame may be: some begin with the end of a frame that was cut, or with an unknown tag. */
const MP3_SEARCH = 64 * 1024;
/** Frames in a row that prove an MP3: bytes that look like one header are everywhere. */
const MP3_PROOF = 3;

/** Containers with a signature near the beginning that only ffmpeg reads. */
const FFMPEG_CONTAINERS: readonly { at: number; signature: string; name: string; demuxer: string }[] = [
  { at: 4, signature: 'ftyp', name: 'MP4 or M4A', demuxer: 'mov' },
  { at: 4, signature: 'moov', name: 'QuickTime', demuxer: 'mov' },
  { at: 4, signature: 'mdat', name: 'QuickTime', demuxer: 'mov' },
  { at: 4, signature: 'wide', name: 'QuickTime', demuxer: 'mov' },
  { at: 0, signature: 'FORM', name: 'AIFF', demuxer: 'aiff' },
  { at: 0, signature: 'caff', name: 'CAF', demuxer: 'caf' },
  { at: 0, signature: '#!AMR', name: 'AMR', demuxer: 'amr' },
  { at: 0, signature: '.snd', name: 'AU', demuxer: 'au' },
  { at: 0, signature: 'wvpk', name: 'WavPack', demuxer: 'wv' },
  { at: 0, signature: '\x30\x26\xb2\x75', name: 'WMA', demuxer: 'asf' },
];

/** @returns null if it is not an audio file of a known kind */
export function detectContainer(file: Uint8Array): Container | null {
  const bytes = file.subarray(id3Length(file));
  const has = (at: number, signature: string) => Buffer.from(bytes.subarray(at, at + signature.length)).toString('latin1') === signature;
  if (has(0, 'RIFF') || has(0, 'RF64')) return has(8, 'WAVE') ? { kind: 'wav', name: 'WAV' } : null;
  if (has(0, 'fLaC')) return { kind: 'flac', name: 'FLAC' };
  if (has(0, 'OggS')) return detectOggCodec(bytes);
  if (has(0, '\x1a\x45\xdf\xa3')) return { kind: 'webm', name: 'WebM' };
  const known = FFMPEG_CONTAINERS.find(({ at, signature }) => has(at, signature));
  if (known) return { kind: 'ffmpeg', name: known.name, demuxer: known.demuxer };
  if (isAdts(bytes)) return { kind: 'ffmpeg', name: 'AAC', demuxer: 'aac' };
  if (findMp3(bytes) !== null) return { kind: 'mp3', name: 'MP3' };
  return null;
}

/** Length of the ID3v2 tags at the beginning; cover pictures can make them megabytes long. */
export function id3Length(bytes: Uint8Array): number {
  let at = 0;
  while (Buffer.from(bytes.subarray(at, at + 3)).toString('latin1') === 'ID3' && at + 10 <= bytes.length) {
    const size = [6, 7, 8, 9].reduce((sum, i) => sum * 128 + ((bytes[at + i] as number) & 0x7f), 0);
    const footer = (bytes[at + 5] as number) & 0x10 ? 10 : 0;
    at = Math.min(bytes.length, at + 10 + size + footer);
  }
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

/** Two AAC frames in a row; their headers are like MP3's, with a layer of 0. */
function isAdts(bytes: Uint8Array): boolean {
  const isHeader = (at: number) => bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xf6) === 0xf0;
  if (!isHeader(0) || bytes.length < 7) return false;
  const length = (((bytes[3] as number) & 3) << 11) | ((bytes[4] as number) << 3) | ((bytes[5] as number) >> 5);
  return length > 7 && isHeader(length);
}
