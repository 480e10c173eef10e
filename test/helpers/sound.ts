// Known sounds in every format, and measurements of the sound path's output. Always the same, all with real codecs. Samples are from -1 to 1,
// one channel.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Application, createDecoder, createEncoder } from 'libopus-wasm';
import { createMp3Encoder } from 'wasm-media-encoders';
import { createBlocks, createKWeighting, createLoudnessMemory, HOPS_PER_SECOND } from '../../src/audio/level/loudness-meter.ts';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import type { HeardSound } from '../../src/voice-session/types.ts';
import { makeFolder } from './folder.ts';
import { RATE, toInt16 } from './speech.ts';

/** Samples of a packet at 48 kHz. */
const FRAME_SAMPLES = 960;

/** A pure tone at half of full scale. */
export function tone(hz: number, seconds: number, rate: number, level = 0.5): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * rate) }, (_, index) => level * Math.sin((2 * Math.PI * hz * index) / rate));
}

export const pcm16 = (samples: Float32Array): Uint8Array => new Uint8Array(toInt16(samples).buffer);

/** Constant bit rate, without the header that tells players what to trim, as a service streams it. */
export async function mp3Of(
  channels: [Float32Array] | [Float32Array, Float32Array],
  sampleRate: 16_000 | 24_000 | 44_100,
): Promise<Uint8Array> {
  const encoder = await createMp3Encoder();
  if (channels.length === 1) encoder.configure({ sampleRate, channels: 1, bitrate: 64 });
  else encoder.configure({ sampleRate, channels: 2, bitrate: 128 });
  const body = encoder.encode(channels as [Float32Array, Float32Array]).slice();
  return Buffer.concat([body, encoder.finalize()]);
}

/** Ogg/Opus with packets of `frameMs`, its pre-skip and its end marked, so that exactly `samples` are heard. */
export async function oggOpusOf(
  samples: Float32Array,
  options: { frameMs?: 2.5 | 5 | 10 | 20 | 40 | 60; channels?: 1 | 2; serial?: number } = {},
) {
  const { frameMs = 20, channels = 1, serial = 7 } = options;
  const frameSize = frameMs * 48;
  const encoder = await createEncoder({ channels, frameSize, bitrate: 64_000, application: Application.Audio });
  const preSkip = encoder.getLookahead();
  const muxer = createOggMuxer({ sampleRate: 48_000, channels, preSkip, serial });
  const count = Math.ceil((samples.length + preSkip) / frameSize);
  const pages = [muxer.head()];
  const packets: Uint8Array[] = [];
  for (let index = 0; index < count; index++) {
    const frame = new Float32Array(frameSize * channels);
    for (let at = 0; at < frameSize; at++) frame.fill(samples[index * frameSize + at] ?? 0, at * channels, (at + 1) * channels);
    const packet = encoder.encodeFloat(frame);
    packets.push(packet);
    const last = index === count - 1;
    pages.push(muxer.packet(packet, last ? samples.length + preSkip - index * frameSize : frameSize, last));
  }
  encoder.free();
  return { file: Buffer.concat(pages), packets };
}

/** The bytes in chunks of at most `size`, each in a later turn of the event loop. */
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((resolve) => setImmediate(resolve));
    yield bytes.subarray(at, at + size);
  }
}

/** Decodes what a listener would hear: all packets with one decoder, each of which must be 20 ms. */
export async function listen(packets: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const decoder = await createDecoder({ channels: 1 });
  const heard: Float32Array[] = [];
  let failure: unknown = null;
  try {
    for await (const packet of packets) {
      const frame = decoder.decodeFloat(packet);
      if (frame.length !== FRAME_SAMPLES) throw new Error(`a packet of ${frame.length} samples`);
      heard.push(frame);
    }
  } catch (error) {
    failure = error;
  } finally {
    decoder.free();
  }
  const sound = new Float32Array(heard.length * FRAME_SAMPLES);
  heard.forEach((frame, index) => {
    sound.set(frame, index * FRAME_SAMPLES);
  });
  return { frames: heard.length, sound, failure };
}

/** Integrated loudness of a whole sound in LUFS, or null if it is silent or shorter than a block. @param rate Hz, a multiple of 10 */
export function measureLoudness(mono: Float32Array, rate: number): number | null {
  const hop = rate / HOPS_PER_SECOND;
  const weigh = createKWeighting(rate);
  const blocks = createBlocks();
  const memory = createLoudnessMemory();
  for (let at = 0; at + hop <= mono.length; at += hop) {
    const { power, isWhole } = blocks.addHop(weigh(mono, at, at + hop) / hop);
    if (isWhole) memory.add(power);
  }
  return memory.integrated();
}

