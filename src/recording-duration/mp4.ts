// MP4, M4A and QuickTime (ISO 14496-12): counts samples in tables and fragments; the codec determines how long each is. The index may
// come last, so the duration may be known only at the end.
import { createByteParser } from '../audio/containers/byte-parser.ts';
import { AAC_RATES } from '../audio/containers/mpeg-frames.ts';
import { type Counter, type Duration, estimate, UNCOUNTABLE } from './duration.ts';

/** Boxes whose children are parsed. */
const PARENTS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'moof', 'traf'];
const READ = ['mvhd', 'tkhd', 'mdhd', 'hdlr', 'stsd', 'stts', 'stsz', 'stz2', 'elst', 'tfhd', 'trun'];
/** Bytes of one box; time tables of audio have one entry. Of other boxes the beginning is enough. */
const MAX_READ = 256 * 1024;
const BEGINNING = 64;
const WHOLE = ['stsd', 'stts', 'elst'];
const MAX_TRACKS = 64;

interface Track {
  id: number;
  isSound: boolean;
  timescale: number;
  /** Duration of one sample, determined by the codec; null = unknown. */
  sampleSeconds: number | null;
  samples: number;
  /** Seconds according to the time table, and to the edit list. */
  stated: number;
  edited: number;
}

export function createMp4Counter(): Counter {
  const tracks: Track[] = [];
  let movieTimescale = 0;
  let fragmentOf = 0;
  let all = 0;
  let isUncountable = false;

  const parser = createByteParser(MAX_READ + 16, (bytes, at, isLast) => {
    if (isUncountable) return bytes.length - at;
    if (bytes.length - at < 16 && !isLast) return 0;
    if (bytes.length - at < 8) return bytes.length - at;
    const short = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const isLong = short === 1 && bytes.length - at >= 16;
    const header = isLong ? 16 : 8;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    // 0 = to the end of the file. Any other size below the header's own is invalid, and nothing can be read after it.
    if (size < header && size !== 0) return Number.POSITIVE_INFINITY;
    if (PARENTS.includes(type)) {
      if (type === 'trak') addTrack();
      return header;
    }
    const end = size === 0 ? Number.POSITIVE_INFINITY : size;
    if (!READ.includes(type)) return end;
    const wanted = WHOLE.includes(type) ? end : Math.min(end, header + BEGINNING);
    if (wanted > MAX_READ) {
      isUncountable = true;
      return end;
    }
    if (bytes.length - at < wanted && !isLast) return 0;
    take(type, bytes.subarray(at + header, at + wanted));
    return end;
  });

  function addTrack(): void {
    tracks.push({ id: 0, isSound: false, timescale: 0, sampleSeconds: null, samples: 0, stated: 0, edited: 0 });
    isUncountable ||= tracks.length > MAX_TRACKS;
  }

  function take(type: string, content: Buffer): void {
    const word = (at: number) => (at + 4 <= content.length ? content.readUInt32BE(at) : 0);
    const isVersion1 = content[0] === 1;
    const track = tracks.at(-1);
    if (type === 'mvhd') movieTimescale = word(isVersion1 ? 20 : 12);
    else if (type === 'tfhd') fragmentOf = word(4);
    else if (type === 'trun') {
      const fragmented = tracks.find(({ id }) => id === fragmentOf);
      if (fragmented) fragmented.samples += word(4);
    } else if (!track) return;
    else if (type === 'tkhd') track.id = word(isVersion1 ? 20 : 12);
    else if (type === 'mdhd') track.timescale = word(isVersion1 ? 20 : 12);
    else if (type === 'hdlr') track.isSound ||= content.toString('latin1', 8, 12) === 'soun';
    else if (type === 'stsd') track.sampleSeconds = Math.max(track.sampleSeconds ?? 0, sampleSecondsOf(content) ?? 0) || null;
    else if (type === 'stsz' || type === 'stz2') track.samples += word(8);
    else if (type === 'stts' && track.timescale > 0) {
      for (let at = 8; at + 8 <= content.length; at += 8) track.stated += (word(at) * word(at + 4)) / track.timescale;
    } else if (type === 'elst' && movieTimescale > 0) {
      // A list that repeats a part makes the audio longer than its samples.
      const line = isVersion1 ? 20 : 12;
      for (let at = 8; at + line <= content.length; at += line)
        track.edited += (isVersion1 ? word(at) * 2 ** 32 + word(at + 4) : word(at)) / movieTimescale;
    }
  }

  return {
    push(bytes) {
      all += bytes.length;
      parser.push(bytes);
    },
    end: parser.end,
    duration() {
      if (isUncountable) return UNCOUNTABLE;
      const durations = tracks.filter(({ isSound }) => isSound).map((track) => durationOf(track, all));
      return durations.reduce((longest, one) => (one.seconds > longest.seconds ? one : longest), { seconds: 0, isMeasured: true });
    },
  };
}

