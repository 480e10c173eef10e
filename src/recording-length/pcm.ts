// Sound without compression: WAV (RF64 too) and AIFF. All bytes from the first sample on count, by the lowest rate that the header allows.
import { createFeed } from './feed.ts';
import { type Counter, estimate } from './types.ts';

/** No recording is made outside of these (Hz, channels); headers that lie are. */
const HIGHEST_RATE = 384_000;
const MOST_CHANNELS = 64;
/** Bytes a second below which a header's own figure is taken for none: 8 kHz, 8 bits. */
const LOWEST_STATED = 8000;
/** Codes of WAV for samples of a fixed size: integers, floats, A-law, mu-law; the last says that the real one is further on. */
const FIXED_SIZE = [1, 3, 6, 7];
const EXTENSIBLE = 0xfffe;
const FORMAT_BYTES = 40;

/** Bytes a second; null if its samples have no fixed size. The lower a rate, the longer the sound: a figure that lies makes it no shorter. */
function wavRate(format: Buffer): number | null {
  if (format.length < 16) return null;
  const code = format.readUInt16LE(0);
  const real = code === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : code;
  const [channels, rate, stated, bits] = [format.readUInt16LE(2), format.readUInt32LE(4), format.readUInt32LE(8), format.readUInt16LE(14)];
  if (!FIXED_SIZE.includes(real)) return null;
  const computed = fixedRate(rate, channels, bits);
  return computed && stated >= LOWEST_STATED ? Math.min(computed, stated) : computed;
}

function aiffRate(format: Buffer): number | null {
  if (format.length < 18) return null;
  // AIFF-C may be compressed; these are not.
  const kind = format.length >= 22 ? format.toString('latin1', 18, 22) : 'NONE';
  if (!['NONE', 'twos', 'sowt', 'fl32', 'FL32', 'fl64', 'FL64', 'in24', 'in32', 'ulaw', 'alaw'].includes(kind)) return null;
  // An 80-bit float, of which the whole part is wanted.
  const exponent = format.readUInt16BE(8) - 16_383;
  const rate = exponent >= 0 && exponent < 31 ? Math.floor(format.readUInt32BE(10) / 2 ** (31 - exponent)) : 0;
  return fixedRate(rate, format.readUInt16BE(0), kind.endsWith('law') ? 8 : format.readUInt16BE(6));
}

function fixedRate(rate: number, channels: number, bits: number): number | null {
  const isPlausible = rate > 0 && rate <= HIGHEST_RATE && channels > 0 && channels <= MOST_CHANNELS && bits > 0 && bits <= 64;
  return isPlausible ? rate * channels * Math.ceil(bits / 8) : null;
}

/** A form of chunks, from its first byte on. Where several headers stand before the samples, the lowest rate counts. */
function createChunkCounter(isBigEndian: boolean, names: { format: string; samples: string }, rateOf: (format: Buffer) => number | null) {
  let stage: 'mark' | 'chunks' | 'samples' = 'mark';
  let rate: number | null = null;
  let all = 0;
  let samples = 0;

  const feed = createFeed(8 + FORMAT_BYTES, (bytes, at, isLast) => {
    if (stage === 'mark') {
      stage = 'chunks';
      return 12;
    }
    if (stage === 'samples') {
      samples += bytes.length - at;
      return bytes.length - at;
    }
    if (bytes.length - at < 8 + FORMAT_BYTES && !isLast) return 0;
    if (bytes.length - at < 8) return bytes.length - at;
    const name = bytes.toString('latin1', at, at + 4);
    const size = isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    if (name === names.samples) {
      stage = 'samples';
      return 8;
    }
    if (name === names.format) {
      const found = rateOf(bytes.subarray(at + 8, at + 8 + Math.min(size, FORMAT_BYTES)));
      rate = rate === null || found === null ? found : Math.min(rate, found);
    }
    return 8 + size + (size & 1);
  });

  return {
    push(bytes: Uint8Array) {
      all += bytes.length;
      feed.push(bytes);
    },
    end: feed.end,
    length: () =>
      stage === 'samples' && rate === null ? estimate(all) : { seconds: rate === null ? 0 : samples / rate, isMeasured: true },
  };
}

export const createWavCounter = (): Counter => createChunkCounter(false, { format: 'fmt ', samples: 'data' }, wavRate);

export const createAiffCounter = (): Counter => createChunkCounter(true, { format: 'COMM', samples: 'SSND' }, aiffRate);
