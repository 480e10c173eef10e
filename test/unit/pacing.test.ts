// When natural voices begin to be heard: simulated, with each clause taking as long as it would.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toClauses } from '../../src/local/voice-service/engines/kokoro/clauses.ts';
import { estimateClauses } from '../../src/local/voice-service/engines/kokoro/duration.ts';
import { createPacing, type Pacing } from '../../src/local/voice-service/engines/pacing.ts';
import { createRandom } from '../helpers/random.ts';

const VOICE = { base: 'af_heart' };
const SENTENCES = [
  'Yes.',
  'Well, that is what she said!',
  'Nobody had expected that the two of them would walk along the river and look at the boats until the sun went down behind the hills.',
  'It was cold.',
  'When the rain had stopped, we went home by the old road that leads past the mill, the church and the school.',
];

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const now = () => performance.now() / 1000;
const sleep = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

/** Seconds until the first sound, and the longest gap after it. */
interface Heard {
  firstAt: number;
  gap: number;
}

/** As synthesis.ts makes it, for somebody who hears it as soon as it may be heard. */
async function speak(pacing: Pacing, text: string, realTimeFactor: number, random: () => number, maxStartSeconds?: number): Promise<Heard> {
  const between = (from: number, to: number) => from + (to - from) * random();
  const since = now();
  const paced = await pacing.begin(text, { voice: VOICE, speed: 1, maxStartSeconds });
  const heard = { firstAt: 0, gap: 0 };
  let [ready, endsAt] = [0, 0];
  try {
    for (const { text: clause, pauseSeconds } of toClauses(text)) {
      const seconds = clause.length * between(0.055, 0.07) + pauseSeconds;
      for (let made = 0; made < seconds; made++) {
        const slice = Math.min(1, seconds - made);
        await paced.make(() => sleep(made === 0 ? seconds * realTimeFactor * between(0.8, 1.15) : 0));
        ready += slice;
        const begins = heard.firstAt === 0;
        if (!paced.mayBeHeard(ready, false)) continue;
        if (begins) [heard.firstAt, endsAt] = [now() - since, now() + ready];
        else {
          heard.gap = Math.max(heard.gap, now() - endsAt);
          endsAt += slice;
        }
        if (!paced.isUrgent()) await sleep(between(0, Math.max(0, endsAt - now() - 5)));
      }
    }
    paced.mayBeHeard(ready, true);
    paced.endText();
  } finally {
    paced.end();
  }
  return heard;
}

describe.each([0.05, 0.1, 0.2, 0.23])('where a second of speech takes %f s', (realTimeFactor) => {
  const random = createRandom(realTimeFactor * 1000);
  const between = (from: number, to: number) => from + (to - from) * random();

  it('begins a text at once if there is no other, and has no gap', async () => {
    const pacing = createPacing({ realTimeFactor, keepsUp: true }, estimateClauses);
    for (let round = 0; round < 20; round++) {
      const text = Array.from({ length: 6 }, () => SENTENCES[Math.floor(random() * SENTENCES.length)]).join(' ');
      const speech = speak(pacing, text, realTimeFactor, random);
      await vi.runAllTimersAsync();
      const { firstAt, gap } = await speech;
      expect(firstAt).toBeLessThan(1.1);
      expect(gap, text).toBe(0);
    }
  });

  it('begins late rather than with gaps if there are many, among them some that aren’t heard', async () => {
    const pacing = createPacing({ realTimeFactor, keepsUp: true }, estimateClauses);
    const results: (Heard | string)[] = [];
    for (let index = 0; index < 30; index++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 8) }, () => SENTENCES[Math.floor(random() * SENTENCES.length)]).join(' ');
      void sleep(between(0, 60)).then(async () =>
        results.push(await speak(pacing, text, realTimeFactor, random).catch((error) => error.kind)),
      );
    }
    for (let index = 0; index < 5; index++) {
      void sleep(between(0, 60)).then(async () => {
        for (let part = 0; part < 10; part++) await pacing.inBetween(() => sleep(between(1, 9) * realTimeFactor), undefined);
      });
    }
    await vi.runAllTimersAsync();
    expect(results).toHaveLength(30);
    const heard = results.filter((result) => typeof result !== 'string');
    expect(Math.max(...heard.map(({ gap }) => gap))).toBe(0);
    expect(heard.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...heard.map(({ firstAt }) => firstAt))).toBeLessThanOrEqual(10);
    expect(results.filter((result) => typeof result === 'string' && result !== 'busy')).toEqual([]);
  });
});

describe.each([1, 1.7, 3, 6])(
  'a voice that takes 0.7 s for a second of sound, on a machine that is busy enough for %f times as much',
  (busy) => {
    const random = createRandom(busy * 10);
    const text = (sentences: number) =>
      Array.from({ length: sentences }, () => SENTENCES[Math.floor(random() * SENTENCES.length)]).join(' ');

    it('begins within ten seconds and has no gap, or refuses the text within ten seconds', async () => {
      const outcomes: { seconds: number; heard: Heard | null }[] = [];
      for (let round = 0; round < 30; round++) {
        const pacing = createPacing({ realTimeFactor: 0.7, keepsUp: false }, estimateClauses);
        const since = now();
        const speech = speak(pacing, text(1 + (round % 8)), 0.7 * busy, random).then(
          (heard) => outcomes.push({ seconds: heard.firstAt, heard }),
          (error) => {
            expect(error.kind).toBe('too-slow');
            expect(error.maxCharacters).toBeGreaterThan(0);
            outcomes.push({ seconds: now() - since, heard: null });
          },
        );
        await vi.runAllTimersAsync();
        await speech;
      }
      expect(Math.max(...outcomes.map(({ seconds }) => seconds))).toBeLessThanOrEqual(10.001);
      expect(Math.max(...outcomes.map(({ heard }) => heard?.gap ?? 0))).toBeLessThan(0.5);
      expect(outcomes.some(({ heard }) => heard !== null)).toBe(true);
    });
  },
);

it('a text that hasn’t begun as soon as it was wanted is refused then, and the next one at once', async () => {
  const pacing = createPacing({ realTimeFactor: 0.7, keepsUp: false }, estimateClauses);
  const random = createRandom(2);
  const refusedAfter = async () => {
    const since = now();
    const speech = speak(pacing, SENTENCES[1] as string, 4, random, 5).then(
      () => null,
      () => now() - since,
    );
    await vi.runAllTimersAsync();
    return speech;
  };
  expect(await refusedAfter()).toBeCloseTo(5);
  expect(await refusedAfter()).toBe(0);
});

it('a text that would begin too late is refused at once while the machine is as busy as it was with the last one, and a minute later isn’t', async () => {
  const pacing = createPacing({ realTimeFactor: 0.7, keepsUp: false }, estimateClauses);
  const random = createRandom(1);
  const text = SENTENCES.slice(2, 5).join(' ');
  const refused = async () => {
    const since = now();
    const speech = speak(pacing, text, 0.7, random).then(
      () => false,
      () => now() === since,
    );
    await vi.runAllTimersAsync();
    return speech;
  };
  const before = speak(pacing, SENTENCES[1] as string, 3, random);
  await vi.runAllTimersAsync();
  await before;
  expect(await refused()).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await refused()).toBe(false);
});
