// Decodes uncompressed samples: headerless PCM and WAV, as a stream.
import { createWavReader, WAV_ENCODING } from '../containers/chunks.ts';
import { AudioError, type Decoder, type Sound } from '../types.ts';

/** How samples are stored, little-endian. `encoding` is WAV's, `rate` in Hz. */
export interface SampleLayout {
  encoding: number;
  bits: number;
  channels: number;
  rate: number;
}

/** Samples decoded at once: 20 ms at 48 kHz. */
const SLICE_SAMPLES = 960;
const MAX_CHANNELS = 32;
/** A size of samples near 2 or 4 GiB, or of 0, is that of an encoder that streams. */
const UNKNOWN_SIZE = 0x7fff_0000;
/** Only broken headers are outside these. At 1 Hz, a resampling filter would take 400 MB, and 2 KB would become 46 million samples. */
const RATES = { min: 4000, max: 384_000 };

/** Whether a rate in Hz is plausible. Check what files and labels say with this before allocating anything. */
export function isSoundRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= RATES.min && rate <= RATES.max;
}

/** Little-endian 16-bit mono, as speech services send it. @param rate Hz */
export function createPcmDecoder(rate: number): Decoder {
  const samples = createSampleReader({ encoding: WAV_ENCODING.pcm, bits: 16, channels: 1, rate });
  return {
    push: (bytes) => samples?.(bytes) ?? [],
    end: () => [],
    free() {},
  };
}

/** Returns a function that turns bytes, chunked anywhere, into sound with all channels averaged; null for an unknown encoding. */
export function createSampleReader({ encoding, bits, channels, rate }: SampleLayout): ((bytes: Uint8Array) => Generator<Sound>) | null {
  const readSample = sampleReaderOf(encoding, bits);
  if (!readSample) return null;
  const sampleBytes = bits / 8;
  const blockBytes = sampleBytes * channels;
  let rest = new Uint8Array(0);

  return function* read(bytes) {
    const joined = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    const blocks = Math.floor(joined.length / blockBytes);
    rest = new Uint8Array(joined.subarray(blocks * blockBytes));
    const view = new DataView(joined.buffer, joined.byteOffset, joined.byteLength);
    for (let first = 0; first < blocks; first += SLICE_SAMPLES) {
      const mono = new Float32Array(Math.min(SLICE_SAMPLES, blocks - first));
      for (let index = 0; index < mono.length; index++) {
        let sum = 0;
        for (let channel = 0; channel < channels; channel++) {
          sum += readSample(view, (first + index) * blockBytes + channel * sampleBytes);
        }
        mono[index] = sum / channels;
      }
      yield { mono, rate };
    }
  };
}

/** Reads the sample at an offset, as ±1. */
type ReadSample = (view: DataView, at: number) => number;

function sampleReaderOf(encoding: number, bits: number): ReadSample | null {
  const { pcm, float, aLaw, muLaw } = WAV_ENCODING;
  if (encoding === pcm && bits === 8) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (encoding === pcm && bits === 16) return (view, at) => view.getInt16(at, true) / 0x8000;
  if (encoding === pcm && bits === 24) return (view, at) => (view.getInt8(at + 2) * 0x10000 + view.getUint16(at, true)) / 0x80_0000;
  if (encoding === pcm && bits === 32) return (view, at) => view.getInt32(at, true) / 0x8000_0000;
  if (encoding === float && bits === 32) return (view, at) => clamped(view.getFloat32(at, true));
  if (encoding === float && bits === 64) return (view, at) => clamped(view.getFloat64(at, true));
  if (encoding === aLaw && bits === 8) return (view, at) => fromALaw(view.getUint8(at));
  if (encoding === muLaw && bits === 8) return (view, at) => fromMuLaw(view.getUint8(at));
  return null;
}

/** NaN is silence. */
function clamped(value: number): number {
  return value > 1 ? 1 : value < -1 ? -1 : value || 0;
}

/** ITU-T G.711, A-law. */
function fromALaw(code: number): number {
  const value = code ^ 0x55;
  const exponent = (value >> 4) & 7;
  const mantissa = ((value & 15) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
  return (value & 0x80 ? magnitude : -magnitude) / 0x8000;
}

/** ITU-T G.711, mu-law. */
function fromMuLaw(code: number): number {
  const value = ~code & 0xff;
  const magnitude = ((((value & 15) << 3) + 132) << ((value >> 4) & 7)) - 132;
  return (value & 0x80 ? -magnitude : magnitude) / 0x8000;
}

/** WAV (RIFF, RF64): 8 to 32-bit PCM, float, A-law and mu-law, extensible; also from encoders that stream and cannot know the sizes. */
export function createWavDecoder(): Decoder {
  const wav = createWavReader();
  let samples: ((bytes: Uint8Array) => Generator<Sound>) | null = null;
  /** Bytes of samples still to come; infinite if the header does not say. */
  let left = Number.POSITIVE_INFINITY;

  function* decode(bytes: Uint8Array): Generator<Sound> {
    if (wav.statedBytes === null) return;
    if (!samples) {
      samples = openSamples();
      if (wav.statedBytes > 0 && wav.statedBytes < UNKNOWN_SIZE) left = wav.statedBytes;
    }
    // The samples are followed by lists of titles and the like.
    const wanted = bytes.subarray(0, Math.min(left, bytes.length));
    left -= wanted.length;
    yield* samples(wanted);
  }

  function openSamples(): (bytes: Uint8Array) => Generator<Sound> {
    const { format } = wav;
    if (!format) throw new AudioError('not-audio', 'The WAV file does not say how its samples are stored');
    const { encoding, bits, channels, rate } = format;
    const reader = channels > 0 && channels <= MAX_CHANNELS && isSoundRate(rate) ? createSampleReader(format) : null;
    if (reader) return reader;
    throw new AudioError('unsupported', `Cannot read a WAV file of codec ${encoding}, ${bits} bits, ${channels} channels, ${rate} Hz`);
  }

  return {
    *push(bytes) {
      yield* decode(wav.push(bytes));
    },
    *end() {
      yield* decode(wav.end());
      if (!samples) throw new AudioError('truncated', 'The WAV file ends in its header');
      if (left > 0 && left !== Number.POSITIVE_INFINITY) throw new AudioError('truncated', 'The WAV file is shorter than its header says');
    },
    free() {},
  };
}
