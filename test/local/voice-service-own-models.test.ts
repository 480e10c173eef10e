// Voice models that callers create: raw requests, the client, training on a recorded person, and what can't become a voice.

import { encode } from '@msgpack/msgpack';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Api, createApi } from '../../src/api/index.ts';
import { createEngines } from '../../src/local/voice-service/engines/index.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { readAll } from '../helpers/api-client.ts';
import type { Json } from '../helpers/conformance.ts';
import { makeFolder } from '../helpers/folder.ts';
import { allowTraining, readings } from '../helpers/own-voice.ts';
import { librivoxRecordings, samplesOf, silentWav, wavOf } from '../helpers/speech.ts';
import {
  type RawRequest,
  type RawResponse,
  send,
  sendJson,
  startTestVoiceService,
  type TestVoiceService,
} from '../helpers/voice-service.ts';

allowTraining();
const engines = createEngines();
beforeAll(() => engines.warmUp());
afterAll(() => engines.close());

const KEYS = [
  { key: 'mine', userId: 'me', credit: 10 },
  { key: 'theirs', userId: 'them', credit: 10 },
];

async function start(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const service = await startTestVoiceService({ engines, keys: KEYS, ...options });
  onTestFinished(service.close);
  return service;
}

function connect(service: TestVoiceService, apiKey = 'mine'): Api {
  const api = createApi({ baseUrl: service.url, apiKey });
  onTestFinished(() => api.close());
  return api;
}

type Part = [name: string, value: string | Uint8Array];

async function sendParts(service: TestVoiceService, path: string, parts: Part[], request: RawRequest = {}): Promise<RawResponse> {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'recording.wav');
  }
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return send(service, path, { ...request, headers, body: Buffer.from(await encoded.arrayBuffer()) });
}

/** With texts, so that training needn't listen to them first. */
const voices: Part[] = readings.flatMap(({ audio, text }): Part[] => [
  ['voices', audio],
  ['texts', text],
]);

