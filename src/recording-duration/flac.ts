// FLAC (RFC 9639): sums the lengths in the frame headers, which their checksums tell from chance.
import { createByteParser } from '../audio/containers/byte-parser.ts';
import type { Counter } from './duration.ts';

const RATES = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const MAX_HEADER = 16;
const INFO_BYTES = 34;

/** The samples per second of a stream; 0 = unknown. @param block its STREAMINFO block with the header of 4 bytes */
export function readFlacRate(block: Buffer): number {
  return block.length < 4 + 13 ? 0 : block.readUIntBE(4 + 10, 3) >> 4;
}

/** The frame whose header is at `at`; null if there is none. If frame and stream differ in rate, the lower one counts. @param streamRate 0 = unknown */
export function readFlacFrame(bytes: Buffer, at: number, streamRate: number): { seconds: number; headerBytes: number } | null {
  if (bytes[at] !== 0xff || (bytes[at + 1] !== 0xf8 && bytes[at + 1] !== 0xf9)) return null;
  const [sizes = 0, layout = 0, first = 0] = bytes.subarray(at + 2, at + 5);
  const [sizeCode, rateCode] = [sizes >> 4, sizes & 15];
  if (sizeCode === 0 || rateCode === 15 || layout >> 4 > 10 || (layout & 0x0f) === 0x06 || layout & 1) return null;
  // The frame number is encoded like UTF-8, in up to 7 bytes.
  const numberBytes = first < 0x80 ? 1 : Math.clz32(~(first << 24));
  if (numberBytes > 7 || (first >= 0x80 && numberBytes < 2)) return null;
  let end = at + 4 + numberBytes;
  const sizeAt = end;
  end += sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const rateAt = end;
  end += rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0;
  if (end >= bytes.length || crc8(bytes, at, end) !== bytes[end]) return null;
  let samples = sizeCode === 1 ? 192 : sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8);
  if (sizeCode === 6) samples = bytes.readUInt8(sizeAt) + 1;
  if (sizeCode === 7) samples = bytes.readUInt16BE(sizeAt) + 1;
  let own = RATES[rateCode] ?? 0;
  if (rateCode === 12) own = bytes.readUInt8(rateAt) * 1000;
  if (rateCode > 12) own = bytes.readUInt16BE(rateAt) * (rateCode === 14 ? 10 : 1);
  const rates = [own, streamRate].filter((rate) => rate > 0);
  return { seconds: rates.length > 0 ? samples / Math.min(...rates) : 0, headerBytes: end + 1 - at };
}

/** Starts at `fLaC`. */
export function createFlacCounter(): Counter {
  let stage: 'mark' | 'blocks' | 'frames' = 'mark';
  let streamRate = 0;
  let seconds = 0;

  const parser = createByteParser(4 + INFO_BYTES, (bytes, at, isLast) => {
    if (stage === 'mark') {
      stage = 'blocks';
      return 4;
    }
    if (stage === 'blocks') {
      if (bytes.length - at < 4 + INFO_BYTES && !isLast) return 0;
      const kind = bytes[at] ?? 0;
      if ((kind & 0x7f) === 0) streamRate = readFlacRate(bytes.subarray(at));
      if (kind & 0x80) stage = 'frames';
      return 4 + (at + 4 <= bytes.length ? bytes.readUIntBE(at + 1, 3) : 0);
    }
    const start = bytes.indexOf(0xff, at);
    if (start < 0) return bytes.length - at;
    if (start > at) return start - at;
    if (bytes.length - at < MAX_HEADER && !isLast) return 0;
    const frame = readFlacFrame(bytes, at, streamRate);
    seconds += frame?.seconds ?? 0;
    return frame?.headerBytes ?? 1;
  });

  return { push: parser.push, end: parser.end, duration: () => ({ seconds, isMeasured: seconds > 0 }) };
}

const CRC_TABLE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 0x80 ? (remainder << 1) ^ 0x07 : remainder << 1;
  return remainder;
});

function crc8(bytes: Buffer, from: number, to: number): number {
  let crc = 0;
  for (let at = from; at < to; at++) crc = CRC_TABLE[crc ^ (bytes[at] as number)] as number;
  return crc;
}
