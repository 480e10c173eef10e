// Voice models that callers create: raw requests, the client, and what can't become a voice. What voices sound like: engines/voice-training.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { encode } from '@msgpack/msgpack';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Api, createApi } from '../../src/api/index.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import { collect, samplesOf, silentWav, wavOf } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import {
  type RawRequest,
  type RawResponse,
  send,
  sendJson,
  startTestVoiceService,
  type TestVoiceService,
  toneEngines,
} from '../helpers/voice-service.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

/** Takes 10 s at the least to be said, which is what training needs. */
const TEXT =
  'The old man walked slowly down the road. His dog ran ahead of him, and the children followed them both home to dinner. ' +
  'Nobody knew where they had been, or why they sang all the way.';
/** Somebody who speaks more slowly than all voices do. */
let recording: Uint8Array;
beforeAll(async () => {
  recording = await collect(toneEngines().speak({ text: TEXT, voice: { base: 'slt', rate: 0.8 }, format: 'wav', sampleRate: 16_000 }));
});

const KEYS = [
  { key: 'mine', userId: 'me', credit: 10 },
  { key: 'theirs', userId: 'them', credit: 10 },
];

async function start(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const service = await startTestVoiceService({ keys: KEYS, ...options });
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

/** The model once it is trained or has failed, and the states on the way. */
async function whenDone(api: Api, id: string) {
  const states = new Set<string>();
  const isDone = async () => {
    const { state } = await api.getModel(id);
    states.add(state);
    return state === 'trained' || state === 'failed';
  };
  await expect.poll(isDone, { interval: 20, timeout: WAIT_MS }).toBe(true);
  return { model: await api.getModel(id), states: [...states] };
}

const silence = silentWav(12);

describe('creating a voice model', () => {
  test('makes a voice of the same tempo, and says that it is no clone', async () => {
    const service = await start();
    const api = connect(service);
    const progress: [number, number | null][] = [];
    const created = await api.createModel(
      {
        title: 'The reader',
        description: 'My uncle.',
        tags: ['calm', 'novel'],
        recordings: [{ audio: recording }],
      },
      { onProgress: (sent, total) => progress.push([sent, total]) },
    );
    expect(created).toMatchObject({ type: 'tts', trainMode: 'fast', visibility: 'private', author: { id: 'me' }, tags: ['calm', 'novel'] });
    expect(progress.at(-1)?.[0]).toBe(progress[0]?.[1]);
    const { model, states } = await whenDone(api, created.id);
    expect(model).toMatchObject({ title: 'The reader', state: 'trained', stateMessage: null });
    expect(['created', 'training', 'trained'].filter((state) => states.includes(state))).toEqual(states);
    expect(model.description).toMatch(/^My uncle\.\n\nNot a clone: /);

    const spoken = await buffer((await api.speak({ text: TEXT, referenceId: model.id, format: 'wav', sampleRate: 16_000 })).audio);
    const seconds = async (audio: Uint8Array) => (await toneEngines().transcribe({ audio, timestamps: false })).duration;
    expect((await seconds(spoken)) / (await seconds(recording))).toBeCloseTo(1, 1);
  });

  test('works as msgpack, with the texts of the recordings', async () => {
    const service = await start();
    const body = encode({
      title: 'The reader',
      voices: [recording, recordTones('And this is another sentence.')],
      texts: [TEXT, 'And this is another sentence.'],
      tags: null,
    });
    const answer = await send(service, '/model', { headers: { 'content-type': 'application/msgpack' }, body });
    expect(answer).toMatchObject({ status: 201, json: { state: 'created', visibility: 'public', samples: [], languages: ['en'] } });
    expect((await whenDone(connect(service), (answer.json as { _id: string })._id)).model.state).toBe('trained');
  });

  /** For tests that leave no voice there. */
  let shared: TestVoiceService;
  beforeAll(async () => {
    shared = await startTestVoiceService({ keys: KEYS });
    return shared.close;
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
    ['one word over and over', recordTones('Hallelujah, '.repeat(15)), /hardly any words/],
    ['three seconds', recordTones('The old man walked slowly down the old road.'), /too short: 3 s/],
    ['six minutes', wavOf(new Int16Array(360 * 8000), 8000), /too long: 6 min/],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(5000, 'x'), 'latin1'), /audio|format|recording/i],
  ])('from %s fails, with a reason', async (_, audio, reason) => {
    const api = connect(shared);
    const { id } = await api.createModel({ title: 'Nobody', recordings: [{ audio }] });
    const { model } = await whenDone(api, id);
    expect(model).toMatchObject({ state: 'failed', stateMessage: expect.stringMatching(reason) });
    await expect(api.speak({ text: 'Hello.', referenceId: id })).rejects.toMatchObject({ kind: 'validation', status: 422 });
    expect((await api.getCredit()).credit).toBe('10');
    await api.deleteModel(id);
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
  ])('%s is refused, and nothing is kept', async (_, parts, status, message) => {
    const answer = await sendParts(shared, '/model', parts);
    expect([answer.status, answer.bytes.toString()]).toEqual([status, expect.stringMatching(message)]);
    expect((await send(shared, '/model?self=true')).json).toMatchObject({ total: 0 });
  });

  test('takes lists that a client has joined by commas', async () => {
    const service = await start();
    const { status, json } = await sendParts(service, '/model', [
      ['title', 'A'],
      ['tags', 'calm,novel'],
      ['texts', 'The first one,and the second'],
      ['voices', silence],
      ['voices', silence],
    ]);
    expect([status, json]).toEqual([201, expect.objectContaining({ tags: ['calm', 'novel'] })]);
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
    const answer = await sendParts(service, '/model', [
      ['title', 'Mine'],
      ['visibility', visibility],
      ['texts', TEXT],
      ['voices', recording],
    ]);
    const { _id } = answer.json as { _id: string };
    expect((await whenDone(connect(service), _id)).model.state).toBe('trained');
    return _id;
  };
  const idsOf = ({ json }: RawResponse) => (json as { items: { _id: string }[] }).items.map(({ _id }) => _id);

  test('is listed, found and spoken with by its visibility, and outlives the service', async () => {
    const dataDir = await makeFolder();
    const service = await start({ dataDir });
    const id = await create(service, 'unlist');
    const check = async (running: TestVoiceService, visibility: 'public' | 'unlist' | 'private') => {
      expect(idsOf(await send(running, '/model?self=true'))).toEqual([id]);
      expect(idsOf(await send(running, '/model?title=mine'))).toEqual(visibility === 'unlist' ? [] : [id]);
      expect(idsOf(await send(running, '/model?title=mine', { key: 'theirs' }))).toEqual(visibility === 'public' ? [id] : []);
      const status = visibility === 'private' ? 404 : 200;
      expect((await send(running, `/model/${id}`, { key: 'theirs' })).status).toBe(status);
      expect((await sendJson(running, '/v1/tts', { text: 'Hello.', reference_id: id }, { key: 'theirs' })).status).toBe(status);
    };
    await check(service, 'unlist');
    for (const visibility of ['private', 'public'] as const) {
      await connect(service).updateModel(id, { visibility });
      await check(service, visibility);
    }
    await service.close();
    await check(await start({ dataDir }), 'public');
  });

  test.each([
    ['application/json', JSON.stringify({ title: 'Renamed', tags: ['calm', 'novel'] })],
    ['application/msgpack', encode({ title: 'Renamed', tags: ['calm', 'novel'], description: null })],
    ['application/x-www-form-urlencoded', 'title=Renamed&tags=calm&tags=novel'],
    ['application/x-www-form-urlencoded', 'title=Renamed&tags=calm%2Cnovel'],
  ])('is changed by %s', async (type, body) => {
    const service = await start();
    const created = await sendParts(service, '/model', [
      ['title', 'Mine'],
      ['description', 'My uncle.'],
      ['voices', silence],
    ]);
    const path = `/model/${(created.json as { _id: string })._id}`;
    expect((await send(service, path, { method: 'PATCH', headers: { 'content-type': type }, body })).status).toBe(200);
    const { json } = await send(service, path);
    expect(json).toMatchObject({ title: 'Renamed', tags: ['calm', 'novel'], description: expect.stringMatching(/^My uncle\./) });
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
    const dataDir = await makeFolder();
    const service = await start({ dataDir });
    const api = connect(service);
    const { id } = await api.createModel({ title: 'Told to nobody', recordings: [{ audio: recording }] });
    await api.deleteModel(id);
    const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    const kept = await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'latin1')));
    expect(kept.join('\n')).not.toContain('Told to nobody');
    await expect(api.getModel(id)).rejects.toMatchObject({ kind: 'not-found' });

    const speaking = await create(service, 'private');
    const text = 'Here is one of many sentences. '.repeat(15);
    const speech = await api.speak({ text, referenceId: speaking, format: 'wav' });
    await api.deleteModel(speaking);
    expect((await buffer(speech.audio)).length).toBeGreaterThan(500_000);
    await expect(api.speak({ text, referenceId: speaking })).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('whose training was interrupted has failed, with a reason', async () => {
    const dataDir = await makeFolder();
    const engines = toneEngines();
    const held = Promise.withResolvers<void>();
    const measureVoice: typeof engines.measureVoice = async (...given) => {
      await held.promise;
      return engines.measureVoice(...given);
    };
    const service = await start({ dataDir, engines: { ...engines, measureVoice } });
    const { id } = await connect(service).createModel({ title: 'Late', recordings: [{ audio: recording }] });
    const closed = service.close();
    held.resolve();
    await closed;
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
