// What the built-in recogniser hears, and where it finds speech at all. More of it is in test/long/recognition.test.ts.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { countBeforeLoop, countHeard } from '../../src/local/voice-service/engines/moonshine/invented-words.ts';
import { createSpeechSegmenter, loadSpeechModel, type SpeechSegment } from '../../src/speech-detection/index.ts';
import { createRandom } from '../helpers/random.ts';
import { collect, countWordErrors, librivoxRecordings, RATE, samplesOf, toSamples, wavOf, wordsOf } from '../helpers/speech.ts';
import { builtInEngines } from '../helpers/voice-service.ts';
import { addNoise, gain, joinSounds, NOISES } from './distorted-speech.ts';

interface Clip {
  text: string;
  speech: Float32Array;
}

const clips: Clip[] = librivoxRecordings();
const [first, second] = clips as [Clip, Clip];
const pinkNoise = (length: number) => NOISES.pink(length, createRandom(1));

describe('voice activity', () => {
  let find: (sound: Float32Array, block?: number) => Promise<SpeechSegment[]>;

  beforeAll(async () => {
    const model = await loadSpeechModel();
    find = async (sound, block = 50_000) => {
      const segmenter = createSpeechSegmenter(model);
      const found: SpeechSegment[] = [];
      for (let at = 0; at < sound.length; at += block)
        found.push(...(await Array.fromAsync(segmenter.hear(sound.subarray(at, at + block)))));
      return [...found, ...(await Array.fromAsync(segmenter.finish()))];
    };
  });

  /** Where clean speech is first and last loud, in seconds. */
  function borders(speech: Float32Array): { start: number; end: number } {
    const isLoud = (_: number, at: number) => Math.abs(speech[at] as number) > 0.02;
    return { start: speech.findIndex(isLoud) / RATE, end: speech.findLastIndex(isLoud) / RATE };
  }

  it.each([
    ['silence', (sound: Float32Array) => sound],
    ['noise', (sound: Float32Array) => addNoise(sound, pinkNoise(sound.length), 10)],
  ])('begins and ends where speech does, within 0.2 s, in %s', async (_, change) => {
    const sound = change(joinSounds([new Float32Array(1.3 * RATE), first.speech, second.speech, new Float32Array(0.4 * RATE)], 1));
    const found = await find(sound);
    const startOf = [2.3, 3.3 + first.speech.length / RATE];
    const expected = [first, second].map(({ speech }, number) => {
      const { start, end } = borders(speech);
      return { start: (startOf[number] as number) + start, end: (startOf[number] as number) + end };
    });
    // A reader pauses within a sentence, too.
    expect(Math.abs((found.at(0)?.start ?? 0) - (expected[0]?.start ?? 0))).toBeLessThan(0.2);
    expect(Math.abs((found.at(-1)?.end ?? 0) - (expected[1]?.end ?? 0))).toBeLessThan(0.2);
    const last = found.findLast(({ start }) => start < (expected[0]?.end ?? 0));
    const next = found.find(({ start }) => start > (expected[0]?.end ?? 0));
    expect(Math.abs((last?.end ?? 0) - (expected[0]?.end ?? 0))).toBeLessThan(0.2);
    expect(Math.abs((next?.start ?? 0) - (expected[1]?.start ?? 0))).toBeLessThan(0.2);
  });

  it('is the same however the sound is cut into blocks', async () => {
    const sound = joinSounds([first.speech, second.speech], 0.7);
    const whole = await find(sound, sound.length);
    for (const block of [1000, 16_000]) expect(await find(sound, block)).toEqual(whole);
  });

  it.each(Object.entries(NOISES))('is not found in noise: %s', async (_, make) => {
    for (const factor of [1, 5]) expect(await find(gain(make(8 * RATE, createRandom(3)), factor))).toEqual([]);
  });

  it('is found in speech too quiet to be heard', async () => {
    const [found] = await find(gain(first.speech, 0.003));
    expect(found?.start).toBeCloseTo(borders(first.speech).start, 0);
  });

  it('is cut in pauses after 15 s at most when nobody stops speaking', async () => {
    // Without the silence at both ends of each, and without the reader's own pauses.
    const dense = clips.map(({ speech }) => speech.filter((_, at) => isLoudAround(speech, at)));
    const sound = joinSounds([...dense, ...dense], 0.1);
    const found = await find(sound);
    expect(found.length).toBeGreaterThan(2);
    for (const { samples } of found) expect(samples.length / RATE).toBeLessThanOrEqual(15);
    for (const [number, { end }] of found.entries()) {
      const next = found[number + 1];
      if (next) expect(next.start - end).toBeLessThan(0.6);
    }
    const typical = levelBetween(sound, 0, sound.length);
    for (const { start } of found.slice(1)) expect(levelBetween(sound, start * RATE - 800, start * RATE + 800)).toBeLessThan(typical / 2);
  });
});

