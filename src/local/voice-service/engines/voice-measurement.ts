// What a recording says about a voice: its pitch, how long it speaks, and how loud.
import { RATE } from '../../../decoding/limits.ts';
import type { VoiceMeasurement } from './engine.ts';

/** 10 ms. */
const HOP = 160;
/** In hops: people's pitch hardly changes within 20 ms, and finding it takes almost all of the time. */
const PITCH_EVERY = 2;
/** 40 ms: two periods of the lowest pitch. */
const WINDOW = 640;
/** Hz, of people who speak. */
const PITCH = { min: 60, max: 400 };
/** Correlation of a period with the next one, from which sound counts as voiced. */
const VOICED = 0.6;
/** dB below the loudest speech, from which there is none. */
const SPEECH_RANGE_DB = 30;
/** dB of full scale, below which everything is silence. */
const SILENCE_DB = -55;
/** Shorter ones belong to the words. In frames of a hop. */
const PAUSE_FRAMES = 25;

/** @param samples 16 bit, one channel, at `RATE` */
export function measureVoice(samples: Int16Array): VoiceMeasurement {
  const levels = levelsOf(samples);
  const sorted = levels.toSorted((a, b) => a - b);
  const loudest = sorted[Math.floor(sorted.length * 0.95)] ?? SILENCE_DB;
  const isLoud = levels.map((level) => level > Math.max(SILENCE_DB, loudest - SPEECH_RANGE_DB));
  const isSpeech = bridgePauses(isLoud);
  const pitchAt = createPitchFinder(samples);
  const pitches = isLoud.map((loud, frame) => (loud && frame % PITCH_EVERY === 0 ? pitchAt(frame * HOP) : 0));
  const frames = count(isSpeech);
  const voiced = pitches.filter((pitch) => pitch > 0).toSorted((a, b) => a - b);
  // Without the tenths at the ends, where most of the octave errors are.
  const middle = voiced.slice(Math.floor(voiced.length * 0.1), Math.ceil(voiced.length * 0.9));
  const speechSeconds = (frames * HOP) / RATE;
  const power = levels.reduce((sum, level, frame) => (isLoud[frame] ? sum + 10 ** (level / 10) : sum), 0);
  return {
    seconds: samples.length / RATE,
    speechSeconds,
    pitchHz: middle.length === 0 ? 0 : middle.reduce((sum, pitch) => sum + pitch, 0) / middle.length,
    levelDb: power === 0 ? SILENCE_DB : 10 * Math.log10(power / count(isLoud)),
    voicedPart: frames === 0 ? 0 : Math.min(1, (voiced.length * PITCH_EVERY) / frames),
  };
}

const count = (flags: boolean[]) => flags.reduce((sum, flag) => sum + (flag ? 1 : 0), 0);

/** dB of full scale, one every 10 ms. */
function levelsOf(samples: Int16Array): number[] {
  const levels: number[] = [];
  for (let at = 0; at + WINDOW <= samples.length; at += HOP) {
    let power = 1;
    for (let i = at; i < at + WINDOW; i++) power += (samples[i] as number) ** 2;
    levels.push(10 * Math.log10(power / WINDOW / 32_768 ** 2));
  }
  return levels;
}

/** Fills short gaps. */
function bridgePauses(isLoud: boolean[]): boolean[] {
  const bridged = [...isLoud];
  let last = -Infinity;
  for (const [frame, loud] of isLoud.entries()) {
    if (!loud) continue;
    if (frame - last <= PAUSE_FRAMES) bridged.fill(true, last, frame);
    last = frame;
  }
  return bridged;
}

/** The shortest and the longest period, in samples. */
const LAGS = { min: Math.ceil(RATE / PITCH.max), max: Math.floor(RATE / PITCH.min) };
/** Every second sample is enough for pitches this low. */
const STEP = 2;

/** A function that tells the pitch in Hz of the window at a sample, by autocorrelation; 0 if it isn't voiced. */
function createPitchFinder(samples: Int16Array): (at: number) => number {
  const window = new Float64Array(WINDOW + LAGS.max);
  /** Sums of the squares of every second sample before this one, so that the power between two samples is a difference. */
  const squares = new Float64Array(window.length + STEP);
  const power = (from: number) => (squares[from + WINDOW] as number) - (squares[from] as number);
  const correlations = new Float64Array(LAGS.max - LAGS.min + 1);

  return (at) => {
    if (at + window.length > samples.length) return 0;
    window.set(samples.subarray(at, at + window.length));
    for (let i = 0; i < window.length; i++) squares[i + STEP] = (squares[i] as number) + (window[i] as number) ** 2;
    let best = 0;
    for (let lag = LAGS.min; lag <= LAGS.max; lag++) {
      let product = 0;
      for (let i = 0; i < WINDOW; i += STEP) product += (window[i] as number) * (window[i + lag] as number);
      const correlation = product / Math.sqrt((1 + power(0)) * (1 + power(lag)));
      correlations[lag - LAGS.min] = correlation;
      best = Math.max(best, correlation);
    }
    if (best < VOICED) return 0;
    // A multiple of the period fits as well as the period: the first peak that is nearly the best is the period itself.
    const first = correlations.findIndex(
      (value, index) => value > 0.9 * best && value >= (correlations[index - 1] ?? 1) && value >= (correlations[index + 1] ?? 0),
    );
    return first < 0 ? 0 : RATE / (first + LAGS.min);
  };
}
