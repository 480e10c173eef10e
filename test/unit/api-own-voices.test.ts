// Creating, reading, changing and deleting voice models, as a service sees it, and how these calls fail.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answer, answerJson, connect, cut, failureOf, openMisbehavingService, reset } from '../helpers/misbehaving-service.ts';

const entity = {
  _id: 'new-1',
  type: 'tts',
  title: 'Uncle',
  description: '',
  cover_image: '',
  state: 'created',
  tags: [],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  visibility: 'private',
  like_count: 0,
  mark_count: 0,
  shared_count: 0,
  task_count: 0,
  author: { _id: 'me', nickname: 'Me', avatar: '' },
};

/** The parts of a form, by name, as text. */
async function readForm(body: Buffer, contentType = ''): Promise<[string, string][]> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()] as [string, string]),
  );
}

async function* pieces(count: number, each = 1000): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield new Uint8Array(each).fill(65 + index);
}

describe('createModel', () => {
  test('sends every field, streams the recordings, and reports its progress', async () => {
    const service = await openMisbehavingService(answerJson(201, entity));
    const progress: [number, number | null][] = [];
    const created = await connect(service.url).createModel(
      {
        title: 'Uncle "Bob"\nJunior',
        description: 'Two\nlines',
        tags: ['a', 'b'],
        visibility: 'unlist',
        enhanceAudioQuality: true,
        recordings: [
          { audio: pieces(2), size: 2000, filename: 'a.wav', text: 'Hi.' },
          { audio: new Uint8Array(3).fill(90), text: 'Ho.' },
        ],
        coverImage: { audio: new Uint8Array(2).fill(88), filename: 'cover.png' },
      },
      { onProgress: (sent, total) => progress.push([sent, total]) },
    );
    expect(created).toMatchObject({ id: 'new-1', state: 'created', stateMessage: null, trainMode: 'full' });
    const [request] = service.requests;
    expect([request?.method, request?.url]).toEqual(['POST', '/model']);
    expect(await readForm(request?.body as Buffer, request?.headers['content-type'])).toEqual([
      ['type', 'tts'],
      ['title', 'Uncle "Bob"\nJunior'],
      ['train_mode', 'fast'],
      ['visibility', 'unlist'],
      ['description', 'Two\nlines'],
      ['tags', 'a'],
      ['tags', 'b'],
      ['enhance_audio_quality', 'true'],
      ['texts', 'Hi.'],
      ['texts', 'Ho.'],
      ['voices', 'A'.repeat(1000) + 'B'.repeat(1000)],
      ['voices', 'ZZZ'],
      ['cover_image', 'XX'],
    ]);
    const total = Number(request?.headers['content-length']);
    expect(progress.at(-1)).toEqual([total, total]);
    expect(progress.map(([sent]) => sent)).toEqual(progress.map(([sent]) => sent).toSorted((a, b) => a - b));
  });

  test('is private unless told otherwise, and sends no texts if one is missing', async () => {
    const service = await openMisbehavingService(answerJson(200, entity));
    const recordings = [{ audio: pieces(1), text: 'Hi.' }, { audio: pieces(1) }];
    await connect(service.url).createModel({ title: 'Uncle', recordings });
    const form = await readForm(service.requests[0]?.body as Buffer, service.requests[0]?.headers['content-type']);
    expect(form.map(([name]) => name)).toEqual(['type', 'title', 'train_mode', 'visibility', 'voices', 'voices']);
    expect(form[3]).toEqual(['visibility', 'private']);
    // A stream of unknown length is sent in chunks.
    expect(service.requests[0]?.headers['transfer-encoding']).toBe('chunked');
  });

  test.each([
    ['is reset', reset, 'server'],
    ['is cut off', cut(10, 'application/json'), 'protocol'],
    ['is no model', answerJson(200, { ok: true }), 'protocol'],
  ] as const)('is not repeated if its response %s, since the model may exist', async (_, behaviour, kind) => {
    const service = await openMisbehavingService(behaviour);
    const recordings = [{ audio: new Uint8Array(10) }];
    expect(await failureOf(connect(service.url).createModel({ title: 'Uncle', recordings }))).toMatchObject({
      kind,
      mayHaveBeenBilled: true,
    });
    expect(service.requests).toHaveLength(1);
  });

  test('refused by a service without it is unsupported, which leaves the catalogue alone', async () => {
    const service = await openMisbehavingService(answer(405, ''), answerJson(200, { total: 0, items: [] }));
    const api = connect(service.url);
    const create = () => api.createModel({ title: 'Uncle', recordings: [{ audio: new Uint8Array(10) }] });
    for (const _ of [1, 2]) expect(await failureOf(create())).toMatchObject({ kind: 'unsupported', operation: 'own-voices' });
    expect((await api.listModels()).total).toBe(0);
    expect(service.requests).toHaveLength(2);
  });

  test('ends every stream when it is aborted, and when it is refused', async () => {
    const controller = new AbortController();
    const service = await openMisbehavingService(answerJson(402, { status: 402, message: 'Pay.' }));
    let ended = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          yield new Uint8Array(1000);
          await setImmediate();
        }
      } finally {
        ended += 1;
      }
    }
    onTestFinished(() => controller.abort());
    const api = connect(service.url);
    const creating = api.createModel({ title: 'Uncle', recordings: [{ audio: endless() }] }, { signal: controller.signal });
    await expect.poll(() => service.requests.length).toBe(1);
    controller.abort();
    expect(await failureOf(creating)).toMatchObject({ kind: 'aborted' });
    await expect.poll(() => ended).toBe(1);
  });

  test('keeps what members named and said out of its errors', async () => {
    const secret = 'The voice of my late grandmother';
    const service = await openMisbehavingService(answerJson(422, [{ loc: ['title'], type: 'bad', msg: `${secret} is taken` }]));
    const error = await failureOf(connect(service.url).createModel({ title: secret, recordings: [{ audio: new Uint8Array(10) }] }));
    expect(error.kind).toBe('validation');
    expect(JSON.stringify([error, error.message])).not.toContain('grandmother');
  });
});

