// How fast natural voices are on this machine, measured in a process of the lowest priority, with tones in their place.
import { expect, onTestFinished, test } from 'vitest';
import { followNaturalVoices, type MeasuringOptions } from '../../src/local/voice-service/natural-voices.ts';
import { makeFolder } from '../helpers/folder.ts';
import { createToneEngines, sendJson, spentBy, startTestVoiceService } from '../helpers/voice-service.ts';
import { createWaiter } from '../helpers/waiter.ts';

const engine = new URL('../fixtures/programs/tone-natural-synthesiser.ts', import.meta.url);
const hanging = new URL('../fixtures/programs/faulty-natural-synthesiser.ts?fault=hangs', import.meta.url);

/** Follows them in idle time, which begins at once. */
async function follow(options: { dir: string } & MeasuringOptions) {
  const engines = createToneEngines();
  const waiter = createWaiter();
  const known = { engine, machine: 'this one', freeBytes: 4 * 1024 ** 3, idleMs: 0, isBusy: () => false };
  const voices = await followNaturalVoices({ ...known, engines, onChange: waiter.notify, ...options });
  onTestFinished(async () => {
    await voices.close();
    await engines.close();
  });
  return {
    voices,
    engines,
    known: () =>
      waiter.until(
        () => voices.state() === 'known' || undefined,
        () => 'their speed',
      ),
  };
}

test('it is measured once on each machine, counts in the same run, and in all that follow', async () => {
  const dir = await makeFolder();
  const first = await follow({ dir });
  expect(first.engines.natural).toBeNull();
  await first.known();
  const { natural } = first.engines;
  expect(natural).not.toBeNull();
  const second = await follow({ dir });
  expect(second.engines.natural).toEqual(natural);
  const third = await follow({ dir, machine: 'another one', idleMs: 600_000 });
  expect(third.voices.state()).toBe('unknown');
});

test('it gives way to whoever asks, begins again, and ends within a second', async () => {
  let begun = 0;
  const waiter = createWaiter();
  const isBusy = () => {
    begun++;
    waiter.notify();
    return false;
  };
  const { voices } = await follow({ dir: await makeFolder(), engine: hanging, isBusy });
  await waiter.until(
    () => begun === 1 || undefined,
    () => 'the measurement',
  );
  voices.giveWay();
  await waiter.until(
    () => begun === 2 || undefined,
    () => 'the next measurement',
  );
  const since = performance.now();
  await voices.close();
  expect(performance.now() - since).toBeLessThan(1000);
});

test('a clause that is late is finished, so that their process needn’t be loaded again for the next text', async () => {
  const natural = new URL('../fixtures/programs/faulty-natural-synthesiser.ts?fault=waits&seconds=5', import.meta.url);
  const engines = createToneEngines({ natural: { realTimeFactor: 1, keepsUp: false }, builtIn: { natural } });
  onTestFinished(() => engines.close());
  const service = await startTestVoiceService({ engines });
  onTestFinished(service.close);
  const speak = (prefer: string) =>
    sendJson(service, '/v1/tts', { text: 'Hi.', format: 'wav', sample_rate: 8000, reference_id: 'heart' }, { headers: { prefer } });
  expect((await speak('wait=1')).status).toBe(422);
  // The same process speaks its second text.
  expect((await speak('wait=60')).bytes.length).toBeGreaterThan(1.5 * 2 * 8000);
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
