// When a service counts as down, how calls fail meanwhile, and how its return is noticed.
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createCircuitBreaker } from '../../src/api/circuit-breaker.ts';
import { ApiError, type ApiErrorKind } from '../../src/api/index.ts';
import {
  answer,
  answerAudio,
  answerJson,
  type Behaviour,
  connect,
  failureOf,
  hang,
  openMisbehavingService,
} from '../helpers/misbehaving-service.ts';

const failure = (kind: ApiErrorKind) => new ApiError(kind, 'no');

describe('a service counts as down', () => {
  const clock = { now: 0 };
  const make = () => createCircuitBreaker({ failures: 3, probeInterval: 1000 }, () => clock.now);
  const outcomes = (...kinds: (ApiErrorKind | 'success')[]) => {
    const breaker = make();
    const results = kinds.map((kind) => (kind === 'success' ? breaker.succeeded() : breaker.failed(failure(kind))));
    return { breaker, last: results.at(-1) };
  };

  test('after the configured number of consecutive failures that look like an outage', () => {
    const { breaker, last } = outcomes('server', 'timeout', 'server');
    expect(last).toBe(1000);
    clock.now += 400;
    expect(breaker.check).toThrow(expect.objectContaining({ kind: 'server', status: null, downForMs: 400, retryAfterMs: 600 }));
  });

  test.each<ApiErrorKind | 'success'>(['success', 'auth', 'credit', 'validation', 'not-found', 'rate-limited', 'protocol'])(
    'not if there is %s among the failures, which shows that it is there',
    (kind) => {
      const { breaker, last } = outcomes('server', 'server', kind, 'server', 'server');
      expect(last).toBeNull();
      expect(breaker.check).not.toThrow();
    },
  );

  test('regardless of aborted calls in between', () => {
    expect(outcomes('aborted', 'aborted', 'aborted').last).toBeNull();
    expect(outcomes('server', 'aborted', 'server', 'aborted', 'server').last).toBe(1000);
  });

  test('until a probe or an earlier call gets any response', () => {
    for (const back of ['success', 'auth'] as const) {
      const { breaker } = outcomes('server', 'server', 'server');
      // Calls that were in flight don't postpone the next probe.
      expect(breaker.failed(failure('server'))).toBeNull();
      clock.now += 1000;
      expect(breaker.probeFailed(failure('timeout'))).toBe(1000);
      clock.now += 1000;
      expect(breaker.check).toThrow(expect.objectContaining({ downForMs: 2000, retryAfterMs: 0 }));
      if (back === 'success') breaker.succeeded();
      else expect(breaker.probeFailed(failure('auth'))).toBeNull();
      expect(breaker.check).not.toThrow();
      expect(breaker.failed(failure('server'))).toBeNull();
    }
  });
});

describe('a client of a service that is down', () => {
  const emptyList = answerJson(200, { total: 0, items: [] });
  const isProbe = ({ url }: { url: string }) => url === '/model?page_size=1';

  test('fails at once without asking, probes it automatically, and resumes when it is back', async () => {
    let behave: Behaviour = answer(503, '');
    const service = await openMisbehavingService((request, response) => behave(request, response));
    const told: boolean[] = [];
    const onDown = (isDown: boolean) => void told.push(isDown);
    const api = connect(service.url, { retries: { attempts: 1 }, breaker: { failures: 2, probeInterval: 20 }, onDown });
    for (let call = 1; call <= 2; call++) expect(await failureOf(api.speak({ text: 'hello' }))).toMatchObject({ status: 503 });
    expect(await failureOf(api.speak({ text: 'hello' }))).toMatchObject({ kind: 'server', status: null, downForMs: expect.any(Number) });
    await service.request(4);
    expect(service.requests.slice(2).every(isProbe)).toBe(true);
    behave = emptyList;
    await expect.poll(() => api.getCredit().catch((error: ApiError) => error.kind), { interval: 5 }).toBe('protocol');
    expect(await api.listModels()).toMatchObject({ total: 0, items: [] });
    expect(told, 'when it went down, and when it came back').toEqual([true, false]);
  });

  test('reports every call once, however often it was tried, and even if it was not sent; its own probes never', async () => {
    const service = await openMisbehavingService(emptyList, answer(503, ''));
    const reports: string[] = [];
    const api = connect(service.url, {
      retries: { attempts: 2, firstDelay: 1 },
      breaker: { failures: 1, probeInterval: 5 },
      onCall: ({ operation, outcome }) => reports.push(`${operation}: ${outcome}`),
    });
    await api.listModels();
    await failureOf(api.speak({ text: 'hello' }));
    await service.request(5);
    await failureOf(api.getCredit());
    expect(reports).toEqual(['catalogue: ok', 'speech: server', 'credit: server']);
  });

  test('fails calls that were waiting behind one that hangs', async () => {
    const service = await openMisbehavingService(hang);
    const api = connect(service.url, { concurrency: 1, timeouts: { headers: 100 }, breaker: { failures: 1, probeInterval: 60_000 } });
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(api.getCredit())));
    expect(failures.map(({ kind, downForMs }) => [kind, downForMs === null])).toEqual([
      ['timeout', true],
      ['server', false],
      ['server', false],
    ]);
    await service.request(1);
    expect(service.requests).toHaveLength(1);
  });

  test('sends nothing more once it is closed', async () => {
    const service = await openMisbehavingService(answer(500, ''));
    const options = { retries: { attempts: 1 }, breaker: { failures: 1, probeInterval: 1 } };
    const closed = connect(service.url, options);
    await failureOf(closed.getCredit());
    await service.request(3);
    await closed.close();
    const before = service.requests.length;
    await failureOf(connect(service.url, { ...options, apiKey: 'another-key' }).getCredit());
    await service.request(before + 10);
    // One may have been in flight.
    for (const { headers } of service.requests.slice(before + 1)) expect(headers.authorization).toBe('Bearer another-key');
  });

  test('counts a repeated call once', async () => {
    const service = await openMisbehavingService(answer(500, ''));
    const api = connect(service.url, { breaker: { failures: 2 } });
    expect(await failureOf(api.listModels())).toMatchObject({ status: 500 });
    expect(service.requests).toHaveLength(3);
    expect(await failureOf(api.listModels())).toMatchObject({ status: 500 });
    expect(await failureOf(api.listModels())).toMatchObject({ status: null, downForMs: expect.any(Number) });
  });
});

