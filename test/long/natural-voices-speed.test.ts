// How fast natural voices are on this machine, measured in a process of the lowest priority, with tones in their place.
import { expect, test } from 'vitest';
import { measureNaturalSpeed } from '../../src/local/voice-service/engines/index.ts';

const engine = new URL('../helpers/tone-natural-synthesiser.ts', import.meta.url);

test.each([
  [0.05, true],
  [2, false],
])(
  'the speed of natural voices is what a text takes: with %f s for a second of sound, whether they keep up is %s',
  async (seconds, keepsUp) => {
    let ms = 0;
    // Every chunk is a second of sound, or the end of a sentence.
    const clock = () => (ms += seconds * 1000);
    const speed = await measureNaturalSpeed({ engine, voice: 'af_heart', signal: new AbortController().signal, now: clock });
    expect(speed.keepsUp).toBe(keepsUp);
    expect(speed.realTimeFactor).toBeGreaterThan(seconds / 2);
    expect(speed.realTimeFactor).toBeLessThan(seconds * 2);
  },
);
