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
 * Length of the ID3 tag of version 2 at `at`, with its header; 0 if there is none, or it is damaged, which decoders pass over like any bytes:
 * https://id3.org/id3v2.4.0-structure
 */
export function id3Bytes(bytes: Uint8Array, at = 0): number {
  if (bytes[at] !== 0x49 || bytes[at + 1] !== 0x44 || bytes[at + 2] !== 0x33 || at + 10 > bytes.length) return 0;
  let size = 0;
  for (let index = at + 6; index < at + 10; index++) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x80) return 0;
    size = size * 128 + byte;
  }
  return 10 + size + ((bytes[at + 5] ?? 0) & 0x10 ? 10 : 0);
}