describe('transcription', () => {
  const transcribe = (api: ReturnType<typeof connect>, hasSpeech?: () => Promise<boolean>) =>
    api.transcribe({ audio: Buffer.of(1) }, hasSpeech ? { hasSpeech } : {});
  const failing = answerJson(503, { status: 503, message: 'upstream ASR service timed out', reason: null });
  const isRecording: Behaviour = (request, response) =>
    (request.url === '/v1/asr' ? failing : request.url === '/v1/tts' ? answerAudio() : hang)(request, response);

  test('that fails stops no call of another kind, and counts as down by itself', async () => {
    const service = await openMisbehavingService(isRecording);
    const told: [boolean, string][] = [];
    const onDown = (...change: [boolean, string]) => void told.push(change);
    const api = connect(service.url, { retries: { attempts: 1 }, breaker: { failures: 2, probeInterval: 60_000 }, onDown });
    for (let call = 1; call <= 2; call++) expect(await failureOf(transcribe(api))).toMatchObject({ status: 503 });
    expect(await failureOf(transcribe(api))).toMatchObject({ status: null, downForMs: expect.any(Number) });
    expect(told).toEqual([[true, 'transcription']]);
    await buffer((await api.speak({ text: 'hello' })).audio);
    expect(told.at(-1)).toEqual([false, 'transcription']);
  });

  test('of silence at which the service fails hears nothing, is sent once, and is no outage', async () => {
    const service = await openMisbehavingService(isRecording);
    const api = connect(service.url, { breaker: { failures: 1, probeInterval: 60_000 } });
    for (let call = 1; call <= 3; call++) expect(await transcribe(api, async () => false)).toEqual({ text: '', duration: 0, segments: [] });
    expect(service.requests).toHaveLength(3);
  });

  test.each<[string, () => Promise<boolean>]>([
    ['there is speech in it', async () => true],
    ['nobody can tell', () => Promise.reject(new Error('unreadable'))],
  ])('is sent again, and counts, if %s', async (_, hasSpeech) => {
    const service = await openMisbehavingService(isRecording);
    const api = connect(service.url, { breaker: { failures: 1, probeInterval: 60_000 } });
    expect(await failureOf(transcribe(api, hasSpeech))).toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(3);
    expect(await failureOf(transcribe(api, hasSpeech))).toMatchObject({ downForMs: expect.any(Number) });
  });

  test('is sent no more often than its caller wants', async () => {
    const service = await openMisbehavingService(isRecording);
    expect(await failureOf(connect(service.url).transcribe({ audio: Buffer.of(1) }, { attempts: 2 }))).toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(2);
  });
});

test('what another process has found out counts at once, and ends with a probe of one’s own', async () => {
  const changes: boolean[] = [];
  const service = await openMisbehavingService((_, response) => response.end(JSON.stringify({ total: 0, items: [] })));
  const api = connect(service.url, { breaker: { probeInterval: 20 }, onDown: (isDown) => changes.push(isDown) });
  api.noteDown();
  api.noteDown();
  expect(await failureOf(api.listModels())).toMatchObject({ kind: 'server', status: null });
  await expect.poll(() => changes).toEqual([true, false]);
  await api.listModels();
});
