// Transcriptions by an engine of the operator's own, behind the local voice service: times, languages, limits, and failures.
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AsrResult } from '../../src/api/schemas.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { priceOfTranscription } from '../../src/local/voice-service/money.ts';
import { type EngineServer, startEngineServer } from '../helpers/engine-server.ts';
import { answer, answerJson, type Behaviour, hang, reset, stall } from '../helpers/misbehaving-service.ts';
import { collect } from '../helpers/speech.ts';
import { sendForm, toneEngines } from '../helpers/voice-service.ts';
import { KEY, openServedEngine, type ServedEngine, startServedEngine, TEXT } from './served-engine.ts';

const SAID = `${TEXT} His dog ran ahead of him.`;
const PATH = '/v1/audio/transcriptions';

const behind = (options: Partial<VoiceServiceOptions> = {}) => ({ transcription: { url: engine.url, key: KEY }, ...options });

async function transcribe({ service }: ServedEngine, fields: Record<string, string> = {}, audio: Uint8Array = recording) {
  const { status, json } = await sendForm(service, '/v1/asr', { ...fields, audio });
  return { status, json: json as AsrResult };
}

let engine: EngineServer;
let served: ServedEngine;
let recording: Uint8Array;

beforeAll(async () => {
  recording = await collect(toneEngines().speak({ text: SAID, voice: { base: 'slt' }, format: 'mp3' }));
  engine = await startEngineServer({ key: KEY });
  served = await startServedEngine(behind());
});
beforeEach(() => {
  engine.calls.length = 0;
  engine.behave(PATH, null);
  served.logged.length = 0;
});
afterAll(async () => {
  await served.service.close();
  await engine.close();
});

test('are those of the engine, with the times of its segments', async () => {
  const before = Number(await served.credit());
  const { status, json } = await transcribe(served, { ignore_timestamps: 'false' });
  expect(status).toBe(200);
  expect(json.text).toBe(SAID);
  expect(json.segments.map(({ text }) => text).join(' ')).toBe(SAID);
  for (const { start, end } of json.segments) expect(start).toBeLessThan(end);
  expect(json.segments.at(-1)?.end).toBeLessThanOrEqual(json.duration);
  expect((before - Number(await served.credit())) * 1e6).toBeCloseTo(Number(priceOfTranscription(json.duration)), 3);
  const [call] = engine.callsOf(PATH);
  expect(call?.fields).toEqual({ model: 'whisper-1', response_format: 'verbose_json', 'timestamp_granularities[]': 'segment' });
  expect(call?.file?.name).toBe('recording.mp3');
  expect(Buffer.from(call?.file?.bytes ?? []).equals(recording), 'the upload arrives as it was').toBe(true);
});

test.each([
  ['de', 'de'],
  ['pt-BR', 'pt'],
  ['EN_us', 'en'],
  ['the language of birds', undefined],
])('pass on the language %o as %o', async (language, passedOn) => {
  engine.behave(PATH, answerJson(200, { text: 'Hello there.' }));
  expect((await transcribe(served, { language })).status).toBe(200);
  expect(engine.callsOf(PATH)[0]?.fields.language).toBe(passedOn);
});

test.each<[string, Behaviour]>([
  ['text in JSON', answerJson(200, { text: ' Hello there. ' })],
  ['plain text', answer(200, 'Hello there.\n', { 'content-type': 'text/plain; charset=utf-8' })],
])('have no segments if the engine only returns %s', async (_, behaviour) => {
  engine.behave(PATH, behaviour);
  const { json } = await transcribe(served, { ignore_timestamps: 'false' });
  const { duration } = await toneEngines().transcribe({ audio: recording, timestamps: false });
  expect(json).toEqual({ text: 'Hello there.', duration: expect.closeTo(duration, 1), segments: [] });
});

test('ask for plain JSON from an engine that refuses the one with times, and go on doing so', async () => {
  const plain = answerJson(200, { text: 'Hello there.' });
  const refusal = answerJson(400, { error: { message: "response_format 'verbose_json' is not compatible with this model" } });
  engine.behave(PATH, (request, response) => {
    const wantsTimes = engine.calls.at(-1)?.fields.response_format === 'verbose_json';
    (wantsTimes ? refusal : plain)(request, response);
  });
  const fresh = await openServedEngine(behind());
  for (let count = 0; count < 2; count++) expect((await transcribe(fresh)).json.text).toBe('Hello there.');
  const formats = engine.callsOf(PATH).map(({ fields }) => fields.response_format);
  expect(formats).toEqual(['verbose_json', 'json', 'json']);
});

