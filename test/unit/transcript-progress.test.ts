// Progress of a job: shown rarely, only the latest, and without keeping the job waiting.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgress } from '../../src/discord/progress.ts';
import { en } from '../../src/locales/index.ts';
import { createTranscriptionEta, waitingStage } from '../../src/transcription/context.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows the latest progress, at most every 1.5 s', async () => {
  const shown: string[] = [];
  const stages = createProgress(async (stage) => shown.push(stage));
  for (let bytes = 0; bytes < 100; bytes++) {
    stages.set(() => `read ${bytes}`);
    await vi.advanceTimersByTimeAsync(50);
  }
  // After 0.5, 2, 3.5 and 5 s.
  const expected = ['read 9', 'read 39', 'read 69', 'read 99'];
  expect(shown).toEqual(expected);
  stages.set(() => 'read 99');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown).toEqual(expected);
});

it('shows nothing for a job that is done at once, and nothing after its end', async () => {
  const show = vi.fn(async () => {});
  const stages = createProgress(show);
  stages.set(() => 'reading');
  await vi.advanceTimersByTimeAsync(400);
  await stages.end();
  stages.set(() => 'reading on');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(show).not.toHaveBeenCalled();
});

it('queues nothing behind an edit in progress, and waits only for that edit at the end', async () => {
  const shown: string[] = [];
  let arrive = () => {};
  const stages = createProgress((stage) => {
    shown.push(stage);
    return new Promise<void>((resolve) => {
      arrive = resolve;
    });
  });
  stages.set(() => 'one');
  await vi.advanceTimersByTimeAsync(60_000);
  stages.set(() => 'two');
  stages.set(() => 'three');
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

it('continues if progress could not be shown', async () => {
  const shown: string[] = [];
  const stages = createProgress(async (stage) => {
    shown.push(stage);
    throw new Error('the message is gone');
  });
  stages.set(() => 'one');
  await vi.advanceTimersByTimeAsync(3000);
  stages.set(() => 'two');
  await vi.advanceTimersByTimeAsync(3000);
  expect(shown).toEqual(['one', 'two']);
  await stages.end();
});

it('asks the current stage again, which may tell the time', async () => {
  const shown: string[] = [];
  const stages = createProgress(async (stage) => shown.push(stage));
  const begun = Date.now();
  stages.set(() => `${Math.floor((Date.now() - begun) / 5000) * 5} s`);
  await vi.advanceTimersByTimeAsync(11_500);
  expect(shown).toEqual(['0 s', '5 s', '10 s']);
  await stages.end();
});

it('expects what earlier transcriptions took for their length, the latest ones most', () => {
  const eta = createTranscriptionEta();
  expect(eta.expect(60)).toBeNull();
  eta.note(0.2, 5000);
  expect(eta.expect(60)).toBeNull();
  eta.note(10, 1000);
  expect(eta.expect(60)).toBe(6000);
  eta.note(10, 2000);
  expect(eta.expect(60)).toBeCloseTo(8400);
});

it('never shows more time than it expects: once that has passed, it says that it takes longer', () => {
  const stage = waitingStage(Date.now(), 52_000);
  const shown = Array.from({ length: 18 }, () => {
    vi.advanceTimersByTime(5000);
    return stage(en);
  });
  expect(shown[9]).toBe('Transcribing: 50 seconds of about 52 seconds');
  expect(shown[10]).toBe('Transcribing: 55 seconds, longer than usual');
  expect(shown.at(-1)).toBe('Transcribing: 1 minute, 30 seconds, longer than usual');
  expect(waitingStage(Date.now(), 100)(en)).toBe('Transcribing: 0 seconds of about 5 seconds');
});

it('says that the recogniser is being loaded, for as long as it is', () => {
  let isStarting = true;
  const stage = waitingStage(Date.now(), 52_000, () => isStarting);
  expect(stage(en)).toBe(en('transcription.gettingReady'));
  isStarting = false;
  expect(stage(en)).toBe('Transcribing: 0 seconds of about 52 seconds');
});

it('a duration of zero has words, too', () => {
  expect(en('transcription.transcribing', { elapsed: 0, expected: 65 })).toBe('Transcribing: 0 seconds of about 1 minute, 5 seconds');
});
