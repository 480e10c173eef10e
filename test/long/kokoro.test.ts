// Natural voices at full length, and what happens to them.
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { createEngineWorker } from '../../src/local/voice-service/engines/engine-worker.ts';
import { NATURAL_PROCESS } from '../../src/local/voice-service/engines/synthesis.ts';
import type { SpeechChunk, SpeechTask } from '../../src/local/voice-service/engines/synthesis-worker.ts';
import { countSpokenErrors } from '../engines/spoken-sentences.ts';
import { toSamples, wavOf } from '../helpers/speech.ts';
import { builtInEngines } from '../helpers/voice-service.ts';

const RATE = 24_000;

const lost: string[] = [];
const worker = createEngineWorker<SpeechTask, SpeechChunk, string | null>({
  file: new URL('../../src/local/voice-service/engines/synthesis-worker.ts', import.meta.url),
  engine: new URL('../../src/local/voice-service/engines/kokoro/kokoro.ts', import.meta.url),
  ...NATURAL_PROCESS,
  onLost: (reason) => lost.push(reason),
});
afterAll(() => worker.close());

const begin = (text: string, base: string, speed = 1, isFile = false) =>
  worker.run({
    isFile,
    text,
    voice: { base },
    speed,
    encoder: { format: 'pcm', sampleRate: RATE, mp3Bitrate: 128, opusBitrate: 32_000, volumeDb: 0 },
  });

/** The samples of what is left of it. */
async function takeAll(chunks: AsyncGenerator<SpeechChunk, void, string | null>): Promise<Int16Array> {
  const parts: Uint8Array[] = [];
  for (let chunk = await chunks.next(null); !chunk.done; chunk = await chunks.next(null)) parts.push(chunk.value.bytes);
  return toSamples(new Uint8Array(Buffer.concat(parts)));
}

/** The processes that this one has started. */
const children = (): string[] => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);

it.skipIf(process.platform !== 'linux')(
  'a natural voice is replaced if its process is killed in the middle, and says everything once',
  async () => {
    const text = 'Dr. Lee left at 7:30 p.m. Nobody else was there!';
    const before = children();
    const sound = await takeAll(begin(text, 'af_heart'));
    const pids = children().filter((pid) => !before.includes(pid));
    const chunks = begin(text, 'af_heart');
    const first = await chunks.next(null);
    expect(pids).toHaveLength(1);
    process.kill(Number(pids[0]), 'SIGKILL');
    const rest = await takeAll(chunks);
    const head = toSamples(first.value?.bytes ?? new Uint8Array(0));
    expect(head.length + rest.length).toBe(sound.length);
    expect(rest).toEqual(sound.subarray(head.length));
    expect(lost).toEqual(['it ended with SIGKILL']);
  },
);

it('a natural voice of a Briton is understood at another speed', async () => {
  const fast = await takeAll(begin('We had a lovely afternoon.', 'bm_george', 1.5));
  // Two seconds at its own.
  expect(fast.length / RATE).toBeLessThan(1.6);
  const { text } = await builtInEngines().transcribe({ audio: wavOf(fast, RATE), timestamps: false });
  expect(countSpokenErrors('We had a lovely afternoon.', text), `heard as: ${text}`).toBeLessThanOrEqual(1);
});

it('a natural voice pauses in a file only where the text has a mark, and takes a breath where it is heard at once', async () => {
  const text = 'The engineers finished the bridge six months ahead of schedule last year.';
  const pieces: (number | undefined)[] = [];
  for (const isFile of [true, false]) {
    const chunks = begin(text, 'af_heart', 1, isFile);
    let last: SpeechChunk | undefined;
    for (let chunk = await chunks.next(null); !chunk.done; chunk = await chunks.next(null)) last = chunk.value;
    pieces.push(last?.pieces);
  }
  expect(pieces).toEqual([1, 2]);
});
