// Responses that are malformed, cut off, or too large: errors that say so and use little memory.
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type ApiResponse, readBody } from '../../src/api/http.ts';
import { collectGarbage } from '../helpers/garbage.ts';
import { answer, answerAudio, answerJson, connect, cut, failureOf, openMisbehavingService } from '../helpers/misbehaving-service.ts';

const emptyList = answerJson(200, { total: 0, items: [] });

describe('something else instead of audio', () => {
  test.each([
    ['JSON', answerJson(200, { message: 'synthesis failed' }), 'application/json'],
    ['JSON labelled as audio', answer(200, JSON.stringify({ message: 'x'.repeat(300) }), { 'content-type': 'audio/mpeg' }), 'text'],
    ['a web page', answer(200, '<html>sign in</html>', { 'content-type': 'text/html; charset=utf-8' }), 'text/html'],
    ['nothing', answer(200, '', { 'content-type': 'audio/mpeg' }), 'nothing'],
    ['nothing, without even a body', answer(204, ''), 'nothing'],
    ['far too little', answer(200, Buffer.alloc(44), { 'content-type': 'audio/wav' }), '44 bytes'],
  ])('%s is an error, not silence', async (_, behaviour, what) => {
    const service = await openMisbehavingService(behaviour);
    const error = await failureOf(connect(service.url).speak({ text: 'hello' }));
    expect(error).toMatchObject({ kind: 'protocol', retryable: false });
    expect(error.message).toContain(what);
    expect(service.requests).toHaveLength(1);
  });

  test("a response cut off before any audio was handed over is an error, and isn't requested again", async () => {
    const service = await openMisbehavingService(cut(100), answerAudio());
    expect(await failureOf(connect(service.url).speak({ text: 'hello' }))).toMatchObject({ kind: 'protocol', mayHaveBeenBilled: true });
    expect(service.requests).toHaveLength(1);
  });

  test("a response cut off in mid-speech is an error, and isn't requested again", async () => {
    const service = await openMisbehavingService(cut(5000), answerAudio());
    const speech = await connect(service.url).speak({ text: 'hello' });
    expect(await failureOf(buffer(speech.audio))).toMatchObject({ kind: 'protocol', status: 200, mayHaveBeenBilled: true });
    expect(service.requests).toHaveLength(1);
  });

  test('a response shorter than its content-length is an error', async () => {
    const service = await openMisbehavingService((request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '9000' });
      response.write(Buffer.alloc(5000, 0xff), () => request.socket.destroy());
    });
    const speech = await connect(service.url).speak({ text: 'hello' });
    expect(await failureOf(buffer(speech.audio))).toMatchObject({ kind: 'protocol' });
  });
});

describe('something else instead of JSON', () => {
  test.each([
    ['a web page', answer(200, '<html></html>'), 'a web page'],
    ['nothing', answer(200, ''), 'nothing'],
    ['half of it', answer(200, '{"total": 1, "items": ['), 'not JSON'],
    ['another shape', answerJson(200, { total: 1, items: [{ _id: 'a secret' }] }), 'items.0.title'],
  ])('%s is an error that says so', async (_, behaviour, what) => {
    const service = await openMisbehavingService(behaviour);
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'protocol', status: 200, retryable: false });
    expect(error.message).toContain(what);
    expect(inspect(error)).not.toContain('secret');
  });

  test('a response that is cut off is requested again', async () => {
    const service = await openMisbehavingService(cut(10, 'application/json'), emptyList);
    await connect(service.url).listModels();
    expect(service.requests).toHaveLength(2);
  });
});

/** A model with the fields that the spec requires. */
const model = (_id: string) => ({
  _id,
  type: 'tts',
  title: `Voice ${_id}`,
  description: '',
  cover_image: '',
  state: 'trained',
  tags: [],
  created_at: '2025-01-01T00:00:00Z',
  updated_at: '2025-01-01T00:00:00Z',
  visibility: 'public',
  like_count: 0,
  mark_count: 0,
  shared_count: 0,
  task_count: 0,
  author: { _id: 'author', nickname: 'Robin', avatar: '' },
});

