// A voice that the service doesn't have, told from other refusals of a text.
import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/index.ts';
import { modelOnWire } from '../helpers/catalogue.ts';
import { answer, answerJson, type Behaviour, connect, failureOf, openMisbehavingService } from '../helpers/misbehaving-service.ts';

const notFound = answerJson(404, { status: 404, message: 'Not found' });
const emptyList = answerJson(200, { total: 0, items: [] });
const refusal = (body: object = {}, headers = {}) => answerJson(400, { status: 400, message: 'Reference not found', ...body }, headers);

interface Answers {
  speech?: Behaviour;
  /** To GET /model/{id}. */
  voice?: Behaviour;
  catalogue?: Behaviour;
}

/** What speaking in the voice `v` fails with, and what was asked. */
async function speak({ speech = refusal(), voice = notFound, catalogue = emptyList }: Answers, referenceId: string | null = 'v') {
  const service = await openMisbehavingService((request, response) => {
    const { url = '' } = request;
    (url === '/v1/tts' ? speech : url === '/model/v' ? voice : catalogue)(request, response);
  });
  const error = await failureOf(connect(service.url, { retries: { attempts: 1 } }).speak({ text: 'Hello.', referenceId }));
  return { error, asked: service.requests.map(({ url }) => url) };
}

test('is a 400 with a sentence after which the service is asked for the voice, and doesn’t have it', async () => {
  const { error, asked } = await speak({});
  expect(error).toMatchObject({ kind: 'not-found', status: 400, retryable: false, mayHaveBeenBilled: false });
  expect(asked).toEqual(['/v1/tts', '/model/v', '/model?page_size=1']);
});

test('is one of another account, too, whose key is not to blame', async () => {
  const forbidden = answerJson(403, { status: 403, message: 'Not yours' });
  expect((await speak({ voice: forbidden })).error).toMatchObject({ kind: 'not-found' });
  expect((await speak({ speech: forbidden, voice: forbidden })).error).toMatchObject({ kind: 'not-found', status: 403 });
});

test('is not blamed if the service has the voice, whatever the sentence says', async () => {
  const { error, asked } = await speak({ voice: answerJson(200, modelOnWire('v')) });
  expect(error).toMatchObject({ kind: 'validation', status: 400 });
  expect(error.message).toContain('Reference not found');
  expect(asked).toEqual(['/v1/tts', '/model/v']);
});

test.each([{ state: 'created' }, { state: 'training' }, { state: 'failed' }, { type: 'svc' }])(
  'is one that doesn’t speak, too: %j',
  async (fields) => {
    const { error } = await speak({ voice: answerJson(200, { ...modelOnWire('v'), ...fields }) });
    expect(error).toMatchObject({ kind: 'not-found', status: 400 });
  },
);

test.each<[string, Answers]>([
  ['the service has no catalogue, so its 404 proves nothing', { catalogue: notFound }],
  ['the service can’t be asked', { voice: answer(500, '') }],
  ['the service answers nonsense', { voice: answer(200, 'yes') }],
  ['it is about a field', { speech: answerJson(422, [{ loc: ['body', 'text'], type: 'too_long', msg: 'Too long' }]) }],
])('is not blamed if %s', async (_, answers) => {
  expect((await speak(answers)).error).toMatchObject({ kind: 'validation' });
});

test('is not looked for if no voice was named', async () => {
  const { error, asked } = await speak({}, null);
  expect(error).toMatchObject({ kind: 'validation', status: 400 });
  expect(asked).toEqual(['/v1/tts']);
});

test.each<[string, Behaviour]>([
  ['in the body', refusal({ code: 'reference_not_found' })],
  ['in a header of its own', refusal({}, { 'x-vendor-error-code': 'voice_not_found' })],
])('is clear from a code %s', async (_, speech) => {
  const { error, asked } = await speak({ speech });
  expect(error).toMatchObject({ kind: 'not-found', code: expect.stringContaining('not_found') });
  expect(asked).toEqual(['/v1/tts']);
});

test.each([7, null, '', 'a sentence, not a code', { code: 'voice_not_found' }, 'x'.repeat(65)])('ignores %j as a code', async (code) => {
  const { error } = await speak({ speech: refusal({ code }), voice: answerJson(200, modelOnWire('v')) });
  expect(error).toMatchObject({ kind: 'validation', code: null });
});

test('a caller who has left isn’t kept waiting for the answer', async () => {
  const leave = new AbortController();
  const service = await openMisbehavingService((request, response) => {
    if (request.url === '/v1/tts') refusal()(request, response);
    else leave.abort();
  });
  const call = connect(service.url).speak({ text: 'Hello.', referenceId: 'v' }, { signal: leave.signal });
  await expect(call).rejects.toBeInstanceOf(ApiError);
});
