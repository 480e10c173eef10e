// A service that lacks operations: noticed, remembered for an hour, and distinguished from an unknown voice or user.
import { describe, expect, it } from 'vitest';
import type { Api, ApiOptions } from '../../src/api/index.ts';
import {
  answer,
  answerAudio,
  answerJson,
  type Behaviour,
  connect,
  failureOf,
  openMisbehavingService,
} from '../helpers/misbehaving-service.ts';

const HOUR = 3_600_000;
const audio = new Uint8Array(1);
const list = answerJson(200, { total: 0, items: [] });

const calls: [operation: string, call: (api: Api) => Promise<unknown>][] = [
  ['catalogue', (api) => api.listModels()],
  ['transcription', (api) => api.transcribe({ audio })],
  ['credit', (api) => api.getCredit()],
];
const answers: [string, number, Behaviour][] = [
  ['404 and JSON', 404, answerJson(404, { status: 404, message: 'Not Found' })],
  ['404 and a page', 404, answer(404, '<html><title>Cannot GET</title></html>', { 'content-type': 'text/html' })],
  ['405', 405, answer(405, '')],
  ['501', 501, answer(501, 'Not implemented')],
];

/** A client with a clock that the test sets. */
function connectAt(url: string, options: Partial<ApiOptions> = {}) {
  const clock = { now: 0 };
  return { clock, api: connect(url, { now: () => clock.now, ...options }) };
}

describe.each(calls)('%s, which the service lacks', (operation, call) => {
  it.each(answers)('is recognized by %s and not requested again for an hour', async (_, status, behaviour) => {
    const service = await openMisbehavingService(behaviour);
    const { api, clock } = connectAt(service.url);
    const expected = { kind: 'unsupported', operation, status, retryable: false, mayHaveBeenBilled: false };
    for (const now of [0, 1, HOUR - 1]) {
      clock.now = now;
      expect(await failureOf(call(api))).toMatchObject(expected);
    }
    expect(service.requests).toHaveLength(1);
    clock.now = HOUR;
    expect(await failureOf(call(api))).toMatchObject(expected);
    expect(service.requests).toHaveLength(2);
  });
});

it('an operation that appears after the hour is used from then on', async () => {
  const service = await openMisbehavingService(answer(404, ''), list);
  const { api, clock } = connectAt(service.url);
  await failureOf(api.listModels());
  clock.now = HOUR;
  for (let count = 0; count < 3; count += 1) expect(await api.listModels()).toMatchObject({ total: 0, items: [] });
  expect(service.requests).toHaveLength(4);
});

it("one missing operation doesn't affect the others", async () => {
  const service = await openMisbehavingService((request, response) =>
    (request.url === '/v1/tts' ? answerAudio() : answer(404, ''))(request, response),
  );
  const { api } = connectAt(service.url);
  for (const [, call] of calls) await failureOf(call(api));
  for (let count = 0; count < 2; count += 1) {
    const { audio: spoken } = await api.speak({ text: 'Hello there' });
    for await (const chunk of spoken) expect(chunk.length).toBeGreaterThan(0);
  }
});

describe('an unknown resource is not a missing operation:', () => {
  it.each<[string, (api: Api) => Promise<unknown>]>([
    ['the wallet of a user', (api) => api.getCredit({ userId: 'nobody' })],
    ['a voice', (api) => api.speak({ text: 'Hello there', referenceId: 'nobody' })],
    ['the default voice', (api) => api.speak({ text: 'Hello there' })],
  ])('%s is requested each time', async (_, call) => {
    const service = await openMisbehavingService(answerJson(404, { status: 404, message: 'There is no such one.' }));
    const { api } = connectAt(service.url);
    for (let count = 0; count < 2; count += 1) expect(await failureOf(call(api))).toMatchObject({ kind: 'not-found', operation: null });
    expect(service.requests).toHaveLength(2);
  });
});

it.each([405, 501])('speech refused with %i is requested again each time, because nothing works without it', async (status) => {
  const service = await openMisbehavingService(answer(status, ''), answerAudio());
  const { api } = connectAt(service.url);
  expect(await failureOf(api.speak({ text: 'Hello there' }))).toMatchObject({ kind: 'unsupported', operation: 'speech', status });
  await api.speak({ text: 'Hello there' });
});

it('an error answered from memory does not count as a response: a failing service is still found to be down', async () => {
  const service = await openMisbehavingService(answer(404, ''), answer(500, ''));
  const { api } = connectAt(service.url, { retries: { attempts: 1 }, breaker: { failures: 3, probeInterval: 60_000 } });
  await failureOf(api.listModels());
  for (let count = 0; count < 3; count += 1) {
    expect(await failureOf(api.getCredit())).toMatchObject({ kind: 'server', status: 500 });
    if (count < 2) expect(await failureOf(api.listModels())).toMatchObject({ kind: 'unsupported' });
  }
  expect(await failureOf(api.listModels())).toMatchObject({ kind: 'server', downForMs: 0 });
});
