// The four operations of the client, on the wire and as callers see them.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { decode } from '@msgpack/msgpack';
import { describe, expect, test } from 'vitest';
import type { Api, ApiOptions } from '../../src/api/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import {
  answerAudio,
  answerJson,
  apiKey,
  audioBytes,
  type Behaviour,
  connect,
  type MisbehavingService,
  openMisbehavingService,
} from '../helpers/misbehaving-service.ts';

async function startWith(...behaviours: [Behaviour, ...Behaviour[]]): Promise<{ api: Api; service: MisbehavingService }> {
  const service = await openMisbehavingService(...behaviours);
  return { api: connect(service.url), service };
}

const requiredFields = {
  _id: 'm1',
  type: 'tts',
  title: 'Ada',
  description: '',
  cover_image: '',
  state: 'trained',
  tags: ['calm'],
  created_at: '2026-01-02T03:04:05Z',
  updated_at: '2026-01-02T03:04:06Z',
  visibility: 'public',
  like_count: 1,
  mark_count: 2,
  shared_count: 3,
  task_count: 4,
  author: { _id: 'a1', nickname: 'Someone', avatar: '' },
};

const allFields = {
  ...requiredFields,
  train_mode: 'fast',
  samples: [{ title: 'First', text: 'Hello', task_id: 't1', audio: 'a.mp3', length: 3 }],
  languages: ['en', 'nl'],
  lock_visibility: true,
  unliked: true,
  liked: true,
  marked: true,
  a_future_field: { x: 1 },
};

describe('listModels', () => {
  test.each([
    ['no more than the spec has', {}, { total: 1002, isWindow: false, hasMore: null }],
    ['a window', { window_limited: true, accessible_upper_bound: 1000, has_more: true }, { total: 1000, isWindow: true, hasMore: true }],
    ['a total that isn’t exact', { total_is_exact: false, has_more: false }, { total: 1002, isWindow: true, hasMore: false }],
    ['a bound of an exact list', { window_limited: false, accessible_upper_bound: 1000 }, { total: 1002, isWindow: false, hasMore: null }],
    [
      'nulls',
      { window_limited: null, total_is_exact: null, accessible_upper_bound: null, has_more: null },
      { total: 1002, isWindow: false, hasMore: null },
    ],
    [
      'nonsense',
      { window_limited: 'true', total_is_exact: 0, accessible_upper_bound: '1000', has_more: 7 },
      { total: 1002, isWindow: false, hasMore: null },
    ],
  ])('tells from %s how many voices can be listed', async (_, about, page) => {
    const { api } = await startWith(answerJson(200, { total: 1002, items: [], ...about }));
    expect(await api.listModels()).toEqual({ items: [], ...page });
  });

  test('returns every field of a voice model under its own name, and ignores unknown ones', async () => {
    const { api } = await startWith(answerJson(200, { total: 41, items: [allFields], next: null }));
    expect(await api.listModels()).toEqual({
      ...{ total: 41, isWindow: false, hasMore: null },
      items: [
        {
          id: 'm1',
          type: 'tts',
          title: 'Ada',
          description: '',
          coverImage: '',
          trainMode: 'fast',
          state: 'trained',
          stateMessage: null,
          tags: ['calm'],
          samples: [{ title: 'First', text: 'Hello', taskId: 't1', audio: 'a.mp3' }],
          createdAt: '2026-01-02T03:04:05Z',
          updatedAt: '2026-01-02T03:04:06Z',
          languages: ['en', 'nl'],
          visibility: 'public',
          lockVisibility: true,
          likeCount: 1,
          markCount: 2,
          sharedCount: 3,
          taskCount: 4,
          unliked: true,
          liked: true,
          marked: true,
          author: { id: 'a1', nickname: 'Someone', avatar: '' },
        },
      ],
    });
  });

  test.each([
    ['absent', requiredFields],
    ['null', { ...requiredFields, train_mode: null, samples: null, languages: null, lock_visibility: null, liked: null }],
  ])("returns the spec's defaults if optional fields are %s", async (_, model) => {
    const { api } = await startWith(answerJson(200, { total: 1, items: [model] }));
    const { items } = await api.listModels();
    expect(items[0]).toMatchObject({
      trainMode: 'full',
      samples: [],
      languages: [],
      lockVisibility: false,
      unliked: false,
      liked: false,
      marked: false,
    });
  });

  test('returns unknown enum values as they are, rather than failing the list over them', async () => {
    const news = { type: 'clone', state: 'archived', visibility: 'friends', train_mode: 'instant' };
    const { api } = await startWith(answerJson(200, { total: 2, items: [requiredFields, { ...requiredFields, ...news }] }));
    const { items } = await api.listModels();
    expect(items[0]).toMatchObject({ type: 'tts', state: 'trained', visibility: 'public', trainMode: 'full' });
    expect(items[1]).toMatchObject({ type: 'clone', state: 'archived', visibility: 'friends', trainMode: 'instant' });
  });

  test('sends every filter by its wire name, multiple values as repeated keys, and nothing for null', async () => {
    const { api, service } = await startWith(answerJson(200, { total: 0, items: [] }));
    await api.listModels({
      pageSize: 20,
      pageNumber: 2,
      title: 'a & b',
      tag: ['x', 'y z'],
      authorId: 'a1',
      language: 'en',
      titleLanguage: ['nl', 'fy'],
      sortBy: 'created_at',
    });
    await api.listModels({ title: null, tag: null, language: [], authorId: null, self: false });
    await api.listModels({ self: true, authorId: 'a1' });
    expect(service.requests.map((request) => request.url)).toEqual([
      '/model?page_size=20&page_number=2&title=a+%26+b&tag=x&tag=y+z&author_id=a1&language=en&title_language=nl&title_language=fy&sort_by=created_at',
      '/model?self=false',
      '/model?self=true',
    ]);
  });

  test('makes ten successive calls over one connection', async () => {
    const { api, service } = await startWith(answerJson(200, { total: 0, items: [] }));
    for (let call = 0; call < 10; call += 1) await api.listModels();
    expect(service.connections()).toBe(1);
  });

  test('replaces a connection that the service has closed, without a failure', async () => {
    const waits: number[] = [];
    const service = await openMisbehavingService((request, response) => {
      response.end(JSON.stringify({ total: 0, items: [] }), () => request.socket.end());
    });
    const api = connect(service.url, { sleep: async (ms) => void waits.push(ms) });
    for (let call = 1; call <= 3; call += 1) {
      await api.listModels();
      await (await service.request(call)).disconnected;
    }
    expect(service.connections()).toBe(3);
    expect(waits).toEqual([]);
  });
});