/** Whether anything is audible within 0.1 s. */
function isLoudAround(speech: Float32Array, at: number): boolean {
  for (let near = Math.max(0, at - 1600); near < at + 1600; near += 4) if (Math.abs(speech[near] ?? 0) > 0.03) return true;
  return false;
}

function levelBetween(sound: Float32Array, from: number, to: number): number {
  const part = sound.subarray(Math.floor(from), Math.floor(to));
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
}

describe('the built-in recogniser', () => {
  const engines = builtInEngines();
  const hear = (audio: Uint8Array) => engines.transcribe({ audio, timestamps: true });
  // Loads it, for all of them.
  beforeAll(async () => void (await hear(wavOf(second.speech, RATE))));

  it('gets no more than one word wrong of somebody who reads from a novel, even through noise at 10 dB, and writes them as sentences', async () => {
    const { text } = await hear(wavOf(addNoise(first.speech, pinkNoise(first.speech.length), 10), RATE));
    expect(countWordErrors(wordsOf(first.text), wordsOf(text)), text).toBeLessThan(2);
    expect(text).toMatch(/^And Mr\. John Dashwood .*\.$/);
  });

  it('returns a segment for each phrase, at its time', async () => {
    const { speech } = second;
    const { text, duration, segments } = await hear(
      wavOf(joinSounds([new Float32Array(RATE), speech, new Float32Array(0), speech], 1), RATE),
    );
    expect(duration).toBeCloseTo(5 + (2 * speech.length) / RATE, 2);
    expect(segments.map((segment) => segment.text).join(' ')).toBe(text);
    expect(segments.map((segment) => wordsOf(segment.text).join(' '))).toEqual([second.text.trim(), second.text.trim()]);
    const { start, end } = segments[0] ?? expect.fail('there is no segment');
    expect(start).toBeGreaterThan(2);
    expect(end).toBeLessThan(2.1 + speech.length / RATE);
    expect((segments[1]?.start ?? 0) - start).toBeCloseTo(2 + speech.length / RATE, 0);
  });

  it('finds no words in silence, noise and tones', async () => {
    for (const value of [() => 0, (i: number) => ((i * 7919) % 4001) - 2000, (i: number) => 8000 * Math.sin(i / 12)]) {
      expect(await hear(wavOf(samplesOf(3, RATE, value), RATE))).toEqual({ text: '', duration: 3, segments: [] });
    }
  });

  it('ends with a few words where it understands nothing', async () => {
    // Played backwards, it sounds like a language nobody knows.
    const backwards = first.speech.subarray(0, 3 * RATE).toReversed();
    const { text, duration } = await hear(wavOf(backwards, RATE));
    // 6.5 tokens a second, of at least two characters each on average.
    expect(text.length).toBeLessThan(6.5 * 8 * duration);
  });

  it('says nothing over again of a recording that ends in the middle of a word', async () => {
    // Without the mend: "Unless to be rather cold hard unless to be rather cold hard".
    const { speech } = clips[2] as Clip;
    const cut = speech.subarray(0, Math.round(0.37 * speech.length));
    const { text } = await hear(wavOf(addNoise(cut, pinkNoise(cut.length), 10), RATE));
    expect(
      wordsOf(text).filter((word) => word === 'unless'),
      text,
    ).toHaveLength(1);
  });

  it('hears what was said before a recording is cut off in the middle of a word', async () => {
    const { text } = await hear(wavOf(first.speech.subarray(0, Math.round(0.6 * first.speech.length)), RATE));
    expect(text).toContain('John Dashwood had then leisure to consider');
  });
});

