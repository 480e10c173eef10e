// WebM and Matroska (RFC 9559): sums the packets in their blocks, whatever times the file claims.
import { OPUS_RATE, opusSamples } from '../audio/ogg/opus-packet.ts';
import { createByteParser } from './byte-parser.ts';
import { type Counter, type Duration, estimate, UNCOUNTABLE } from './duration.ts';
import { aacSeconds } from './mp4.ts';
import { readVorbis, SETUP_TAIL, type VorbisStream } from './vorbis.ts';

/** Elements whose children are parsed. Their size is ignored, so that a false one hides nothing. */
const MASTERS = new Set([0x1a45dfa3, 0x18538067, 0x1f43b675, 0xa0, 0x1654ae6b, 0xae, 0xe1]);
const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
/** Blocks are transformed, so their first byte means nothing. */
const CONTENT_ENCODINGS = 0x6d80;
const BLOCKS = [0xa3, 0xa1];

/** Elements that must be complete to be read: blocks with audio, and the headers of Vorbis. */
const MAX_READ = 128 * 1024;
const MAX_HEADER = 12;
const MAX_TRACKS = 64;

/** The file's description of a track. */
interface Entry {
  number: number;
  codec: string;
  vorbis: VorbisStream | null;
  /** Duration of a frame, if all have the same; null = unknown. */
  frameSeconds: number | null;
}

/** What the blocks of a track contain. */
interface Sums {
  /** Seconds if it is Opus, and if it is Vorbis. */
  opus: number;
  vorbis: number;
  /** Frames in its blocks. */
  frames: number;
  bytes: number;
}

export function createWebmCounter(): Counter {
  const entries: Entry[] = [];
  /** What was counted by track number; blocks may precede the entry. */
  const sums = new Map<number, Sums>();
  let all = 0;
  let skipped = 0;
  let isUncountable = false;
  let hasEnded = false;

  const parser = createByteParser(MAX_READ + MAX_HEADER, (bytes, at, isLast) => {
    if (isUncountable) return bytes.length - at;
    if (bytes.length - at < MAX_HEADER && !isLast) return 0;
    const id = readNumber(bytes, at, 4, true);
    const size = id && readNumber(bytes, at + id.length, 8, false);
    if (!id || !size) {
      skipped += 1;
      return 1;
    }
    const header = id.length + size.length;
    if (id.value === TRACK_ENTRY) entries.push({ number: 0, codec: '', vorbis: null, frameSeconds: null });
    if (MASTERS.has(id.value)) return header;
    isUncountable ||= id.value === CONTENT_ENCODINGS || entries.length > MAX_TRACKS;
    const start = at + header;
    const isBlock = BLOCKS.includes(id.value);
    const isWanted = isBlock || [TRACK_NUMBER, CODEC_ID, CODEC_PRIVATE].includes(id.value);
    if (isWanted && size.value <= MAX_READ) {
      if (bytes.length < start + size.value && !isLast) return 0;
      take(id.value, bytes.subarray(start, start + size.value));
    } else if (isBlock) takeBlock(bytes.subarray(start, start + MAX_HEADER), size.value);
    else skipped += Math.min(size.value, Number.MAX_SAFE_INTEGER);
    return header + size.value;
  });

  function take(id: number, content: Buffer): void {
    const entry = entries.at(-1);
    if (BLOCKS.includes(id)) takeBlock(content, content.length);
    else if (!entry) return;
    else if (id === CODEC_ID) entry.codec = content.toString('latin1').replace(/\0.*/s, '');
    else if (id === CODEC_PRIVATE) {
      entry.vorbis = vorbisIn(content);
      entry.frameSeconds = aacSeconds(content);
    } else if (content.length > 0 && content.length <= 6) entry.number = content.readUIntBE(0, content.length);
  }

  function sumsOf(number: number): Sums {
    const found = sums.get(number) ?? { frames: 0, bytes: 0, opus: 0, vorbis: 0 };
    sums.set(number, found);
    isUncountable ||= sums.size > MAX_TRACKS;
    return found;
  }

  /** @param size of the whole block, of which `content` may be only the beginning */
  function takeBlock(content: Buffer, size: number): void {
    const number = readNumber(content, 0, 8, false);
    if (!number) return;
    const track = sumsOf(number.value);
    const vorbis = entries.find((entry) => entry.number === number.value)?.vorbis;
    track.bytes += size;
    const flags = content[number.length + 2] ?? 0;
    for (const frame of framesIn(content.subarray(number.length + 3), (flags >> 1) & 3)) {
      track.frames += 1;
      track.opus += opusSamples(frame) / OPUS_RATE;
      if (vorbis && frame.length > 0) track.vorbis += vorbis.samplesOf(frame[0] ?? 0) / vorbis.rate;
    }
  }

  return {
    push(bytes) {
      all += bytes.length;
      parser.push(bytes);
    },
    end() {
      parser.end();
      hasEnded = true;
    },
    duration() {
      if (isUncountable) return UNCOUNTABLE;
      // Players play one of several tracks; if several entries describe a track, any may apply. The longest counts.
      const lengths = [...sums].flatMap(([number, sum]) => {
        const known = entries.filter((entry) => entry.number === number);
        return known.length > 0 ? known.map((entry) => lengthOf(entry, sum)) : [lengthOf(null, sum)];
      });
      // Most of it was skipped here, but a player may not skip it.
      if (hasEnded && skipped * 2 > all) lengths.push(estimate(all));
      return lengths.reduce((longest, one) => (one.seconds > longest.seconds ? one : longest), { seconds: 0, isMeasured: true });
    },
  };
}

