// PocketSphinx, the recogniser: finds the phrases in a recording, and turns each into timed words of US English, with
// the likeliest punctuation.
import type { Recogniser, TranscriptSegment } from '../engine.ts';
import { RECOGNITION_RATE } from '../limits.ts';
import { loadSphinxModule, MODEL_PATHS, readSphinxWasm, type SphinxModule } from './module.ts';
import { findPhrases, normaliseLevel } from './phrases.ts';
import { createPunctuation } from './punctuation.ts';
import { findRunningMean } from './running-mean.ts';
import { saturateTruncations } from './wasm-truncation.ts';

/** PocketSphinx counts time in frames of 10 ms. */
const FRAMES_PER_SECOND = 100;
/** Narrower beams than the defaults: half the time, and no more errors on the recordings that come with the engine. */
const SEARCH = { '-topn': '2', '-maxhmmpf': '3000', '-maxwpf': '10' };
/** The beginning of a recording is decoded twice, so that the running mean has adapted to its sound. Less has no effect, more adds nothing (measured). */
const ADAPTATION_SECONDS = 3;

/** Times in seconds from the beginning of the utterance. */
interface Word {
  text: string;
  start: number;
  end: number;
}

/** Takes 0.4 to 0.8 s and about 210 MB. */
export async function createEngine(): Promise<Recogniser> {
  const module = await loadSphinxModule(saturateTruncations(readSphinxWasm()));
  const decode = createWordDecoder(module);
  const runningMean = findRunningMean(module);
  const initialMean = runningMean?.read();

  return {
    // Recordings take turns: what is learnt of the sound of one must not affect another.
    *recognise(samples) {
      let mean = initialMean;
      let adapted = false;
      const punctuate = createPunctuation();
      // Its punctuation depends on what follows.
      let held: TranscriptSegment | undefined;
      for (const { start, end } of findPhrases(samples, RECOGNITION_RATE)) {
        const phrase = normaliseLevel(samples.subarray(start, end));
        if (mean) runningMean?.write(mean);
        if (!adapted) decode(phrase.subarray(0, ADAPTATION_SECONDS * RECOGNITION_RATE));
        adapted = true;
        const words = decode(phrase);
        mean = runningMean?.read();
        const segment = toSegment(words, start / RECOGNITION_RATE);
        yield segment && held ? punctuate(held, segment) : undefined;
        held = segment ?? held;
      }
      if (held) yield punctuate(held, undefined);
    },
  };
}

function toSegment(words: Word[], offset: number): TranscriptSegment | undefined {
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last) return undefined;
  return { text: words.map(({ text }) => text).join(' '), start: offset + first.start, end: offset + last.end };
}

/**
 * @returns a function that decodes one utterance of at most about 20 s (16 bit, at `RECOGNITION_RATE`). It throws if the engine aborts:
 * its heap can then no longer be trusted, and the thread must be replaced
 */
export function createWordDecoder(module: SphinxModule): (samples: Int16Array) => Word[] {
  const config = new module.Config();
  for (const [key, value] of Object.entries({ ...MODEL_PATHS, ...SEARCH })) config.push_back([key, value]);
  const recogniser = new module.Recognizer(config);
  config.delete();

  function assertSuccess(result: unknown, step: string): void {
    if (result !== module.ReturnType.SUCCESS) throw new Error(`PocketSphinx failed to ${step} an utterance.`);
  }

  return (samples) => {
    const audio = new module.AudioBuffer();
    audio.resize(samples.length, 0);
    for (let i = 0; i < samples.length; i++) audio.set(i, samples[i] as number);
    assertSuccess(recogniser.start(), 'start');
    assertSuccess(recogniser.process(audio), 'decode');
    assertSuccess(recogniser.stop(), 'end');
    audio.delete();
    const segmentation = new module.Segmentation();
    recogniser.getHypseg(segmentation);
    const words: Word[] = [];
    for (let i = 0; i < segmentation.size(); i++) {
      const { word, start, end } = segmentation.get(i);
      if (/^[<[+]/.test(word)) continue; // Silence and noise: <s>, <sil>, [NOISE], ++UM++
      words.push({ text: word.replace(/\(\d+\)$/, ''), start: start / FRAMES_PER_SECOND, end: (end + 1) / FRAMES_PER_SECOND });
    }
    segmentation.delete();
    return words;
  };
}
