// How many calls are in flight, and in which order the rest follow.
import { expect, test } from 'vitest';
import { createPlaces } from '../src/api/places.ts';
import { connect, start } from './helpers/api-client.ts';
import { answer, answerJson } from './helpers/misbehaving-service.ts';

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

test('a place that is given back twice is given out once', async () => {
  const places = createPlaces(1);
  const { signal } = new AbortController();
  const giveBack = await places.take('interactive', signal);
  giveBack();
  giveBack();
  await places.take('interactive', signal);
  const caller = new AbortController();
  const waiting = places.take('interactive', caller.signal);
  caller.abort('still taken');
  await expect(waiting).rejects.toBe('still taken');
});
