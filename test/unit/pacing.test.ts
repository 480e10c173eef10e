// When natural voices begin to be heard where they keep up: simulated, with each clause taking as long as it would.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toClauses } from '../../src/local/voice-service/engines/kokoro/clauses.ts';
import { estimateSeconds } from '../../src/local/voice-service/engines/kokoro/duration.ts';
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

describe.each([0.05, 0.1, 0.2, 0.23])('where a second of speech takes %f s', (realTimeFactor) => {
  const random = createRandom(realTimeFactor * 1000);
  const between = (from: number, to: number) => from + (to - from) * random();

  /** As synthesis.ts makes it, for somebody who hears it as soon as it may be heard. */
  async function speak(pacing: Pacing, text: string): Promise<Heard> {
    const since = now();
    const paced = await pacing.begin(text, VOICE, 1, undefined);
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

  it('begins a text at once if there is no other, and has no gap', async () => {
    const pacing = createPacing({ realTimeFactor, keepsUp: true }, estimateSeconds);
    for (let round = 0; round < 20; round++) {
      const text = Array.from({ length: 6 }, () => SENTENCES[Math.floor(random() * SENTENCES.length)]).join(' ');
      const speech = speak(pacing, text);
      await vi.runAllTimersAsync();
      const { firstAt, gap } = await speech;
      expect(firstAt).toBeLessThan(1.1);
      expect(gap, text).toBe(0);
    }
  });

  it('begins late rather than with gaps if there are many, among them some that aren’t heard', async () => {
    const pacing = createPacing({ realTimeFactor, keepsUp: true }, estimateSeconds);
    const results: (Heard | string)[] = [];
    for (let index = 0; index < 30; index++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 8) }, () => SENTENCES[Math.floor(random() * SENTENCES.length)]).join(' ');
      void sleep(between(0, 60)).then(async () => results.push(await speak(pacing, text).catch((error) => error.kind)));
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
    // Ten seconds, as well as it can be told before.
    expect(Math.max(...heard.map(({ firstAt }) => firstAt))).toBeLessThan(15);
    expect(results.filter((result) => typeof result === 'string' && result !== 'busy')).toEqual([]);
  });
});
