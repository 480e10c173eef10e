// The API client and the speech module against the local voice service with its real engines.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, createApi } from '../../src/api/index.ts';
import { PACKET_MS, pcmToWav } from '../../src/audio/index.ts';
import { createSpeech } from '../../src/synthesis/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import { heardSeconds, listen } from '../helpers/sound.ts';
import { openCacheIn } from '../helpers/utterances.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

const never = new AbortController().signal;
let service: TestVoiceService;
let api: Api;

beforeAll(async () => {
  service = await startTestVoiceService();
  api = createApi({ baseUrl: service.url, apiKey: service.key });
});
afterAll(async () => {
  await api?.close();
  await service?.close();
});

test('speech is heard in every format that the service offers', async () => {
  for (const format of ['mp3', 'wav', 'pcm', 'opus'] as const) {
    const utterance = createSpeech({ api, format }).utterance({ text: 'The sea was calm, and the sky was blue.' });
    const { sound, failure } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    expect(heardSeconds(sound, 48_000)).toBeGreaterThan(1.5);
    expect(heardSeconds(sound, 48_000)).toBeLessThan(4);
  }
});

test('texts that take longest to be said are far from the bound', async () => {
  const speech = createSpeech({ api, format: 'wav' });
  for (const text of ['7', '1234567890 $%&@# 1/2 €9,999,999.99', '%'.repeat(40), 'W'.repeat(40)]) {
    let frames = 0;
    for await (const _ of speech.utterance({ text, speed: 0.5 }).open(never)) frames += 1;
    expect((frames * PACKET_MS) / 1000).toBeLessThan((2 * (30 + text.length)) / 1.5);
  }
});

test('what was spoken once costs no credit the second time', async () => {
  const cache = await openCacheIn(await makeFolder());
  const balances: string[] = [];
  for (let count = 0; count < 2; count++) {
    const speech = createSpeech({ api, format: 'mp3', model: 's1', cache });
    await Array.fromAsync(speech.utterance({ text: 'Good morning.', scope: 'shared' }).open(never));
    await cache.close();
    balances.push(String((await api.getCredit()).credit));
  }
  expect(balances[1]).toBe(balances[0]);
  expect(Number(balances[0])).toBeLessThan(1000);
});

test('an upload in pieces is heard as the same bytes are in one', async () => {
  const wav = pcmToWav(Buffer.alloc(16_000), { contentType: 'audio/pcm' });
  async function* source() {
    yield wav.subarray(0, 100);
    yield wav.subarray(100);
  }
  const whole = await api.transcribe({ audio: wav });
  expect(await api.transcribe({ audio: source(), size: wav.length })).toEqual(whole);
});
