// Speech from an engine of the operator's own, behind the local voice service: its voices in the catalogue, and its sound.
import { once } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { detectFormat } from '../../src/audio/index.ts';
import { createSpeech } from '../../src/synthesis/index.ts';
import { type EnginePath, openEngineServer } from '../helpers/engine-server.ts';
import { audioOf, openLive } from '../helpers/live-service.ts';
import { answer, answerJson, audioBytes, type Behaviour, stall } from '../helpers/misbehaving-service.ts';
import { freePort } from '../helpers/program.ts';
import { heardSeconds, listen } from '../helpers/sound.ts';
import { silentWav } from '../helpers/speech.ts';
import { beginSpeech, send, sendForm, sendJson, toneEngines } from '../helpers/voice-service.ts';
import { KEY, openServedSpeech, TEXT } from './served-engine.ts';

async function heard(audio: Uint8Array): Promise<string> {
  return (await toneEngines().transcribe({ audio, timestamps: false })).text;
}

describe('the catalogue', () => {
  test('lists the voices of the engine, with titles, languages and ids that stay the same, and none of the built-in ones', async () => {
    const engine = await openEngineServer({ key: KEY });
    const { models } = await openServedSpeech(engine.url);
    expect((await models()).map(({ _id, title, languages, tags }) => ({ _id, title, languages, tags }))).toEqual([
      { _id: 'af_clara', title: 'Clara', languages: ['en-US'], tags: ['female'] },
      { _id: 'bm_angus', title: 'Angus', languages: ['en-GB'], tags: ['male'] },
      { _id: 'rms', title: 'Rms', languages: [], tags: [] },
    ]);
    const again = await openServedSpeech(engine.url);
    expect((await again.models()).map(({ _id }) => _id)).toEqual((await models()).map(({ _id }) => _id));
  });

  test.each<[string, Partial<Record<EnginePath, Behaviour>>, string[]]>([
    [
      'of objects',
      {
        '/v1/audio/voices': answerJson(200, {
          data: [{ voice_id: 'x1', name: 'Ruth', language: 'en_GB' }, { id: 'y', label: 'Ana' }, 7, {}],
        }),
      },
      ['x1 Ruth en-GB', 'y Ana '],
    ],
    [
      'as a bare array',
      { '/v1/audio/voices': answerJson(200, ['en_US-amy-medium', 'my voice/2']) },
      ['en_US-amy-medium Amy en-US', expect.stringMatching(/^my-voice-2-[0-9a-f]{8} My voice\/2 $/) as unknown as string],
    ],
    [
      'under their models',
      {
        '/v1/models': answerJson(200, {
          data: [
            { id: 'lab/kokoro', task: 'text-to-speech', language: ['en'], voices: [{ name: 'af_heart' }] },
            { id: 'lab/piper', task: 'text-to-speech', voices: [{ name: 'amy', language: 'en-US' }] },
          ],
        }),
      },
      [
        expect.stringMatching(/^lab-kokoro\.af_heart-[0-9a-f]{8} Heart en$/) as unknown as string,
        expect.stringMatching(/^lab-piper\.amy-[0-9a-f]{8} Amy en-US$/) as unknown as string,
      ],
    ],
    [
      'not at all, and is that of the usual voices',
      { '/v1/audio/voices': answerJson(404, {}) },
      [...['alloy Alloy ', 'echo Echo ', 'fable Fable ', 'nova Nova ', 'onyx Onyx ', 'shimmer Shimmer ']],
    ],
    [
      'twice with one title',
      { '/v1/audio/voices': answerJson(200, ['af_nova', 'nova']) },
      ['af_nova Nova (af_nova) en-US', 'nova Nova (nova) '],
    ],
  ])('takes a list %s', async (_, behaviours, wanted) => {
    const engine = await openEngineServer();
    for (const [path, behaviour] of Object.entries(behaviours)) engine.behave(path as EnginePath, behaviour);
    const { models } = await openServedSpeech(engine.url);
    const listed = (await models()).map(({ _id, title, languages }) => `${_id} ${title} ${languages.join(' ')}`);
    expect(listed.toSorted()).toEqual(wanted);
  });

  test('is there if the engine has no list at all and stumbles over an empty request', async () => {
    const engine = await openEngineServer();
    for (const path of ['/v1/models', '/v1/audio/voices'] as const) engine.behave(path, answerJson(404, {}));
    engine.behave('/v1/audio/speech', answer(500, 'KeyError: input'));
    const { models, logged } = await openServedSpeech(engine.url);
    expect(await models()).toHaveLength(6);
    expect(logged.map(({ level }) => level)).toEqual([30]);
  });

  test('waits for an engine that starts later, says so once, and outlives it', async () => {
    const port = await freePort();
    const { service, models, logged } = await openServedSpeech(`http://127.0.0.1:${port}`);
    for (let count = 0; count < 3; count++) {
      const { status, json } = await send(service, '/model');
      expect({ status, json }).toEqual({ status: 503, json: { status: 503, message: expect.stringMatching(/engine .* Try again later/) } });
    }
    expect(logged.map(({ msg }) => msg)).toEqual([
      `LOCAL_SPEECH_URL: nothing answers at 127.0.0.1:${port}. Start the engine there, or correct the address.`,
    ]);
    const engine = await openEngineServer({ port, key: KEY });
    expect(await models()).toHaveLength(3);
    await engine.close();
    expect(await models()).toHaveLength(3);
    expect((await sendJson(service, '/v1/tts', { text: TEXT })).status).toBe(503);
    expect(logged.map(({ level, msg }) => `${level} ${msg.split(' ')[1]}`)).toEqual(['40 nothing', '30 the', '40 nothing']);
  });

  test('has a sample of a voice, spoken by the engine', async () => {
    const engine = await openEngineServer({ key: KEY });
    const { service, models } = await openServedSpeech(engine.url);
    const [clara] = await models();
    const { status, bytes } = await send(service, new URL(clara?.samples[0]?.audio ?? '').pathname);
    expect(status).toBe(200);
    expect(await heard(bytes)).toBe('Hello! This is what I sound like.');
    expect(engine.callsOf('/v1/audio/speech')[0]?.fields.voice).toBe('af_clara');
  });
});

