// Training a voice model. No cloning: the closest of the engine's own voices gets the pitch, the tempo and the loudness of the recordings.
import { EngineError, type Engines, type EngineVoice, SHAPEABLE_VOICES, type Upload, type VoiceMeasurement } from './engines/index.ts';

export interface Recording {
  audio: Upload;
  /** What is said in it, if known. */
  text: string | null;
}

export interface ShapedVoice {
  voice: EngineVoice;
  /** Gain in dB. */
  volumeDb: number;
}

/** Why there is no voice. The message names the cause, then what to do. */
class TrainingError extends Error {
  override readonly name = 'TrainingError';
}

/** Seconds, of all recordings together. Services of this kind ask for 10 s at least. */
const DURATION = { min: 10, max: 300 };
/** dB of full scale, below which a recording is noise. */
const AUDIBLE_DB = -50;
/** Least share of the speech that must be voiced. People are voiced for 40 to 80 % of the time. */
const MIN_VOICED = 0.2;
/** In a second of speech; slow speakers say one or two. */
const MIN_WORDS = 0.5;
/** In noise, a recogniser may hear one word over and over. */
const MIN_DIFFERENT_WORDS = 5;
/** dB, so that a whispered recording doesn't make a voice that nobody hears. */
const MAX_GAIN = 10;
/** Each round brings pitch and tempo closer to what was measured. */
const ROUNDS = 2;
/** Characters of text that are spoken to measure the engine's voice: a minute. */
const MAX_TEXT = 1_000;

/**
 * Measures the recordings, then speaks the same words, measures that in the same way, and corrects the difference.
 * @throws TrainingError, EngineError
 */
export async function trainVoice(engines: Engines, recordings: readonly Recording[], signal: AbortSignal): Promise<ShapedVoice> {
  const measured: VoiceMeasurement[] = [];
  for (const { audio } of recordings) measured.push(await engines.measureVoice(audio, signal));
  const target = mean(measured);
  rejectUnusable(target);

  const texts: string[] = [];
  for (const { audio, text } of recordings) {
    texts.push(text?.trim() || (await engines.transcribe({ audio, timestamps: false, signal })).text);
  }
  const words =
    texts
      .join(' ')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (words.length < MIN_WORDS * target.speechSeconds || new Set(words).size < MIN_DIFFERENT_WORDS) {
    throw new TrainingError('There are hardly any words in the recordings. Send clean speech of one person, without music.');
  }

  const text = texts.join('.\n');
  // A long text needn't be spoken whole; what is spoken stands for the same part of the recordings.
  const spoken = text.slice(0, MAX_TEXT);
  const targetSeconds = (target.speechSeconds * spoken.length) / text.length;
  const base = closestBase(target.pitchHz);
  const limits = SHAPEABLE_VOICES[base];
  if (!limits) throw new Error(`There is no voice "${base}".`);
  const voice = { base, pitchHz: clamp(target.pitchHz, limits.pitchHz), rate: 1 };
  let levelDb = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const parts = await Array.fromAsync(engines.speak({ text: spoken, voice, format: 'wav', sampleRate: 16_000, signal }));
    const now = await engines.measureVoice(Buffer.concat(parts), signal);
    levelDb = now.levelDb;
    voice.pitchHz = clamp((voice.pitchHz * target.pitchHz) / now.pitchHz, limits.pitchHz);
    voice.rate = clamp((voice.rate * now.speechSeconds) / targetSeconds, limits.rate);
  }
  return { voice, volumeDb: clamp(target.levelDb - levelDb, { min: -MAX_GAIN, max: MAX_GAIN }) };
}

/** The reason a member reads if training failed with this. */
export function whyTrainingFailed(error: unknown): string {
  if (error instanceof TrainingError || error instanceof EngineError) return error.message;
  return 'The voice service failed at this. Try again.';
}

function mean(all: readonly VoiceMeasurement[]): VoiceMeasurement {
  const sum = (read: (one: VoiceMeasurement) => number) => all.reduce((total, one) => total + read(one), 0);
  const speech = ({ speechSeconds }: VoiceMeasurement) => speechSeconds;
  const voiced = ({ voicedPart, speechSeconds }: VoiceMeasurement) => voicedPart * speechSeconds;
  const weigh = (read: (one: VoiceMeasurement) => number, weight: (one: VoiceMeasurement) => number) =>
    sum(weight) === 0 ? 0 : sum((one) => read(one) * weight(one)) / sum(weight);
  return {
    seconds: sum(({ seconds }) => seconds),
    speechSeconds: sum(speech),
    pitchHz: weigh(({ pitchHz }) => pitchHz, voiced),
    levelDb: weigh(({ levelDb }) => levelDb, speech),
    voicedPart: weigh(({ voicedPart }) => voicedPart, speech),
  };
}

function rejectUnusable({ seconds, speechSeconds, levelDb, voicedPart }: VoiceMeasurement): void {
  if (seconds < DURATION.min) {
    throw new TrainingError(`The recordings are too short: ${seconds.toFixed(0)} s in all. Send at least ${DURATION.min} s of speech.`);
  }
  if (seconds > DURATION.max) {
    throw new TrainingError(`The recordings are too long: ${(seconds / 60).toFixed(0)} min in all. Send the best minute of them.`);
  }
  if (speechSeconds === 0 || levelDb < AUDIBLE_DB) {
    throw new TrainingError('The recordings are silent. Check the microphone, and record again.');
  }
  if (voicedPart < MIN_VOICED) throw new TrainingError('There is no speech in the recordings. Send clean speech of one person.');
}

/** By pitch: the voice that needs the least change. The robotic one speaks only where the others can't. */
function closestBase(pitchHz: number): string {
  const distance = (base: string) => {
    const limits = SHAPEABLE_VOICES[base]?.pitchHz;
    if (!limits) return Infinity;
    const outside = Math.abs(Math.log(pitchHz / clamp(pitchHz, limits)));
    return 10 * outside + Math.abs(Math.log(pitchHz / limits.natural)) + (base === 'kal16' ? 0.3 : 0);
  };
  return Object.keys(SHAPEABLE_VOICES).reduce((best, base) => (distance(base) < distance(best) ? base : best));
}

const clamp = (value: number, { min, max }: { min: number; max: number }) => Math.min(Math.max(value, min), max);
