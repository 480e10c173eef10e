// Uncompressed audio: WAV and AIFF. All bytes from the first sample on count, at the lowest rate that the header allows.
import { AIFF_CHUNKS, type ChunkNames, createChunkReader, isFixedSize, readWavFormat, WAV_CHUNKS } from '../audio/containers/chunks.ts';
import { type Counter, estimate } from './duration.ts';

/** Beyond these (Hz, channels) a header is lying. */
const HIGHEST_RATE = 384_000;
const MAX_CHANNELS = 64;
/** Bytes per second below which a header's own figure is ignored: 8 kHz, 8 bits. */
const LOWEST_STATED = 8000;
/** Kinds of AIFF-C that aren't compressed. */
const AIFF_FIXED_SIZE = ['NONE', 'twos', 'sowt', 'fl32', 'FL32', 'fl64', 'FL64', 'in24', 'in32', 'ulaw', 'alaw'];

/** Bytes per second; null if samples have no fixed size. A lower rate means longer audio, so a lying figure can't make it shorter. */
function wavRate(content: Buffer): number | null {
  const format = readWavFormat(content);
  if (!format || !isFixedSize(format.encoding)) return null;
  const computed = fixedRate(format.rate, format.channels, format.bits);
  return computed && format.bytesPerSecond >= LOWEST_STATED ? Math.min(computed, format.bytesPerSecond) : computed;
}

function aiffRate(content: Buffer): number | null {
  if (content.length < 18) return null;
  const kind = content.length >= 22 ? content.toString('latin1', 18, 22) : 'NONE';
  if (!AIFF_FIXED_SIZE.includes(kind)) return null;
  // The integer part of an 80-bit float.
  const exponent = content.readUInt16BE(8) - 16_383;
  const rate = exponent >= 0 && exponent < 31 ? Math.floor(content.readUInt32BE(10) / 2 ** (31 - exponent)) : 0;
  return fixedRate(rate, content.readUInt16BE(0), kind.endsWith('law') ? 8 : content.readUInt16BE(6));
}

function fixedRate(rate: number, channels: number, bits: number): number | null {
  const isPlausible = rate > 0 && rate <= HIGHEST_RATE && channels > 0 && channels <= MAX_CHANNELS && bits > 0 && bits <= 64;
  return isPlausible ? rate * channels * Math.ceil(bits / 8) : null;
}

/** If several headers precede the samples, the lowest rate counts. */
function createPcmCounter(names: ChunkNames, rateOf: (format: Buffer) => number | null): Counter {
  let rate: number | null = null;
  let all = 0;
  let samples = 0;

  const chunks = createChunkReader(names, (format) => {
    const next = rateOf(format);
    rate = rate === null || next === null ? next : Math.min(rate, next);
  });

  return {
    push(bytes) {
      all += bytes.length;
      samples += chunks.push(bytes).length;
    },
    end() {
      samples += chunks.end().length;
    },
    duration() {
      if (rate === null) return chunks.statedBytes === null ? { seconds: 0, isMeasured: true } : estimate(all);
      return { seconds: samples / rate, isMeasured: true };
    },
  };
}

export const createWavCounter = (): Counter => createPcmCounter(WAV_CHUNKS, wavRate);

export const createAiffCounter = (): Counter => createPcmCounter(AIFF_CHUNKS, aiffRate);