describe('speech', () => {
  test.each(['mp3', 'wav', 'opus', 'pcm'] as const)('is heard as %s, in the voice and at the speed that were asked for', async (format) => {
    const engine = await openEngineServer({ key: KEY });
    const { service } = await openServedSpeech(engine.url);
    const api = createApi({ baseUrl: service.url, apiKey: service.key });
    onTestFinished(() => api.close());
    const speak = async (speed: number) =>
      heardSeconds(
        (
          await listen(
            createSpeech({ api, format }).utterance({ text: TEXT, referenceId: 'bm_angus', speed }).open(new AbortController().signal),
          )
        ).sound,
        48_000,
      );
    const [usual, fast] = [await speak(1), await speak(2)];
    expect(usual).toBeGreaterThan(1.5);
    expect(usual / fast).toBeGreaterThan(1.6);
    expect(engine.callsOf('/v1/audio/speech').map(({ fields }) => fields)).toEqual([
      { model: 'kokoro', input: TEXT, voice: 'bm_angus', response_format: format === 'pcm' ? 'wav' : format },
      { model: 'kokoro', input: TEXT, voice: 'bm_angus', response_format: format === 'pcm' ? 'wav' : format, speed: 2 },
    ]);
  });

  test('is understood, and costs what the text costs', async () => {
    const engine = await openEngineServer({ key: KEY });
    const { service, credit } = await openServedSpeech(engine.url);
    const { bytes, headers } = await sendJson(service, '/v1/tts', { text: TEXT, format: 'mp3' });
    expect(headers['content-type']).toBe('audio/mpeg');
    expect(await heard(bytes)).toBe(TEXT);
    expect(await credit()).toBe(String((1_000_000_000 - 15 * TEXT.length) / 1_000_000));
  });

  test('passes the first byte on before the engine has sent the second', async () => {
    const engine = await openEngineServer();
    engine.behave('/v1/audio/speech', stall(512));
    const { service } = await openServedSpeech(engine.url);
    const { sent, response } = beginSpeech(service, { text: TEXT });
    const [chunk] = await once(await response, 'data');
    expect(chunk.length).toBe(512);
    sent.destroy();
  });

  test('is converted if the engine sends another format than it was asked for, or another rate or loudness is wanted', async () => {
    const engine = await openEngineServer();
    const { service } = await openServedSpeech(engine.url);
    const wav = (await sendJson(service, '/v1/tts', { text: TEXT, format: 'wav' })).bytes;
    engine.behave('/v1/audio/speech', answer(200, wav, { 'content-type': 'audio/mpeg' }));
    const mp3 = (await sendJson(service, '/v1/tts', { text: TEXT, format: 'mp3' })).bytes;
    expect(detectFormat(mp3, true)).toEqual({ format: 'mp3' });
    expect(await heard(mp3)).toBe(TEXT);
    const slow = (await sendJson(service, '/v1/tts', { text: TEXT, format: 'wav', sample_rate: 8000, prosody: { volume: -6 } })).bytes;
    expect(slow.readUInt32LE(24)).toBe(8000);
    expect(slow.length).toBeLessThan(wav.length / 4);
  });

  test('over the websocket is one sound of all sentences, each asked for when it has come', async () => {
    const engine = await openEngineServer({ key: KEY });
    const { service } = await openServedSpeech(engine.url);
    const live = await openLive(service);
    live.send({ event: 'start', request: { text: `${TEXT} `, format: 'mp3' } });
    await live.event('audio');
    live.send({ event: 'text', text: 'His dog ran ahead of him.' }, { event: 'stop' });
    expect(await live.event('finish')).toMatchObject({ reason: 'stop' });
    expect(engine.callsOf('/v1/audio/speech').map(({ fields }) => String(fields.input).trim())).toEqual([
      TEXT,
      'His dog ran ahead of him.',
    ]);
    expect(await heard(audioOf(live.received))).toBe(`${TEXT} His dog ran ahead of him.`);
  });

  test('over the websocket ends where the engine fails, with the reason, and what was spoken before stays paid', async () => {
    const engine = await openEngineServer({ key: KEY });
    const { service, credit } = await openServedSpeech(engine.url);
    const live = await openLive(service);
    live.send({ event: 'start', request: { text: '', format: 'mp3' } }, { event: 'text', text: 'The old man wal' });
    live.send({ event: 'text', text: 'ked slowly down the road. ' });
    await live.event('audio');
    engine.behave('/v1/audio/speech', answerJson(500, { detail: 'CUDA out of memory' }));
    live.send({ event: 'text', text: 'His dog ran ahead of him.' }, { event: 'stop' });
    const finish = await live.event('finish');
    expect(finish).toMatchObject({ reason: 'error', status: 503, message: expect.stringMatching(/\. .*\.$/) });
    expect(JSON.stringify(finish)).not.toContain('CUDA');
    expect(await heard(audioOf(live.received))).toBe(TEXT);
    expect(1000 - Number(await credit())).toBeCloseTo((15 * `${TEXT} `.length) / 1_000_000, 6);
  });

  test('cannot make voices: the answer says why, and what to do', async () => {
    const engine = await openEngineServer({ key: KEY });
    const { service, credit } = await openServedSpeech(engine.url);
    const made = await sendForm(service, '/model', { type: 'tts', title: 'Mine', train_mode: 'fast', voices: silentWav(12) });
    expect(made.status).toBe(501);
    expect(made.json).toMatchObject({ message: expect.stringMatching(/^Another engine speaks here, .*\. Leave LOCAL_SPEECH_URL/) });
    expect(await credit()).toBe('1000');
  });

  test('uses the model named in the header if the engine has one of that name', async () => {
    const engine = await openEngineServer();
    const { service } = await openServedSpeech(engine.url);
    for (const model of ['kokoro-large', 's1']) await sendJson(service, '/v1/tts', { text: 'Hello.' }, { headers: { model } });
    expect(engine.callsOf('/v1/audio/speech').map(({ fields }) => fields.model)).toEqual(['kokoro-large', 'kokoro']);
  });

  test('ends at the engine when the client leaves', async () => {
    const engine = await openEngineServer();
    const ended = Promise.withResolvers<void>();
    engine.behave('/v1/audio/speech', (request, response) => {
      request.socket.once('close', () => ended.resolve());
      stall(4096)(request, response);
    });
    const { service, credit } = await openServedSpeech(engine.url);
    const { sent, response } = beginSpeech(service, { text: TEXT });
    await once(await response, 'data');
    sent.destroy();
    await ended.promise;
    expect(Number(await credit())).toBeLessThan(1000);
  });

  test('stops being taken from the engine while the client does not read', async () => {
    const engine = await openEngineServer();
    let sent = 0;
    engine.behave('/v1/audio/speech', (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write(audioBytes(65_536));
      const more = () => {
        while (!response.destroyed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536, 0x55))) return void response.once('drain', more);
        }
      };
      more();
    });
    const { service } = await openServedSpeech(engine.url);
    const speech = beginSpeech(service, { text: TEXT });
    expect((await speech.response).statusCode).toBe(200);
    let before = -1;
    const isAtRest = () => {
      const moved = sent !== before;
      before = sent;
      expect(moved).toBe(false);
    };
    await vi.waitFor(isAtRest, { timeout: 20_000, interval: 200 });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    speech.sent.destroy();
  });
});
