// Voice activity detection: cuts a recording at its silences into phrases short enough for PocketSphinx.

/** Part of a recording, in samples. */
export interface Phrase {
  start: number;
  end: number;
}

/** In seconds, like the lengths below. */
const FRAME = 0.01;
const MIN_SPEECH = 0.08;
/** A pause of this length ends a phrase. */
const PHRASE_PAUSE = 0.4;
/** Kept around a phrase: soft consonants lie below the threshold. */
const MARGIN = 0.2;
/** About as much as PocketSphinx's heap holds. */
const MAX_PHRASE = 20;
/** A phrase that is too long is cut at its quietest moment after this. */
const EARLIEST_CUT = 8;

/** Levels in dB of full scale. */
const DIGITAL_SILENCE = -60;
/** The threshold lies this far above the background noise, but at most this far below the speech's own peaks. */
const ABOVE_NOISE = 9;
const BELOW_PEAKS = 15;
/** The level of speech varies by at least this; that of hum, hiss and tones does not. */
const MIN_VARIATION = 6;

/** Root mean square that recordings are brought to (-23 dB), and the peak they may reach, as parts of full scale. */
const TARGET_RMS = 0.07;
const TARGET_PEAK = 0.9;

/** @returns phrases in order, at most 20 s each, without overlap; none in silence */
export function findPhrases(samples: Int16Array, rate: number): Phrase[] {
  const levels = measureLevels(samples, Math.round(FRAME * rate));
  const sorted = Float32Array.from(levels).sort();
  const quiet = percentile(sorted, 0.1);
  const loud = percentile(sorted, 0.95);
  if (loud < DIGITAL_SILENCE) return [];
  const threshold = Math.max(DIGITAL_SILENCE, Math.min(quiet + ABOVE_NOISE, loud - BELOW_PEAKS));

  const margin = MARGIN / FRAME;
  const spoken = joinRuns(findRuns(levels, threshold), PHRASE_PAUSE / FRAME).filter((run) => isSpeech(levels.subarray(run.start, run.end)));
  const phrases: Phrase[] = [];
  for (const [i, run] of spoken.entries()) {
    const before = spoken[i - 1];
    const after = spoken[i + 1];
    const start = Math.max(run.start - margin, before ? (before.end + run.start) / 2 : 0);
    const end = Math.min(run.end + margin, after ? (run.end + after.start) / 2 : levels.length);
    phrases.push(...cutLong(levels, { start: Math.floor(start), end: Math.floor(end) }));
  }
  const size = Math.round(FRAME * rate);
  return phrases.map(({ start, end }) => ({ start: start * size, end: Math.min(samples.length, end * size) }));
}

/** Brings a phrase to the level PocketSphinx was trained at, and removes a DC offset. */
export function normaliseLevel(samples: Int16Array): Int16Array {
  let sum = 0;
  for (const sample of samples) sum += sample;
  const offset = sum / Math.max(1, samples.length);
  let power = 0;
  let peak = 1;
  for (const sample of samples) {
    power += (sample - offset) ** 2;
    peak = Math.max(peak, Math.abs(sample - offset));
  }
  const rms = Math.sqrt(power / Math.max(1, samples.length)) || 1;
  const gain = Math.min((TARGET_RMS * 32_768) / rms, (TARGET_PEAK * 32_768) / peak);
  return samples.map((sample) => Math.round((sample - offset) * gain));
}

/** The level of each frame, in dB of full scale. */
function measureLevels(samples: Int16Array, size: number): Float32Array {
  const levels = new Float32Array(Math.floor(samples.length / size));
  for (let frame = 0; frame < levels.length; frame++) {
    let sum = 0;
    let power = 0;
    for (let i = frame * size; i < (frame + 1) * size; i++) {
      const sample = samples[i] as number;
      sum += sample;
      power += sample * sample;
    }
    const variance = power / size - (sum / size) ** 2;
    levels[frame] = 10 * Math.log10(Math.max(variance, 1e-3) / 32_768 ** 2);
  }
  return levels;
}

function findRuns(levels: Float32Array, threshold: number): Phrase[] {
  const runs: Phrase[] = [];
  let start = -1;
  for (let i = 0; i <= levels.length; i++) {
    const isLoud = i < levels.length && (levels[i] as number) > threshold;
    if (isLoud && start < 0) start = i;
    if (!isLoud && start >= 0) {
      runs.push({ start, end: i });
      start = -1;
    }
  }
  return runs;
}

function joinRuns(runs: readonly Phrase[], pause: number): Phrase[] {
  const joined: Phrase[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last && run.start - last.end < pause) last.end = run.end;
    else joined.push({ ...run });
  }
  return joined;
}

function isSpeech(levels: Float32Array): boolean {
  if (levels.length < MIN_SPEECH / FRAME) return false;
  const sorted = Float32Array.from(levels).sort();
  return percentile(sorted, 0.95) - percentile(sorted, 0.05) >= MIN_VARIATION;
}

function cutLong(levels: Float32Array, phrase: Phrase): Phrase[] {
  const parts: Phrase[] = [];
  let start = phrase.start;
  while ((phrase.end - start) * FRAME > MAX_PHRASE) {
    const cut = findQuietest(levels, start + EARLIEST_CUT / FRAME, start + MAX_PHRASE / FRAME);
    parts.push({ start, end: cut });
    start = cut;
  }
  parts.push({ start, end: phrase.end });
  return parts;
}

/** The middle of the quietest 50 ms. */
function findQuietest(levels: Float32Array, from: number, to: number): number {
  const reach = 2;
  let quietest = from;
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = from + reach; i < to - reach; i++) {
    let sum = 0;
    for (let j = i - reach; j <= i + reach; j++) sum += levels[j] ?? 0;
    if (sum < lowest) {
      lowest = sum;
      quietest = i;
    }
  }
  return quietest;
}

function percentile(sorted: Float32Array, part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NEGATIVE_INFINITY;
}
