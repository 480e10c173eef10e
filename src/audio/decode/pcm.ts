// Decodes uncompressed samples: headerless PCM and WAV, as a stream.
import { AudioError } from '../errors.ts';
import type { Decoder, Sound } from '../types.ts';

interface Layout {
  rate: number;
  channels: number;
  /** 64 only with `float`. */
  bits: 8 | 16 | 24 | 32 | 64;
  float: boolean;
}

/** Samples decoded at once: 20 ms at 48 kHz. */
const SLICE_SAMPLES = 960;
/** The largest plausible format chunk. All other chunks (pictures, cue lists) are skipped without being buffered. */
const MAX_FORMAT_BYTES = 1024;
/** Only broken headers are outside these. At 1 Hz, a resampling filter would take 400 MB, and 2 KB would become 46 million samples. */
const RATES = { min: 4000, max: 384_000 };
const TEXT = new TextEncoder();

/** Whether a rate in Hz is plausible. Check what files and labels say with this before allocating anything. */
export function isSoundRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= RATES.min && rate <= RATES.max;
}

/** Little-endian 16-bit mono, as speech services send it. @param rate Hz */
export function createPcmDecoder(rate: number): Decoder {
  const samples = createSampleReader({ rate, channels: 1, bits: 16, float: false });
  return {
    push: samples,
    end: () => [],
    free() {},
  };
}

/** Puts a WAV header before 16-bit mono samples, so that players open them. @param rate Hz */
export function wrapInWav(samples: Uint8Array, rate: number): Uint8Array {
  const bytes = new Uint8Array(44 + samples.length);
  const view = new DataView(bytes.buffer);
  TEXT.encodeInto('RIFF', bytes);
  view.setUint32(4, bytes.length - 8, true);
  TEXT.encodeInto('WAVEfmt ', bytes.subarray(8));
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  TEXT.encodeInto('data', bytes.subarray(36));
  view.setUint32(40, samples.length, true);
  bytes.set(samples, 44);
  return bytes;
}

/** Returns a function that turns bytes, chunked anywhere, into sound with all channels averaged. */
function createSampleReader(layout: Layout): (bytes: Uint8Array) => Generator<Sound> {
  const { rate, channels, bits, float } = layout;
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
          sum += readSample(view, (first + index) * blockBytes + channel * sampleBytes, bits, float);
        }
        mono[index] = sum / channels;
      }
      yield { mono, rate };
    }
  };
}

function readSample(view: DataView, at: number, bits: Layout['bits'], float: boolean): number {
  if (float) {
    const value = bits === 64 ? view.getFloat64(at, true) : view.getFloat32(at, true);
    return value > 1 ? 1 : value < -1 ? -1 : value || 0; // NaN is silence
  }
  if (bits === 16) return view.getInt16(at, true) / 0x8000;
  if (bits === 8) return (view.getUint8(at) - 128) / 128;
  if (bits === 24) return (view.getInt8(at + 2) * 0x10000 + view.getUint16(at, true)) / 0x80_0000;
  return view.getInt32(at, true) / 0x8000_0000;
}

/** WAV (RIFF, RF64): 8 to 32-bit PCM, float, extensible; also from encoders that stream and cannot know the sizes. */
export function createWavDecoder(): Decoder {
  let header = new Uint8Array(0);
  let skip = 12; // RIFF, size, WAVE
  let samples: ((bytes: Uint8Array) => Generator<Sound>) | null = null;
  let layout: Layout | null = null;
  /** Bytes of samples still to come; infinite if the header does not say. */
  let left = Number.POSITIVE_INFINITY;

  /** Reads chunks up to `data`. Returns the bytes after its header, or null if it has not come yet. */
  function readHeader(bytes: Uint8Array): Uint8Array | null {
    header = Buffer.concat([header, bytes]);
    for (;;) {
      const passed = Math.min(skip, header.length);
      skip -= passed;
      header = header.subarray(passed);
      if (skip > 0 || header.length < 8) return null;
      const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
      const name = String.fromCharCode(...header.subarray(0, 4));
      const size = view.getUint32(4, true);
      if (name === 'data') {
        if (!layout) throw new AudioError('not-audio', 'The WAV file does not say how its samples are stored');
        // Encoders that stream write 0 or a size near 2 or 4 GiB.
        if (size > 0 && size < 0x7fff_0000) left = size;
        samples = createSampleReader(layout);
        return header.subarray(8);
      }
      if (name === 'fmt ' && size >= 16 && size <= MAX_FORMAT_BYTES) {
        if (header.length < 8 + size) return null;
        layout = parseFormat(view);
      }
      skip = 8 + size + (size % 2);
    }
  }

  return {
    *push(bytes) {
      const data = samples ? bytes : readHeader(bytes);
      if (!data || !samples) return;
      // The samples are followed by lists of titles and the like.
      const wanted = data.subarray(0, Math.min(left, data.length));
      left -= wanted.length;
      yield* samples(wanted);
    },
    end() {
      if (!samples) throw new AudioError('truncated', 'The WAV file ends in its header');
      if (left > 0 && left !== Number.POSITIVE_INFINITY) throw new AudioError('truncated', 'The WAV file is shorter than its header says');
      return [];
    },
    free() {},
  };
}

/** @param view a `fmt ` chunk with its 8-byte header. */
function parseFormat(view: DataView): Layout {
  const tag = view.getUint16(8, true);
  // Extensible: the actual tag is the start of a GUID further on.
  const codec = tag === 0xfffe && view.byteLength >= 34 ? view.getUint16(32, true) : tag;
  const channels = view.getUint16(10, true);
  const rate = view.getUint32(12, true);
  const bits = view.getUint16(22, true);
  const float = codec === 3;
  const known = float ? bits === 32 || bits === 64 : codec === 1 && (bits === 8 || bits === 16 || bits === 24 || bits === 32);
  if (!known || channels === 0 || channels > 32 || !isSoundRate(rate)) {
    throw new AudioError('unsupported', `Cannot read a WAV file of codec ${codec}, ${bits} bits, ${channels} channels, ${rate} Hz`);
  }
  return { rate, channels, bits: bits as Layout['bits'], float };
}
