// The client against a service that misbehaves on purpose, over real sockets.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { generate } from 'selfsigned';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  answer,
  answerAudio,
  answerJson,
  apiKey,
  audioBytes,
  type Behaviour,
  connect,
  cut,
  failureOf,
  hang,
  openMisbehavingService,
  openSilentServer,
  reset,
  speakGibberish,
  stall,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { freePort } from '../helpers/program.ts';

/** Sends one byte every 5 ms, for ever. */
const drip: Behaviour = (request, response) => {
  response.writeHead(200, { 'content-type': 'audio/mpeg' });
  const timer = setInterval(() => response.write(audioBytes(1)), 5);
  request.socket.once('close', () => clearInterval(timer));
};

const emptyList = answerJson(200, { total: 0, items: [] });

test('a service that is being replaced is connected to when it is there again, without another attempt', async () => {
  const port = await freePort();
  const api = connect(`http://127.0.0.1:${port}`, {
    retries: { attempts: 1 },
    async beforeConnecting() {
      const server = createServer((_request, response) =>
        response.setHeader('content-type', 'application/json').end('{"total":0,"items":[]}'),
      );
      onTestFinished(() => void server.close());
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
  });
  expect(await api.listModels()).toMatchObject({ total: 0 });
});

describe('a service that refuses', () => {
  test.each([
    [401, 'auth'],
    [403, 'forbidden'],
    [402, 'credit'],
    [400, 'validation'],
    [413, 'validation'],
    [415, 'validation'],
    [404, 'not-found'],
  ] as const)('answers %i: the kind is %s, and it is asked once', async (status, kind) => {
    const service = await openMisbehavingService(answerJson(status, { status, message: 'No.' }, { 'x-request-id': 'r-7' }));
    const error = await failureOf(connect(service.url).getCredit({ userId: 'robin' }));
    expect(error).toMatchObject({ kind, status, requestId: 'r-7', retryable: false, retryAfterMs: null, details: [] });
    expect(error.message).toContain(`(${status}: No). `);
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    [{ 'x-acme-trace-id': 't-1', 'cf-ray': 'c-1' }, 't-1'],
    [{ 'x-acme-trace-id': 't-1', 'x-request-id': 'r-1' }, 'r-1'],
    [{ 'x-request-id': '', 'x-acme-trace-id': 't-1' }, 't-1'],
    [{ 'x-acme-error-code': 'no_such_thing' }, null],
  ])('gives the call an id, by which its support finds it: %j', async (headers, requestId) => {
    const service = await openMisbehavingService(answerJson(400, { status: 400, message: 'No.' }, headers));
    expect(await failureOf(connect(service.url).getCredit({ userId: 'robin' }))).toMatchObject({ requestId });
  });

  test('explains itself in plain text', async () => {
    const service = await openMisbehavingService(answer(401, 'token expired\n', { 'content-type': 'text/plain' }));
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'auth', status: 401 });
    expect(error.message).toContain('(401: token expired)');
  });

  test('names the fields in the array of a 422', async () => {
    const details = [{ loc: ['query', 'page_size'], type: 'int_parsing', msg: 'not a number', ctx: 'x', in: 'query' }];
    const service = await openMisbehavingService(answerJson(422, details));
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'validation', status: 422, details });
    expect(error.message).toContain('query.page_size: not a number');
  });

  test('names the fields in the form that frameworks use, and the echoed input is dropped', async () => {
    const service = await openMisbehavingService(
      answerJson(400, { detail: [{ loc: ['body', 0], type: 'missing', msg: 'required', ctx: {}, input: 'a secret said aloud' }] }),
    );
    const error = await failureOf(connect(service.url).listModels());
    expect(error.details).toEqual([{ loc: ['body', '0'], type: 'missing', msg: 'required' }]);
    expect(inspect(error, { depth: null })).not.toContain('secret');
  });

  test('has no API at this address', async () => {
    const service = await openMisbehavingService(answer(404, '<html><title>Not here</title></html>', { 'content-type': 'text/html' }));
    const error = await failureOf(connect(service.url).speak({ text: 'Hello there' }));
    expect(error).toMatchObject({ kind: 'protocol', status: 404, isWrongAddress: true });
    expect(error.message).toContain('Check the base address');
  });

  test("redirects: it is an error, and the key isn't forwarded", async () => {
    const elsewhere = await openMisbehavingService(emptyList);
    const service = await openMisbehavingService(answer(307, '', { location: `${elsewhere.url}/model` }));
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'protocol', status: 307, retryable: false });
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('stalls in the body of its refusal: the status still says what happened', async () => {
    const service = await openMisbehavingService(stall(10, 402, 'text/plain'));
    expect(await failureOf(connect(service.url).getCredit())).toMatchObject({ kind: 'credit', status: 402 });
  });
});

