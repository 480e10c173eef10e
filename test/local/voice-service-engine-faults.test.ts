// An engine of the operator's own that fails behind the local voice service.
import { arrayBuffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../../src/local/voice-service/engines/remote/connection.ts';
import { openEngineServer } from '../helpers/engine-server.ts';
import { answer, answerJson, type Behaviour, cut, hang, reset, speakGibberish, stall } from '../helpers/misbehaving-service.ts';
import { beginSpeech, send, sendJson } from '../helpers/voice-service.ts';
import { KEY, openServedSpeech, TEXT } from './served-engine.ts';

describe('an engine that fails', () => {
  const SECRETS = /sk-planted|walked slowly/;
  test.each<[string, Behaviour, number, RegExp]>([
    [
      'refuses the key',
      answerJson(401, { error: { message: `Incorrect API key provided: ${KEY}` } }),
      503,
      /^LOCAL_SPEECH_KEY: .* refuses this key \(401: .*\)\. Copy it again\.$/,
    ],
    ['lacks the path', answerJson(404, { detail: 'Not Found' }), 503, /^LOCAL_SPEECH_URL: .*404: Not Found.*Check that the address/],
    [
      'refuses the text',
      answerJson(400, { error: { message: `model not loaded; said: ${TEXT}` } }),
      400,
      /refuses POST \/v1\/audio\/speech \(400: model not loaded; said: \[text\]\)/,
    ],
    ['is too busy', answerJson(429, {}, { 'retry-after': '7' }), 429, /^$/],
    ['breaks down', answerJson(500, { detail: 'CUDA out of memory' }), 503, /fails at .*500: CUDA out of memory/],
    ['redirects', answer(307, '', { location: 'http://127.0.0.1:1/v1/audio/speech' }), 503, /redirects .*307.* not followed/],
    ['resets the connection', reset, 503, /broke off/],
    ['speaks no HTTP', speakGibberish('SSH-2.0-OpenSSH_9.6\r\n'), 503, /does not speak HTTP/],
    ['never answers', hang, 503, /did not answer within 0\.1 s/],
    [
      'sends JSON for sound',
      answerJson(200, { error: 'no voice for you, sorry: try again with another one please' }),
      503,
      /text instead of sound/,
    ],
    ['sends nothing', answer(200, '', { 'content-type': 'audio/mpeg' }), 503, /no sound at all/],
    ['sends what nobody reads', answer(200, Buffer.from(`fLaC${'\0'.repeat(200)}`), { 'content-type': 'audio/flac' }), 503, /sends FLAC/],
  ])('%s: the client is told, nothing is charged, and the log has one line without key or text', async (_, behaviour, status, line) => {
    const engine = await openEngineServer();
    engine.behave('/v1/audio/speech', behaviour);
    const { service, logged, credit, models } = await openServedSpeech(engine.url, { waits: behaviour === hang ? { firstMs: 100 } : {} });
    await models();
    logged.length = 0;
    const response = await sendJson(service, '/v1/tts', { text: TEXT });
    expect(response.status).toBe(status);
    expect(response.json).toEqual({ status, message: expect.stringMatching(/\. .*\.$/) });
    if (status === 429) expect(response.headers['retry-after']).toBe('7');
    expect(await credit()).toBe('1000');
    await sendJson(service, '/v1/tts', { text: TEXT });
    expect(logged.map(({ msg }) => msg).join('\n')).toMatch(line);
    expect(logged.length).toBeLessThanOrEqual(1);
    expect(JSON.stringify([logged, response.json])).not.toMatch(SECRETS);
  });

  test.each<[string, Behaviour]>([
    ['breaks off', cut(4096)],
    ['falls silent', stall(4096)],
  ])('%s in the middle: the client sees a broken stream and gets its credit back', async (_, behaviour) => {
    const engine = await openEngineServer();
    engine.behave('/v1/audio/speech', behaviour);
    const { service, credit } = await openServedSpeech(engine.url, { waits: { nextMs: 500 } });
    const { response } = beginSpeech(service, { text: TEXT });
    await expect(arrayBuffer(await response)).rejects.toThrow();
    expect(await credit()).toBe('1000');
  });

  test('is damaged sound where it has to be converted', async () => {
    const engine = await openEngineServer();
    engine.behave('/v1/audio/speech', answer(200, Buffer.from('RIFF\0\0\0\0WAVEfmt \x10'), { 'content-type': 'audio/wav' }));
    const { service, credit, logged } = await openServedSpeech(engine.url);
    expect((await sendJson(service, '/v1/tts', { text: TEXT, format: 'pcm' })).status).toBe(503);
    expect(await credit()).toBe('1000');
    expect(logged.at(-1)?.msg).toMatch(/damaged/);
  });

  test('never sees the key elsewhere: redirects are not followed', async () => {
    const elsewhere = await openEngineServer();
    const engine = await openEngineServer();
    for (const path of ['/v1/models', '/v1/audio/voices', '/v1/audio/speech'] as const)
      engine.behave(path, answer(302, '', { location: `${elsewhere.url}${path}` }));
    const { service, logged } = await openServedSpeech(engine.url);
    expect((await send(service, '/model')).status).toBe(503);
    expect(elsewhere.calls).toEqual([]);
    expect(logged.map(({ msg }) => msg).join()).toMatch(/redirects GET/);
  });

  test.each<[string, Behaviour]>([
    ['another kind of server', answerJson(404, {})],
    ['a web page at every path', answer(200, '<!doctype html><title>Home</title>', { 'content-type': 'text/html' })],
  ])('is none but %s: the start says so', async (_, behaviour) => {
    const engine = await openEngineServer();
    for (const path of ['/v1/models', '/v1/audio/voices', '/v1/audio/speech'] as const) engine.behave(path, behaviour);
    const { logged } = await openServedSpeech(engine.url, { warm: true });
    await expect.poll(() => logged).toHaveLength(1);
    expect(logged[0]?.msg).toMatch(
      /^LOCAL_SPEECH_URL: 127\.0\.0\.1:\d+ (does not answer POST|answers POST .* but not like an engine).*Check that the address/,
    );
  });
});

test('an answer of millions of brackets is no answer, although it is JSON; the transcript of an hour is one', () => {
  const most = 16 * 1024 * 1024;
  const word = {
    id: 1,
    seek: 0,
    start: 0.1,
    end: 0.2,
    text: 'word',
    tokens: [1, 2, 3],
    temperature: 0,
    avg_logprob: -0.1,
    no_speech_prob: 0,
  };
  const hour = {
    text: 'word',
    duration: 3600,
    segments: Array(10_000).fill(word),
    words: Array(10_000).fill({ word: 'word', start: 1, end: 2 }),
  };
  for (const brackets of ['[]', '{}']) {
    const answer = `[${`${brackets},`.repeat(Math.floor(most / 3) - 1)}${brackets}]`;
    expect(parseAnswer(answer)).toBeUndefined();
  }
  expect(parseAnswer(JSON.stringify(hour))).toEqual(hour);
  expect(parseAnswer('no JSON')).toBeUndefined();
});