describe('one model', () => {
  test('is read, changed and deleted by its id, whatever a change answers', async () => {
    const service = await openMisbehavingService(
      answerJson(200, { ...entity, state: 'failed', state_message: 'Silent.' }),
      answer(204, ''),
      answer(200, 'ok'),
      answerJson(200, entity),
    );
    const api = connect(service.url);
    expect(await api.getModel('a/b')).toMatchObject({ state: 'failed', stateMessage: 'Silent.' });
    await api.updateModel('a', { title: 'New', tags: [] });
    await api.updateModel('a', { visibility: 'public', coverImage: { audio: new Uint8Array(3).fill(65) } });
    await api.deleteModel('a');
    expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /model/a%2Fb',
      'PATCH /model/a',
      'PATCH /model/a',
      'DELETE /model/a',
    ]);
    expect(JSON.parse(service.requests[1]?.body.toString() ?? '')).toEqual({ title: 'New', tags: [] });
    expect(await readForm(service.requests[2]?.body as Buffer, service.requests[2]?.headers['content-type'])).toEqual([
      ['visibility', 'public'],
      ['cover_image', 'AAA'],
    ]);
  });

  test('that is unknown is not-found, and an id that is none is never sent', async () => {
    const service = await openMisbehavingService(answer(404, ''));
    const api = connect(service.url);
    expect(await failureOf(api.getModel('gone'))).toMatchObject({ kind: 'not-found' });
    expect(await failureOf(api.deleteModel('gone'))).toMatchObject({ kind: 'not-found' });
    for (const id of ['', '.', '..']) expect(await failureOf(api.deleteModel(id))).toMatchObject({ kind: 'validation' });
    expect(service.requests).toHaveLength(2);
  });
});
