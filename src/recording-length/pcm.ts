// Uncompressed audio: WAV (including RF64) and AIFF. All bytes from the first sample on count, at the lowest rate that the header allows.
import { createByteParser } from './byte-parser.ts';
import { type Counter, estimate } from './duration.ts';

/** Beyond these (Hz, channels) a header is lying. */
const HIGHEST_RATE = 384_000;
const MAX_CHANNELS = 64;
/** Bytes per second below which a header's own figure is ignored: 8 kHz, 8 bits. */
const LOWEST_STATED = 8000;
/** WAV format codes with samples of fixed size: integers, floats, A-law, mu-law. EXTENSIBLE: the real code follows further on. */
const FIXED_SIZE = [1, 3, 6, 7];
const EXTENSIBLE = 0xfffe;
const FORMAT_BYTES = 40;

/** Bytes per second; null if samples have no fixed size. A lower rate means longer audio, so a lying figure can't make it shorter. */
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
  // AIFF-C may be compressed; these kinds aren't.
  const kind = format.length >= 22 ? format.toString('latin1', 18, 22) : 'NONE';
  if (!['NONE', 'twos', 'sowt', 'fl32', 'FL32', 'fl64', 'FL64', 'in24', 'in32', 'ulaw', 'alaw'].includes(kind)) return null;
  // The integer part of an 80-bit float.
  const exponent = format.readUInt16BE(8) - 16_383;
  const rate = exponent >= 0 && exponent < 31 ? Math.floor(format.readUInt32BE(10) / 2 ** (31 - exponent)) : 0;
  return fixedRate(rate, format.readUInt16BE(0), kind.endsWith('law') ? 8 : format.readUInt16BE(6));
}

function fixedRate(rate: number, channels: number, bits: number): number | null {
  const isPlausible = rate > 0 && rate <= HIGHEST_RATE && channels > 0 && channels <= MAX_CHANNELS && bits > 0 && bits <= 64;
  return isPlausible ? rate * channels * Math.ceil(bits / 8) : null;
}

/** A chunked file, from its first byte. If several headers precede the samples, the lowest rate counts. */
function createChunkCounter(isBigEndian: boolean, names: { format: string; samples: string }, rateOf: (format: Buffer) => number | null) {
  let stage: 'mark' | 'chunks' | 'samples' = 'mark';
  let rate: number | null = null;
  let all = 0;
  let samples = 0;

  const parser = createByteParser(8 + FORMAT_BYTES, (bytes, at, isLast) => {
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
      parser.push(bytes);
    },
    end: parser.end,
    duration: () =>
      stage === 'samples' && rate === null ? estimate(all) : { seconds: rate === null ? 0 : samples / rate, isMeasured: true },
  };
}

export const createWavCounter = (): Counter => createChunkCounter(false, { format: 'fmt ', samples: 'data' }, wavRate);

export const createAiffCounter = (): Counter => createChunkCounter(true, { format: 'COMM', samples: 'SSND' }, aiffRate);
