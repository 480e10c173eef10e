// What format a sound is in: by its bytes first, by its label second.
import { hasMagic } from '../bytes.ts';
import { codecOf, readPageHeader } from '../ogg/page.ts';
import { isFixedSize, readWavFormat, WAV_FORMAT_BYTES } from './chunks.ts';
import { parseAdtsHeader, parseMp3Header } from './mpeg-frames.ts';

export type Detected =
  | { format: 'mp3' | 'wav' | 'opus' | 'pcm' }
  /** None of our own decoders reads it; `demuxer` is ffmpeg's name for the container, null if it is unknown. */
  | { format: 'other'; name: string; demuxer: string | null }
  /** A web page, a JSON error, a sentence: no sound at all. */
  | { format: 'text' };

/** Enough to detect any of the formats. */
export const DETECT_BYTES = 4096;

const TEXT_BYTES = 64;
const PCM_LABELS = ['audio/pcm', 'audio/x-pcm', 'audio/l16', 'audio/raw', 'application/octet-stream'];
const MP3_LABELS = ['audio/mpeg', 'audio/mp3', 'audio/x-mp3', 'audio/mpeg3'];

/**
 * Returns the format of `start`, the first bytes of a sound, or null if more of them are needed. Never null if `complete` (there are
 * no more) or with DETECT_BYTES.
 */
export function detectFormat(start: Uint8Array, complete: boolean, contentType = ''): Detected | null {
  const enough = complete || start.length >= DETECT_BYTES;
  const label = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const labelledPcm = PCM_LABELS.includes(label);
  if (start.length < TEXT_BYTES && !enough && !hasMagic(start, 'ID3')) return null;

  if (isText(start)) return { format: 'text' };
  const container = containerOf(start);
  if (container?.kind === 'wav') return wav(start);
  if (container?.kind === 'ogg') return ogg(start);
  if (container) return other(container.name, container.demuxer);
  if (hasMagic(start, 'RIFF')) return other('RIFF', 'avi');
  if (hasMagic(start, 'ID3')) return { format: 'mp3' };

  const frame = parseMp3Header(start, 0);
  if (frame) {
    // Loud PCM may look like the start of an MP3 frame; a second frame right after the first is not a coincidence.
    if (MP3_LABELS.includes(label)) return { format: 'mp3' };
    const next = parseMp3Header(start, frame.bytes);
    if (next && next.signature === frame.signature) return { format: 'mp3' };
    if (!enough && start.length < frame.bytes + 4) return null;
    if (!labelledPcm && start.length <= frame.bytes + 4) return { format: 'mp3' };
  }
  if (labelledPcm) return { format: 'pcm' };
  if (MP3_LABELS.includes(label)) return { format: 'mp3' };
  if (parseAdtsHeader(start, 0)) return other('AAC', 'aac');
  return other(label.startsWith('audio/') ? label : 'an unknown format', null);
}

function other(name: string, demuxer: string | null): Detected {
  return { format: 'other', name, demuxer };
}

function wav(start: Uint8Array): Detected {
  const format = hasMagic(start, 'fmt ', 12) ? readWavFormat(Buffer.from(start.subarray(20, 20 + WAV_FORMAT_BYTES))) : null;
  return format && !isFixedSize(format.encoding) ? other(`WAV with codec ${format.encoding}`, 'wav') : { format: 'wav' };
}

function ogg(start: Uint8Array): Detected {
  const page = readPageHeader(start);
  const packet = start.subarray(page?.body ?? start.length);
  if (codecOf(packet) !== 'Opus') return other('Ogg without Opus', 'ogg');
  const channels = packet[9] ?? 0;
  return channels <= 2 ? { format: 'opus' } : other(`Opus with ${channels} channels`, 'ogg');
}

/** Within a few samples, sound contains control or non-ASCII bytes; apart from a byte order mark, the start of a page or error has none. */
function isText(start: Uint8Array): boolean {
  const from = hasMagic(start, '\xef\xbb\xbf') ? 3 : 0;
  const head = start.subarray(from, TEXT_BYTES);
  return head.length > 1 && head.every((byte) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13);
}

// Which container a file is, by its first bytes: names and content types are whatever the sender wrote.

export interface Container {
  kind: 'wav' | 'ogg' | 'flac' | 'webm' | 'mp4' | 'aiff' | 'amr' | 'caf' | 'au' | 'wavpack' | 'wma';
  /** For people. */
  name: string;
  /** ffmpeg's name for it. ffmpeg must not guess, because some of its formats fetch other files. */
  demuxer: string;
}

/** Bytes that `containerOf` and `id3Bytes` look at. */
export const SIGNATURE_BYTES = 12;

const SIGNATURES: readonly (Container & { start: string | RegExp })[] = [
  { start: /^(RIFF|RF64).{4}WAVE/s, kind: 'wav', name: 'WAV', demuxer: 'wav' },
  { start: 'OggS', kind: 'ogg', name: 'Ogg', demuxer: 'ogg' },
  { start: 'fLaC', kind: 'flac', name: 'FLAC', demuxer: 'flac' },
  { start: '\x1aE\xdf\xa3', kind: 'webm', name: 'WebM or Matroska', demuxer: 'matroska' },
  { start: /^.{4}(ftyp|moov|mdat|wide|free|skip)/s, kind: 'mp4', name: 'MP4 or M4A', demuxer: 'mov' },
  { start: /^FORM.{4}AIF[FC]/s, kind: 'aiff', name: 'AIFF', demuxer: 'aiff' },
  { start: '#!AMR', kind: 'amr', name: 'AMR', demuxer: 'amr' },
  { start: 'caff', kind: 'caf', name: 'CAF', demuxer: 'caf' },
  { start: '.snd', kind: 'au', name: 'AU', demuxer: 'au' },
  { start: 'wvpk', kind: 'wavpack', name: 'WavPack', demuxer: 'wv' },
  { start: '\x30\x26\xb2\x75', kind: 'wma', name: 'WMA', demuxer: 'asf' },
];

/** Null if no signature fits; MP3 and AAC in ADTS have none. */
export function containerOf(bytes: Uint8Array): Container | null {
  const begin = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  return SIGNATURES.find(({ start }) => (typeof start === 'string' ? begin.startsWith(start) : start.test(begin))) ?? null;
}

/**
 * Whether a file begins like audio: true for bare MPEG audio and AAC, and for containers that may hold sound, because even a film's sound can
 * be transcribed. Not `file-type`: it parses up to 4 KB of a hostile file to name one of 180 types, while SIGNATURE_BYTES answer yes or no.
 */
export function looksLikeAudio(head: Uint8Array): boolean {
  if (isText(head)) return false;
  // The byte order mark of UTF-16 text looks like a frame of layer I.
  const isFrame = !hasMagic(head, '\xff\xfe') && (parseMp3Header(head, 0) ?? parseAdtsHeader(head, 0)) !== null;
  return isFrame || hasMagic(head, 'ID3') || containerOf(head) !== null;
}
