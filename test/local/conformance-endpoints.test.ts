// The spec's endpoints: a test for each parameter, header, field and response of its tables, with the client and with raw requests.
import { encode } from '@msgpack/msgpack';
import { describe, expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { type RawResponse, send, sendForm, sendJson } from '../helpers/voice-service.ts';
import { bodyOf, type Json, SENTENCE, setUpConformance } from './conformance.ts';

const setup = setUpConformance();

describe('GET /model', () => {
  const list = async (query: string, key?: string) =>
    bodyOf(await send(setup.service, `/model?${query}`, key === undefined ? {} : { key })) as { total: number; items: Json[] };
  const idsOf = ({ items: found }: { items: Json[] }) => found.map((item) => item._id);

  test('page_size and page_number return each model once, in pages', async () => {
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => list(`page_size=9&page_number=${page}`)));
    expect(pages.flatMap(idsOf)).toEqual(setup.items.map((item) => item._id));
    expect(pages.map((page) => page.total)).toEqual(pages.map(() => setup.items.length));
    expect(pages[0]?.items.length).toBe(9);
  });

  test('page_size defaults to 10 and page_number to 1', async () => {
    expect(idsOf(await list(''))).toEqual(setup.items.slice(0, 10).map((item) => item._id));
    expect((await setup.api.listModels()).items.map((model) => model.id)).toEqual(setup.items.slice(0, 10).map((item) => item._id));
  });

  test('a page past the end is empty and has the total', async () => {
    expect(await list('page_number=99')).toEqual({ total: setup.items.length, items: [] });
  });

  test('title filters by a part of the title, ignoring case', async () => {
    const found = await list('title=STORYTELLER');
    expect(idsOf(found)).toEqual(['clara-storyteller', 'alan-storyteller']);
    expect(found.total).toBe(2);
  });

  test.each(['', 'null'])('a title of "%s" filters nothing', async (value) => {
    expect((await list(`title=${value}`)).total).toBe(setup.items.length);
  });

  test('tag filters by one tag', async () => {
    const found = await list('tag=robot&page_size=100');
    expect(found.total).toBe(setup.items.filter((item) => (item.tags as string[]).includes('robot')).length);
    for (const item of found.items) expect(item.tags).toContain('robot');
  });

  test.each(['tag=robot&tag=deep', 'tag[]=robot&tag[]=deep', 'tag%5B%5D=robot&tag%5B%5D=deep', 'tag=robot,deep'])(
    'several tags as %s match models with any of them',
    async (query) => {
      const found = await list(`${query}&page_size=100`);
      const wanted = setup.items.filter((item) => ['robot', 'deep'].some((tag) => (item.tags as string[]).includes(tag)));
      expect(idsOf(found)).toEqual(wanted.map((item) => item._id));
      const { items: typed } = await setup.api.listModels({ tag: ['robot', 'deep'], pageSize: 100 });
      expect(typed.map((model) => model.id)).toEqual(idsOf(found));
    },
  );

  test('self returns only the models of the caller', async () => {
    expect(idsOf(await list('self=true')).sort()).toEqual(['my-narrator', 'my-robot']);
    expect(await list('self=true', 'second-key')).toEqual({ total: 0, items: [] });
    expect((await setup.api.listModels({ self: true })).total).toBe(2);
  });

  test('author_id filters by author', async () => {
    const found = await list('author_id=arctic');
    expect(idsOf(found).sort()).toEqual(['alan', 'clara', 'kal', 'robert']);
  });

  test('author_id has no effect if self is true', async () => {
    expect(idsOf(await list('self=true&author_id=arctic')).sort()).toEqual(['my-narrator', 'my-robot']);
    expect((await setup.api.listModels({ self: true, authorId: 'arctic' })).total).toBe(2);
  });

  test('language filters by the spoken language', async () => {
    expect((await list('language=en')).total).toBe(setup.items.length);
    expect((await list('language=ja')).total).toBe(0);
    expect((await list('language=ja&language=en')).total).toBe(setup.items.length);
  });

  test('title_language filters by the language of the title', async () => {
    expect(idsOf(await list('title_language=de'))).toEqual(['clara-ruhig']);
    expect((await list('title_language=de,fr')).total).toBe(2);
  });

  test.each([
    ['task_count', (item: Json) => item.task_count as number],
    ['created_at', (item: Json) => Date.parse(item.created_at as string)],
  ])('sort_by %s returns the highest first', async (key, read) => {
    const values = (await list(`sort_by=${key}&page_size=100`)).items.map(read);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  });

  test('sort_by defaults to score', async () => {
    expect(idsOf(await list('sort_by=score'))).toEqual(idsOf(await list('')));
  });

  test('private models are listed for their owner only', async () => {
    const theirs = idsOf(await list('page_size=100', 'second-key'));
    expect(idsOf(setup)).toContain('my-robot');
    expect(theirs).not.toContain('my-robot');
    expect(theirs.length).toBe(setup.items.length - 2);
  });

  test.each([
    ['page_size=0', 'page_size'],
    ['page_size=101', 'page_size'],
    ['page_size=ten', 'page_size'],
    ['page_size=1.5', 'page_size'],
    ['page_number=0', 'page_number'],
    ['self=perhaps', 'self'],
    ['sort_by=colour', 'sort_by'],
  ])('%s is a 422 that names the parameter', async (query, name) => {
    const errors = bodyOf(await send(setup.service, `/model?${query}`), 422) as Json[];
    expect(errors).toEqual([expect.objectContaining({ loc: [name], in: 'query' })]);
  });
});

