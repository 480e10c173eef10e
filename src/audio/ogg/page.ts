// Pages of Ogg (RFC 3533, section 6): their headers, and a stream of bytes split into the parts of packets on them.
import { hasMagic } from '../bytes.ts';
import { type ByteParser, createByteParser } from '../containers/byte-parser.ts';

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

interface PacketPart {
  bytes: number;
  /** False: the packet goes on in the next page. */
  isEnding: boolean;
}

/** Offset of the next page from `at` on, or of what may be the beginning of one at the end; the number of bytes if there is none. */
function findPage(bytes: Uint8Array, at = 0): number {
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

/** The headers of the pages of a file that is there as a whole; bytes between pages are passed over. */
export function* pagesIn(file: Uint8Array): Generator<PageHeader> {
  for (let page = readPageHeader(file, findPage(file)); page; page = readPageHeader(file, findPage(file, page.end))) yield page;
}

const MAX_PAGE_BYTES = HEADER_BYTES + 255 + 255 * 255;

export interface PageReaderOptions {
  /**
   * Without it, a part is passed on as soon as its last byte is there, and a page of an unknown version is none. With it, a page is passed on
   * as a whole, whatever its checksum and version; one with a wrong checksum is then searched for others, too.
   */
  isVerifying: boolean;
  onPage(header: PageHeader): void;
  /** The next part of a packet on this page, which shares memory with what was pushed. It may be cut at the end of the stream. */
  onPart(part: Buffer, isEnding: boolean): void;
  /** The page ends. @param isGood false if the checksum is wrong; true if it isn't verified */
  onPageEnd(isGood: boolean): void;
  /** Whether the rest of the stream is to be passed over. */
  isOver?(): boolean;
}

/** Reads pages from bytes that are chunked anywhere, and passes over anything between them, so that a damaged page costs only itself. */
export function createPageReader({ isVerifying, onPage, onPart, onPageEnd, isOver }: PageReaderOptions): ByteParser {
  let page: PageHeader | null = null;
  /** Index of its next part. */
  let next = 0;

  return createByteParser(MAX_PAGE_BYTES, (bytes, at, isLast) => {
    if (isOver?.()) return bytes.length - at;
    let end = at;
    if (!page) {
      const start = findPage(bytes, at);
      if (start > at) return start - at;
      // Version 0 is the only one that exists; anything else is a chance match.
      if (!isVerifying && (bytes[at + 4] ?? 0) !== 0) return 1;
      const header = readPageHeader(bytes, at);
      if (!header || (isVerifying && bytes.length < header.end && !isLast)) return 0;
      page = header;
      next = 0;
      onPage(page);
      end = header.body;
    }
    for (let part = page.parts[next]; part; part = page.parts[++next]) {
      if (bytes.length - end < part.bytes && !isLast) return end - at;
      onPart(bytes.subarray(end, end + part.bytes), part.isEnding);
      end += part.bytes;
    }
    const isGood = !isVerifying || (bytes.length >= end && checksum(bytes, at, end) === page.checksum);
    page = null;
    onPageEnd(isGood);
    return isGood ? end - at : CAPTURE_PATTERN.length;
  });
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
  for (const [magic, codec] of CODECS) if (hasMagic(packet, magic)) return codec;
  return null;
}
