// How many calls are in flight, and in which order the others follow.
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createCallLimiter } from '../../src/api/call-limiter.ts';
import { answer, answerAudio, answerJson, connect, openMisbehavingService } from '../helpers/misbehaving-service.ts';

/** A service that responds only when told to, and records its peak number of concurrent requests. */
async function startPatientService(concurrency: number) {
  const held: (() => void)[] = [];
  let peak = 0;
  const service = await openMisbehavingService((_, response) => {
    held.push(() => response.end(JSON.stringify({ total: 0, items: [] })));
    peak = Math.max(peak, held.length);
  });
  return { api: connect(service.url, { concurrency }), service, peak: () => peak, respondNext: () => held.shift()?.() };
}

test('no more calls and connections than the concurrency are open at once', async () => {
  const { api, service, peak, respondNext } = await startPatientService(3);
  const calls = Array.from({ length: 12 }, () => api.listModels());
  for (let number = 1; number <= 12; number += 1) {
    await service.request(number);
    respondNext();
  }
  await Promise.all(calls);
  expect(peak()).toBeLessThanOrEqual(3);
  expect(service.connections()).toBeLessThanOrEqual(3);
});

test('interactive calls overtake background calls that came earlier', async () => {
  const { api, service, respondNext } = await startPatientService(1);
  const calls = [
    api.listModels({ title: 'first' }),
    api.listModels({ title: 'background 1' }, { priority: 'background' }),
    api.listModels({ title: 'background 2' }, { priority: 'background' }),
    api.listModels({ title: 'interactive 1' }, { priority: 'interactive' }),
    api.listModels({ title: 'interactive 2' }),
  ];
  for (let number = 1; number <= calls.length; number += 1) {
    await service.request(number);
    respondNext();
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

test("a call aborted while waiting never reaches the service, and doesn't hold up the calls behind it", async () => {
  const { api, service, respondNext } = await startPatientService(1);
  const caller = new AbortController();
  const first = api.listModels();
  const aborted = api.listModels({ title: 'aborted' }, { signal: caller.signal });
  const last = api.listModels({ title: 'last' });
  await service.request(1);
  caller.abort();
  await expect(aborted).rejects.toMatchObject({ kind: 'aborted' });
  respondNext();
  await service.request(2);
  respondNext();
  await Promise.all([first, last]);
  expect(service.requests.map(({ url }) => url)).toEqual(['/model', '/model?title=last']);
});

test('a call that sleeps before its next attempt lets others go first', async () => {
  const service = await openMisbehavingService(answer(503, ''), answerJson(200, { total: 0, items: [] }));
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

  /** Responds to a transcription only when told to. */
  async function startHoldingService() {
    const held: (() => void)[] = [];
    const service = await openMisbehavingService(({ url }, response) => {
      if (url === '/v1/tts') return answerAudio()({} as never, response);
      held.push(() => answerJson(200, { text: '', duration: 0, segments: [] })({} as never, response));
    });
    return { service, finishNext: () => held.shift()?.() };
  }

  test.each([
    [2, 1],
    [3, 2],
    [5, 3],
  ])('of %i slots they get at most %i, so that speech overtakes those that wait', async (concurrency, most) => {
    const { service, finishNext } = await startHoldingService();
    const api = connect(service.url, { concurrency });
    const transcriptions = Array.from({ length: 5 }, () => api.transcribe({ audio }));
    await service.request(most);
    for (const text of ['first', 'second', 'third']) await buffer((await api.speak({ text })).audio);
    expect(service.requests.map(({ url }) => url)).toEqual([...Array(most).fill('/v1/asr'), ...Array(3).fill('/v1/tts')]);
    for (let number = most + 4; number <= 5 + 3; number += 1) {
      finishNext();
      await service.request(number);
    }
    for (let left = 0; left < most; left += 1) finishNext();
    await Promise.all(transcriptions);
  });

  test('wait for their turn, and nothing else, when other calls take all slots', async () => {
    const limiter = createCallLimiter(2);
    const { signal } = new AbortController();
    const order: string[] = [];
    const acquire = (name: string, isLong: boolean) =>
      limiter.acquire({ priority: 'interactive', isLong }, signal).then((release) => {
        order.push(name);
        return release;
      });
    const [first, second] = await Promise.all([acquire('speech 1', false), acquire('speech 2', false)]);
    const later = [acquire('long 1', true), acquire('long 2', true), acquire('speech 3', false)];
    first();
    second();
    (await later[0])?.();
    await Promise.all(later);
    expect(order).toEqual(['speech 1', 'speech 2', 'long 1', 'speech 3', 'long 2']);
  });

  test('get the only slot if there is just one', async () => {
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

test('spare calls begin after all others, and never take the last slot', async () => {
  const limiter = createCallLimiter(2);
  const order: string[] = [];
  const acquire = async (name: string, priority: 'interactive' | 'background' | 'spare') => {
    const release = await limiter.acquire({ priority, isLong: name.endsWith('long') }, new AbortController().signal);
    order.push(name);
    return release;
  };
  const first = await acquire('first', 'interactive');
  const spare = [acquire('spare, long', 'spare'), acquire('spare', 'spare')];
  const second = await acquire('second', 'background');
  first();
  const third = await acquire('third', 'interactive');
  second();
  third();
  (await spare[0])?.();
  await spare[1];
  expect(order).toEqual(['first', 'second', 'third', 'spare, long', 'spare']);
});

test('a spare call never begins if there is one slot in all', async () => {
  const limiter = createCallLimiter(1);
  const caller = new AbortController();
  const spare = limiter.acquire({ priority: 'spare', isLong: true }, caller.signal);
  const other = await limiter.acquire({ priority: 'background', isLong: true }, caller.signal);
  other();
  caller.abort('never began');
  await expect(spare).rejects.toBe('never began');
});

test('a slot released twice is handed out once', async () => {
  const limiter = createCallLimiter(1);
  const call = { priority: 'interactive', isLong: false } as const;
  const { signal } = new AbortController();
  const release = await limiter.acquire(call, signal);
  release();
  release();
  await limiter.acquire(call, signal);
  const caller = new AbortController();
  const waiting = limiter.acquire(call, caller.signal);
  caller.abort('still taken');
  await expect(waiting).rejects.toBe('still taken');
});

test('fewer calls start after the limit was lowered, more after it was raised, and never more than were configured', async () => {
  const { api, service, peak, respondNext } = await startPatientService(4);
  const calls = Array.from({ length: 4 }, () => api.listModels());
  await service.request(4);
  api.setConcurrency(1);
  calls.push(api.listModels(), api.listModels());
  for (let answered = 1; answered <= 4; answered++) respondNext();
  await service.request(5);
  expect(peak()).toBe(4);
  expect(service.requests).toHaveLength(5);
  // The sixth has no turn until there is room for two.
  api.setConcurrency(100);
  await service.request(6);
  respondNext();
  respondNext();
  await Promise.all(calls);
});

describe('how many calls an answer says that the account may have', () => {
  /** Answers with this header, and holds every call after the first until told. */
  async function startSaying(limit: string | string[]) {
    const held: (() => void)[] = [];
    const service = await openMisbehavingService((request, response) => {
      response.setHeader('ratelimit-limit-concurrency', limit);
      const reply = () => response.end(JSON.stringify({ total: 0, items: [] }));
      if (request.url?.includes('first')) reply();
      else held.push(reply);
    });
    return { service, held };
  }

  /** How many of twenty calls are sent before any of them is answered. */
  async function countSent(limit: string | string[], options: Parameters<typeof connect>[1] = {}, wanted = 5): Promise<number> {
    const { service, held } = await startSaying(limit);
    const api = connect(service.url, options);
    await api.listModels({ title: 'first' });
    const calls = Array.from({ length: 20 }, () => api.listModels());
    await service.request(1 + wanted);
    const sent = service.requests.length - 1;
    for (let number = 1; number <= calls.length; number++) {
      await service.request(1 + number);
      held.shift()?.();
    }
    await Promise.all(calls);
    return sent;
  }

  test.each([
    ['15', 15],
    ['3', 3],
    [' 7 ', 7],
  ])('is obeyed: %j', async (limit, sent) => expect(await countSent(limit, {}, sent)).toBe(sent));

  test.each(['0', '-3', 'many', '7.5', '1e3', '100000', '1001', '', '5, 15'])('is ignored if it is nonsense: %j', async (limit) =>
    expect(await countSent(limit)).toBe(5),
  );

  test('is never more than the operator wants', async () => {
    expect(await countSent('15', { concurrency: 2 }, 2)).toBe(2);
    expect(await countSent('3', { concurrency: 8 }, 3)).toBe(3);
  });

  test('goes to whoever shares the calls with other processes, from refusals, too', async () => {
    const service = await openMisbehavingService(
      answerJson(429, { status: 429, message: 'Too many' }, { 'ratelimit-limit-concurrency': '4' }),
    );
    const api = connect(service.url, { retries: { attempts: 1 } });
    const said: number[] = [];
    api.followConcurrency((calls) => said.push(calls));
    await api.listModels().catch(() => {});
    expect(said).toEqual([4]);
  });
});

test('a file waits while the service is too busy for it, and other speech doesn’t', async () => {
  const busy = answerJson(429, { status: 429, message: 'Too many' });
  const service = await openMisbehavingService(busy, busy, busy, busy, busy, busy, answerAudio());
  const api = connect(service.url);
  await expect(api.speak({ text: 'hello' })).rejects.toMatchObject({ kind: 'rate-limited' });
  expect(service.requests).toHaveLength(3);
  await buffer((await api.speak({ text: 'hello' }, { isDownload: true })).audio);
  expect(service.requests).toHaveLength(7);
});
