// Transcriptions by an engine of the operator's own, behind the local voice service: times, languages, limits, and failures.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AsrResult } from '../../src/api/schemas.ts';
import { createEngines } from '../../src/local/voice-service/engines/index.ts';
import { startEngineServer } from '../helpers/engine-server.ts';
import { answer, answerJson, type Behaviour, hang, reset, stall } from '../helpers/misbehaving-service.ts';
import { silentMp3 } from '../helpers/recordings.ts';
import { send, sendForm, startTestVoiceService } from '../helpers/voice-service.ts';

const KEY = 'sk-planted-engine-key';
const road = readFileSync(new URL('../fixtures/speech/road.mp3', import.meta.url));

async function serve(url: string, { credit = 1000, waits = {} } = {}) {
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  const engines = createEngines({
    transcription: { url, key: KEY },
    waits,
    onEvent: (event) => 'text' in event && log.warn(event.text),
  });
  const service = await startTestVoiceService({ engines, log, keys: [{ key: 'k', credit }] });
  onTestFinished(() => service.close().then(engines.close));
  return {
    service,
    logged,
    transcribe: async (fields: Record<string, string> = {}, audio: Uint8Array = road) => {
      const response = await sendForm(service, '/v1/asr', { ...fields, audio });
      return { status: response.status, json: response.json as AsrResult };
    },
    credit: async () => ((await send(service, '/wallet/self/api-credit')).json as { credit: string }).credit,
  };
}

test('are those of the engine, with the times of its segments', async () => {
  const engine = await startEngineServer({ key: KEY });
  const { transcribe, credit } = await serve(engine.url);
  const { status, json } = await transcribe({ ignore_timestamps: 'false' });
  expect(status).toBe(200);
  expect(json.text).toMatch(/road/);
  expect(json.segments.map(({ text }) => text).join(' ')).toBe(json.text);
  for (const { start, end } of json.segments) expect(start).toBeLessThan(end);
  expect(json.segments.at(-1)?.end).toBeLessThanOrEqual(json.duration);
  expect(1000 - Number(await credit())).toBeCloseTo((json.duration * 0.36) / 3600, 6);
  const [call] = engine.callsOf('/v1/audio/transcriptions');
  expect(call?.fields).toEqual({ model: 'whisper-1', response_format: 'verbose_json', 'timestamp_granularities[]': 'segment' });
  expect(call?.file?.name).toBe('recording.mp3');
  expect(Buffer.from(call?.file?.bytes ?? []).equals(road), 'the upload arrives as it was').toBe(true);
});

test.each([
  ['de', 'de'],
  ['pt-BR', 'pt'],
  ['EN_us', 'en'],
  ['the language of birds', undefined],
])('pass on the language %o as %o', async (language, passedOn) => {
  const engine = await startEngineServer({ key: KEY });
  const { transcribe } = await serve(engine.url);
  expect((await transcribe({ language })).status).toBe(200);
  expect(engine.callsOf('/v1/audio/transcriptions')[0]?.fields.language).toBe(passedOn);
});

test.each<[string, Behaviour]>([
  ['text in JSON', answerJson(200, { text: ' Hello there. ' })],
  ['plain text', answer(200, 'Hello there.\n', { 'content-type': 'text/plain; charset=utf-8' })],
])('have no segments if the engine only returns %s', async (_, behaviour) => {
  const engine = await startEngineServer();
  engine.behave('/v1/audio/transcriptions', behaviour);
  const { transcribe } = await serve(engine.url);
  const { json } = await transcribe({ ignore_timestamps: 'false' });
  expect(json).toEqual({ text: 'Hello there.', duration: expect.closeTo(5.36, 1), segments: [] });
});

test('ask for plain JSON from an engine that refuses the one with times, and go on doing so', async () => {
  const engine = await startEngineServer();
  const plain = answerJson(200, { text: 'Hello there.' });
  const refusal = answerJson(400, { error: { message: "response_format 'verbose_json' is not compatible with this model" } });
  engine.behave('/v1/audio/transcriptions', (request, response) => {
    const wantsTimes = engine.calls.at(-1)?.fields.response_format === 'verbose_json';
    (wantsTimes ? refusal : plain)(request, response);
  });
  const { transcribe } = await serve(engine.url);
  for (let count = 0; count < 2; count++) expect((await transcribe()).json.text).toBe('Hello there.');
  const formats = engine.callsOf('/v1/audio/transcriptions').map(({ fields }) => fields.response_format);
  expect(formats).toEqual(['verbose_json', 'json', 'json']);
});

