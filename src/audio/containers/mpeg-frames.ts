// MPEG audio as successive frames: their headers (layers I to III, so MP3 too, and AAC in ADTS), and a stream of bytes split into those of MP3
// for the decoder, which gets no tags and no garbage.

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
export const ADTS_HEADER_BYTES = 7;

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

export interface Mp3Framer {
  push(bytes: Uint8Array): Generator<{ frame: Uint8Array; mono: boolean }>;
  /** The last frame, if it was waiting to be confirmed by a next one. */
  end(): Generator<{ frame: Uint8Array; mono: boolean }>;
  /** The last frame is incomplete. */
  readonly cut: boolean;
  /** Bytes skipped since the last frame. */
  readonly lost: number;
}

export function createMp3Framer(): Mp3Framer {
  let buffer: Uint8Array = new Uint8Array(0);
  let skip = 0;
  let lost = 0;
  let cut = false;
  // Null after synchronisation was lost: the next frame is then accepted only if another follows it.
  let signature: number | null = null;
  let atStart = true;

  function* scan(complete: boolean): Generator<{ frame: Uint8Array; mono: boolean }> {
    let at = 0;
    try {
      while (at < buffer.length) {
        const skipped = Math.min(skip, buffer.length - at);
        skip -= skipped;
        at += skipped;
        const tag = tagBytes(buffer, at);
        if (!complete && (skip > 0 || buffer.length - at < 10)) return;
        if (tag > 0) {
          skip = tag;
          continue;
        }
        const header = parseMp3Header(buffer, at);
        const isExpected = header && (atStart || header.signature === signature);
        if (header && at + header.bytes > buffer.length) {
          cut = complete && (isExpected ?? false);
          if (!complete) return;
        } else if (header && !isExpected && !complete && at + header.bytes + 4 > buffer.length) {
          return;
        } else if (header && (isExpected || (complete && at + header.bytes === buffer.length) || isFollowed(header, at))) {
          const frame = buffer.subarray(at, at + header.bytes);
          at += header.bytes;
          signature = header.signature;
          atStart = false;
          lost = 0;
          yield { frame, mono: header.mono };
          continue;
        }
        at++;
        lost++;
        signature = null;
        atStart = false;
      }
    } finally {
      buffer = buffer.slice(at);
    }
  }

  function isFollowed(header: Mp3Header, at: number): boolean {
    return parseMp3Header(buffer, at + header.bytes)?.signature === header.signature;
  }

  return {
    push(bytes) {
      const joined = new Uint8Array(buffer.length + bytes.length);
      joined.set(buffer);
      joined.set(bytes, buffer.length);
      buffer = joined;
      return scan(false);
    },
    end: () => scan(true),
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
  const end = Math.min(bytes.length - 4, MP3_SEARCH);
  for (let start = 0; start <= end; start++) {
    if (bytes[start] !== 0xff) continue;
    let at = start;
    let frames = 0;
    for (let header = parseMp3Header(bytes, at); header; header = parseMp3Header(bytes, at)) {
      at += header.bytes;
      frames++;
      if (frames >= MP3_PROOF || (at >= bytes.length && start === 0)) return true;
    }
  }
  return false;
}
