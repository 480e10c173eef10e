// Splits a stream of bytes into MPEG audio frames: the decoder gets no tags and no garbage.

export interface Mp3Header {
  /** Length of the frame, header included. */
  bytes: number;
  mono: boolean;
  /** Version, layer and rate: the same in all frames of one stream. */
  signature: number;
}

/** kbit/s by index: MPEG-1 layers I, II and III, then MPEG-2 layers I, II and III (ISO 11172-3, 13818-3). */
export const KBITS: Record<string, readonly number[]> = {
  '1:1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1:2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1:3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2:1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2:2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2:3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
/** Hz by index for MPEG-1; half of that for MPEG-2, a quarter for MPEG-2.5. */
export const MPEG_RATES = [44_100, 48_000, 32_000];

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
  const length =
    layer === 1
      ? (Math.floor((12_000 * kbits) / rate) + padding) * 4
      : Math.floor(((layer === 3 && version !== 3 ? 72_000 : 144_000) * kbits) / rate) + padding;
  return { bytes: length, mono: fourth >> 6 === 3, signature: (version << 8) | (layer << 4) | rateIndex };
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

/** Length of an ID3 tag at `at`: version 2 stores its size in 7-bit bytes, version 1 always has 128. 0 if there is none. */
function tagBytes(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0xff) return 0;
  const [a, b, c, , , flags = 0, s1 = 0, s2 = 0, s3 = 0, s4] = bytes.subarray(at, at + 10);
  if (a === 0x49 && b === 0x44 && c === 0x33 && s4 !== undefined) {
    return 10 + ((s1 & 0x7f) << 21) + ((s2 & 0x7f) << 14) + ((s3 & 0x7f) << 7) + (s4 & 0x7f) + (flags & 0x10 ? 10 : 0);
  }
  return a === 0x54 && b === 0x41 && c === 0x47 ? 128 : 0;
}
