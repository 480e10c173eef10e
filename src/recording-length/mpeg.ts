// Raw MPEG audio (layers I to III, so MP3 too) and AAC in ADTS: successive frames, each as long as its header says.
import { KBITS, MPEG_RATES } from '../audio/decode/mp3-frames.ts';
import { createByteParser } from './byte-parser.ts';
import { type Counter, estimate } from './duration.ts';

interface Frame {
  bytes: number;
  seconds: number;
  /** Header bits that are constant within a stream. */
  signature: number;
}

/** An AAC frame has at most 8191 bytes, and the header after it confirms it. */
const ENOUGH_BYTES = 8191 + 8;

/** ISO 14496-3, table 1.18. */
export const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];

function readFrame(bytes: Buffer, at: number): Frame | null {
  // By index, because this runs at every byte that isn't audio.
  const kind = bytes[at + 1] ?? 0;
  if (bytes[at] !== 0xff || (kind & 0xe0) !== 0xe0) return null;
  return (kind & 0x06) === 0 ? readAdts(bytes, at) : readMpeg(bytes, at);
}

function readMpeg(bytes: Buffer, at: number): Frame | null {
  const [second, third] = [bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
  // Neither the free bit rate nor an invalid one.
  if (at + 4 > bytes.length || third >> 4 === 0 || third >> 4 === 15) return null;
  const version = (second >> 3) & 3; // 0 = 2.5, 2 = 2, 3 = 1
  const layer = 4 - ((second >> 1) & 3);
  const rate = (MPEG_RATES[(third >> 2) & 3] ?? 0) >> (version === 3 ? 0 : version === 2 ? 1 : 2);
  const kbits = KBITS[`${version === 3 ? 1 : 2}:${layer}`]?.[third >> 4];
  if (version === 1 || !kbits || rate === 0) return null;
  const padding = (third >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152;
  const length = layer === 1 ? (Math.floor((12_000 * kbits) / rate) + padding) * 4 : Math.floor((samples * 125 * kbits) / rate) + padding;
  return { bytes: length, seconds: samples / rate, signature: ((second & 0xfe) << 8) | (third & 0x0c) };
}

function readAdts(bytes: Buffer, at: number): Frame | null {
  const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh] = bytes.subarray(at, at + 7);
  const rate = AAC_RATES[(third >> 2) & 15];
  const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  if (seventh === undefined || (second & 0xf0) !== 0xf0 || !rate || length < 7) return null;
  return { bytes: length, seconds: (((seventh & 3) + 1) * 1024) / rate, signature: ((second & 0xfe) << 8) | (third & 0x3c) };
}

/** May start before the first frame: anything between frames is skipped. */
export function createMpegCounter(): Counter {
  let seconds = 0;
  let all = 0;
  let lost = 0;
  let hasEnded = false;
  /** Signature of the frame that ends right here, which confirms the next one; null = none does. */
  let signature: number | null = null;

  const lose = (count: number) => {
    signature = null;
    lost += count;
    return count;
  };

  const parser = createByteParser(ENOUGH_BYTES, (bytes, at, isLast) => {
    const start = bytes.indexOf(0xff, at);
    if (start !== at) return lose((start < 0 ? bytes.length : start) - at);
    if (bytes.length - at < 7 && !isLast) return 0;
    const frame = readFrame(bytes, at);
    if (!frame) return lose(1);
    if (frame.signature !== signature) {
      const next = at + frame.bytes;
      if (bytes.length < next + 7 && !isLast) return 0;
      if (bytes.length !== next && readFrame(bytes, next)?.signature !== frame.signature) return lose(1);
    }
    signature = frame.signature;
    seconds += frame.seconds;
    return frame.bytes;
  });

  return {
    push(bytes) {
      all += bytes.length;
      parser.push(bytes);
    },
    end() {
      parser.end();
      hasEnded = true;
    },
    // Mostly something else, perhaps free-format frames, which some decoders support.
    duration: () =>
      hasEnded && lost * 2 > all ? { ...estimate(all), seconds: Math.max(seconds, estimate(all).seconds) } : { seconds, isMeasured: true },
  };
}