function lengthOf(entry: Entry | null, { frames, bytes, opus, vorbis }: Sums): Duration {
  if (!entry || entry.codec === 'A_OPUS') return { seconds: opus, isMeasured: true };
  if (entry.vorbis) return { seconds: vorbis, isMeasured: true };
  if (entry.codec === 'A_AAC' && entry.frameSeconds) return { seconds: frames * entry.frameSeconds, isMeasured: true };
  return entry.codec.startsWith('A_') ? estimate(bytes) : { seconds: 0, isMeasured: true };
}

/** A variable-length number (RFC 8794, section 4); ids keep their marker. An unknown size becomes 0, so that the content is parsed. */
function readNumber(bytes: Buffer, at: number, most: number, keepsMarker: boolean): { value: number; length: number } | null {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || length > most || at + length > bytes.length) return null;
  let value = keepsMarker ? first : first & (0xff >> length);
  let isUnknown = !keepsMarker && value === 0xff >> length;
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? 0 : value, length };
}

/** The frames laced into one block (RFC 9559, section 10.3), none longer than what is there. */
function framesIn(content: Buffer, lacing: number): Buffer[] {
  if (lacing === 0) return [content];
  const count = (content[0] ?? 0) + 1;
  let at = 1;
  const sizes: number[] = [];
  for (let index = 0; lacing !== 2 && index < count - 1; index++) {
    if (lacing === 1) {
      let size = 0;
      while (content[at] === 255) {
        size += 255;
        at += 1;
      }
      sizes.push(size + (content[at] ?? 0));
      at += 1;
    } else {
      const number = readNumber(content, at, 8, false);
      if (!number) break;
      // The first is a size, the others are signed differences.
      const shift = index === 0 ? 0 : 2 ** (7 * number.length - 1) - 1;
      sizes.push(Math.max(0, number.value - shift + (index === 0 ? 0 : (sizes[index - 1] ?? 0))));
      at += number.length;
    }
  }
  if (lacing === 2) sizes.push(...Array<number>(count - 1).fill(Math.floor((content.length - at) / count)));
  return [...sizes, Number.POSITIVE_INFINITY].map((size) => {
    const frame = content.subarray(at, Math.min(content.length, at + size));
    at = Math.min(content.length, at + size);
    return frame;
  });
}

/** Three laced headers (https://www.matroska.org/technical/codec_specs.html): the first has the rate, the last the modes. */
function vorbisIn(content: Buffer): VorbisStream | null {
  if (content[0] !== 2) return null;
  let at = 1;
  while (at < content.length && content[at] === 255) at += 1;
  const identBytes = (at - 1) * 255 + (content[at] ?? 0);
  at += 1;
  while (at < content.length && content[at] === 255) at += 1;
  at += 1;
  return readVorbis(content.subarray(at, at + identBytes), content.subarray(Math.max(at, content.length - SETUP_TAIL)));
}