/** Fits a tone to a sound: its amplitude, and how far everything else lies below it, in dB. Independent of delay and phase. */
export function measureTone(sound: Float32Array, hz: number, rate: number): { amplitude: number; snr: number } {
  // Least squares, because sine and cosine are not orthogonal over a fractional number of waves.
  const sums = { ss: 0, sc: 0, cc: 0, ys: 0, yc: 0 };
  for (let index = 0; index < sound.length; index++) {
    const s = Math.sin((2 * Math.PI * hz * index) / rate);
    const c = Math.cos((2 * Math.PI * hz * index) / rate);
    const y = sound[index] ?? 0;
    sums.ss += s * s;
    sums.sc += s * c;
    sums.cc += c * c;
    sums.ys += y * s;
    sums.yc += y * c;
  }
  const determinant = sums.ss * sums.cc - sums.sc * sums.sc;
  const sine = (sums.ys * sums.cc - sums.yc * sums.sc) / determinant;
  const cosine = (sums.yc * sums.ss - sums.ys * sums.sc) / determinant;
  let signal = 0;
  let rest = 0;
  for (let index = 0; index < sound.length; index++) {
    const angle = (2 * Math.PI * hz * index) / rate;
    const ideal = sine * Math.sin(angle) + cosine * Math.cos(angle);
    signal += ideal * ideal;
    rest += ((sound[index] ?? 0) - ideal) ** 2;
  }
  return { amplitude: Math.hypot(sine, cosine), snr: 10 * Math.log10(signal / rest) };
}

/** The root mean square. */
export function rms(sound: Float32Array | Int16Array): number {
  let sum = 0;
  for (const value of sound) sum += value * value;
  return Math.sqrt(sum / Math.max(1, sound.length));
}

/** Seconds from the first to the last sample above `level`: the sound without silence around it. */
export function heardSeconds(sound: Float32Array, rate: number, level = 0.02): number {
  const first = sound.findIndex((value) => Math.abs(value) > level);
  const last = sound.findLastIndex((value) => Math.abs(value) > level);
  return first < 0 ? 0 : (last - first + 1) / rate;
}

/** At 16 kHz. */
const PACKET_SAMPLES = 320;
export const PACKET_MS = 20;

/** Opus packets of 20 ms, as a member's client sends them. @param speech at 16 kHz */
export async function toPackets(speech: Float32Array): Promise<Uint8Array[]> {
  const encoder = await createEncoder({ sampleRate: RATE, channels: 1, frameSize: PACKET_SAMPLES, bitrate: 64_000 });
  const packets: Uint8Array[] = [];
  for (let at = 0; at < speech.length; at += PACKET_SAMPLES) {
    const frame = new Float32Array(PACKET_SAMPLES);
    frame.set(speech.subarray(at, at + PACKET_SAMPLES));
    packets.push(encoder.encodeFloat(frame));
  }
  encoder.free();
  return packets;
}

/** @param options `at`: `performance.now()` of the first sample. `isLost`: by the number of the packet. `pauses`: whether a pause follows. */
export function soundsOf(
  userId: string,
  packets: readonly Uint8Array[],
  { at, isLost = () => false, pauses = true }: { at: number; isLost?: (number: number) => boolean; pauses?: boolean },
): HeardSound[] {
  const sounds = packets.map((opus, number): HeardSound => {
    const place = { userId, at: at + number * PACKET_MS, samples: FRAME_SAMPLES };
    return isLost(number) ? { kind: 'lost', ...place } : { kind: 'packet', ...place, opus: opus.slice() };
  });
  return pauses ? [...sounds, { kind: 'pause', userId, at: at + packets.length * PACKET_MS }] : sounds;
}

/** An ffmpeg that notes how it is started. `path`: a PATH on which it comes first. `starts`: the arguments of those that read sound, in order. */
export async function recordFfmpeg() {
  const folder = await makeFolder();
  const notes = join(folder, 'starts');
  const real = execFileSync('sh', ['-c', 'command -v ffmpeg'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'ffmpeg'), `#!/bin/sh\necho "$*" >> '${notes}'\nexec '${real}' "$@"\n`, { mode: 0o755 });
  const starts = () =>
    readFileSync(notes, 'utf8')
      .split('\n')
      .filter((line) => line.includes(' -i '));
  return { path: `${folder}${delimiter}${process.env.PATH}`, starts };
}