describe('a service in trouble', () => {
  test('answers 429 with Retry-After: the call waits as asked, then succeeds', async () => {
    const service = await openMisbehavingService(answer(429, 'slow down', { 'retry-after': '2' }), emptyList);
    const waits: number[] = [];
    const api = connect(service.url, { random: () => 0, sleep: async (ms) => void waits.push(ms) });
    expect(await api.listModels()).toMatchObject({ total: 0, items: [] });
    expect(waits).toEqual([2000]);
  });

  test('asks for a wait beyond the maximum: the call fails at once', async () => {
    const service = await openMisbehavingService(answer(429, '', { 'retry-after': '3600' }));
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'rate-limited', status: 429, retryable: true, retryAfterMs: 3_600_000 });
    expect(service.requests).toHaveLength(1);
  });

  test('answers 503 every time: three attempts, each after a longer delay', async () => {
    const service = await openMisbehavingService(answerJson(503, { status: 503, message: 'busy' }));
    const waits: number[] = [];
    const api = connect(service.url, { retries: { firstDelay: 300 }, random: () => 1, sleep: async (ms) => void waits.push(ms) });
    expect(await failureOf(api.speak({ text: 'hello' }))).toMatchObject({ kind: 'server', status: 503, retryable: true });
    expect(service.requests).toHaveLength(3);
    expect(waits).toEqual([300, 600]);
  });

  test('hides behind a proxy that answers 502 with a page', async () => {
    const page = '<!doctype html><html><head><title>502 Bad\n Gateway</title></head><body>nginx</body></html>';
    const service = await openMisbehavingService(answer(502, page, { 'content-type': 'text/html' }));
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'server', status: 502, retryable: true });
    expect(error.message).toContain('(502: 502 Bad Gateway)');
    expect(service.requests).toHaveLength(3);
  });

  test('answers 408: the call is repeated', async () => {
    const service = await openMisbehavingService(answer(408, ''), emptyList);
    await connect(service.url).listModels();
    expect(service.requests).toHaveLength(2);
  });

  test('resets the connection: the call is repeated', async () => {
    const service = await openMisbehavingService(reset, emptyList);
    await connect(service.url).listModels();
    expect(service.requests).toHaveLength(2);
  });

  test('resets the connection every time: no status, and retryable', async () => {
    const service = await openMisbehavingService(reset);
    expect(await failureOf(connect(service.url).getCredit())).toMatchObject({ kind: 'server', status: null, retryable: true });
    expect(service.requests).toHaveLength(3);
  });

  test('is not there at all', async () => {
    const service = await startMisbehavingService(hang);
    await service.close();
    const error = await failureOf(connect(service.url).listModels());
    expect(error).toMatchObject({ kind: 'server', status: null, retryable: true });
    expect(error.message).toContain('ECONNREFUSED');
  });

  test('does not speak HTTP', async () => {
    const service = await openMisbehavingService(speakGibberish('220 mail.example.org ESMTP\r\n'));
    expect(await failureOf(connect(service.url).listModels())).toMatchObject({ kind: 'protocol', retryable: false, isWrongAddress: true });
    expect(service.requests).toHaveLength(1);
  });
});