describe('POST /v1/asr', () => {
  const words = (answer: RawResponse) => (bodyOf(answer) as { text: string }).text;
  const msgpack = { headers: { 'content-type': 'application/msgpack' } };

  test('accepts multipart/form-data', async () => {
    expect(words(await sendForm(setup.service, '/v1/asr', { audio: setup.recording }))).toContain('old man');
  });

  test('accepts application/msgpack, in which nil means absent', async () => {
    const body = encode({ audio: new Uint8Array(setup.recording), language: null, ignore_timestamps: null, unknown: 1 });
    expect(words(await send(setup.service, '/v1/asr', { ...msgpack, body }))).toContain('old man');
  });

  test.each(['application/json', 'text/plain', 'audio/wav', 'application/x-www-form-urlencoded', ''])(
    'answers 415 to a content type of "%s"',
    async (type) => {
      const answer = await send(setup.service, '/v1/asr', { headers: type === '' ? {} : { 'content-type': type }, body: '{}' });
      expect(bodyOf(answer, 415)).toEqual({ status: 415, message: expect.stringContaining('multipart/form-data') });
    },
  );

  test('audio is required', async () => {
    for (const answer of [
      await sendForm(setup.service, '/v1/asr', { language: 'en' }),
      await send(setup.service, '/v1/asr', { ...msgpack, body: encode({ language: 'en' }) }),
    ]) {
      expect(bodyOf(answer, 422)).toEqual([{ loc: ['audio'], type: 'missing', msg: expect.any(String), in: 'body' }]);
    }
  });

  test('audio that is empty or not a file is a 422', async () => {
    expect(bodyOf(await sendForm(setup.service, '/v1/asr', { audio: new Uint8Array() }), 422)).toMatchObject([{ loc: ['audio'] }]);
    expect(bodyOf(await sendForm(setup.service, '/v1/asr', { audio: 'words' }), 422)).toMatchObject([{ loc: ['audio'] }]);
    expect(bodyOf(await send(setup.service, '/v1/asr', { ...msgpack, body: encode({ audio: 'words' }) }), 422)).toMatchObject([
      { loc: ['audio'] },
    ]);
  });

  test('a file that is not audio is a 400 that says so', async () => {
    const answer = await sendForm(setup.service, '/v1/asr', { audio: Buffer.from('This is a letter and no recording. '.repeat(20)) });
    expect(bodyOf(answer, 400)).toEqual({ status: 400, message: expect.stringContaining('no sound recording') });
    await expect(setup.api.transcribe({ audio: Buffer.alloc(5000, 'x') })).rejects.toMatchObject({ kind: 'validation', status: 400 });
  });

  test('language en is accepted, and any other is a 422', async () => {
    expect(words(await sendForm(setup.service, '/v1/asr', { audio: setup.recording, language: 'en' }))).toContain('old man');
    const errors = bodyOf(await sendForm(setup.service, '/v1/asr', { audio: setup.recording, language: 'fr' }), 422);
    expect(errors).toMatchObject([{ loc: ['language'], in: 'body' }]);
  });

  test.each([
    ['true', false],
    ['false', true],
  ])('ignore_timestamps may be the text %s', async (value, timed) => {
    const { segments } = bodyOf(await sendForm(setup.service, '/v1/asr', { audio: setup.recording, ignore_timestamps: value })) as {
      segments: [];
    };
    expect(segments.length > 0).toBe(timed);
  });

  test('ignore_timestamps that is not a boolean is a 422', async () => {
    const errors = bodyOf(await sendForm(setup.service, '/v1/asr', { audio: setup.recording, ignore_timestamps: 'perhaps' }), 422);
    expect(errors).toMatchObject([{ loc: ['ignore_timestamps'], in: 'body' }]);
  });

  test('silence returns an empty text and no segments', async () => {
    const silent = Buffer.from(setup.recording);
    silent.fill(0, 44);
    const result = bodyOf(await sendForm(setup.service, '/v1/asr', { audio: silent })) as Json;
    expect(result).toEqual({ text: '', duration: expect.any(Number), segments: [] });
  });

  test.each([
    [401, 'nobody', 'auth'],
    [402, 'empty-key', 'credit'],
  ] as const)('error %i has the general body', async (status, key, kind) => {
    const body = bodyOf(await sendForm(setup.service, '/v1/asr', { audio: setup.recording }, { key }), status);
    expect(body).toEqual({ status, message: expect.any(String) });
    const other = createApi({ baseUrl: setup.service.url, apiKey: key });
    await expect(other.transcribe({ audio: setup.recording })).rejects.toMatchObject({ kind, status });
    await other.close();
  });
});