describe('speak', () => {
  test('sends JSON with only what the caller set, and the default model', async () => {
    const { api, service } = await startWith(answerAudio());
    await buffer((await api.speak({ text: 'Grüße 🎉', referenceId: null })).audio);
    const request = await service.request(1);
    expect(request).toMatchObject({ method: 'POST', url: '/v1/tts' });
    expect(request.headers).toMatchObject({ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', model: 's2.1-pro' });
    expect(JSON.parse(request.body.toString())).toEqual({ text: 'Grüße 🎉' });
  });

  test('sends every field by its wire name', async () => {
    const { api, service } = await startWith(answerAudio());
    const speech = await api.speak({
      text: 'Hi',
      referenceId: 'm1',
      model: 's2',
      format: 'opus',
      sampleRate: 48_000,
      mp3Bitrate: 192,
      opusBitrate: 32_000,
      chunkLength: 200,
      normalize: false,
      latency: 'low',
      temperature: 0.5,
      topP: 0.6,
      prosody: { speed: 1.5, volume: -3 },
    });
    await buffer(speech.audio);
    const request = await service.request(1);
    expect(request.headers.model).toBe('s2');
    expect(JSON.parse(request.body.toString())).toEqual({
      text: 'Hi',
      reference_id: 'm1',
      format: 'opus',
      sample_rate: 48_000,
      mp3_bitrate: 192,
      opus_bitrate: 32_000,
      chunk_length: 200,
      normalize: false,
      latency: 'low',
      temperature: 0.5,
      top_p: 0.6,
      prosody: { speed: 1.5, volume: -3 },
    });
  });

  test('sends msgpack if recordings are inlined', async () => {
    const { api, service } = await startWith(answerAudio());
    await buffer((await api.speak({ text: 'Hi', references: [{ audio: Buffer.of(1, 2, 3), text: 'as here' }] })).audio);
    const request = await service.request(1);
    expect(request.headers['content-type']).toBe('application/msgpack');
    expect(decode(request.body)).toEqual({ text: 'Hi', references: [{ audio: Buffer.of(1, 2, 3), text: 'as here' }] });
  });

  test('returns the bytes unchanged, the content type, the request id and the time to the first byte', async () => {
    const { api } = await startWith((_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'x-request-id': 'r-9' }).end(audioBytes(100_000));
    });
    const speech = await api.speak({ text: 'Hi' });
    expect(speech).toMatchObject({ contentType: 'audio/mpeg', requestId: 'r-9' });
    expect(speech.firstByteMs).toBeGreaterThan(0);
    expect((await buffer(speech.audio)).equals(audioBytes(100_000))).toBe(true);
  });

  test('hands over the first bytes while the service is still speaking', async () => {
    let finish = () => {};
    const { api } = await startWith((_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(audioBytes(1000));
      finish = () => response.end(audioBytes(1000));
    });
    const speech = await api.speak({ text: 'Hi' });
    finish();
    expect((await buffer(speech.audio)).length).toBe(2000);
  });

  test('holds the service back while nobody reads', async () => {
    const total = 64 * 1024 * 1024;
    let sent = 0;
    const { api } = await startWith((request, response) => {
      if (request.url === '/v1/tts') {
        const piece = audioBytes(256 * 1024);
        const more = () => {
          while (sent < total && !response.destroyed) {
            sent += piece.length;
            if (!response.write(piece)) return void response.once('drain', more);
          }
          response.end();
        };
        response.writeHead(200, { 'content-type': 'audio/mpeg' });
        more();
      } else {
        answerJson(200, { total: 0, items: [] })(request, response);
      }
    });
    const speech = await api.speak({ text: 'Hi' });
    // Round trips on another connection give the service every chance to send more.
    for (let call = 0; call < 50; call += 1) await api.listModels();
    expect(sent).toBeLessThan(16 * 1024 * 1024);
    let length = 0;
    for await (const chunk of speech.audio) length += chunk.length;
    expect(length).toBe(total);
  });
});

