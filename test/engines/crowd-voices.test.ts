// The voices of members who talk on the local Discord's page, with the real engine.
import { afterAll, expect, test } from 'vitest';
import { createCrowdVoices } from '../../src/local/crowd-voices.ts';
import { heardSeconds, listen } from '../helpers/sound.ts';
import { never } from '../helpers/utterances.ts';

const voices = createCrowdVoices();
afterAll(() => voices.close());

test('say a sentence in packets of 20 ms, each voice in its own time', async () => {
  const seconds: number[] = [];
  for (const voice of [0, 1, 4]) {
    const { sound, failure } = await listen(voices.speak('Good evening, everybody. Can you all hear me?', voice, never));
    expect(failure).toBeNull();
    seconds.push(heardSeconds(sound, 48_000));
  }
  const [first = 0, second = 0, again] = seconds;
  expect(first).toBeGreaterThan(1.5);
  expect(first).toBeLessThan(5);
  expect(Math.abs(second - first)).toBeGreaterThan(0.02);
  expect(again).toBe(first);
});

test('fall silent when they are interrupted', async () => {
  const ended = new AbortController();
  const packets = voices.speak('One. Two. Three. Four. Five. Six. Seven. Eight. Nine. Ten.', 0, ended.signal)[Symbol.asyncIterator]();
  await packets.next();
  ended.abort(new Error('enough'));
  await expect(packets.next()).rejects.toThrow('enough');
});
