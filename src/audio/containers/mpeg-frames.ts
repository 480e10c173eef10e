// MPEG audio as successive frames: their headers (layers I to III, so MP3 too, and AAC in ADTS), and a stream of bytes split into those of MP3
// for the decoder, which gets no tags and no garbage.
import { type ByteParser, createByteParser } from './byte-parser.ts';

export interface FrameHeader {
  /** Length of the frame, header included. */
  bytes: number;
  /** Duration of its sound. */
  seconds: number;
  /** Version, layer and rate: the same in all frames of one stream. */
  signature: number;
}

export interface Mp3Header extends FrameHeader {
  mono: boolean;
}

/** kbit/s by index: MPEG-1 layers I, II and III, then MPEG-2 layers I, II and III (ISO 11172-3, 13818-3). */
const KBITS: Record<string, readonly number[]> = {
  '1:1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1:2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1:3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2:1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2:2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2:3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
/** Hz by index for MPEG-1; half of that for MPEG-2, a quarter for MPEG-2.5. */
const MPEG_RATES = [44_100, 48_000, 32_000];

/** Parses the 4-byte header at `at` (ISO 11172-3, section 2.4.1.3). Returns null if there is none, or one with a free-format bit rate. */
export function parseMp3Header(bytes: Uint8Array, at: number): Mp3Header | null {
  // By index: destructuring costs an iterator per frame.
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  const fourth = bytes[at + 3];
  if (fourth === undefined || bytes[at] !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const version = (second >> 3) & 3; // 0 = 2.5, 2 = 2, 3 = 1
  const layer = 4 - ((second >> 1) & 3);
  const rateIndex = (third >> 2) & 3;
  const rate = (MPEG_RATES[rateIndex] ?? 0) >> (version === 3 ? 0 : version === 2 ? 1 : 2);
  const kbits = KBITS[`${version === 3 ? 1 : 2}:${layer}`]?.[third >> 4];
  if (version === 1 || !kbits || rate === 0) return null;
  const padding = (third >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152;
  const length = layer === 1 ? (Math.floor((12_000 * kbits) / rate) + padding) * 4 : Math.floor((samples * 125 * kbits) / rate) + padding;
  return { bytes: length, seconds: samples / rate, mono: fourth >> 6 === 3, signature: (version << 8) | (layer << 4) | rateIndex };
}

/** Hz by index: ISO 14496-3, table 1.18. */
export const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
/** Bytes of an ADTS header that are read. */
const ADTS_HEADER_BYTES = 7;

/** Parses the header of AAC in ADTS at `at` (ISO 14496-3, section 1.A.3.2), like MP3's with a layer of 0. Returns null if there is none. */
export function parseAdtsHeader(bytes: Uint8Array, at: number): FrameHeader | null {
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  const seventh = bytes[at + 6];
  if (seventh === undefined || bytes[at] !== 0xff || (second & 0xf6) !== 0xf0) return null;
  const rate = AAC_RATES[(third >> 2) & 15];
  const length = (((bytes[at + 3] ?? 0) & 3) << 11) | ((bytes[at + 4] ?? 0) << 3) | ((bytes[at + 5] ?? 0) >> 5);
  if (!rate || length < ADTS_HEADER_BYTES) return null;
  return { bytes: length, seconds: (((seventh & 3) + 1) * 1024) / rate, signature: ((second & 0xfe) << 8) | (third & 0x3c) };
}

/** An AAC frame has at most 8191 bytes, which is more than MP3's, and the header after it confirms it. */
const MAX_NEEDED = 8191 + ADTS_HEADER_BYTES;

export interface MpegReaderOptions<H extends FrameHeader> {
  parse(bytes: Uint8Array, at: number): H | null;
  /**
   * As players do: the first frame isn't confirmed, so that it is heard at once, and tags are passed over. Whoever counts believes neither:
   * a tag may claim to be longer than the file.
   */
  isTrusting: boolean;
  /** Called for each frame. Only the last one may be shorter than its header says; it shares memory with what was pushed. */
  onFrame(header: H, frame: Uint8Array): void;
  /** Called for bytes outside of frames. */
  onLost(bytes: number): void;
}

/**
 * Splits a stream, chunked anywhere, into frames, and passes over anything between them. What looks like a frame is one if it is like the
 * frame that ends where it begins or the one that begins where it ends, or if the stream ends with it.
 */
export function createMpegReader<H extends FrameHeader>({ parse, isTrusting, onFrame, onLost }: MpegReaderOptions<H>): ByteParser {
  /** Of the frame that ends right here; null = none does. */
  let signature: number | 'start' | null = isTrusting ? 'start' : null;

  const lose = (count: number) => {
    signature = null;
    onLost(count);
    return count;
  };

  return createByteParser(MAX_NEEDED, (bytes, at, isLast) => {
    const tag = isTrusting ? tagBytes(bytes, at) : 0;
    if (bytes.length - at < ID3_HEADER_BYTES && !isLast) return 0;
    if (tag > 0) return tag;
    if (bytes[at] !== 0xff) {
      const start = isTrusting ? at + 1 : bytes.indexOf(0xff, at);
      return lose((start < 0 ? bytes.length : start) - at);
    }
    const header = parse(bytes, at);
    if (!header) return lose(1);
    const next = at + header.bytes;
    const isExpected = signature === 'start' || signature === header.signature;
    if (bytes.length < next + (isExpected ? 0 : ADTS_HEADER_BYTES) && !isLast) return 0;
    if (!isExpected && bytes.length !== next && parse(bytes, next)?.signature !== header.signature) return lose(1);
    signature = header.signature;
    onFrame(header, bytes.subarray(at, next));
    return header.bytes;
  });
}

export interface Mp3Frame {
  frame: Uint8Array;
  mono: boolean;
}

export interface Mp3Framer {
  push(bytes: Uint8Array): Mp3Frame[];
  /** The last frame, if it was waiting to be confirmed by a next one. */
  end(): Mp3Frame[];
  /** The last frame is incomplete. */
  readonly cut: boolean;
  /** Bytes skipped since the last frame. */
  readonly lost: number;
}

export function createMp3Framer(): Mp3Framer {
  const frames: Mp3Frame[] = [];
  let lost = 0;
  let cut = false;
  const reader = createMpegReader({
    parse: parseMp3Header,
    isTrusting: true,
    onFrame({ bytes, mono }, frame) {
      lost = 0;
      cut = frame.length < bytes;
      if (!cut) frames.push({ frame, mono });
    },
    onLost(bytes) {
      lost += bytes;
    },
  });

  return {
    push(bytes) {
      reader.push(bytes);
      return frames.splice(0);
    },
    end() {
      reader.end();
      return frames.splice(0);
    },
    get cut() {
      return cut;
    },
    get lost() {
      return lost;
    },
  };
}

/** Length of the tag at `at`: an ID3 of version 2, or one of version 1, which always has 128 bytes; 0 if there is none. */
function tagBytes(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0xff) return 0;
  return bytes[at] === 0x54 && bytes[at + 1] === 0x41 && bytes[at + 2] === 0x47 ? 128 : id3Bytes(bytes, at);
}

const ID3_HEADER_BYTES = 10;

/**
 * Length of the ID3 tag of version 2 at `at`, with its header; 0 if there is none, or it is damaged, which decoders pass over like any bytes:
 * https://id3.org/id3v2.4.0-structure
 */
export function id3Bytes(bytes: Uint8Array, at = 0): number {
  if (bytes[at] !== 0x49 || bytes[at + 1] !== 0x44 || bytes[at + 2] !== 0x33 || at + ID3_HEADER_BYTES > bytes.length) return 0;
  let size = 0;
  for (let index = at + 6; index < at + 10; index++) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x80) return 0;
    size = size * 128 + byte;
  }
  return ID3_HEADER_BYTES + size + ((bytes[at + 5] ?? 0) & 0x10 ? ID3_HEADER_BYTES : 0);
}

/** Length of the ID3v2 tags at the beginning; cover pictures can make them megabytes long. */
export function id3Length(bytes: Uint8Array): number {
  let at = 0;
  for (let tag = id3Bytes(bytes); tag > 0; tag = id3Bytes(bytes, at)) at = Math.min(bytes.length, at + tag);
  return at;
}

/** How far into a file the first MP3 frame may be: some begin with the end of a frame that was cut, or with an unknown tag. */
const MP3_SEARCH = 64 * 1024;
/** Frames in a row that prove an MP3: bytes that look like one header are everywhere. */
const MP3_PROOF = 3;

/** Whether MPEG audio begins within the first bytes. */
export function hasMp3(bytes: Uint8Array): boolean {
  let frames = 0;
  let isProven = false;
  let isOnlyFrames = true;
  const reader = createMpegReader({
    parse: parseMp3Header,
    isTrusting: true,
    onFrame() {
      frames++;
      isProven ||= frames >= MP3_PROOF;
    },
    onLost() {
      frames = 0;
      isOnlyFrames = false;
    },
  });
  reader.push(bytes.subarray(0, MP3_SEARCH));
  reader.end();
  return isProven || (isOnlyFrames && frames > 0);
}
