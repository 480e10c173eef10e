// How a recording is cut into phrases.
import { describe, expect, it } from 'vitest';
import { findPhrases, normaliseLevel } from '../../src/local/voice-service/engines/pocketsphinx/phrases.ts';
import { measureLevel, samplesOf } from '../helpers/speech.ts';

const RATE = 16_000;

/** A tone whose loudness rises and falls four times a second, like syllables; it sounds when `on` says so, in seconds. */
function babble(seconds: number, on: (time: number) => boolean, level = 8000, noise = 0): Int16Array {
  let seed = 1;
  return samplesOf(seconds, RATE, (i) => {
    const time = i / RATE;
    seed = (seed * 16_807) % 2_147_483_647;
    const hiss = noise * (seed / 2_147_483_647 - 0.5);
    return on(time) ? hiss + level * Math.sin(2 * Math.PI * 200 * time) * Math.abs(Math.sin(2 * Math.PI * 2 * time)) : hiss;
  });
}

const inSeconds = (samples: Int16Array) => findPhrases(samples, RATE).map(({ start, end }) => [start / RATE, end / RATE] as const);

describe('phrases in a recording', () => {
  it('lie between pauses', () => {
    const phrases = inSeconds(babble(8, (time) => (time > 1 && time < 3) || (time > 4.5 && time < 7)));
    expect(phrases).toHaveLength(2);
    const [first, second] = phrases;
    expect(first?.[0]).toBeCloseTo(0.8, 1);
    expect(first?.[1]).toBeCloseTo(3.2, 1);
    expect(second?.[0]).toBeCloseTo(4.3, 1);
    expect(second?.[1]).toBeCloseTo(7.2, 1);
  });

  it('are found in quiet recordings and under steady noise', () => {
    const on = (time: number) => (time > 1 && time < 2.5) || (time > 4 && time < 5.5);
    expect(inSeconds(babble(7, on, 300))).toHaveLength(2);
    expect(inSeconds(babble(7, on, 8000, 1500))).toHaveLength(2);
  });

  it('are never longer than 20 s, leave no gaps in speech, and do not overlap', () => {
    const phrases = findPhrases(
      babble(70, () => true),
      RATE,
    );
    expect(phrases.length).toBeGreaterThan(3);
    for (const [i, phrase] of phrases.entries()) {
      expect((phrase.end - phrase.start) / RATE).toBeLessThanOrEqual(20);
      if (i > 0) expect(phrase.start).toBe(phrases[i - 1]?.end);
    }
    expect(phrases[0]?.start).toBeLessThan(RATE / 2);
    expect(phrases.at(-1)?.end).toBeGreaterThan(69.5 * RATE);
  });

  it.each([
    ['silence', samplesOf(5, RATE, () => 0)],
    ['a constant offset', samplesOf(5, RATE, () => 5000)],
    ['hiss', babble(5, () => false, 0, 6000)],
    ['a hum', samplesOf(5, RATE, (i) => 8000 * Math.sin(i / 20))],
    ['nothing', new Int16Array(0)],
    ['a click', samplesOf(5, RATE, (i) => (i > 30_000 && i < 30_100 ? 20_000 : 0))],
  ])('are not found in %s', (_name, samples) => {
    expect(findPhrases(samples, RATE)).toEqual([]);
  });

  it('are brought to one level without clipping', () => {
    const quiet = normaliseLevel(babble(2, () => true, 200));
    const loud = normaliseLevel(babble(2, () => true, 30_000).map((sample) => sample + 1000));
    expect(measureLevel(quiet) / measureLevel(loud)).toBeCloseTo(1, 1);
    const spiky = normaliseLevel(samplesOf(2, RATE, (i) => (i % 4000 === 0 ? 20_000 : 100 * Math.sin(i))));
    expect(Math.max(...spiky)).toBeLessThan(32_767);
  });
});