describe('a service that is too slow', () => {
  test("never responds: the headers timeout ends the call, and it isn't repeated", async () => {
    const service = await openMisbehavingService(hang);
    const error = await failureOf(connect(service.url, { timeouts: { headers: 50 } }).speak({ text: 'hello' }));
    expect(error).toMatchObject({ kind: 'timeout', status: null, retryable: true });
    await service.request(1);
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ['after its headers', 0],
    ['after a few bytes', 20],
  ])('stalls %s: the idle timeout ends the call', async (_, bytes) => {
    const service = await openMisbehavingService(stall(bytes));
    const api = connect(service.url, { timeouts: { idle: 50 } });
    expect(await failureOf(api.speak({ text: 'hello' }))).toMatchObject({ kind: 'timeout', status: 200 });
    expect(await failureOf(api.listModels())).toMatchObject({ kind: 'timeout', status: 200 });
    expect(service.requests).toHaveLength(2);
  });

  test('stalls in mid-speech: the reader gets an error, and the connection is closed', async () => {
    const service = await openMisbehavingService(stall(5000));
    const speech = await connect(service.url, { timeouts: { idle: 300 } }).speak({ text: 'hello' });
    expect(await failureOf(buffer(speech.audio))).toMatchObject({ kind: 'timeout', status: 200 });
    await (await service.request(1)).disconnected;
  });

  test('drips: the deadline ends the call', async () => {
    const service = await openMisbehavingService(drip);
    const api = connect(service.url, { timeouts: { idle: 1000, deadline: 200 } });
    expect(await failureOf(api.listModels())).toMatchObject({ kind: 'timeout' });
    expect(await failureOf(api.speak({ text: 'hello' }))).toMatchObject({ kind: 'timeout' });
  });

  test('drips through a speech: only the time spent waiting for it counts towards the deadline', async () => {
    const service = await openMisbehavingService((request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(Buffer.alloc(1000, 0xff));
      drip(request, Object.assign(response, { writeHead: () => response }));
    });
    const speech = await connect(service.url, { timeouts: { idle: 5000, deadline: 60_000 } }).speak({ text: 'hello' });
    // From now on a second takes five milliseconds.
    const now = performance.now.bind(performance);
    const since = now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => since + 200 * (now() - since));
    onTestFinished(() => void clock.mockRestore());
    expect(await failureOf(buffer(speech.audio))).toMatchObject({ kind: 'timeout' });
  });

  test('never finishes the handshake: the connect timeout ends every attempt', async () => {
    const silent = await openSilentServer();
    const api = connect(`https://127.0.0.1:${silent.port}`, { timeouts: { connect: 50 }, retries: { attempts: 2, firstDelay: 1 } });
    expect(await failureOf(api.listModels())).toMatchObject({ kind: 'timeout', status: null, retryable: true });
  });
});

test('an untrusted certificate is an error, and the key is not sent', async () => {
  const { private: privateKey, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }]);
  let requests = 0;
  const server = createTlsServer({ key: privateKey, cert }, () => {
    requests += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const error = await failureOf(connect(`https://127.0.0.1:${(server.address() as AddressInfo).port}`).listModels());
  expect(error).toMatchObject({ kind: 'protocol', retryable: false });
  expect(error.message).toContain('certificate');
  expect(requests).toBe(0);
});

test('a header that cannot be sent is refused before anything is sent', async () => {
  const service = await openMisbehavingService(answerAudio());
  expect(await failureOf(connect(service.url).speak({ text: 'hello', model: 's1\r\nx: y' }))).toMatchObject({
    kind: 'validation',
    status: null,
  });
  expect(service.requests).toHaveLength(0);
});

describe('the key and what members said', () => {
  const text = 'what a member said in confidence';
  const echo: Behaviour = (request, response) => {
    const authorization = String(request.headers.authorization);
    response
      .writeHead(401, `bad ${apiKey}`, { 'x-request-id': authorization, 'content-type': 'application/json' })
      .end(
        JSON.stringify({ status: 401, message: `bad ${authorization}: ${text}`, detail: [{ loc: [apiKey], msg: apiKey, type: apiKey }] }),
      );
  };

  test.each<[string, Behaviour]>([
    ['echoes them', echo],
    [
      'echoes them as details',
      answerJson(422, [{ loc: ['body', apiKey], msg: `${text} ${apiKey}`, type: apiKey, ctx: apiKey, in: 'body' }]),
    ],
    ['echoes them as text', answer(500, `${apiKey} ${text}`)],
    ['echoes them in a 200', answer(200, `{"message": "${apiKey} ${text}"`, { 'content-type': 'application/json' })],
    ['resets', reset],
    ['hangs', hang],
    ['cuts', cut(10)],
    ['breaks the protocol', speakGibberish(`${apiKey} ${text}\r\n`)],
  ])('never appear in an error, whatever the service does (it %s)', async (_, behaviour) => {
    const service = await openMisbehavingService(behaviour);
    const api = connect(service.url, { timeouts: { headers: 50 } });
    const error = await failureOf(api.speak({ text }));
    const seen = `${inspect(error, { depth: null, showHidden: true })} ${JSON.stringify(error)} ${error.stack} ${error}`;
    expect(seen).not.toContain(apiKey);
    expect(seen).not.toContain(text);
    expect(inspect(api, { depth: null, showHidden: true })).not.toContain(apiKey);
  });
});
