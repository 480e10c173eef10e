// Encodes a synthesiser's samples into the requested format, as a stream.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Application, createEncoder as createOpusEncoder } from 'libopus-wasm';
import { createEncoder } from 'wasm-media-encoders';
import { concat } from '../../../audio/bytes.ts';
import { createOggMuxer } from '../../../audio/ogg/muxer.ts';
import { createResampler } from '../../../audio/resample/resampler.ts';
import { wavHeader } from '../../../audio/wav.ts';
import type { SpeakRequest } from './engine.ts';

export type EncoderSettings = Required<Pick<SpeakRequest, 'format' | 'sampleRate' | 'mp3Bitrate' | 'opusBitrate' | 'volumeDb'>>;

export interface SpeechEncoder {
  /** Takes mono samples at the synthesiser's rate. The bytes may be empty; the first ones begin with the header. */
  push(samples: Float32Array): Uint8Array<ArrayBuffer>;
  /** The last bytes. */
  finish(): Uint8Array<ArrayBuffer>;
  free(): void;
}

/** Louder samples than this part of full scale are compressed. */
const KNEE = 0.8;
/** 20 ms, the usual length of an Opus packet and the one Discord takes. */
const PACKETS_PER_SECOND = 50;
/** Ogg/Opus counts samples at 48 kHz, whatever the encoder is fed. */
const OPUS_CLOCK = 48_000;
/** The rates that Opus encodes at. */
const OPUS_RATES = [8000, 12_000, 16_000, 24_000, 48_000] as const;

let compiledLame: WebAssembly.Module | undefined;

/** @param inputRate samples per second of what will be pushed */
export async function createSpeechEncoder(settings: EncoderSettings, inputRate: number): Promise<SpeechEncoder> {
  switch (settings.format) {
    case 'mp3':
      return createMp3(settings, inputRate);
    case 'opus':
      return createOpus(settings, inputRate);
    case 'wav':
      return createPcm(settings, inputRate, wavHeader(null, { rate: settings.sampleRate }));
    case 'pcm':
      return createPcm(settings, inputRate, new Uint8Array(0));
  }
}

async function createMp3(settings: EncoderSettings, inputRate: number): Promise<SpeechEncoder> {
  compiledLame ??= await WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3')));
  const encoder = await createEncoder('audio/mpeg', compiledLame);
  // Below 32 kHz (MPEG-2 and 2.5), LAME lowers a bit rate that the standard lacks to the highest it has.
  const rate = settings.sampleRate as 44_100;
  encoder.configure({ channels: 1, sampleRate: rate, outputSampleRate: rate, bitrate: settings.mp3Bitrate });
  const resampler = createResampler({ from: inputRate, to: rate });
  return {
    push: (samples) => encoder.encode([resampler.push(amplify(samples, settings.volumeDb))]).slice(),
    finish: () => concat([encoder.encode([resampler.flush()]).slice(), encoder.finalize().slice()]),
    free() {},
  };
}

async function createOpus(settings: EncoderSettings, inputRate: number): Promise<SpeechEncoder> {
  // The lowest rate that carries the requested one, but none above the synthesiser's: more would add nothing.
  const rate = OPUS_RATES.findLast((each, index) => each <= inputRate && (OPUS_RATES[index - 1] ?? 0) < settings.sampleRate) ?? 8000;
  const resampler = createResampler({ from: inputRate, to: rate });
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
  let hasHead = false;
  // Pushed samples, the look-ahead included, that no packet covers yet; at 48 kHz.
  let uncovered = preSkip;

  function encode(samples: Float32Array, last: boolean): Uint8Array<ArrayBuffer> {
    const parts: Uint8Array[] = [];
    if (!hasHead) parts.push(muxer.head());
    hasHead = true;
    uncovered += samples.length * clockPerSample;
    const all = new Float32Array(held.length + samples.length);
    all.set(held);
    all.set(samples, held.length);
    let at = 0;
    const full = OPUS_CLOCK / PACKETS_PER_SECOND;
    while (all.length - at >= encoder.frameSize || (last && uncovered > 0)) {
      const frame = new Float32Array(encoder.frameSize);
      frame.set(all.subarray(at, at + encoder.frameSize));
      at = Math.min(all.length, at + encoder.frameSize);
      const covered = Math.min(full, uncovered);
      uncovered -= covered;
      parts.push(muxer.packet(encoder.encodeFloat(frame), covered, last && uncovered === 0));
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

async function createPcm(settings: EncoderSettings, inputRate: number, header: Uint8Array): Promise<SpeechEncoder> {
  const resampler = createResampler({ from: inputRate, to: settings.sampleRate });
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

/** Applies a gain in dB; what would exceed full scale is compressed rather than clipped. */
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
