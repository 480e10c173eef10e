// Samples of the speech engine in, bytes of the asked format out, as a stream.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Application, createEncoder as createOpusEncoder } from 'libopus-wasm';
import { createEncoder } from 'wasm-media-encoders';
import { concat } from '../../../audio/bytes.ts';
import { createOggMuxer } from '../../../audio/ogg.ts';
import { createResampler } from '../../../audio/resample.ts';
import type { SpeechFormat } from './engine.ts';
import { FLITE_RATE } from './flite/index.ts';

export interface EncoderSettings {
  format: SpeechFormat;
  /** Hz. */
  sampleRate: number;
  /** kbit/s. */
  mp3Bitrate: 64 | 128 | 192;
  /** bit/s. */
  opusBitrate: number;
  volumeDb: number;
}

export interface SpeechEncoder {
  /** Takes 16 kHz mono samples; the bytes may be empty, and come with the header the first time. */
  push(samples: Float32Array): Uint8Array<ArrayBuffer>;
  /** The last bytes. */
  finish(): Uint8Array<ArrayBuffer>;
  free(): void;
}

/** Where the limiter begins to bend: 0.8 of full scale. */
const KNEE = 0.8;
/** Opus is made of packets of 20 ms, the usual length and the one Discord takes. */
const PACKETS_PER_SECOND = 50;
/** Ogg/Opus counts in samples at 48 kHz whatever the encoder is fed. */
const OPUS_CLOCK = 48_000;
/** In a WAV header written before the length is known: "until the end", which players understand. */
const UNKNOWN_LENGTH = 0xffff_ffff;

/** LAME, compiled once. */
let lame: WebAssembly.Module | undefined;

export async function createSpeechEncoder(settings: EncoderSettings): Promise<SpeechEncoder> {
  switch (settings.format) {
    case 'mp3':
      return createMp3(settings);
    case 'opus':
      return createOpus(settings);
    case 'wav':
      return createPcm(settings, wavHeader(settings.sampleRate));
    case 'pcm':
      return createPcm(settings, new Uint8Array(0));
  }
}

async function createMp3(settings: EncoderSettings): Promise<SpeechEncoder> {
  lame ??= await WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3')));
  const encoder = await createEncoder('audio/mpeg', lame);
  // Bit rates that MPEG-2 and 2.5 (below 32 and 16 kHz) do not have are lowered by LAME to the highest they do.
  const rate = settings.sampleRate as 44_100;
  encoder.configure({ channels: 1, sampleRate: rate, outputSampleRate: rate, bitrate: settings.mp3Bitrate });
  const resampler = createResampler({ from: FLITE_RATE, to: rate });
  return {
    push: (samples) => encoder.encode([resampler.push(amplify(samples, settings.volumeDb))]).slice(),
    finish: () => concat([encoder.encode([resampler.flush()]).slice(), encoder.finalize().slice()]),
    free() {},
  };
}

async function createOpus(settings: EncoderSettings): Promise<SpeechEncoder> {
  // The engine's 16 kHz go in as they are: more would be encoded for nothing, and players decode at 48 kHz anyway.
  const rate = settings.sampleRate <= 8000 ? 8000 : settings.sampleRate <= 12_000 ? 12_000 : FLITE_RATE;
  const resampler = createResampler({ from: FLITE_RATE, to: rate });
  const encoder = await createOpusEncoder({
    sampleRate: rate,
    channels: 1,
    frameSize: rate / PACKETS_PER_SECOND,
    application: Application.Audio,
    bitrate: settings.opusBitrate,
    complexity: 5,
    vbr: true,
    vbrConstraint: true,
  });
  const clockPerSample = OPUS_CLOCK / rate;
  const preSkip = encoder.getLookahead() * clockPerSample;
  const muxer = createOggMuxer({ sampleRate: settings.sampleRate, preSkip });
  let held = new Float32Array(0);
  let headed = false;
  let owed = preSkip; // how much of what was pushed, look-ahead included, no packet has covered yet; at 48 kHz

  function encode(samples: Float32Array, last: boolean): Uint8Array<ArrayBuffer> {
    const parts: Uint8Array[] = [];
    if (!headed) parts.push(muxer.head());
    headed = true;
    owed += samples.length * clockPerSample;
    const all = new Float32Array(held.length + samples.length);
    all.set(held);
    all.set(samples, held.length);
    let at = 0;
    const full = OPUS_CLOCK / PACKETS_PER_SECOND;
    while (all.length - at >= encoder.frameSize || (last && owed > 0)) {
      const frame = new Float32Array(encoder.frameSize);
      frame.set(all.subarray(at, at + encoder.frameSize));
      at = Math.min(all.length, at + encoder.frameSize);
      const covered = Math.min(full, owed);
      owed -= covered;
      parts.push(muxer.packet(encoder.encodeFloat(frame), covered, last && owed === 0));
    }
    held = all.slice(at);
    return concat(parts);
  }

  return {
    push: (samples) => encode(resampler.push(amplify(samples, settings.volumeDb)), false),
    finish: () => encode(resampler.flush(), true),
    free: () => encoder.free(),
  };
}

async function createPcm(settings: EncoderSettings, header: Uint8Array): Promise<SpeechEncoder> {
  const resampler = createResampler({ from: FLITE_RATE, to: settings.sampleRate });
  let first = header;
  return {
    push(samples) {
      const bytes = concat([first, toInt16(resampler.push(amplify(samples, settings.volumeDb)))]);
      first = new Uint8Array(0);
      return bytes;
    },
    finish: () => toInt16(resampler.flush()),
    free() {},
  };
}

/** Gain in dB; what would pass full scale is bent towards it rather than cut. */
function amplify(samples: Float32Array, db: number): Float32Array {
  const gain = 10 ** (db / 20);
  return samples.map((sample) => {
    const louder = sample * gain;
    const over = Math.abs(louder) - KNEE;
    return over <= 0 ? louder : Math.sign(louder) * (KNEE + (1 - KNEE) * Math.tanh(over / (1 - KNEE)));
  });
}

function toInt16(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [i, sample] of samples.entries()) view.setInt16(i * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  return bytes;
}

/** A header of 16 bit, one channel, for a length nobody knows yet. */
function wavHeader(sampleRate: number): Uint8Array {
  const header = new Uint8Array(44);
  const view = new DataView(header.buffer);
  const ascii = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  ascii(0, 'RIFF');
  view.setUint32(4, UNKNOWN_LENGTH, true);
  ascii(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  ascii(36, 'data');
  view.setUint32(40, UNKNOWN_LENGTH, true);
  return header;
}
