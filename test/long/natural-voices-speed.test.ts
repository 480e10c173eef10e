// How fast natural voices are on this machine, measured in a process of the lowest priority, with tones in their place.
import { expect, onTestFinished, test } from 'vitest';
import { measureNaturalSpeed } from '../../src/local/voice-service/engines/index.ts';
import { findNaturalVoices, measureOnce, noteAnnounced } from '../../src/local/voice-service/natural-voices.ts';
import { makeFolder } from '../helpers/folder.ts';
import { createToneEngines, sendJson, spentBy, startTestVoiceService } from '../helpers/voice-service.ts';

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

test('a slow voice that hasn’t begun after ten seconds, because the machine has become busy, refuses the text then, free of charge', async () => {
  const engines = createToneEngines({ natural: { realTimeFactor: 1, keepsUp: false } });
  onTestFinished(() => engines.close());
  const service = await startTestVoiceService({ engines });
  onTestFinished(service.close);
  const since = performance.now();
  // "Wait." is never ready.
  const text = 'Hi. Wait. The third one is much longer than the first one is.';
  const { status, json } = await sendJson(service, '/v1/tts', { text, format: 'wav', reference_id: 'heart' });
  expect([status, (json as { type: string }[])[0]?.type]).toEqual([422, 'too_slow']);
  expect(performance.now() - since).toBeGreaterThan(9500);
  expect(performance.now() - since).toBeLessThan(20_000);
  expect(await spentBy(service)).toBe(0n);
});
