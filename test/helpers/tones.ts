// A voice made of tones, and an ear for it: every letter is a pair of tones, so that what was said can be told from the sound without an error
// and with little computing. Tests that aren't about an engine speak and listen with these two in place of the built-in engines, in the same
// threads.

import type { TranscriptSegment } from '../../src/local/voice-service/engines/engine.ts';
import { toSpeakablePieces } from '../../src/local/voice-service/engines/flite/text.ts';
import { RATE, wavOf } from './speech.ts';

/** Hz: one of each tells the upper and the lower half of a byte, here of UTF-8. */
const LOW = Array.from({ length: 16 }, (_, index) => 400 + 100 * index);
const HIGH = Array.from({ length: 16 }, (_, index) => 2200 + 200 * index);
/** The two tones of a byte at a time in seconds, each between -1 and 1. */
export function pairAt(byte: number, seconds: number): number {
  const turn = 2 * Math.PI * seconds;
  return Math.sin(turn * (LOW[byte >> 4] ?? 0)) + Math.sin(turn * (HIGH[byte & 15] ?? 0));
}
/** The amplitude of each of the two tones. */
const AMPLITUDE = 0.12;
/** Seconds: together they make 17 letters a second, as people speak. */
const TONE = 0.04;
const GAP = 0.02;
/** Samples in which a tone begins and ends, so that it doesn't click. */
const RAMP = 32;

/** Yields a text sentence by sentence, each with the pause after it. @throws EngineError as Flite does */
export function* speakTones(text: string, speed: number): Generator<Float32Array> {
  for (const piece of toSpeakablePieces(text)) yield toSound(piece.text, piece.pauseSeconds, speed);
}

function toSound(text: string, pauseSeconds: number, speed: number): Float32Array {
  const codes = new TextEncoder().encode(text);
  const [tone, gap] = [Math.round((TONE / speed) * RATE), Math.round((GAP / speed) * RATE)];
  const samples = new Float32Array(codes.length * (tone + gap) + Math.round((pauseSeconds / speed) * RATE));
  for (const [index, code] of codes.entries()) samples.set(letterOf(code, tone), index * (tone + gap));
  return samples;
}

/** By their length, then by their code. */
const letters = new Map<number, Map<number, Float32Array>>();

function letterOf(code: number, length: number): Float32Array {
  const made = letters.get(length) ?? new Map<number, Float32Array>();
  letters.set(length, made);
  const level = (at: number) => AMPLITUDE * Math.min(1, at / RAMP, (length - at) / RAMP);
  const letter = made.get(code) ?? new Float32Array(length).map((_, at) => level(at) * pairAt(code, at / RATE));
  made.set(code, letter);
  return letter;
}

/** A WAV of 16 kHz in which this is said. */
export function recordTones(text: string): Uint8Array {
  const sound = [...speakTones(text, 1)].flatMap((samples) => [...samples]);
  return wavOf(Float32Array.from(sound), RATE);
}

/** Samples whose level is looked at together: 5 ms. */
const STEP = 80;
/** The average level from which sound counts as audible; 1 = full scale. */
const AUDIBLE = 0.02;
/** Steps of silence that end a phrase. */
const PHRASE_END = 0.1 * (RATE / STEP);
/** Steps of the shortest tone, spoken at double speed. */
const SHORTEST = 2;

/** Yields what was said between pauses. Any other sound has no words. @param samples 16 bit at `RATE` */
export function* hearTones(samples: Int16Array): Generator<TranscriptSegment> {
  let phrase: { codes: number[]; start: number; end: number } | undefined;
  for (const { start, end } of findSounds(samples)) {
    if (phrase && start - phrase.end > PHRASE_END) {
      yield toSegment(phrase);
      phrase = undefined;
    }
    const code = recognise(samples.subarray(start * STEP, end * STEP));
    if (code === null) continue;
    phrase ??= { codes: [], start, end };
    phrase.codes.push(code);
    phrase.end = end;
  }
  if (phrase) yield toSegment(phrase);
}

const toSegment = ({ codes, start, end }: { codes: number[]; start: number; end: number }): TranscriptSegment => ({
  text: new TextDecoder().decode(Uint8Array.from(codes)).trim(),
  start: (start * STEP) / RATE,
  end: (end * STEP) / RATE,
});

/** Where the sound isn't silent, in steps. */
function* findSounds(samples: Int16Array): Generator<{ start: number; end: number }> {
  let start: number | null = null;
  const steps = Math.ceil(samples.length / STEP);
  for (let step = 0; step <= steps; step++) {
    let sum = 0;
    for (let at = step * STEP; at < (step + 1) * STEP && at < samples.length; at++) sum += Math.abs(samples[at] as number);
    const isAudible = sum / STEP > AUDIBLE * 32_768;
    if (isAudible) start ??= step;
    else if (start !== null) {
      if (step - start >= SHORTEST) yield { start, end: step };
      start = null;
    }
  }
}

/** The byte that two tones stand for; null if it is any other sound. */
function recognise(sound: Int16Array): number | null {
  const { byte, low, high } = findPair(sound, RATE);
  // Speech and noise have their power elsewhere as well.
  const all = sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length;
  return low.power + high.power > 0.1 * all ? byte : null;
}

/** The byte whose tones are the strongest in a sound, and how strong they are: a tone of amplitude 1 has a power of 1/16. */
export function findPair(sound: Int16Array | Float32Array, rate: number): { byte: number; low: Found; high: Found } {
  const window = hannWindow(sound.length);
  const windowed = Float64Array.from(sound, (sample, at) => sample * (window[at] as number));
  const [low, high] = [strongest(windowed, LOW, rate), strongest(windowed, HIGH, rate)];
  return { byte: (low.index << 4) | high.index, low, high };
}

interface Found {
  index: number;
  power: number;
  /** The level of all other tones together. */
  others: number;
}

const windows = new Map<number, Float64Array>();

/** Keeps the neighbours apart. */
function hannWindow(length: number): Float64Array {
  const window = windows.get(length) ?? new Float64Array(length).map((_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / length));
  windows.set(length, window);
  return window;
}

function strongest(samples: Float64Array, frequencies: number[], rate: number): Found {
  const powers = frequencies.map((hz) => powerAt(samples, hz / rate));
  const power = Math.max(...powers);
  return { index: powers.indexOf(power), power, others: powers.reduce((sum, each) => sum + each, 0) - power };
}

/** Goertzel's algorithm. @param frequency in turns a sample */
function powerAt(samples: Float64Array, frequency: number): number {
  const factor = 2 * Math.cos(2 * Math.PI * frequency);
  let before = 0;
  let last = 0;
  for (const sample of samples) {
    const next = sample + factor * last - before;
    before = last;
    last = next;
  }
  return (before * before + last * last - factor * before * last) / samples.length ** 2;
}