describe('a page with invalid entries', () => {
  test('contains the valid ones, and the total as the service returns it', async () => {
    const good = model('model-0');
    const wrong = [null, 7, {}, { ...good, title: 5 }, { ...good, visibility: 5 }, { ...good, _id: '' }];
    const service = await openMisbehavingService(
      answerJson(200, { total: 8, items: [wrong[0], good, ...wrong.slice(1), model('model-1')] }),
    );
    const page = await connect(service.url).listModels();
    expect(page.total).toBe(8);
    expect(page.items.map(({ id }) => id)).toEqual(['model-0', 'model-1']);
  });

  test('only is an error that names the fields', async () => {
    const service = await openMisbehavingService(answerJson(200, { total: 2, items: [{ _id: 'a secret' }, {}] }));
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'protocol', status: 200 });
    expect(error.message).toContain('items.0.title');
    expect(inspect(error)).not.toContain('secret');
  });
});

describe('a response that is too much', () => {
  const list = (items: string) => `{"total":1,"items":[${items}]}`;
  const repeat = (text: string, bytes: number) => Array.from({ length: Math.floor(bytes / (text.length + 1)) }, () => text).join(',');

  test.each([
    ['longer than 4 MB', list(repeat('{}', 16 * 1024 * 1024)), 'longer than 4194304 bytes'],
    ['with a million entries', list(repeat('{}', 3_500_000)), 'JSON of more than 250000 values'],
    ['with more entries than any page has', list(repeat('1', 100_000)), 'at: items. '],
    ['a hundred thousand levels deep', list(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'JSON of more than 32 levels'],
  ])('%s is an error, and uses little memory', async (_, body, what) => {
    const service = await openMisbehavingService(answer(200, body, { 'content-type': 'application/json' }));
    const before = process.memoryUsage().heapUsed;
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'protocol', status: 200, retryable: false });
    expect(error.message).toContain(what);
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(100);
  });

  test('a balance of a megabyte is an error', async () => {
    const service = await openMisbehavingService(answerJson(200, { credit: '1', note: 'x'.repeat(1024 * 1024) }));
    const error = await failureOf(connect(service.url).getCredit());
    expect(error).toMatchObject({ kind: 'protocol', status: 200 });
    expect(error.message).toContain('longer than 65536 bytes');
  });

  test('arriving byte by byte uses no more memory than its bytes', async () => {
    const body = Buffer.alloc(400_000, ' ');
    let at = 0;
    let held = 0;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const read = async () => {
      if (at < body.length) return body.subarray(at, ++at);
      collectGarbage();
      held = process.memoryUsage().heapUsed - before;
      return null;
    };
    expect(await readBody({ read, status: 200, requestId: null } as Partial<ApiResponse> as ApiResponse, 1_000_000)).toHaveLength(
      body.length,
    );
    expect(held / 2 ** 20).toBeLessThan(10);
  });
});

describe('a refusal of any size', () => {
  test('with hundreds of fields keeps the first twenty', async () => {
    const details = Array.from({ length: 500 }, (_, at) => ({ loc: Array.from({ length: 20 }, () => at), type: 't', msg: 'no' }));
    const service = await openMisbehavingService(answerJson(422, details));
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'validation', status: 422 });
    expect(error.details).toHaveLength(20);
    expect(error.details[0]?.loc).toHaveLength(10);
  });

  test.each([
    ['a field', `[{"loc":[${'['.repeat(20_000)}${']'.repeat(20_000)}],"msg":"no"}]`],
    ['its message', `${'{"message":'.repeat(5_000)}"no"${'}'.repeat(5_000)}`],
  ])('with %s nested thousands of levels deep is still a refusal', async (_, body) => {
    const service = await openMisbehavingService(answer(422, body, { 'content-type': 'application/json' }));
    expect(await failureOf(connect(service.url).listModels())).toMatchObject({ kind: 'validation', status: 422 });
  });
});
