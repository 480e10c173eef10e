// Decodes uncompressed WAV: any rate, any number of channels, PCM, float, A-law and mu-law. Sizes in its headers are only hints.
import { EngineError } from '../engine.ts';
import type { Sink } from './sink.ts';

const PCM = 1;
const FLOAT = 3;
const A_LAW = 6;
const MU_LAW = 7;
/** The real encoding is in the first two bytes of a GUID. */
const EXTENSIBLE = 0xfffe;
const MAX_CHANNELS = 32;
/** Sample frames passed on at a time. */
const BLOCK = 16_384;

interface Format {
  channels: number;
  sampleRate: number;
  bytesPerSample: number;
  read: (view: DataView, at: number) => number;
}

/** @returns false if the encoding is compressed */
export function decodeWav(bytes: Uint8Array, sink: Sink): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: Format | null = null;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = String.fromCharCode(...bytes.subarray(at, at + 4));
    const declared = view.getUint32(at + 4, true);
    const start = at + 8;
    if (id === 'fmt ') {
      format = readFormat(view, start);
      if (!format) return false;
    }
    if (id === 'data') {
      if (!format) throw new EngineError('not-audio', 'The WAV file does not say how it is encoded. Export it again.');
      // 0 and 0xFFFFFFFF mean that the length was unknown when the header was written.
      const known = declared > 0 && start + declared <= bytes.length;
      readSamples(view, start, known ? start + declared : bytes.length, format, sink);
      return true;
    }
    at = start + declared + (declared & 1);
  }
  return true;
}

function readFormat(view: DataView, at: number): Format | null {
  if (at + 16 > view.byteLength) throw new EngineError('not-audio', 'The WAV file is cut off in its header. Send it again.');
  const bits = view.getUint16(at + 14, true);
  const channels = view.getUint16(at + 2, true);
  let encoding = view.getUint16(at, true);
  if (encoding === EXTENSIBLE && at + 26 <= view.byteLength) encoding = view.getUint16(at + 24, true);
  if (channels < 1 || channels > MAX_CHANNELS) {
    throw new EngineError('not-audio', `The WAV file says it has ${channels} channels. Export it again.`);
  }
  const read = reader(encoding, bits);
  return read && { channels, sampleRate: view.getUint32(at + 4, true), bytesPerSample: bits / 8, read };
}

function reader(encoding: number, bits: number): Format['read'] | null {
  if (encoding === PCM && bits === 8) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (encoding === PCM && bits === 16) return (view, at) => view.getInt16(at, true) / 32_768;
  if (encoding === PCM && bits === 24) return (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608;
  if (encoding === PCM && bits === 32) return (view, at) => view.getInt32(at, true) / 2_147_483_648;
  if (encoding === FLOAT && bits === 32) return (view, at) => view.getFloat32(at, true);
  if (encoding === FLOAT && bits === 64) return (view, at) => view.getFloat64(at, true);
  if (encoding === A_LAW && bits === 8) return (view, at) => fromALaw(view.getUint8(at));
  if (encoding === MU_LAW && bits === 8) return (view, at) => fromMuLaw(view.getUint8(at));
  return null;
}

function readSamples(view: DataView, start: number, end: number, format: Format, sink: Sink): void {
  const { channels, bytesPerSample, read, sampleRate } = format;
  const frameBytes = channels * bytesPerSample;
  const frames = Math.floor((end - start) / frameBytes);
  for (let first = 0; first < frames; first += BLOCK) {
    const count = Math.min(BLOCK, frames - first);
    const block = Array.from({ length: channels }, () => new Float32Array(count));
    for (const [c, samples] of block.entries()) {
      for (let i = 0; i < count; i++) samples[i] = read(view, start + (first + i) * frameBytes + c * bytesPerSample);
    }
    sink.push(block, sampleRate);
  }
}

/** ITU-T G.711, A-law. */
function fromALaw(code: number): number {
  const value = code ^ 0x55;
  const exponent = (value >> 4) & 7;
  const mantissa = ((value & 15) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
  return (value & 0x80 ? magnitude : -magnitude) / 32_768;
}

/** ITU-T G.711, mu-law. */
function fromMuLaw(code: number): number {
  const value = ~code & 0xff;
  const magnitude = ((((value & 15) << 3) + 132) << ((value >> 4) & 7)) - 132;
  return (value & 0x80 ? -magnitude : magnitude) / 32_768;
}
