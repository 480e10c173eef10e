// How fast natural voices are on this machine, measured in a process of the lowest priority, with tones in their place.
import { expect, test } from 'vitest';
import { measureNaturalSpeed } from '../../src/local/voice-service/engines/index.ts';
import { findNaturalVoices, measureOnce, noteAnnounced } from '../../src/local/voice-service/natural-voices.ts';
import { makeFolder } from '../helpers/folder.ts';

const engine = new URL('../fixtures/programs/tone-natural-synthesiser.ts', import.meta.url);
const { signal } = new AbortController();

test.each([
  [0.05, true],
  [2, false],
])(
  'the speed of natural voices is what a text takes: with %f s for a second of sound, whether they keep up is %s',
  async (seconds, keepsUp) => {
    let ms = 0;
    // Every chunk is a second of sound, or the end of a sentence.
    const clock = () => (ms += seconds * 1000);
    const speed = await measureNaturalSpeed({ engine, voice: 'af_heart', signal, now: clock });
    expect(speed.keepsUp).toBe(keepsUp);
    expect(speed.realTimeFactor).toBeGreaterThan(seconds / 2);
    expect(speed.realTimeFactor).toBeLessThan(seconds * 2);
  },
);

test('it is measured once on each machine, and counts from the next start', async () => {
  const known = { engine, dir: await makeFolder(), machine: 'this one', freeBytes: 4 * 1024 ** 3 };
  const measure = (machine: string) => measureOnce({ ...known, machine }, { signal, waitMs: 0, isBusy: () => false });
  expect(await findNaturalVoices(known)).toBeNull();
  await measure(known.machine);
  const found = await findNaturalVoices(known);
  expect(found).toMatchObject({ areNew: true });
  await noteAnnounced(known);
  await measure(known.machine);
  expect(await findNaturalVoices(known)).toEqual({ ...found, areNew: false });
  await measure('another one');
  expect(await findNaturalVoices({ ...known, machine: 'another one' })).toMatchObject({ areNew: true });
});
