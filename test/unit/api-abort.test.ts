// Aborted calls: whatever the call is doing, it ends at once, and frees its connection and its slot.

import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/index.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import {
  answer,
  answerAudio,
  answerJson,
  connect,
  cut,
  failureOf,
  hang,
  openMisbehavingService,
  openSilentServer,
  reset,
  stall,
} from '../helpers/misbehaving-service.ts';
import { below, createRandom } from '../helpers/random.ts';

const emptyList = answerJson(200, { total: 0, items: [] });

test('an abort before the call: nothing is sent', async () => {
  const service = await openMisbehavingService(emptyList);
  const error = await failureOf(connect(service.url).listModels({}, { signal: AbortSignal.abort('enough') }));
  expect(error).toMatchObject({ kind: 'aborted', cause: 'enough', retryable: false });
  expect(service.requests).toHaveLength(0);
});

test('an abort while the connection is being made', async () => {
  const silent = await openSilentServer();
  const caller = new AbortController();
  const failure = failureOf(connect(`https://127.0.0.1:${silent.port}`).listModels({}, { signal: caller.signal }));
  await silent.connected;
  caller.abort();
  expect(await failure).toMatchObject({ kind: 'aborted' });
});

test('an abort while waiting for the response: the service sees the connection close', async () => {
  const service = await openMisbehavingService(hang);
  const caller = new AbortController();
  const failure = failureOf(connect(service.url).speak({ text: 'hello' }, { signal: caller.signal }));
  const request = await service.request(1);
  caller.abort();
  expect(await failure).toMatchObject({ kind: 'aborted' });
  await request.disconnected;
});

test('an abort during the delay before a retry, however long', async () => {
  const service = await openMisbehavingService(answer(503, '', { 'retry-after': '600' }));
  const caller = new AbortController();
  const api = connect(service.url, { retries: { maxDelay: 1_000_000 } });
  const failure = failureOf(api.listModels({}, { signal: caller.signal }));
  await service.request(1);
  setImmediate(() => caller.abort());
  expect(await failure).toMatchObject({ kind: 'aborted' });
  expect(service.requests).toHaveLength(1);
});

test('an abort in mid-speech: the reader gets an error, the connection is closed, and the slot is free', async () => {
  const service = await openMisbehavingService(stall(5000), emptyList);
  const caller = new AbortController();
  const api = connect(service.url, { concurrency: 1 });
  const speech = await api.speak({ text: 'hello' }, { signal: caller.signal });
  const reading = failureOf(buffer(speech.audio));
  caller.abort();
  expect(await reading).toMatchObject({ kind: 'aborted' });
  await (await service.request(1)).disconnected;
  expect(await api.listModels()).toMatchObject({ total: 0, items: [] });
});

test('an abort while nobody reads the speech: the slot is free anyway, and a late reader gets an error', async () => {
  const service = await openMisbehavingService(stall(5000), emptyList);
  const caller = new AbortController();
  const api = connect(service.url, { concurrency: 1 });
  const speech = await api.speak({ text: 'hello' }, { signal: caller.signal });
  caller.abort();
  expect(await api.listModels()).toMatchObject({ total: 0, items: [] });
  expect(await failureOf(buffer(speech.audio))).toMatchObject({ kind: 'aborted' });
});

test('a loop left early: the connection is closed and the slot is free', async () => {
  const service = await openMisbehavingService(stall(5000), emptyList);
  const api = connect(service.url, { concurrency: 1 });
  for await (const _ of (await api.speak({ text: 'hello' })).audio) break;
  await (await service.request(1)).disconnected;
  expect(await api.listModels()).toMatchObject({ total: 0, items: [] });
});

test('a speech that nobody reads is ended, and its slot is freed', async () => {
  const service = await openMisbehavingService(stall(5000), emptyList);
  const timers = holdTimers();
  const api = connect(service.url, { concurrency: 1, timeouts: { deadline: timers.ms } });
  const speech = await api.speak({ text: 'hello' });
  const listed = api.listModels();
  expect(timers.count()).toBe(1);
  timers.expire();
  expect(await listed).toMatchObject({ total: 0, items: [] });
  expect(await failureOf(buffer(speech.audio))).toMatchObject({ kind: 'timeout' });
});

test("closing the client: calls in flight end, later ones don't start", async () => {
  const service = await openMisbehavingService(hang);
  const api = connect(service.url);
  const failure = failureOf(api.listModels());
  await service.request(1);
  await api.close();
  expect(await failure).toMatchObject({ kind: 'aborted' });
  expect(await failureOf(api.getCredit())).toMatchObject({ kind: 'aborted' });
  expect(service.requests).toHaveLength(1);
});

test('no listener remains on a signal that outlives the call', async () => {
  const service = await openMisbehavingService(emptyList, answerAudio(), answer(402, ''));
  const api = connect(service.url);
  const caller = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = caller.signal;
  caller.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(caller.signal, args);
  };
  caller.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(caller.signal, args);
  };
  await api.listModels({}, { signal: caller.signal });
  await buffer((await api.speak({ text: 'hello' }, { signal: caller.signal })).audio);
  await failureOf(api.getCredit({ signal: caller.signal }));
  expect(listeners).toBe(0);
});

test('however 300 calls end, no slot and no connection is lost', async () => {
  const behaviours = [
    emptyList,
    answerAudio(),
    answer(503, ''),
    answer(402, 'no'),
    reset,
    hang,
    cut(100),
    cut(5000),
    stall(0),
    stall(100),
    stall(5000),
  ] as const;
  let isHealthy = false;
  const open = new Set<ServerResponse>();
  // The same dice for every run, so that a failure can be reproduced.
  const random = createRandom(7);
  const roll = (sides: number) => below(sides, random);
  const service = await openMisbehavingService((request, response) => {
    if (!isHealthy) return (behaviours[roll(behaviours.length)] ?? hang)(request, response);
    open.add(response);
    response.on('close', () => open.delete(response));
    // Answers no call before it has as many as may be in flight.
    if (open.size === 3) for (const one of open) emptyList(request, one);
  });
  const api = connect(service.url, {
    concurrency: 3,
    timeouts: { idle: 100, deadline: 200 },
    sleep: async () => {},
    breaker: { failures: Number.POSITIVE_INFINITY },
  });

  const calls = Array.from({ length: 300 }, async () => {
    const caller = new AbortController();
    const { signal } = caller;
    setTimeout(() => caller.abort(), roll(500));
    const kind = roll(3);
    if (kind === 0) return await api.listModels({}, { signal });
    if (kind === 1) return await api.transcribe({ audio: new Uint8Array(100_000) }, { signal, priority: 'background' });
    const { audio } = await api.speak({ text: 'hello' }, { signal });
    let chunks = roll(3);
    for await (const _ of audio) if (chunks-- === 0) break;
  });
  for (const outcome of await Promise.allSettled(calls)) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ApiError);

  isHealthy = true;
  // On a busy machine some may be over before all have come.
  const callThree = () => Promise.allSettled([1, 2, 3].map(() => api.listModels()));
  await expect.poll(async () => (await callThree()).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
});
