// What a listener gets, decoded again, beside what ffmpeg makes of the same file: nothing moved, nothing missing, nothing added at joins.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { type AudioPart, joinOpusPackets, recallVoiceLoudness, resourcesInUse, toOpusPackets } from '../../src/audio/index.ts';
import { wrapInWav } from '../../src/audio/wav.ts';
import { ffmpeg, titled } from '../helpers/requirements.ts';
import { inChunks, listen, mp3Of } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';

const FFMPEG = 'ffmpeg';
const FRAME_SAMPLES = 960;
/** What an Opus encoder lags behind, at 48 kHz. */
const LOOKAHEAD = 312;
const fixture = (name: string) => readFileSync(new URL(`../fixtures/speech/${name}`, import.meta.url));

afterEach(() => {
  expect(Object.values(resourcesInUse())).toEqual([0, 0, 0, 0]);
});

function convert(file: Uint8Array, ...options: string[]): Buffer {
  const { stdout, status, stderr } = spawnSync(FFMPEG, ['-v', 'error', '-i', '-', ...options, '-'], { input: file, maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
  return stdout;
}

function floats(bytes: Buffer): Float32Array {
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** Mono, 48 kHz; both channels count half. */
const renderWithFfmpeg = (file: Uint8Array, channels: 1 | 2) =>
  floats(convert(file, ...(channels === 2 ? ['-af', 'pan=mono|c0=0.5*c0+0.5*c1'] : []), '-ar', '48000', '-f', 'f32le'));

/** A recording of somebody speaking, 5.4 s. */
const speech = (rate: number) => floats(convert(fixture('road.flac'), '-ac', '1', '-ar', `${rate}`, '-f', 'f32le'));
const wavFile = (rate: number) => convert(fixture('road.flac'), '-ac', '1', '-ar', `${rate}`, '-f', 'wav');
const floatWav = (samples: Float32Array) => wrapInWav(new Uint8Array(samples.buffer), { encoding: 3, bits: 32, rate: 48_000 });

const heardOf = (file: Uint8Array, chunk = 1500) => listen(toOpusPackets(inChunks(file, chunk)));

/** By how much the sound stands out of its difference to the reference, in dB, from sample `from` to `to` of the reference. */
function signalToNoise(reference: Float32Array, heard: Float32Array, from: number, to: number, lag = LOOKAHEAD): number {
  let signal = 0;
  let noise = 0;
  for (let index = from; index < to; index++) {
    const value = reference[index] as number;
    signal += value * value;
    noise += (value - (heard[index + lag] ?? 0)) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

const cases: [name: string, file: () => Uint8Array | Promise<Uint8Array>, channels: 1 | 2][] = [
  ['MP3 of 44.1 kHz', () => mp3Of([speech(44_100)], 44_100), 1],
  ['MP3 of 24 kHz', () => mp3Of([speech(24_000)], 24_000), 1],
  ['MP3 of two channels with LAME’s header', () => fixture('road.mp3'), 2],
  ['WAV of 44.1 kHz', () => wavFile(44_100), 1],
  ['WAV of 8 kHz', () => wavFile(8000), 1],
];

describe.skipIf(!ffmpeg.isMet)(titled('compared with ffmpeg', ffmpeg), () => {
  test.each(cases)('%s is the same sound at the same time', async (_name, file, channels) => {
    const bytes = await file();
    const reference = renderWithFfmpeg(bytes, channels);
    const { sound, frames, failure } = await heardOf(bytes);
    expect(failure).toBeNull();
    // Some versions of ffmpeg leave in what LAME says was added at the end: there the recording itself is the measure.
    const length = channels === 2 ? Math.min(reference.length, speech(48_000).length) : reference.length;
    expect(frames).toBe(Math.ceil((length + LOOKAHEAD) / FRAME_SAMPLES));

    // Opus itself takes most of what is lost: the same encoder is given ffmpeg's rendering.
    const { sound: best } = await heardOf(floatWav(reference), 100_000);
    const [ours, possible] = [signalToNoise(reference, sound, 0, length), signalToNoise(reference, best, 0, length)];
    expect(possible).toBeGreaterThan(15);
    expect(ours).toBeGreaterThan(possible - 1.5);
    // Nor is it early or late by a single sample.
    for (const lag of [-2, -1, 1, 2]) expect(signalToNoise(reference, sound, 0, length, LOOKAHEAD + lag)).toBeLessThan(ours);
  });

  test('no stretch of speech is worse than the rest of it', async () => {
    const bytes = await mp3Of([speech(44_100)], 44_100);
    const reference = renderWithFfmpeg(bytes, 1);
    // Smaller than a frame, so that most frames are cut.
    const { sound } = await heardOf(bytes, 97);
    for (let at = 0; at + FRAME_SAMPLES <= reference.length; at += FRAME_SAMPLES) {
      const part = reference.subarray(at, at + FRAME_SAMPLES);
      if (Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length) < 0.02) continue;
      expect(signalToNoise(reference, sound, at, at + FRAME_SAMPLES)).toBeGreaterThan(6);
    }
  });

  test.each([44_100, 48_000])('speech of %i Hz in several parts yields the same packets as in one', async (rate) => {
    const file = wavFile(rate);
    const header = file.indexOf('data') + 8;
    const samples = file.subarray(header);
    const cuts = [0, 2 * 70_001, 2 * 71_234, samples.length];
    async function* parts(): AsyncGenerator<AudioPart> {
      for (let index = 0; index + 1 < cuts.length; index++) {
        const data = samples.subarray(cuts[index], cuts[index + 1]);
        yield { source: inChunks(wavOf(data, rate), 3000) };
      }
    }
    const whole = wavOf(samples, rate);
    expect(await Array.fromAsync(joinOpusPackets(parts()))).toEqual(await Array.fromAsync(toOpusPackets(inChunks(whole, 5000))));
    const level = () => ({ loudness: recallVoiceLoudness(-20, 50), volume: 1.2 });
    expect(await Array.fromAsync(joinOpusPackets(parts(), level()))).toEqual(
      await Array.fromAsync(toOpusPackets(inChunks(whole, 5000), level())),
    );
  });
});