describe('another language than English', () => {
  // Of two of them it hears hardly a word, which isn't to pass for silence.
  it.each(['de', 'es', 'ja'])('is refused: %s', async (language) => {
    const audio = readFileSync(new URL(`../fixtures/foreign/${language}.ogg`, import.meta.url));
    await expect(builtInEngines().transcribe({ audio, timestamps: false })).rejects.toMatchObject({ kind: 'foreign-speech' });
  });

  it('isn’t taken for English that is hard to understand in noise', async () => {
    const text = 'The old bridge over the river was closed because of the heavy rain last week.';
    const said = await collect(builtInEngines().speak({ text, voice: { base: 'slt' }, format: 'pcm', sampleRate: RATE }));
    const speech = joinSounds(
      [new Float32Array(0), Float32Array.from(toSamples(said), (sample) => sample / 32_768), new Float32Array(0)],
      0.3,
    );
    const audio = wavOf(addNoise(speech, NOISES.pink(speech.length, createRandom(4)), 5), RATE);
    expect((await builtInEngines().transcribe({ audio, timestamps: false })).text).not.toBe('');
  });
});

describe('a decoder that is stopped because it goes round', () => {
  it.each([
    ['says a phrase once', 'so half past half past half past', 'so half past'],
    ['says once what was cut off in the middle of a round', 'half past half past half past half', 'half past'],
    ['says a long phrase once that it has said twice', 'so It was a cold it was a cold it', 'so It was a cold'],
    ['keeps what was said twice', 'half past half past', 'half past half past'],
    ['keeps what was said three times before the end', 'no no no he said', 'no no no he said'],
  ])('%s', (_, said, kept) => {
    const texts = said.split(' ');
    expect(texts.slice(0, countBeforeLoop(texts)).join(' ')).toBe(kept);
  });
});

describe('what the decoder makes up', () => {
  /** Tokens as the decoder chose them: "word:likelihood", -0.05 if it isn't said; with "+" as a part of the word before. */
  const heard = (line: string) => {
    const tokens = line.split(' ').map((one) => {
      const [text = '', likelihood = '-0.05'] = one.split(':');
      return { text: text.startsWith('+') ? text.slice(1) : ` ${text}`, likelihood: Number(likelihood) };
    });
    return tokens
      .slice(0, countHeard(tokens))
      .map(({ text }) => text)
      .join('')
      .trim();
  };

  it.each([
    ['Unless to be rather cold her unless:-1.40 to be rather cold her', 'Unless to be rather cold her'],
    ['X +. 12 +, X:-0.9 +. 12', 'X. 12,'],
    ['The lord is good The:-1 lord is good The:-0.5 lord is good The:-0.25 lord is good The:-0.6 lord is good', 'The lord is good'],
    ['You are currently caller number 20:-2.3 +21 +.', 'You are currently caller number'],
  ])('is cut off: %s', (line, kept) => {
    expect(heard(line)).toBe(kept);
  });

  it.each([
    ['a phrase that was said twice', 'let it go let:-0.2 it go'],
    ['a word that was said often', 'bye bye:-0.7 bye:-0.9 bye'],
    ['a repeated word before the end', 'had had:-1.2 enough of it'],
    ['the only words', 'Daulous:-2.4 here:-1.9'],
    ['what is unsure where all is', 'at:-1.1 the:-0.9 corner:-1.2 shop:-2.0'],
    ['a last word that is rather unsure', 'cold hearted and rather:-1.59'],
  ])('is not %s', (_, line) => {
    expect(heard(line)).toBe(line.replace(/:[-.\d]+/g, ''));
  });
});