describe('getCredit', () => {
  test('returns the balance as an exact decimal, and null for unknown free credit', async () => {
    const record = {
      _id: 'w1',
      user_id: 'u1',
      credit: '12345678901234567890.000000000000000001',
      created_at: '2026-01-02T03:04:05Z',
      updated_at: '2026-01-02T03:04:06Z',
      has_phone_sha256: true,
      has_free_credit: null,
    };
    const { api, service } = await startWith(answerJson(200, record));
    expect(await api.getCredit()).toEqual({
      id: 'w1',
      userId: 'u1',
      credit: '12345678901234567890.000000000000000001',
      createdAt: '2026-01-02T03:04:05Z',
      updatedAt: '2026-01-02T03:04:06Z',
      hasPhoneSha256: true,
      hasFreeCredit: null,
    });
    expect((await service.request(1)).url).toBe('/wallet/self/api-credit');
  });

  test('returns null for missing fields', async () => {
    const { api } = await startWith(answerJson(200, { credit: '-1.5' }));
    const nothing = { id: null, userId: null, createdAt: null, updatedAt: null, hasPhoneSha256: null, hasFreeCredit: null };
    expect(await api.getCredit()).toEqual({ credit: '-1.5', ...nothing });
  });

  test('escapes the id of another user', async () => {
    const { api, service } = await startWith(answerJson(200, { credit: '0' }));
    await api.getCredit({ userId: 'a/b?c', checkFreeCredit: true });
    expect((await service.request(1)).url).toBe('/wallet/a%2Fb%3Fc/api-credit?check_free_credit=true');
    for (const userId of ['', '.', '..']) await expect(api.getCredit({ userId })).rejects.toMatchObject({ kind: 'validation' });
    expect(service.requests).toHaveLength(1);
  });

  test('refuses a balance that is a float', async () => {
    const { api } = await startWith(answerJson(200, { credit: 0.1 }));
    await expect(api.getCredit()).rejects.toMatchObject({ kind: 'protocol', message: expect.stringContaining('credit') });
  });
});

describe('createApi', () => {
  const make = (options: Partial<ApiOptions>) => () => {
    connect('https://voice.example', options);
  };

  test.each(['https://voice.example', 'https://voice.example/api/', 'http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1'])(
    'accepts %s as a base address',
    (baseUrl) => expect(make({ baseUrl })).not.toThrow(),
  );

  test.each([
    'http://voice.example',
    'http://127.0.0.1.voice.example',
    'ftp://voice.example',
    'voice.example',
    '',
    'https://a:b@voice.example',
    'https://voice.example/?x=1',
  ])('refuses %s as a base address', (baseUrl) => expect(make({ baseUrl })).toThrow(TypeError));

  test.each(['', ' ', 'two words', 'line\nbreak', 'kéy'])('refuses %j as a key, without repeating it', (apiKey) => {
    expect(make({ apiKey })).toThrow('The API key is empty, or contains spaces or characters that no key has. Copy it again.');
  });

  test('keeps the path of the base address, and trims the key', async () => {
    const { service } = await startWith(answerJson(200, { total: 0, items: [] }));
    await connect(`${service.url}/voice/api/`, { apiKey: ' k-2\n' }).listModels();
    const request = await service.request(1);
    expect(request.url).toBe('/voice/api/model');
    expect(request.headers.authorization).toBe('Bearer k-2');
  });
});

test('the example in the README runs unchanged', async () => {
  const { service } = await startWith(
    answerJson(200, { total: 1, items: [requiredFields] }),
    answerAudio(20_000),
    answerJson(200, { text: 'Good morning.', duration: 1.5, segments: [{ text: 'Good morning.', start: 0.25, end: 1.5 }] }),
    answerJson(200, { credit: '9.75' }),
  );
  const readme = await readFile(new URL('../../src/api/README.md', import.meta.url), 'utf8');
  const example = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? expect.fail('the README has no example');
  const folder = await makeFolder();
  const code = example
    .replace('./index.ts', new URL('../../src/api/index.ts', import.meta.url).href)
    .replace('http://127.0.0.1:8790', service.url);
  await writeFile(join(folder, 'example.ts'), code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['example.ts'], { cwd: folder });
  expect(stdout).toBe('0.25 to 1.5 s: Good morning.\n9.75 left\n');
  expect(stderr).toBe('');
  expect(await readFile(join(folder, 'morning.mp3'))).toHaveLength(20_000);
  expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /model?page_size=1&language=en',
    'POST /v1/tts',
    'POST /v1/asr',
    'GET /wallet/self/api-credit',
  ]);
});