test('keep times within the recording, and leave out segments that are none', async () => {
  const engine = await startEngineServer();
  const segments = [
    { text: ' one ', start: 0, end: '1.5' },
    { text: 'two', start: 1.5, end: 900 },
    { text: '', start: 1, end: 2 },
    { text: 'three', start: -1, end: Number.NaN },
    { text: 'four' },
    null,
    7,
  ];
  engine.behave('/v1/audio/transcriptions', answerJson(200, { text: 'one two', duration: 900, segments }));
  const { transcribe } = await serve(engine.url);
  const { json } = await transcribe({ ignore_timestamps: 'false' });
  expect(json.segments).toEqual([
    { text: 'one', start: 0, end: 1.5 },
    { text: 'two', start: 1.5, end: json.duration },
  ]);
});

test('never reach the engine if the recording is damaged, too long, or more than the credit covers', async () => {
  const engine = await startEngineServer();
  const { transcribe } = await serve(engine.url, { credit: 0.0001 });
  expect((await transcribe({}, Buffer.from('this is no recording at all'))).status).toBe(400);
  expect((await transcribe({}, silentMp3(3700))).status).toBe(422);
  expect((await transcribe({}, silentMp3(10))).status).toBe(402);
  expect(engine.callsOf('/v1/audio/transcriptions')).toEqual([]);
});

test('of a format that only the engine knows are charged by the length it tells', async () => {
  const engine = await startEngineServer();
  engine.behave('/v1/audio/transcriptions', answerJson(200, { text: 'Hello.', duration: 36 }));
  vi.stubEnv('PATH', '/nowhere'); // An ffmpeg would read it.
  onTestFinished(() => void vi.unstubAllEnvs());
  const { transcribe, credit } = await serve(engine.url);
  const amr = Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(500, 0x3c)]);
  const { status, json } = await transcribe({}, amr);
  expect({ status, json }).toEqual({ status: 200, json: { text: 'Hello.', duration: 36, segments: [] } });
  expect(await credit()).toBe('999.9964');
});

test('end at the engine when the client leaves', async () => {
  const engine = await startEngineServer();
  const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  engine.behave('/v1/audio/transcriptions', (request) => {
    request.socket.once('close', () => ended.resolve());
    arrived.resolve();
  });
  const { service, credit } = await serve(engine.url);
  const leaving = new AbortController();
  const form = new FormData();
  form.append('audio', new Blob([road]), 'road.mp3');
  const headers = { authorization: `Bearer ${service.key}` };
  const response = fetch(`${service.url}/v1/asr`, { method: 'POST', headers, body: form, signal: leaving.signal });
  await arrived.promise;
  leaving.abort();
  await expect(response).rejects.toThrow();
  await ended.promise;
  await expect.poll(credit).toBe('1000');
});

test.each<[string, Behaviour, number, RegExp]>([
  ['refuses the key', answerJson(403, { detail: `no: ${KEY}` }), 503, /^LOCAL_TRANSCRIPTION_KEY: .*refuses this key \(403: no: \[key\]\)/],
  ['lacks the path', answerJson(404, {}), 503, /^LOCAL_TRANSCRIPTION_URL: .*does not answer POST \/v1\/audio\/transcriptions/],
  ['refuses the recording', answerJson(400, { error: 'bad audio' }), 400, /refuses POST .*bad audio/],
  ['is too busy', answerJson(429, {}), 429, /^$/],
  ['breaks down', answer(502, '<html><title>Bad gateway</title></html>'), 503, /fails .*502: Bad gateway/],
  ['resets the connection', reset, 503, /broke off/],
  ['never answers', hang, 503, /did not answer/],
  ['stops in the middle', stall(100, 200, 'application/json'), 503, /fell silent/],
  ['answers with something else', answerJson(200, { transcript: 'Hello.' }), 503, /no transcript/],
  ['answers with half of it', answer(200, '{"text": "Hel', { 'content-type': 'application/json' }), 503, /no transcript/],
])('cost nothing if the engine %s, and the log says what to do', async (failure, behaviour, status, line) => {
  const engine = await startEngineServer();
  engine.behave('/v1/audio/transcriptions', behaviour);
  const { transcribe, credit, logged } = await serve(engine.url, {
    waits: /never|middle/.test(failure) ? { firstMs: 500, nextMs: 500 } : {},
  });
  const response = await transcribe();
  expect(response).toEqual({ status, json: { status, message: expect.stringMatching(/\. .*\.$/) } });
  expect(await credit()).toBe('1000');
  expect(logged.join('\n')).toMatch(line);
  expect(logged.join('\n')).not.toContain(KEY);
});