test('keep times within the recording, and leave out segments that are none', async () => {
  const segments = [
    { text: ' one ', start: 0, end: '1.5' },
    { text: 'two', start: 1.5, end: 900 },
    { text: '', start: 1, end: 2 },
    { text: 'three', start: -1, end: Number.NaN },
    { text: 'four' },
    null,
    7,
  ];
  engine.behave(PATH, answerJson(200, { text: 'one two', duration: 900, segments }));
  const { json } = await transcribe(served, { ignore_timestamps: 'false' });
  expect(json.segments).toEqual([
    { text: 'one', start: 0, end: 1.5 },
    { text: 'two', start: 1.5, end: json.duration },
  ]);
});

test('never reach the engine if the recording is damaged or more than the credit covers', async () => {
  const poor = await openServedEngine(behind({ credit: '0.0001' }));
  expect((await transcribe(poor, {}, Buffer.from('this is no recording at all'))).status).toBe(400);
  expect((await transcribe(poor)).status).toBe(402);
  expect(engine.callsOf(PATH)).toEqual([]);
});

test('of a format that only the engine knows are charged by the length it tells, and refused beyond an hour', async () => {
  engine.behave(PATH, answerJson(200, { text: 'Hello.', duration: 36 }));
  vi.stubEnv('PATH', '/nowhere'); // An ffmpeg would read it.
  onTestFinished(() => void vi.unstubAllEnvs());
  const fresh = await openServedEngine(behind());
  const amr = Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(500, 0x3c)]);
  const { status, json } = await transcribe(fresh, {}, amr);
  expect({ status, json }).toEqual({ status: 200, json: { text: 'Hello.', duration: 36, segments: [] } });
  expect(await fresh.credit()).toBe('999.9964');
  engine.behave(PATH, answerJson(200, { text: 'Hello.', duration: 3601 }));
  expect((await transcribe(fresh, {}, amr)).status).toBe(422);
  expect(await fresh.credit()).toBe('999.9964');
});

test('end at the engine when the client leaves', async () => {
  const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  engine.behave(PATH, (request) => {
    request.socket.once('close', () => ended.resolve());
    arrived.resolve();
  });
  const before = await served.credit();
  const leaving = new AbortController();
  const form = new FormData();
  form.append('audio', new Blob([new Uint8Array(recording)]), 'road.mp3');
  const headers = { authorization: `Bearer ${served.service.key}` };
  const response = fetch(`${served.service.url}/v1/asr`, { method: 'POST', headers, body: form, signal: leaving.signal });
  await arrived.promise;
  leaving.abort();
  await expect(response).rejects.toThrow();
  await ended.promise;
  await expect.poll(served.credit).toBe(before);
});

describe('cost nothing if the engine', () => {
  async function expectFailure(by: ServedEngine, behaviour: Behaviour, status: number, line: RegExp): Promise<void> {
    engine.behave(PATH, behaviour);
    const before = await by.credit();
    expect(await transcribe(by)).toEqual({ status, json: { status, message: expect.stringMatching(/\. .*\.$/) } });
    expect(await by.credit()).toBe(before);
    const log = by.logged.map(({ msg }) => msg).join('\n');
    expect(log).toMatch(line);
    expect(log).not.toContain(KEY);
  }

  test.each<[string, Behaviour, number, RegExp]>([
    [
      'refuses the key',
      answerJson(403, { detail: `no: ${KEY}` }),
      503,
      /^LOCAL_TRANSCRIPTION_KEY: .*refuses this key \(403: no: \[key\]\)/,
    ],
    ['lacks the path', answerJson(404, {}), 503, /^LOCAL_TRANSCRIPTION_URL: .*does not answer POST \/v1\/audio\/transcriptions/],
    ['refuses the recording', answerJson(400, { error: 'bad audio' }), 400, /refuses POST .*bad audio/],
    ['is too busy', answerJson(429, {}), 429, /^$/],
    ['breaks down', answer(502, '<html><title>Bad gateway</title></html>'), 503, /fails .*502: Bad gateway/],
    ['resets the connection', reset, 503, /broke off/],
    ['answers with something else', answerJson(200, { transcript: 'Hello.' }), 503, /no transcript/],
    ['answers with half of it', answer(200, '{"text": "Hel', { 'content-type': 'application/json' }), 503, /no transcript/],
  ])('%s, and the log says what to do', async (_, ...failure) => {
    // Only an engine that has worked since is said to fail.
    engine.behave(PATH, answerJson(200, { text: 'Hello.' }));
    await transcribe(served);
    served.logged.length = 0;
    await expectFailure(served, ...failure);
  });

  test.each<[string, Behaviour, RegExp, object]>([
    ['never answers', hang, /did not answer/, { firstMs: 200 }],
    ['stops in the middle', stall(100, 200, 'application/json'), /fell silent/, { nextMs: 200 }],
  ])('%s, and the log says what to do', async (_, behaviour, line, waits) => {
    await expectFailure(await openServedEngine(behind({ waits })), behaviour, 503, line);
  });
});
