// How many calls are in flight, and in which order the rest follow.
import { describe, expect, test } from 'vitest';
import { createPlaces } from '../../src/api/places.ts';
import { connect, readAll, start } from '../helpers/api-client.ts';
import { answer, answerAudio, answerJson } from '../helpers/misbehaving-service.ts';

/** A service that answers only when told to, and knows how many requests it had at once. */
async function startPatientService(concurrency: number) {
  const held: (() => void)[] = [];
  let most = 0;
  const service = await start((_, response) => {
    held.push(() => response.end(JSON.stringify({ total: 0, items: [] })));
    most = Math.max(most, held.length);
  });
  return { api: connect(service.url, { concurrency }), service, most: () => most, answerNext: () => held.shift()?.() };
}

test('at most so many calls are in flight, over so many connections', async () => {
  const { api, service, most, answerNext } = await startPatientService(3);
  const calls = Array.from({ length: 12 }, () => api.listModels());
  for (let number = 1; number <= 12; number += 1) {
    await service.request(number);
    answerNext();
  }
  await Promise.all(calls);
  expect(most()).toBeLessThanOrEqual(3);
  expect(service.connections()).toBeLessThanOrEqual(3);
});

test('interactive calls go before background ones that came earlier', async () => {
  const { api, service, answerNext } = await startPatientService(1);
  const calls = [
    api.listModels({ title: 'first' }),
    api.listModels({ title: 'background 1' }, { priority: 'background' }),
    api.listModels({ title: 'background 2' }, { priority: 'background' }),
    api.listModels({ title: 'interactive 1' }, { priority: 'interactive' }),
    api.listModels({ title: 'interactive 2' }),
  ];
  for (let number = 1; number <= calls.length; number += 1) {
    await service.request(number);
    answerNext();
  }
  await Promise.all(calls);
  expect(service.requests.map(({ url }) => new URL(url, 'http://x').searchParams.get('title'))).toEqual([
    'first',
    'interactive 1',
    'interactive 2',
    'background 1',
    'background 2',
  ]);
});

test('a call that is aborted while it waits never reaches the service, and nobody behind it is held up', async () => {
  const { api, service, answerNext } = await startPatientService(1);
  const caller = new AbortController();
  const first = api.listModels();
  const aborted = api.listModels({ title: 'aborted' }, { signal: caller.signal });
  const last = api.listModels({ title: 'last' });
  await service.request(1);
  caller.abort();
  await expect(aborted).rejects.toMatchObject({ kind: 'aborted' });
  answerNext();
  await service.request(2);
  answerNext();
  await Promise.all([first, last]);
  expect(service.requests.map(({ url }) => url)).toEqual(['/model', '/model?title=last']);
});

test('a call that sleeps before its next try leaves its place to others', async () => {
  const service = await start(answer(503, ''), answerJson(200, { total: 0, items: [] }));
  let wake = () => {};
  let asleep = () => {};
  const sleeping = new Promise<void>((resolve) => {
    asleep = resolve;
  });
  const api = connect(service.url, {
    concurrency: 1,
    sleep: () =>
      new Promise((resolve) => {
        wake = resolve;
        asleep();
      }),
  });
  const refused = api.listModels({ title: 'refused' });
  await sleeping;
  await api.listModels({ title: 'meanwhile' });
  wake();
  await refused;
  expect(service.requests.map(({ url }) => url)).toEqual(['/model?title=refused', '/model?title=meanwhile', '/model?title=refused']);
});

describe('transcriptions', () => {
  const audio = Buffer.from('RIFF');

  /** Answers nothing before it is told to, and knows what was asked. */
  async function startHoldingService() {
    const held: (() => void)[] = [];
    const service = await start(({ url }, response) => {
      if (url === '/v1/tts') return answerAudio()({} as never, response);
      held.push(() => answerJson(200, { text: '', duration: 0, segments: [] })({} as never, response));
    });
    return { service, finishNext: () => held.shift()?.() };
  }

  test.each([
    [2, 1],
    [3, 2],
    [5, 3],
  ])('of %i places they have %i at most, so that speech goes past those that wait', async (concurrency, most) => {
    const { service, finishNext } = await startHoldingService();
    const api = connect(service.url, { concurrency });
    const transcriptions = Array.from({ length: 5 }, () => api.transcribe({ audio }));
    await service.request(most);
    for (const text of ['first', 'second', 'third']) await readAll((await api.speak({ text })).audio);
    expect(service.requests.map(({ url }) => url)).toEqual([...Array(most).fill('/v1/asr'), ...Array(3).fill('/v1/tts')]);
    for (let number = most + 4; number <= 5 + 3; number += 1) {
      finishNext();
      await service.request(number);
    }
    for (let left = 0; left < most; left += 1) finishNext();
    await Promise.all(transcriptions);
  });

  test('wait for nothing where all places are taken by other calls, but for their turn', async () => {
    const places = createPlaces(2);
    const { signal } = new AbortController();
    const order: string[] = [];
    const take = (name: string, isLong: boolean) =>
      places.take({ priority: 'interactive', isLong }, signal).then((giveBack) => {
        order.push(name);
        return giveBack;
      });
    const [first, second] = await Promise.all([take('speech 1', false), take('speech 2', false)]);
    const later = [take('long 1', true), take('long 2', true), take('speech 3', false)];
    first();
    second();
    (await later[0])?.();
    await Promise.all(later);
    expect(order).toEqual(['speech 1', 'speech 2', 'long 1', 'speech 3', 'long 2']);
  });

  test('have the only place where there is but one', async () => {
    const { service, finishNext } = await startHoldingService();
    const api = connect(service.url, { concurrency: 1 });
    const calls = [api.transcribe({ audio }), api.speak({ text: 'after it' })];
    await service.request(1);
    finishNext();
    await service.request(2);
    await Promise.all(calls);
    expect(service.requests.map(({ url }) => url)).toEqual(['/v1/asr', '/v1/tts']);
  });
});

test('a place that is given back twice is given out once', async () => {
  const places = createPlaces(1);
  const call = { priority: 'interactive', isLong: false } as const;
  const { signal } = new AbortController();
  const giveBack = await places.take(call, signal);
  giveBack();
  giveBack();
  await places.take(call, signal);
  const caller = new AbortController();
  const waiting = places.take(call, caller.signal);
  caller.abort('still taken');
  await expect(waiting).rejects.toBe('still taken');
});
