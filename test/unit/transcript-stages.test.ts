// Stages of a work: shown seldom, the latest one wins, and the work never waits for them.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStages } from '../../src/transcription/stages.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows the latest stage, at most every second and a half', async () => {
  const shown: string[] = [];
  const stages = createStages(async (stage) => shown.push(stage));
  for (let bytes = 0; bytes < 100; bytes++) {
    stages.set(`read ${bytes}`);
    await vi.advanceTimersByTimeAsync(50);
  }
  // After 0.5, 2, 3.5 and 5 s.
  const expected = ['read 9', 'read 39', 'read 69', 'read 99'];
  expect(shown).toEqual(expected);
  stages.set('read 99');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown).toEqual(expected);
});

it('shows none of a work that is done at once, and none after its end', async () => {
  const show = vi.fn(async () => {});
  const stages = createStages(show);
  stages.set('reading');
  await vi.advanceTimersByTimeAsync(400);
  await stages.end();
  stages.set('reading on');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(show).not.toHaveBeenCalled();
});

it('puts none behind one that is still under way, and waits for that one alone at the end', async () => {
  const shown: string[] = [];
  let arrive = () => {};
  const stages = createStages((stage) => {
    shown.push(stage);
    return new Promise<void>((resolve) => {
      arrive = resolve;
    });
  });
  stages.set('one');
  await vi.advanceTimersByTimeAsync(60_000);
  stages.set('two');
  stages.set('three');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toEqual(['one']);
  let hasEnded = false;
  const ended = stages.end().then(() => {
    hasEnded = true;
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(hasEnded).toBe(false);
  arrive();
  await ended;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown).toEqual(['one']);
});

it('goes on where a stage could not be shown', async () => {
  const shown: string[] = [];
  const stages = createStages(async (stage) => {
    shown.push(stage);
    throw new Error('the message is gone');
  });
  stages.set('one');
  await vi.advanceTimersByTimeAsync(3000);
  stages.set('two');
  await vi.advanceTimersByTimeAsync(3000);
  expect(shown).toEqual(['one', 'two']);
  await stages.end();
});