/** The model once it is trained or has failed, and the states on the way. */
async function whenDone(api: Api, id: string) {
  const states: string[] = [];
  for (;;) {
    const model = await api.getModel(id);
    if (states.at(-1) !== model.state) states.push(model.state);
    if (model.state === 'trained' || model.state === 'failed') return { model, states };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const silence = silentWav(12);

describe('creating a voice model', () => {
  test('from recordings of a person makes a voice of the same pitch and tempo, and says that it is no clone', async () => {
    const service = await start();
    const api = connect(service);
    const progress: [number, number | null][] = [];
    const created = await api.createModel(
      {
        title: 'The reader',
        description: 'My uncle.',
        tags: ['calm', 'novel'],
        recordings: readings.map(({ audio }) => ({ audio })),
      },
      { onProgress: (sent, total) => progress.push([sent, total]) },
    );
    expect(created).toMatchObject({ type: 'tts', trainMode: 'fast', visibility: 'private', author: { id: 'me' }, tags: ['calm', 'novel'] });
    expect(progress.at(-1)?.[0]).toBe(progress[0]?.[1]);
    const { model, states } = await whenDone(api, created.id);
    expect(model).toMatchObject({ title: 'The reader', state: 'trained', stateMessage: null });
    expect(['created', 'training', 'trained'].filter((state) => states.includes(state))).toEqual(states);
    expect(model.description).toMatch(/^My uncle\.\n\nNot a clone: /);

    const text = readings.map((one) => one.text).join('.\n');
    const spoken = await readAll((await api.speak({ text, referenceId: model.id, format: 'wav', sampleRate: 16_000 })).audio);
    const measured = await Promise.all(readings.map(({ audio }) => engines.measureVoice(audio)));
    const result = await engines.measureVoice(spoken);
    const seconds = measured.reduce((sum, one) => sum + one.speechSeconds, 0);
    const pitch = measured.reduce((sum, one) => sum + one.pitchHz * one.speechSeconds, 0) / seconds;
    expect(Math.abs(result.pitchHz / pitch - 1)).toBeLessThan(0.1);
    expect(Math.abs(result.speechSeconds / seconds - 1)).toBeLessThan(0.15);
  });

  test('works as msgpack, with the texts of the recordings', async () => {
    const service = await start();
    const body = encode({
      title: 'The reader',
      voices: readings.map(({ audio }) => audio),
      texts: readings.map(({ text }) => text),
      tags: null,
    });
    const answer = await send(service, '/model', { headers: { 'content-type': 'application/msgpack' }, body });
    expect(answer).toMatchObject({ status: 201, json: { state: 'created', visibility: 'public', samples: [], languages: ['en'] } });
    expect((await whenDone(connect(service), (answer.json as { _id: string })._id)).model.state).toBe('trained');
  });

  test('shapes each speaker after the recordings, whoever it is', async () => {
    const service = await start();
    const api = connect(service);
    for (const voice of [
      { base: 'slt', pitchHz: 210, rate: 1.2 },
      { base: 'awb', pitchHz: 140, rate: 0.85 },
    ]) {
      const text = librivoxRecordings()
        .map((one) => one.text)
        .join('.\n');
      const audio = Buffer.concat(await Array.fromAsync(engines.speak({ text, voice, format: 'mp3' })));
      const { model } = await whenDone(api, (await api.createModel({ title: voice.base, recordings: [{ audio, text }] })).id);
      const spoken = await readAll((await api.speak({ text, referenceId: model.id, format: 'wav', sampleRate: 16_000 })).audio);
      const [given, made] = [await engines.measureVoice(audio), await engines.measureVoice(spoken)];
      expect(Math.abs(made.pitchHz / given.pitchHz - 1)).toBeLessThan(0.1);
      expect(Math.abs(made.speechSeconds / given.speechSeconds - 1)).toBeLessThan(0.15);
    }
  });

  test.each([
    ['silence', silence, /silent/],
    [
      'noise',
      wavOf(
        samplesOf(12, 16_000, (index) => ((index * 7919) % 20_011) - 10_000),
        16_000,
      ),
      /no speech|hardly any words/,
    ],
    ['music', wavOf(samplesOf(12, 16_000, chord), 16_000), /no speech|hardly any words/],
    ['three seconds', readings[1]?.audio as Uint8Array, /too short: 3 s/],
    ['six minutes', wavOf(new Int16Array(360 * 8000), 8000), /too long: 6 min/],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(5000, 'x'), 'latin1'), /audio|format|recording/i],
  ])('from %s fails, with a reason', async (_, audio, reason) => {
    const service = await start();
    const api = connect(service);
    const { id } = await api.createModel({ title: 'Nobody', recordings: [{ audio }] });
    const { model } = await whenDone(api, id);
    expect(model).toMatchObject({ state: 'failed', stateMessage: expect.stringMatching(reason) });
    await expect(api.speak({ text: 'Hello.', referenceId: id })).rejects.toMatchObject({ kind: 'validation', status: 422 });
    expect((await api.getCredit()).credit).toBe('10');
  });

  test.each<[string, Part[], number, RegExp]>([
    ['without a recording', [['title', 'A']], 422, /recording/],
    [
      'with a recording that is text',
      [
        ['title', 'A'],
        ['voices', 'RIFF'],
      ],
      422,
      /filename/,
    ],
    [
      'with an empty recording',
      [
        ['title', 'A'],
        ['voices', new Uint8Array(0)],
      ],
      422,
      /empty/,
    ],
    ['without a title', [['voices', silence]], 422, /title/],
    [
      'with a title of 300 characters',
      [
        ['title', 'A'.repeat(300)],
        ['voices', silence],
      ],
      422,
      /title/,
    ],
    [
      'with fewer texts than recordings',
      [
        ['title', 'A'],
        ['texts', 'Hi'],
        ['voices', silence],
        ['voices', silence],
      ],
      422,
      /texts/,
    ],
    [
      'with an unknown visibility',
      [
        ['title', 'A'],
        ['visibility', 'secret'],
        ['voices', silence],
      ],
      422,
      /visibility/,
    ],
    [
      'of type svc',
      [
        ['title', 'A'],
        ['type', 'svc'],
        ['voices', silence],
      ],
      422,
      /type/,
    ],
    ['from 30 recordings', [['title', 'A'], ...Array.from({ length: 30 }, (): Part => ['voices', silence])], 422, /20 recordings/],
    [
      'from a recording of 21 MB',
      [
        ['title', 'A'],
        ['voices', new Uint8Array(21 * 1024 * 1024)],
      ],
      413,
      /20 MB/,
    ],
    ['from 100 MB', [['title', 'A'], ...Array.from({ length: 6 }, (): Part => ['voices', new Uint8Array(17e6)])], 413, /MB/],
  ])('%s is refused, and nothing is kept', async (_, parts, status, message) => {
    const service = await start();
    const answer = await sendParts(service, '/model', parts);
    expect([answer.status, answer.bytes.toString()]).toEqual([status, expect.stringMatching(message)]);
    expect((await send(service, '/model?self=true')).json).toMatchObject({ total: 0 });
  });

  test('as JSON, or beyond what a user may have, is refused', async () => {
    const service = await start({ limits: { modelsPerUser: 1 } });
    expect((await sendJson(service, '/model', { title: 'A' })).status).toBe(415);
    expect(
      (
        await sendParts(service, '/model', [
          ['title', 'A'],
          ['voices', silence],
        ])
      ).status,
    ).toBe(201);
    expect(
      (
        await sendParts(service, '/model', [
          ['title', 'B'],
          ['voices', silence],
        ])
      ).status,
    ).toBe(403);
    expect(
      (
        await sendParts(
          service,
          '/model',
          [
            ['title', 'B'],
            ['voices', silence],
          ],
          { key: 'theirs' },
        )
      ).status,
    ).toBe(201);
  });
});

