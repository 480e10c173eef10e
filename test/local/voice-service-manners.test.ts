// The local voice service with the manners of hosted ones: what differs from its own, as their users meet it.
import { encode } from '@msgpack/msgpack';
import { expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { readCommandLine } from '../../src/local/voice-service/command-line.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { makeCatalogue } from '../helpers/catalogue.ts';
import { silentWav } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import {
  creditOf,
  type RawRequest,
  send,
  sendForm,
  sendJson,
  startTestVoiceService,
  type TestVoiceService,
} from '../helpers/voice-service.ts';

async function startHosted(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const service = await startTestVoiceService({ like: 'hosted', ...options });
  onTestFinished(() => service.close());
  return service;
}

const withModel = (model: string): RawRequest => ({ headers: { model } });
const transcribe = (service: TestVoiceService, audio: Uint8Array, fields: Record<string, string> = {}, model?: string) =>
  sendForm(service, '/v1/asr', { audio, ignore_timestamps: 'false', ...fields }, model ? withModel(model) : {});
const two = recordTones('Well, hello there! Go home.');

test('--like hosted asks for them; without it, the service has its own', () => {
  expect(readCommandLine(['--like', 'hosted'], '')).toMatchObject({ like: 'hosted' });
  expect(readCommandLine([], '')).toMatchObject({ like: 'spec' });
  expect(() => readCommandLine(['--like', 'rude'], '')).toThrow('--like must be spec or hosted.');
});

test('segments are words without punctuation, and only the text has sentences; the language is named', async () => {
  const service = await startHosted();
  const { status, json } = await transcribe(service, two);
  expect(status).toBe(200);
  const { text, segments, ...rest } = json as { text: string; segments: { text: string; start: number; end: number }[] };
  expect(text).toBe('Well, hello there! Go home.');
  expect(segments.map((segment) => segment.text)).toEqual(['Well', 'hello', 'there', 'Go', 'home']);
  for (const [index, { start, end }] of segments.entries()) {
    expect(end).toBeGreaterThanOrEqual(start);
    expect(start).toBeGreaterThanOrEqual(segments[index - 1]?.end ?? 0);
  }
  expect(rest).toEqual({ duration: expect.any(Number), language_code: 'en', language: 'English' });
});

test('times have to be asked for, and a hint is two small letters, which aren’t obeyed', async () => {
  const service = await startHosted();
  expect((await sendForm(service, '/v1/asr', { audio: two })).json).toMatchObject({ segments: [] });
  expect((await transcribe(service, two, { ignore_timestamps: 'no' })).json).toMatchObject({ segments: { length: 5 } });
  const msgpack = { headers: { 'content-type': 'application/msgpack' }, body: encode({ audio: two }) };
  expect((await send(service, '/v1/asr', msgpack)).json).toMatchObject({ segments: [] });
  expect((await transcribe(service, two, { language: 'de' })).json).toMatchObject({ language_code: 'en' });
  expect(await transcribe(service, two, { language: 'en-US' })).toMatchObject({ status: 400, json: { reason: null } });
});

test('silence and long recordings are a 503 that costs nothing, unless they are for pro, which tells speakers apart', async () => {
  const service = await startHosted();
  const timedOut = { status: 503, json: { status: 503, message: 'upstream ASR service timed out', reason: null } };
  expect(await transcribe(service, silentWav(5))).toMatchObject(timedOut);
  expect(await transcribe(service, silentWav(61))).toMatchObject(timedOut);
  expect(await creditOf(service)).toBe('1000.000000');
  expect((await transcribe(service, silentWav(61), {}, 'transcribe-1-pro')).json).toMatchObject({ text: '', segments: [], duration: 61 });
  expect((await transcribe(service, two, {}, 'transcribe-1-pro')).json).toMatchObject({
    text: '<|speaker:0|>Well, hello there! Go home.',
    speaker_turns: [
      { speaker: 'speaker:0', text: 'Well, hello there!' },
      { speaker: 'speaker:0', text: 'Go home.' },
    ],
    request_id: expect.any(String),
  });
});

test('an unknown voice and a wrong field are a 400 with a sentence, and /model keeps its list of fields', async () => {
  const service = await startHosted();
  const unknown = await sendJson(service, '/v1/tts', { text: 'Hello.', reference_id: 'f'.repeat(32) });
  expect(unknown).toMatchObject({ status: 400, json: { status: 400, message: 'Reference not found', reason: null } });
  expect(await sendJson(service, '/v1/tts', {})).toMatchObject({ status: 400, json: { message: 'text: Field required' } });
  expect(await send(service, '/model?page_size=101')).toMatchObject({ status: 422, json: [{ loc: ['page_size'] }] });
  expect(await send(service, `/model/${'f'.repeat(32)}`)).toMatchObject({ status: 404 });
});

test('without credit, every paid call is a 402, whatever else is wrong with it; the free model goes on', async () => {
  const service = await startHosted({ credit: '0' });
  expect(await sendJson(service, '/v1/tts', { format: 'nonsense' })).toMatchObject({ status: 402 });
  expect(await sendForm(service, '/v1/asr', {}, withModel('s2.1-pro-free'))).toMatchObject({ status: 402 });
  expect(await sendJson(service, '/v1/tts', { text: 'Hello.' }, withModel('s2.1-pro-free'))).toMatchObject({ status: 200 });
  expect(await send(service, '/model')).toMatchObject({ status: 200 });
});

test('bytes and started seconds are billed, and show in the balance 5 to 35 s later', async () => {
  let now = Date.parse('2026-11-01T12:00:00Z');
  const service = await startHosted({ credit: '10', now: () => now });
  expect(await sendJson(service, '/v1/tts', { text: 'Café.' })).toMatchObject({ status: 200 });
  expect(await transcribe(service, two)).toMatchObject({ status: 200, json: { duration: expect.closeTo(2, 0) } });
  const { duration } = (await transcribe(service, two)).json as { duration: number };
  expect(duration % 1).not.toBe(0);
  expect(await creditOf(service)).toBe('10.000000');
  now += 4_900;
  expect(await creditOf(service)).toBe('10.000000');
  now += 30_100;
  expect(await creditOf(service)).toBe((10 - 6 * 15e-6 - 2 * Math.ceil(duration) * 1e-4).toFixed(6));
});

test('every answer says how many calls the account may have in flight, which grows with what was ever paid in; 429 has no Retry-After', async () => {
  const service = await startHosted({ keys: [{ key: 'a', userId: 'sam', credit: 60 }] });
  expect((await send(service, '/model')).headers).toMatchObject({
    'ratelimit-limit-concurrency': '5',
    'ratelimit-current-concurrency': '1',
  });
  const endless = JSON.stringify({ text: 'This one goes on and on. '.repeat(400), format: 'wav' });
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const headers = { authorization: 'Bearer a', 'content-type': 'application/json' };
  // Kept, because fetch cancels a response that nobody refers to any more.
  const calls: Response[] = [];
  while (calls.length < 5)
    calls.push(await fetch(`${service.url}/v1/tts`, { method: 'POST', headers, body: endless, signal: leave.signal }));
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const refused = await send(service, '/model');
  expect(refused).toMatchObject({ status: 429, headers: { 'ratelimit-current-concurrency': '5' } });
  expect(refused.headers).not.toHaveProperty('retry-after');

  const richer = await startHosted({ keys: [60, 40].map((credit, index) => ({ key: `key-${index}`, userId: 'sam', credit })) });
  expect((await send(richer, '/model')).headers).toMatchObject({ 'ratelimit-limit-concurrency': '15' });
});

test('a list is a window of 1,000 voices, and one beyond it is still found by its id; what nobody filled in is absent', async () => {
  const file = makeCatalogue(1_200);
  const models = file.models.map((model) => ({ ...model, visibility: 'public' as const, author: 'author-1', description: '' }));
  const service = await startHosted({ catalogue: { ...file, models } });
  const page = async (query: string) => (await send(service, `/model?page_size=100&${query}`)).json as { items: object[] };
  const window = { total: 1_000, window_limited: true, total_is_exact: false, accessible_upper_bound: 1_000 };
  expect(await page('page_number=10')).toMatchObject({ ...window, has_more: false, items: { length: 100 } });
  expect(await page('page_number=9')).toMatchObject({ ...window, has_more: true });
  expect(await page('page_number=11')).toMatchObject({ ...window, has_more: false, items: [] });
  expect(await page('author_id=author-1')).toMatchObject({ total: 1_200, window_limited: false, total_is_exact: true, has_more: true });
  expect((await page('page_number=1')).items[0]).not.toHaveProperty('description');
  const api = createApi({ baseUrl: service.url, apiKey: service.key });
  onTestFinished(() => api.close());
  const listed = new Set<string>();
  for (let number = 1; number <= 10; number++)
    for (const { _id } of (await page(`page_number=${number}`)).items as { _id: string }[]) listed.add(_id);
  const beyond = models.find(({ _id }) => !listed.has(_id))?._id;
  expect((await send(service, `/model/${beyond}`)).json).toMatchObject({ _id: beyond });
});

test('markers are obeyed rather than spoken, by the model that is served: from 2026-12-31 on, that is s2.1-pro in place of s1', async () => {
  let now = Date.parse('2026-12-30T23:59:00Z');
  const service = await startHosted({ now: () => now });
  const hear = async (text: string, model: string) => {
    const { bytes } = await sendJson(service, '/v1/tts', { text, format: 'wav' }, withModel(model));
    return ((await transcribe(service, bytes)).json as { text: string }).text;
  };
  expect(await hear('(happy) He cast [Fireball].', 's1')).toMatch(/^He cast \[?Fireball/);
  now += 60_000;
  expect(await hear('(happy) He cast [Fireball].', 's1')).toMatch(/happy\)? He cast\s*\.?$/);
  expect(await hear('He cast <whisper>this<|end|></whisper>.', 'drama-3-preview')).toBe('He cast this.');
});
