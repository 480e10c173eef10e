// Whether what the recogniser heard was English, by how sure it is.
import { expect, test } from 'vitest';
import { requireEnglishSpeech } from '../../src/local/voice-service/engines/foreign-speech.ts';

/** Stretches of ten tokens each, by the mean logarithm of their probabilities. */
const heard = (...means: number[]) =>
  means.map((mean, index) => ({
    ...{ text: `${index}`, start: index, end: index + 1 },
    certainty: { tokens: 10, logProbability: 10 * mean },
  }));
const marksOf = (...means: number[]) => requireEnglishSpeech(heard(...means), false).segments.map(({ doubtful = false }) => doubtful);
const foreign = expect.objectContaining({ kind: 'foreign-speech' });

test('one stretch that isn’t sure is marked, and refused only if it is far from sure', () => {
  expect(marksOf(-0.5)).toEqual([false]);
  expect(marksOf(-0.7)).toEqual([true]);
  expect(() => marksOf(-0.9)).toThrow(foreign);
});

test('seconds of speech without a word are refused, and count among stretches with words', () => {
  const silent = (start: number, end: number) => ({ text: '', start, end, certainty: { tokens: 1, logProbability: -0.1 } });
  expect(() => requireEnglishSpeech([silent(0, 6)], false)).toThrow(foreign);
  expect(() => requireEnglishSpeech([...heard(-0.4), silent(1, 15)], false)).toThrow(foreign);
  expect(requireEnglishSpeech([silent(0, 6)], true)).toEqual({ segments: [], doubtful: true });
  // A cough, and music between sentences.
  expect(requireEnglishSpeech([silent(0, 2)], false).segments).toEqual([]);
  expect(requireEnglishSpeech([...heard(-0.1, -0.1), silent(2, 8), ...heard(-0.2)], false).doubtful).toBe(false);
});

test('words that no English has are refused sooner', () => {
  const said = (text: string) => [{ text, start: 0, end: 8, certainty: { tokens: 30, logProbability: -14 } }];
  expect(() => requireEnglishSpeech(said('Letters del apieido de la persona. Para activar, odes activar el modo mudo.'), false)).toThrow(
    foreign,
  );
  expect(requireEnglishSpeech(said('I have read about your gods, and the jungle is crawling with them.'), false).doubtful).toBe(false);
});

test('in noise, a sentence of which nobody would be sure is marked, whatever is lost around it', () => {
  const noisy = (mean: number, tokens = 20) => [
    { text: 'one two', start: 0, end: 8, aboveNoise: 15, certainty: { tokens, logProbability: tokens * mean } },
  ];
  const silent = (aboveNoise: number) => ({ text: '', start: 0, end: 9, aboveNoise, certainty: { tokens: 1, logProbability: -2 } });
  expect(() => requireEnglishSpeech([silent(12)], false)).toThrow(foreign);
  expect(requireEnglishSpeech([silent(12), ...noisy(-1), silent(12)], false).segments).toHaveLength(1);
  expect(() => requireEnglishSpeech([silent(30), ...noisy(-1)], false)).toThrow(foreign);
  expect(requireEnglishSpeech(noisy(-1), false).segments).toEqual([{ text: 'one two', start: 0, end: 8, doubtful: true }]);
  expect(() => requireEnglishSpeech(noisy(-1.5), false)).toThrow(foreign);
  expect(() => requireEnglishSpeech(noisy(-1, 40), false)).toThrow(foreign);
});

test('several stretches decide together', () => {
  expect(marksOf(-0.9, -0.1)).toEqual([true, false]);
  expect(() => marksOf(-0.65, -0.7)).toThrow(foreign);
});

test('what is said to be English is marked, never refused', () => {
  const { segments, doubtful } = requireEnglishSpeech(heard(-2, -2), true);
  expect(segments.map((segment) => segment.doubtful)).toEqual([true, true]);
  expect(doubtful).toBe(true);
});

test('a word or two, nothing, and a recogniser that can’t tell are never refused', () => {
  expect(
    requireEnglishSpeech([{ text: 'Hm.', start: 0, end: 1, certainty: { tokens: 3, logProbability: -9 } }], false).segments,
  ).toHaveLength(1);
  expect(requireEnglishSpeech([], false)).toEqual({ segments: [], doubtful: false });
  expect(requireEnglishSpeech([{ text: 'Hello.', start: 0, end: 1 }], false).segments).toEqual([{ text: 'Hello.', start: 0, end: 1 }]);
});