describe('a voice model of one’s own', () => {
  const create = async (service: TestVoiceService, visibility: string) => {
    const answer = await sendParts(service, '/model', [['title', 'Mine'], ['visibility', visibility], ...voices]);
    const { _id } = answer.json as { _id: string };
    expect((await whenDone(connect(service), _id)).model.state).toBe('trained');
    return _id;
  };
  const idsOf = ({ json }: RawResponse) => (json as { items: Json[] }).items.map(({ _id }) => _id);

  test('is listed and found by its visibility, and outlives the service', async () => {
    const dataDir = await makeFolder();
    const service = await start({ dataDir });
    const ids = {
      public: await create(service, 'public'),
      unlist: await create(service, 'unlist'),
      private: await create(service, 'private'),
    };
    const check = async (running: TestVoiceService) => {
      expect(idsOf(await send(running, '/model?self=true')).sort()).toEqual(Object.values(ids).sort());
      expect(idsOf(await send(running, '/model?title=mine')).sort()).toEqual([ids.public, ids.private].sort());
      expect(idsOf(await send(running, '/model?title=mine', { key: 'theirs' }))).toEqual([ids.public]);
      const statuses = Object.values(ids).map(async (id) => (await send(running, `/model/${id}`, { key: 'theirs' })).status);
      expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
      const spoken = Object.values(ids).map(async (reference_id) => {
        return (await sendJson(running, '/v1/tts', { text: 'Hello.', reference_id }, { key: 'theirs' })).status;
      });
      expect(await Promise.all(spoken)).toEqual([200, 200, 404]);
    };
    await check(service);
    await service.close();
    await check(await start({ dataDir }));
  });

  test('is changed and deleted by its owner only', async () => {
    const service = await start();
    const id = await create(service, 'public');
    const [api, other] = [connect(service), connect(service, 'theirs')];
    await api.updateModel(id, { title: 'Renamed', tags: ['x'], visibility: 'private' });
    expect(await api.getModel(id)).toMatchObject({ title: 'Renamed', tags: ['x'], visibility: 'private', state: 'trained' });
    await api.updateModel(id, { description: 'With a cover.', visibility: 'public', coverImage: { audio: new Uint8Array(100) } });
    expect((await api.getModel(id)).description).toMatch(/^With a cover\./);
    await expect(other.updateModel(id, { title: 'Stolen' })).rejects.toMatchObject({ kind: 'not-found' });
    await expect(other.deleteModel(id)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(api.updateModel(id, { title: '' })).rejects.toMatchObject({ kind: 'validation', status: 422 });
    await api.deleteModel(id);
    await expect(api.getModel(id)).rejects.toMatchObject({ kind: 'not-found', status: 404 });
    await expect(api.deleteModel(id)).rejects.toMatchObject({ kind: 'not-found' });
    expect((await api.listModels({ self: true })).total).toBe(0);
  });

  test('that came with the service stays as it is', async () => {
    const api = connect(await start());
    expect((await api.getModel('clara')).title).toBe('Clara');
    await expect(api.updateModel('clara', { title: 'Mine' })).rejects.toMatchObject({ status: 403 });
    await expect(api.deleteModel('clara')).rejects.toMatchObject({ status: 403 });
  });

  test('can be deleted while it is trained, and while it speaks', async () => {
    const service = await start();
    const api = connect(service);
    const { id } = await api.createModel({ title: 'Gone', recordings: readings });
    await api.deleteModel(id);
    await expect(api.getModel(id)).rejects.toMatchObject({ kind: 'not-found' });

    const speaking = await create(service, 'private');
    const text = 'Here is one of many sentences. '.repeat(30);
    const speech = await api.speak({ text, referenceId: speaking, format: 'wav' });
    await api.deleteModel(speaking);
    expect((await readAll(speech.audio)).length).toBeGreaterThan(1_000_000);
    await expect(api.speak({ text, referenceId: speaking })).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('whose training was interrupted has failed, with a reason', async () => {
    const dataDir = await makeFolder();
    const service = await start({ dataDir });
    const { id } = await connect(service).createModel({ title: 'Late', recordings: readings });
    await service.close();
    expect(await connect(await start({ dataDir })).getModel(id)).toMatchObject({
      state: 'failed',
      stateMessage: expect.stringContaining('stopped'),
    });
  });
});

/** Three notes at once, one chord after the other. */
function chord(index: number): number {
  const root = [262, 294, 330, 392, 440][Math.floor(index / 6000) % 5] ?? 0;
  const tone = (ratio: number) => Math.sin((index * root * ratio * 2 * Math.PI) / 16_000);
  return 4000 * (tone(1) + tone(1.25) + tone(1.5)) * Math.exp(-(index % 6000) / 4000);
}
