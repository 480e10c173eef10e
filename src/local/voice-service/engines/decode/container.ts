// What a file is, by its content: names and declared types are not to be trusted.

/** Read in this process, or (`foreign`) by ffmpeg, whose name for the container is `demuxer`. */
export type Container =
  | { kind: 'wav' | 'mp3' | 'flac' | 'ogg-opus' | 'ogg-vorbis' | 'webm' }
  | { kind: 'foreign'; name: string; demuxer: string };

/** How far into a file the first MP3 frame may be: some begin with remains of a cut or of an unknown tag. */
const MP3_SEARCH = 64 * 1024;
/** Frames in a row that prove an MP3: bytes that look like one header are everywhere. */
const MP3_PROOF = 3;

/** Containers known by the bytes at their beginning that only ffmpeg reads. */
const FOREIGN: readonly { at: number; magic: string; name: string; demuxer: string }[] = [
  { at: 4, magic: 'ftyp', name: 'MP4 or M4A', demuxer: 'mov' },
  { at: 4, magic: 'moov', name: 'QuickTime', demuxer: 'mov' },
  { at: 4, magic: 'mdat', name: 'QuickTime', demuxer: 'mov' },
  { at: 4, magic: 'wide', name: 'QuickTime', demuxer: 'mov' },
  { at: 0, magic: 'FORM', name: 'AIFF', demuxer: 'aiff' },
  { at: 0, magic: 'caff', name: 'CAF', demuxer: 'caf' },
  { at: 0, magic: '#!AMR', name: 'AMR', demuxer: 'amr' },
  { at: 0, magic: '.snd', name: 'AU', demuxer: 'au' },
  { at: 0, magic: 'wvpk', name: 'WavPack', demuxer: 'wv' },
  { at: 0, magic: '\x30\x26\xb2\x75', name: 'WMA', demuxer: 'asf' },
];

/** @returns null when the bytes are no audio file this knows */
export function sniffContainer(file: Uint8Array): Container | null {
  const bytes = file.subarray(id3Length(file));
  if (hasText(bytes, 0, 'RIFF') || hasText(bytes, 0, 'RF64')) return hasText(bytes, 8, 'WAVE') ? { kind: 'wav' } : null;
  if (hasText(bytes, 0, 'fLaC')) return { kind: 'flac' };
  if (hasText(bytes, 0, 'OggS')) return sniffOgg(bytes);
  if (hasText(bytes, 0, '\x1a\x45\xdf\xa3')) return { kind: 'webm' };
  const foreign = FOREIGN.find(({ at, magic }) => hasText(bytes, at, magic));
  if (foreign) return { kind: 'foreign', name: foreign.name, demuxer: foreign.demuxer };
  if (isAdts(bytes)) return { kind: 'foreign', name: 'AAC', demuxer: 'aac' };
  if (findMp3(bytes) !== null) return { kind: 'mp3' };
  return null;
}

/** Length of the ID3v2 tags at the beginning; covers may make them megabytes long. */
export function id3Length(bytes: Uint8Array): number {
  let at = 0;
  while (hasText(bytes, at, 'ID3') && at + 10 <= bytes.length) {
    const size = [6, 7, 8, 9].reduce((sum, i) => sum * 128 + ((bytes[at + i] as number) & 0x7f), 0);
    const footer = (bytes[at + 5] as number) & 0x10 ? 10 : 0;
    at = Math.min(bytes.length, at + 10 + size + footer);
  }
  return at;
}

/** Where the first MPEG audio frame is, null when there is none. */
export function findMp3(bytes: Uint8Array): number | null {
  const end = Math.min(bytes.length - 4, MP3_SEARCH);
  for (let start = 0; start <= end; start++) {
    if (bytes[start] !== 0xff) continue;
    let at = start;
    let frames = 0;
    for (let length = mp3FrameLength(bytes, at); length > 0; length = mp3FrameLength(bytes, at)) {
      at += length;
      frames++;
      const complete = at >= bytes.length && frames > 0;
      if (frames >= MP3_PROOF || (complete && start === 0)) return start;
    }
  }
  return null;
}

/** kbit/s by index: MPEG-1 layers I, II and III, then MPEG-2 layer I, then II and III (ISO 11172-3, 13818-3). */
const BIT_RATES = {
  v1l1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  v1l2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  v1l3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2l1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  v2l23: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;

/** Bytes of the MPEG audio frame at this place; 0 when there is none. */
function mp3FrameLength(bytes: Uint8Array, at: number): number {
  const [sync, b1, b2] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (sync !== 0xff || b1 === undefined || b2 === undefined || (b1 & 0xe0) !== 0xe0) return 0;
  const version = (b1 >> 3) & 3; // 3 = MPEG-1, 2 = MPEG-2, 0 = MPEG-2.5
  const layer = 4 - ((b1 >> 1) & 3);
  const rateIndex = (b2 >> 2) & 3;
  if (version === 1 || layer === 4 || rateIndex === 3) return 0;
  const first = version === 3;
  const table = first ? BIT_RATES[layer === 1 ? 'v1l1' : layer === 2 ? 'v1l2' : 'v1l3'] : BIT_RATES[layer === 1 ? 'v2l1' : 'v2l23'];
  const bitRate = (table[b2 >> 4] ?? 0) * 1000;
  const sampleRate = ([44_100, 48_000, 32_000][rateIndex] as number) / (first ? 1 : version === 2 ? 2 : 4);
  const padding = (b2 >> 1) & 1;
  if (bitRate === 0) return 0;
  if (layer === 1) return (Math.floor((12 * bitRate) / sampleRate) + padding) * 4;
  const samples = layer === 3 && !first ? 72 : 144;
  return Math.floor((samples * bitRate) / sampleRate) + padding;
}

function sniffOgg(bytes: Uint8Array): Container {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  if (start.includes('OpusHead')) return { kind: 'ogg-opus' };
  if (start.includes('\x01vorbis')) return { kind: 'ogg-vorbis' };
  if (start.includes('\x7fFLAC')) return { kind: 'flac' };
  return { kind: 'foreign', name: 'Ogg without Opus, Vorbis or FLAC', demuxer: 'ogg' };
}

/** AAC frames in a row: like MP3's headers, but with a layer of 0. */
function isAdts(bytes: Uint8Array): boolean {
  const isHeader = (at: number) => bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xf6) === 0xf0;
  if (!isHeader(0) || bytes.length < 7) return false;
  const length = (((bytes[3] as number) & 3) << 11) | ((bytes[4] as number) << 3) | ((bytes[5] as number) >> 5);
  return length > 7 && isHeader(length);
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