describe('GET /wallet/{user_id}/api-credit', () => {
  test('user_id may be self or the id of the caller', async () => {
    const self = bodyOf(await send(setup.service, '/wallet/self/api-credit', { key: 'second-key' }));
    expect(bodyOf(await send(setup.service, '/wallet/second/api-credit', { key: 'second-key' }))).toEqual(self);
    expect((await setup.api.getCredit({ userId: 'local' })).userId).toBe('local');
  });

  test('the wallet of another user is a 403 with the general body, and an unknown user a 404', async () => {
    expect(bodyOf(await send(setup.service, '/wallet/second/api-credit'), 403)).toEqual({ status: 403, message: expect.any(String) });
    expect(bodyOf(await send(setup.service, '/wallet/nobody/api-credit'), 404)).toEqual({ status: 404, message: expect.any(String) });
  });

  test('has a subscription beside it, which some clients read: none', async () => {
    const row = { user_id: 'second', type: 'free', total: 0, balance: 0 };
    expect(bodyOf(await send(setup.service, '/wallet/self/package', { key: 'second-key' }))).toMatchObject(row);
    expect(bodyOf(await send(setup.service, '/wallet/second/package'), 403)).toEqual({ status: 403, message: expect.any(String) });
  });

  test.each(['/wallet//api-credit', '/wallet/a%20b/api-credit', `/wallet/${'x'.repeat(200)}/api-credit`])(
    '%s is a 422 about the path',
    async (path) => {
      expect(bodyOf(await send(setup.service, path), 422)).toMatchObject([{ loc: ['user_id'], in: 'path' }]);
    },
  );

  test('check_free_credit is read from the query, and a value that is not a boolean is a 422', async () => {
    expect(await setup.api.getCredit({ checkFreeCredit: true })).toMatchObject({ hasFreeCredit: false });
    expect(await setup.api.getCredit()).toMatchObject({ hasFreeCredit: null });
    const errors = bodyOf(await send(setup.service, '/wallet/self/api-credit?check_free_credit=2'), 422);
    expect(errors).toMatchObject([{ loc: ['check_free_credit'], in: 'query' }]);
  });
});

