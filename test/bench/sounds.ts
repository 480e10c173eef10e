// The sound for all ways: a man reading, as a service would send it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createResampler } from '../../src/audio/resample/resampler.ts';
import { joinSounds } from '../engines/distorted-speech.ts';
import { mp3Of, oggOpusOf } from '../helpers/sound.ts';
import { librivoxRecordings } from '../helpers/speech.ts';

const RECORDED_RATE = 16_000;

/** Paths of files, for the processes of the ways. */
export interface Sounds {
  /** 44.1 kHz, mono, 64 kbit/s. */
  mp3: string;
  /** Ogg/Opus with 20 ms packets. */
  opus: string;
  /** The first three seconds of the MP3, the length of most messages. */
  short: string;
  /** Duration of the others. */
  seconds: number;
}

export async function writeSounds(folder: string): Promise<Sounds> {
  const speech = recordedSpeech();
  const path = (name: string) => join(folder, name);
  const sounds = { mp3: path('speech.mp3'), opus: path('speech.opus'), short: path('short.mp3'), seconds: speech.length / RECORDED_RATE };
  await writeFile(sounds.mp3, await speechAsMp3(speech));
  await writeFile(sounds.opus, (await oggOpusOf(resample(speech, 48_000))).file);
  await writeFile(sounds.short, await shortMp3(3));
  return sounds;
}

export const readSound = (path: string): Promise<Uint8Array> => readFile(path);

/** The first seconds of the same recording. */
export function shortMp3(seconds: number): Promise<Uint8Array> {
  // Skips the breath at the beginning of the recordings.
  return speechAsMp3(recordedSpeech().subarray(RECORDED_RATE, Math.round((1 + seconds) * RECORDED_RATE)));
}

function speechAsMp3(speech: Float32Array): Promise<Uint8Array> {
  return mp3Of([resample(speech, 44_100)], 44_100);
}

const recordedSpeech = () =>
  joinSounds(
    librivoxRecordings().map(({ speech }) => speech),
    0,
  );

function resample(sound: Float32Array, to: number): Float32Array {
  const resampler = createResampler({ from: RECORDED_RATE, to });
  return joinSounds([resampler.push(sound), resampler.flush()], 0);
}