function durationOf({ sampleSeconds, samples, stated, edited }: Track, bytes: number): Duration {
  const told = Math.max(stated, edited);
  if (sampleSeconds !== null) return { seconds: Math.max(told, samples * sampleSeconds), isMeasured: true };
  return { seconds: samples === 0 ? told : Math.max(told, estimate(bytes).seconds), isMeasured: false };
}

/** For AAC, MP3 and Apple Lossless, from their decoder configuration; null for everything else. */
function sampleSecondsOf(descriptions: Buffer): number | null {
  const entry = descriptions.toString('latin1', 12, 16);
  if (entry === 'alac') {
    const cookie = descriptions.indexOf('alac', 16, 'latin1');
    if (cookie < 0 || cookie + 32 > descriptions.length) return null;
    const rate = descriptions.readUInt32BE(cookie + 28);
    return rate === 0 ? null : descriptions.readUInt32BE(cookie + 8) / rate;
  }
  if (descriptions.length < 44) return null;
  const stated = descriptions.readUInt16BE(40);
  if (entry === '.mp3') return stated === 0 ? null : 1152 / stated;
  const esds = descriptions.indexOf('esds', 16, 'latin1');
  if (entry !== 'mp4a' || esds < 0) return null;
  const { object, config } = readDescriptor(descriptions.subarray(esds + 8));
  if (object === 0x69 || object === 0x6b) return stated === 0 ? null : 1152 / stated;
  if (object !== 0x40 && (object < 0x66 || object > 0x68)) return null;
  return aacSeconds(config);
}

/** The object type and the decoder configuration, from the descriptors of ISO 14496-1, section 7.2.6. */
function readDescriptor(bytes: Buffer): { object: number; config: Buffer } {
  let object = 0;
  for (let at = 0; at + 2 <= bytes.length; ) {
    const tag = bytes[at];
    let size = 0;
    let length = 1;
    for (; length <= 4; length++) {
      const byte = bytes[at + length] ?? 0;
      size = size * 128 + (byte & 0x7f);
      if (byte < 0x80) break;
    }
    at += 1 + length;
    if (tag === 5) return { object, config: bytes.subarray(at, at + size) };
    if (tag === 4) object = bytes[at] ?? 0;
    // Fields before the nested descriptors.
    at += tag === 3 ? 3 : tag === 4 ? 13 : size;
  }
  return { object, config: bytes.subarray(0, 0) };
}

/** From AudioSpecificConfig (ISO 14496-3, section 1.6.2): 1024 samples at the core rate; xHE-AAC may have 2048. */
export function aacSeconds(config: Buffer): number | null {
  if (config.length < 2) return null;
  const bits = (from: number, count: number) => {
    let value = 0;
    for (let at = from; at < from + count; at++) value = value * 2 + (((config[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const isEscaped = bits(0, 5) === 31;
  const kind = isEscaped ? 32 + bits(5, 6) : bits(0, 5);
  const from = isEscaped ? 11 : 5;
  const index = bits(from, 4);
  const rate = index === 15 ? bits(from + 4, 24) : (AAC_RATES[index] ?? 0);
  return rate === 0 ? null : (kind === 42 ? 2048 : 1024) / rate;
}