describe('POST /v1/tts', () => {
  const speak = (body: unknown, headers: Record<string, string> = {}) => sendJson(setup.service, '/v1/tts', body, { headers });

  test('accepts Content-Type application/json', async () => {
    const { status, headers, bytes } = await speak({ text: 'Hello there.' });
    expect([status, headers['content-type']]).toEqual([200, 'audio/mpeg']);
    expect(bytes.length).toBeGreaterThan(2000);
  });

  test('accepts Content-Type application/msgpack, in which nil means absent', async () => {
    const body = encode({ text: 'Hello there.', reference_id: null, format: 'wav', sample_rate: null, references: null, prosody: null });
    const { status, bytes } = await send(setup.service, '/v1/tts', { headers: { 'content-type': 'application/msgpack' }, body });
    expect([status, bytes.subarray(0, 4).toString()]).toEqual([200, 'RIFF']);
  });

  test('another Content-Type is a 415 with the general body', async () => {
    const answer = await send(setup.service, '/v1/tts', { headers: { 'content-type': 'text/plain' }, body: 'Hello' });
    expect(bodyOf(answer, 415)).toEqual({ status: 415, message: expect.any(String) });
  });

  test.each([{ model: 's1' }, { model: 'some-other-model' }, {}])(
    'accepts the header model: %o',
    async (headers: Record<string, string>) => {
      expect((await speak({ text: 'Hello.' }, headers)).status).toBe(200);
    },
  );

  test.each([[{}], [{ text: '' }], [{ text: null }], [{ text: 5 }]])('text is required: %o is a 422', async (body) => {
    expect(bodyOf(await speak(body), 422)).toMatchObject([{ loc: ['text'], in: 'body' }]);
  });

  test('text with nothing to speak is a 422 that says why', async () => {
    expect(bodyOf(await speak({ text: '…' }), 422)).toMatchObject([{ loc: ['text'], type: 'unspeakable', in: 'body' }]);
  });

  test('reference_id selects the voice, which defaults if it is absent or null', async () => {
    const [absent, nothing, named, other] = await Promise.all(
      [{}, { reference_id: null }, { reference_id: 'clara' }, { reference_id: 'alan-sprint' }].map((chosen) =>
        speak({ text: SENTENCE, format: 'pcm', sample_rate: 16_000, ...chosen }),
      ),
    );
    expect(nothing?.bytes.equals(absent?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(named?.bytes.equals(absent?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(other?.bytes.equals(absent?.bytes ?? Buffer.alloc(0))).toBe(false);
  });

  test('an unknown reference_id is a 404, and never another voice', async () => {
    expect(bodyOf(await speak({ text: 'Hello.', reference_id: 'nobody' }), 404)).toEqual({
      status: 404,
      message: expect.stringContaining('nobody'),
    });
    await expect(setup.api.speak({ text: 'Hello.', referenceId: 'nobody' })).rejects.toMatchObject({ kind: 'not-found' });
  });

  test("another user's private model is a 404", async () => {
    const answer = await sendJson(setup.service, '/v1/tts', { text: 'Hello.', reference_id: 'my-robot' }, { key: 'second-key' });
    expect(answer.status).toBe(404);
    expect((await speak({ text: 'Hello.', reference_id: 'my-robot' })).status).toBe(200);
  });

  test.each([
    ['clara-sings', /sing/],
    ['grandfather', /still being trained/],
    ['twins', /not been trained/],
    ['echo', /could not be trained/],
  ])('%s does not speak, and the 422 says why', async (reference_id, why) => {
    const errors = bodyOf(await speak({ text: 'Hello.', reference_id }), 422);
    expect(errors).toMatchObject([{ loc: ['reference_id'], msg: expect.stringMatching(why), in: 'body' }]);
  });

  test.each([
    ['mp3', 'audio/mpeg', /^\xff/],
    ['wav', 'audio/wav', /^RIFF....WAVE/s],
    ['opus', 'audio/ogg', /^OggS/],
    ['pcm', 'application/octet-stream', /^/],
  ] as const)('format %s is sent as %s, and really is that', async (format, type, beginning) => {
    const { headers, bytes } = await speak({ text: 'Hello there.', format });
    expect(headers['content-type']).toBe(type);
    expect(headers['transfer-encoding']).toBe('chunked');
    expect(bytes.toString('latin1')).toMatch(beginning);
    const speech = await setup.api.speak({ text: 'Hello there.', format });
    expect(speech.contentType).toBe(type);
    expect(Buffer.concat(await Array.fromAsync(speech.audio)).length).toBe(bytes.length);
  });

  test('an unknown format is a 422', async () => {
    expect(bodyOf(await speak({ text: 'Hello.', format: 'midi' }), 422)).toMatchObject([{ loc: ['format'], in: 'body' }]);
  });

  test('the other fields that such services have are accepted, and unknown ones ignored', async () => {
    const all = {
      text: SENTENCE,
      format: 'wav',
      sample_rate: 24_000,
      mp3_bitrate: 64,
      opus_bitrate: 32,
      chunk_length: 200,
      normalize: true,
      latency: 'balanced',
      temperature: 0.5,
      top_p: 0.5,
      prosody: { speed: 2, volume: -6 },
      references: [],
      something_new: { deep: [1] },
    };
    const { status, bytes } = await speak(all);
    expect([status, bytes.readUInt32LE(24)]).toEqual([200, 24_000]);
    const plain = await speak({ text: SENTENCE, format: 'wav', sample_rate: 24_000 });
    expect(bytes.length / plain.bytes.length).toBeCloseTo(0.5, 1);
  });

  test('mp3_bitrate decides the size of the file', async () => {
    const [small, large] = await Promise.all([64, 192].map((mp3_bitrate) => speak({ text: SENTENCE, mp3_bitrate })));
    expect((large?.bytes.length ?? 0) / (small?.bytes.length ?? 1)).toBeGreaterThan(2.5);
  });

  test.each([
    [{ sample_rate: 12_345 }, ['sample_rate']],
    [{ prosody: { speed: 9 } }, ['prosody', 'speed']],
    [{ references: [{ audio: 'AAAA', text: 'Hello' }] }, ['references']],
    [{ mp3_bitrate: 100 }, ['mp3_bitrate']],
  ])('%o is a 422 that names the field', async (wrong, loc) => {
    expect(bodyOf(await speak({ text: 'Hello.', ...wrong }), 422)).toMatchObject([{ loc, in: 'body' }]);
  });

  test('a body that is not JSON is a 400 with the general body', async () => {
    const answer = await send(setup.service, '/v1/tts', { headers: { 'content-type': 'application/json' }, body: '{"text":' });
    expect(bodyOf(answer, 400)).toEqual({ status: 400, message: expect.any(String) });
  });
});
