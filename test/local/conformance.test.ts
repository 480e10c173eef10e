// The spec's resources, authentication, errors and versioning: a test for each row of its tables, with the client and with raw requests.
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiError, createApi, type VoiceModel } from '../../src/api/index.ts';
import { send, sendForm, sendJson } from '../helpers/voice-service.ts';
import { bodyOf, EXPIRES, type Json, setUpConformance } from './conformance.ts';

const setup = setUpConformance();

const isText = (value: unknown) => typeof value === 'string';
const isListOf = (check: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(check);
const isOneOf =
  (...values: string[]) =>
  (value: unknown) =>
    values.includes(value as string);
const isCount = (value: unknown) => Number.isInteger(value);
const isFlag = (value: unknown) => typeof value === 'boolean';
const isDate = (value: unknown) => isText(value) && new Date(value as string).toISOString() === value;
const isTime = (value: unknown) => typeof value === 'number' && value >= 0;

describe('Resources: ModelEntity', () => {
  const rows: [string, keyof VoiceModel, (value: unknown) => boolean][] = [
    ['_id', 'id', (value) => isText(value) && value !== ''],
    ['type', 'type', isOneOf('svc', 'tts')],
    ['title', 'title', isText],
    ['description', 'description', isText],
    ['cover_image', 'coverImage', isText],
    ['train_mode', 'trainMode', isOneOf('fast', 'full')],
    ['state', 'state', isOneOf('created', 'training', 'trained', 'failed')],
    ['tags', 'tags', isListOf(isText)],
    ['samples', 'samples', isListOf((value) => typeof value === 'object')],
    ['created_at', 'createdAt', isDate],
    ['updated_at', 'updatedAt', isDate],
    ['languages', 'languages', isListOf(isText)],
    ['visibility', 'visibility', isOneOf('public', 'unlist', 'private')],
    ['lock_visibility', 'lockVisibility', isFlag],
    ['like_count', 'likeCount', isCount],
    ['mark_count', 'markCount', isCount],
    ['shared_count', 'sharedCount', isCount],
    ['task_count', 'taskCount', isCount],
    ['unliked', 'unliked', isFlag],
    ['liked', 'liked', isFlag],
    ['marked', 'marked', isFlag],
    ['author', 'author', (value) => typeof value === 'object' && value !== null],
  ];

  test.each(rows)('%s is in every entry, and the client returns it as %s', (wire, name, check) => {
    expect(setup.items.length).toBeGreaterThan(30);
    for (const [index, item] of setup.items.entries()) {
      expect(check(item[wire]), `${item._id}: ${JSON.stringify(item[wire])}`).toBe(true);
      const typed = setup.models[index]?.[name];
      if (typeof item[wire] !== 'object') expect(typed).toBe(item[wire]);
      else if (name === 'tags' || name === 'languages') expect(typed).toEqual(item[wire]);
    }
  });

  test('an entry has no other fields', () => {
    const names = rows.map(([wire]) => wire).sort();
    for (const item of setup.items) expect(Object.keys(item).sort()).toEqual(names);
  });

  test.each([
    ['type', ['svc', 'tts']],
    ['state', ['created', 'failed', 'trained', 'training']],
    ['train_mode', ['fast', 'full']],
  ])('every allowed %s occurs in the catalogue', (field, values) => {
    expect([...new Set(setup.items.map((item) => item[field]))].sort()).toEqual(values);
  });

  test('every allowed visibility occurs in the catalogue; an unlisted model is found by its id', async () => {
    expect([...new Set(setup.items.map((item) => item.visibility))].sort()).toEqual(['private', 'public']);
    expect((await sendJson(setup.service, '/v1/tts', { text: 'Hello.', reference_id: 'robert-preview' })).status).toBe(200);
  });
});

describe('Resources: SampleEntity', () => {
  const samples = () => setup.items.flatMap((item) => item.samples as Json[]);

  test.each(['title', 'text', 'task_id', 'audio'])('%s is a string in every sample', (field) => {
    expect(samples().length).toBeGreaterThan(30);
    for (const sample of samples()) expect(sample[field]).toEqual(expect.stringMatching(/./));
  });

  test('a sample has no other fields, and the client returns all of them', () => {
    for (const sample of samples()) expect(Object.keys(sample).sort()).toEqual(['audio', 'task_id', 'text', 'title']);
    const [first] = samples();
    expect(setup.models.flatMap((model) => model.samples)[0]).toEqual({
      title: first?.title,
      text: first?.text,
      taskId: first?.task_id,
      audio: first?.audio,
    });
  });

  test('audio is the URL of an MP3 in that voice', async () => {
    const { pathname } = new URL(samples()[0]?.audio as string);
    const { status, headers, bytes } = await send(setup.service, pathname, { key: null });
    expect([status, headers['content-type']]).toEqual([200, 'audio/mpeg']);
    expect(bytes[0]).toBe(0xff);
  });
});

describe('Resources: AuthorEntity', () => {
  test.each(['_id', 'nickname', 'avatar'])('%s is a string in every author', (field) => {
    for (const item of setup.items) expect((item.author as Json)[field]).toEqual(expect.stringMatching(/./));
  });

  test('an author has no other fields, and the client returns all of them', () => {
    for (const item of setup.items) expect(Object.keys(item.author as Json).sort()).toEqual(['_id', 'avatar', 'nickname']);
    const { _id: id, nickname, avatar } = (setup.items[0] as { author: Json }).author;
    expect(setup.models[0]?.author).toEqual({ id, nickname, avatar });
  });
});

describe('Resources: transcription result', () => {
  let result: Json;
  beforeAll(async () => {
    result = bodyOf(await sendForm(setup.service, '/v1/asr', { audio: setup.recording, ignore_timestamps: 'false' })) as Json;
  });

  test('text is the full transcript', () => {
    expect(result.text).toContain('old man');
  });

  test('duration is a number, in seconds', () => {
    // 16-bit mono at 16,000 Hz behind a header of 44 bytes.
    expect(result.duration).toBeCloseTo((setup.recording.length - 44) / 32_000, 1);
  });

  test('segments are objects with text, start and end, in order and in seconds', () => {
    const segments = result.segments as Json[];
    expect(segments.length).toBeGreaterThan(0);
    let last = 0;
    for (const segment of segments) {
      expect(Object.keys(segment).sort()).toEqual(['end', 'start', 'text']);
      expect([isText(segment.text), isTime(segment.start), isTime(segment.end)]).toEqual([true, true, true]);
      expect(segment.start as number).toBeGreaterThanOrEqual(last);
      expect(segment.end as number).toBeGreaterThan(segment.start as number);
      last = segment.end as number;
    }
    expect(last).toBeLessThanOrEqual((result.duration as number) + 0.01);
    expect(segments.map((segment) => segment.text).join(' ')).toBe(result.text);
  });

  test('the client returns the same result', async () => {
    expect(await setup.api.transcribe({ audio: setup.recording })).toEqual(result);
  });
});

describe('Resources: wallet credit record', () => {
  const rows: [string, (value: unknown) => boolean][] = [
    ['_id', isText],
    ['user_id', (value) => value === 'local'],
    ['credit', (value) => /^\d+(\.\d+)?$/.test(value as string)],
    ['created_at', isDate],
    ['updated_at', isDate],
    ['has_phone_sha256', isFlag],
    ['has_free_credit', isFlag],
  ];

  test.each(rows)('%s is in the record', async (field, check) => {
    const record = bodyOf(await send(setup.service, '/wallet/self/api-credit?check_free_credit=true')) as Json;
    expect(check(record[field]), String(record[field])).toBe(true);
    expect(Object.keys(record).sort()).toEqual(rows.map(([name]) => name).sort());
  });

  test('the client returns the same record, with the balance as a decimal string', async () => {
    const record = bodyOf(await send(setup.service, '/wallet/self/api-credit', { key: 'second-key' })) as Json;
    const second = createApi({ baseUrl: setup.service.url, apiKey: 'second-key' });
    expect(await second.getCredit()).toEqual({
      id: record._id,
      userId: 'second',
      credit: '7.5',
      createdAt: record.created_at,
      updatedAt: record.updated_at,
      hasPhoneSha256: false,
      hasFreeCredit: null,
    });
    await second.close();
  });
});

describe('Authentication', () => {
  const endpoints = [
    ['GET', '/model'],
    ['POST', '/v1/asr'],
    ['GET', '/wallet/self/api-credit'],
    ['POST', '/v1/tts'],
  ] as const;

  test.each(endpoints)('%s %s requires the bearer key', async (method, path) => {
    const refused = { status: 401, message: expect.any(String) };
    for (const headers of [
      {},
      { authorization: 'Basic Zmlyc3Qta2V5' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer wrong-key' },
    ]) {
      const answer = await send(setup.service, path, { method, headers: headers as Record<string, string>, key: null });
      expect(bodyOf(answer, 401)).toEqual(refused);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('the scheme may be written in any case', async () => {
    expect((await send(setup.service, '/model', { key: null, headers: { authorization: 'bearer first-key' } })).status).toBe(200);
  });

  test('a key may have an expiration, and is rejected from then on', async () => {
    expect((await send(setup.service, '/model', { key: 'second-key' })).status).toBe(200);
    const before = setup.now;
    setup.now = Date.parse(EXPIRES);
    expect(bodyOf(await send(setup.service, '/model', { key: 'second-key' }), 401)).toMatchObject({
      message: expect.stringContaining('expired'),
    });
    expect((await send(setup.service, '/model')).status).toBe(200);
    setup.now = before;
  });
});

describe('Errors', () => {
  let errors: Json[];
  beforeAll(async () => {
    const body = { format: 'midi', prosody: { speed: 9 }, references: [{ audio: 'AAAA' }] };
    errors = bodyOf(await sendJson(setup.service, '/v1/tts', body), 422) as Json[];
  });

  test('a validation error has an entry for each wrong field', () => {
    expect(errors.map((error) => (error.loc as string[]).join('.')).sort()).toEqual([
      'format',
      'prosody.speed',
      'references.0.text',
      'text',
    ]);
  });

  test.each([
    ['loc', isListOf(isText)],
    ['type', isText],
    ['msg', isText],
    ['ctx', (value: unknown) => value === undefined || isText(value)],
    ['in', isOneOf('path', 'query', 'header', 'cookie', 'body')],
  ])('%s of a validation error is as specified', (field, check) => {
    for (const error of errors) expect(check(error[field]), JSON.stringify(error)).toBe(true);
    expect(errors.some((error) => field in error)).toBe(true);
  });

  test('a validation error has no other fields, and reaches the caller of the client', async () => {
    for (const error of errors) expect(['loc', 'type', 'msg', 'ctx', 'in']).toEqual(expect.arrayContaining(Object.keys(error)));
    const thrown = await setup.api.listModels({ pageSize: 1000 }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({ kind: 'validation', status: 422, details: [{ loc: ['page_size'], in: 'query' }] });
  });

  test('a general error has the status of the response and a message', async () => {
    const answer = await send(setup.service, '/nowhere');
    expect(bodyOf(answer, 404)).toEqual({ status: 404, message: expect.any(String) });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  test('every response has a request id', async () => {
    for (const path of ['/model', '/nowhere', '/covers/clara.png']) {
      expect((await send(setup.service, path)).headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    }
  });
});

describe('Versioning', () => {
  test.each([
    ['GET', '/v1/model', 404],
    ['POST', '/asr', 404],
    ['POST', '/tts', 404],
    ['GET', '/v1/wallet/self/api-credit', 404],
    ['POST', '/v1/model', 404],
  ])('%s %s is not a path of this version', async (method, path, status) => {
    expect((await send(setup.service, path, { method })).status).toBe(status);
  });
});
