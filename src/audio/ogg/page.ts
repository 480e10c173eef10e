// The header of an Ogg page (RFC 3533, section 6).

/** "OggS" */
export const CAPTURE_PATTERN = [0x4f, 0x67, 0x67, 0x53] as const;
/** Size of a page's header without the lacing table. */
export const HEADER_BYTES = 27;

// Header type flags.
export const CONTINUED_PACKET = 1;
export const FIRST_PAGE = 2;
export const LAST_PAGE = 4;

// CRC-32 with polynomial 0x04c11db7, not reflected, starting at 0 (RFC 3533, section 6).
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 0x8000_0000 ? (remainder << 1) ^ 0x04c1_1db7 : remainder << 1;
  return remainder;
});

/** Where the checksum is in a page. */
const CHECKSUM_AT = 22;

/** Checksum of the page from `from` to `to`, as if its own checksum field were 0. */
export function checksum(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const field = from + CHECKSUM_AT;
  let crc = 0;
  for (let at = from; at < to; at++) {
    const byte = at >= field && at < field + 4 ? 0 : (bytes[at] as number);
    crc = ((crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] as number)) >>> 0;
  }
  return crc;
}

export interface PageHeader {
  flags: number;
  /** Where the page ends in the stream; -1 = no packet ends on it. */
  granule: bigint;
  serial: number;
  checksum: number;
  /** What it holds of each packet, one after the other. */
  parts: PacketPart[];
  /** Offset of the first of them. */
  body: number;
  /** Offset of the end of the page, whether or not all of it is there. */
  end: number;
}

export interface PacketPart {
  bytes: number;
  /** False: the packet goes on in the next page. */
  isEnding: boolean;
}

/** Offset of the next page from `at` on, or of what may be the beginning of one at the end; the number of bytes if there is none. */
export function findPage(bytes: Uint8Array, at = 0): number {
  for (let start = bytes.indexOf(CAPTURE_PATTERN[0], at); start >= 0; start = bytes.indexOf(CAPTURE_PATTERN[0], start + 1))
    if (CAPTURE_PATTERN.every((byte, index) => start + index >= bytes.length || bytes[start + index] === byte)) return start;
  return bytes.length;
}

/** Reads the header of the page at `at`; null if not all of it is there. */
export function readPageHeader(bytes: Uint8Array, at = 0): PageHeader | null {
  const body = at + HEADER_BYTES + (bytes[at + HEADER_BYTES - 1] ?? 0);
  if (bytes.length < at + HEADER_BYTES || bytes.length < body) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, HEADER_BYTES);
  const parts = partsOf(bytes.subarray(at + HEADER_BYTES, body));
  return {
    flags: view.getUint8(5),
    granule: view.getBigInt64(6, true),
    serial: view.getUint32(14, true),
    checksum: view.getUint32(CHECKSUM_AT, true),
    parts,
    body,
    end: parts.reduce((end, part) => end + part.bytes, body),
  };
}

/** A packet ends with the first segment of less than 255 bytes. @param lacing the sizes of the segments */
function partsOf(lacing: Uint8Array): PacketPart[] {
  const parts: PacketPart[] = [];
  let bytes = 0;
  for (let index = 0; index < lacing.length; index++) {
    const size = lacing[index] ?? 0;
    bytes += size;
    if (size === 255 && index < lacing.length - 1) continue;
    parts.push({ bytes, isEnding: size < 255 });
    bytes = 0;
  }
  return parts;
}

const CODECS = [
  ['OpusHead', 'Opus'],
  ['\x01vorbis', 'Vorbis'],
  ['\x7fFLAC', 'FLAC'],
  ['Speex', 'Speex'],
  ['\x80theora', 'Theora'],
] as const;

/** The codec of a stream, by its first packet; null if it is unknown. */
export function codecOf(packet: Uint8Array): (typeof CODECS)[number][1] | null {
  const start = Buffer.from(packet.buffer, packet.byteOffset, Math.min(8, packet.length)).toString('latin1');
  return CODECS.find(([magic]) => start.startsWith(magic))?.[1] ?? null;
}
