// Speech over a websocket, against services that misbehave over real sockets.

import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { encode } from '@msgpack/msgpack';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ApiError } from '../../src/api/index.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import { type LiveClient, openLiveService } from '../helpers/live-service.ts';
import {
  answer,
  answerJson,
  apiKey,
  audioBytes,
  connect,
  failureOf,
  hang,
  openMisbehavingService,
  stall,
} from '../helpers/misbehaving-service.ts';

/** Texts whose end a test can see. */
function textsOf(...given: string[]) {
  const ended = Promise.withResolvers<void>();
  let taken = 0;
  async function* iterate() {
    try {
      for (const text of given) {
        taken += 1;
        yield text;
      }
    } finally {
      ended.resolve();
    }
  }
  return { texts: iterate(), ended: ended.promise, taken: () => taken };
}

/** Yields one text, then keeps the service waiting. */
async function* endless(text = 'Once upon a time '): AsyncGenerator<string> {
  yield text;
  await new Promise(() => {});
}

/** Yields the second text only after `pause`. */
async function* withPause(pause: () => Promise<unknown>): AsyncGenerator<string> {
  yield 'Once upon a time ';
  await pause();
  yield 'there was a lighthouse.';
}

const speakAfter = (name: string, bytes: number, then: (client: LiveClient) => void) => (client: LiveClient) => {
  void client.event(name).then(() => {
    client.send({ event: 'audio', audio: audioBytes(bytes) });
    then(client);
  });
};
const finish = (client: LiveClient) => client.send({ event: 'finish', reason: 'stop' });
const speakFirstText = (client: LiveClient) => {
  speakAfter('text', 4096, () => {})(client);
  void client.event('stop').then(() => finish(client));
};

describe('speech over a websocket', () => {
  test('sends the request, then each text as it comes, and hands over the audio', async () => {
    const service = await openLiveService(speakAfter('stop', 4096, finish));
    const { texts, ended } = textsOf('Good mor', '', 'ning. ', 'How are you?');
    const speech = await connect(service.url).speakLive({ referenceId: 'clara', format: 'opus' }, texts);
    expect(await buffer(speech.audio)).toEqual(audioBytes(4096));
    expect(speech.contentType).toBe('audio/ogg');
    expect(service.clients[0]?.received).toEqual([
      { event: 'start', request: { text: '', reference_id: 'clara', format: 'opus' } },
      { event: 'text', text: 'Good mor' },
      { event: 'text', text: 'ning. ' },
      { event: 'text', text: 'How are you?' },
      { event: 'stop' },
    ]);
    await ended;
    await service.clients[0]?.closed;
  });

  test('may begin before the last text has come', async () => {
    const service = await openLiveService(speakAfter('text', 4096, () => {}));
    const speech = await connect(service.url).speakLive({}, endless());
    const { value } = await speech.audio[Symbol.asyncIterator]().next();
    expect(value?.length).toBeGreaterThan(0);
  });

  test('skips events it does not know', async () => {
    const service = await openLiveService((client) => {
      client.send({ event: 'log', message: 'Warming up.' });
      client.send({ event: 'mood', happy: true });
      speakAfter('stop', 1000, finish)(client);
    });
    const speech = await connect(service.url).speakLive({}, textsOf('Hello.').texts);
    expect(await buffer(speech.audio)).toHaveLength(1000);
  });

  test('counts as one call in flight until its socket is closed', async () => {
    const service = await openLiveService(speakAfter('stop', 1000, finish));
    const api = connect(service.url, { concurrency: 1 });
    const first = await api.speakLive({}, textsOf('One.').texts);
    const second = api.speakLive({}, textsOf('Two.').texts);
    expect(service.clients).toHaveLength(1);
    await buffer(first.audio);
    await buffer((await second).audio);
    expect(service.clients).toHaveLength(2);
  });

  test('has each text spoken as soon as it has come, if asked to', async () => {
    const service = await openLiveService(speakAfter('stop', 4096, finish));
    const speech = await connect(service.url).speakLive({}, textsOf('One. ', '', 'Two.').texts, { flush: true });
    await buffer(speech.audio);
    expect(service.clients[0]?.received.map(({ event, text }) => text ?? event)).toEqual([
      'start',
      'One. ',
      'flush',
      'Two.',
      'flush',
      'stop',
    ]);
  });

  test('takes no turn that other calls may need, if its caller can do without it', async () => {
    const service = await openLiveService(() => {});
    for (const concurrency of [1, 2]) {
      const { texts, taken } = textsOf('Hello.');
      const speaking = connect(service.url, { concurrency }).speakLive({}, texts, { isOptional: true });
      expect(await failureOf(speaking)).toMatchObject({ kind: 'rate-limited', mayHaveBeenBilled: false });
      expect(taken()).toBe(0);
    }
    const api = connect(service.url, { concurrency: 5 });
    const busy = [1, 2].map(() => api.speakLive({}, endless(), { isOptional: true }));
    await expect.poll(() => service.clients.length).toBe(2);
    // One is left for a long call, and two for any.
    expect(await failureOf(api.speakLive({}, endless(), { isOptional: true }))).toMatchObject({ kind: 'rate-limited' });
    const ended = busy.map(failureOf);
    await api.close();
    for (const { kind } of await Promise.all(ended)) expect(kind).toBe('aborted');
  });

  test('may last longer than a call’s deadline once it has begun', async () => {
    const service = await openLiveService(speakFirstText, hang);
    const timers = holdTimers();
    const api = connect(service.url, { timeouts: { deadline: timers.ms } });
    const isRead = Promise.withResolvers<void>();
    // The time of another call is over, which begins when this one has begun; and no other time is running.
    const texts = withPause(async () => {
      await isRead.promise;
      const failure = failureOf(api.listModels());
      await expect.poll(timers.count).toBe(1);
      timers.expire();
      expect(await failure).toMatchObject({ kind: 'timeout' });
    });
    const speech = await api.speakLive({}, texts, { flush: true });
    const read = buffer(speech.audio);
    isRead.resolve();
    expect(await read).toHaveLength(4096);
  });

  test('is read no faster than its reader takes it', async () => {
    const chunk = audioBytes(256 * 1024);
    let sent = 0;
    const service = await openLiveService((client) => {
      void client.event('stop').then(() => {
        const more = () => {
          sent += chunk.length;
          client.socket.send(encode({ event: 'audio', audio: chunk }), (error) => (error || sent > 400 * chunk.length ? null : more()));
        };
        more();
      });
    });
    const speech = await connect(service.url).speakLive({}, textsOf('Hello.').texts);
    const reader = speech.audio[Symbol.asyncIterator]();
    await reader.next();
    // Nothing arrives any more once all buffers in between are full: the service would have had as many turns for the rest.
    for (let turn = 0; turn < 2_000; turn++) await setImmediate();
    expect(sent).toBeLessThan(200 * chunk.length);
    await reader.return?.();
    await service.clients[0]?.closed;
  });

  test('an abort closes the socket and ends the texts at once, before and after the first sound', async () => {
    for (const behave of [() => {}, speakAfter('stop', 4096, () => {})]) {
      const service = await openLiveService(behave);
      const controller = new AbortController();
      const { texts, ended } = textsOf('Hello.');
      const speaking = connect(service.url).speakLive({}, texts, { signal: controller.signal });
      const reading = speaking.then((speech) => buffer(speech.audio));
      await expect.poll(() => service.clients[0]?.received.at(-1)?.event).toBe('stop');
      controller.abort();
      expect(await failureOf(reading)).toMatchObject({ kind: 'aborted', mayHaveBeenBilled: true });
      await Promise.all([service.clients[0]?.closed, ended]);
    }
  });

  test('an abort before the call has begun takes no text and opens no socket', async () => {
    const service = await openLiveService(() => {});
    const { texts, taken } = textsOf('Hello.');
    const error = await failureOf(connect(service.url).speakLive({}, texts, { signal: AbortSignal.abort() }));
    expect([error.kind, error.mayHaveBeenBilled, taken(), service.clients.length]).toEqual(['aborted', false, 0, 0]);
  });

  test('texts that cannot be read, or are none, end the call', async () => {
    const service = await openLiveService(() => {});
    async function* broken() {
      yield 'Hello. ';
      throw new Error('The disk is gone.');
    }
    expect(await failureOf(connect(service.url).speakLive({}, broken()))).toMatchObject({ kind: 'aborted' });
    expect(await failureOf(connect(service.url).speakLive({}, textsOf('', '').texts))).toMatchObject({ kind: 'validation' });
    await Promise.all(service.clients.map(({ closed }) => closed));
  });
});

describe('an upgrade that is refused', () => {
  test.each([
    [401, 'auth'],
    [402, 'credit'],
    [404, 'unsupported'],
    [405, 'unsupported'],
    [422, 'validation'],
  ] as const)('with %i is of kind %s, takes no text and costs nothing', async (status, kind) => {
    const service = await openMisbehavingService(answerJson(status, { status, message: 'No.' }));
    const { texts, taken, ended } = textsOf('Hello.');
    expect(await failureOf(connect(service.url).speakLive({}, texts))).toMatchObject({ kind, status, mayHaveBeenBilled: false });
    expect(taken()).toBe(0);
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${apiKey}`, model: 's2.1-pro', upgrade: 'websocket' });
    // An iteration that hasn't begun has nothing to end.
    expect((await texts.next()).done).toBe(true);
    void ended;
  });

  test.each([429, 503])('with %i is repeated, since no text was sent', async (status) => {
    const service = await openMisbehavingService(answer(status, ''), answer(status, ''), answer(402, ''));
    expect(await failureOf(connect(service.url).speakLive({}, textsOf('Hello.').texts))).toMatchObject({ kind: 'credit' });
    expect(service.requests).toHaveLength(3);
  });

  test('is not repeated if its caller can do without it', async () => {
    const service = await openMisbehavingService(answer(503, ''));
    expect(await failureOf(connect(service.url).speakLive({}, textsOf('Hello.').texts, { isOptional: true }))).toMatchObject({
      status: 503,
    });
    expect(service.requests).toHaveLength(1);
  });

  test('as unsupported is remembered, and speech over HTTP still works', async () => {
    const service = await openMisbehavingService(answer(404, ''), answer(200, audioBytes(1000), { 'content-type': 'audio/mpeg' }));
    const api = connect(service.url);
    for (const _ of [1, 2]) {
      expect(await failureOf(api.speakLive({}, textsOf('Hello.').texts))).toMatchObject({ kind: 'unsupported', operation: 'live-speech' });
    }
    expect(await buffer((await api.speak({ text: 'Hello.' })).audio)).toHaveLength(1000);
    expect(service.requests).toHaveLength(2);
  });

  test('by an answer as if none had been asked for is unsupported', async () => {
    const service = await openMisbehavingService(answer(200, 'Welcome!'));
    expect(await failureOf(connect(service.url).speakLive({}, textsOf('Hello.').texts))).toMatchObject({
      kind: 'unsupported',
      status: 200,
    });
  });

  test('by silence is a timeout', async () => {
    const service = await openMisbehavingService(() => {});
    const api = connect(service.url, { timeouts: { connect: 50 }, retries: { attempts: 1 } });
    expect(await failureOf(api.speakLive({}, textsOf('Hello.').texts))).toMatchObject({ kind: 'timeout', mayHaveBeenBilled: false });
    await service.requests[0]?.disconnected;
  });
});

describe('a websocket that fails', () => {
  const cases: [string, (client: LiveClient) => void, Partial<ApiError>][] = [
    [
      'finish with an error',
      (c) => c.send({ event: 'finish', reason: 'error', message: 'The GPU is gone.' }),
      { kind: 'server', status: null },
    ],
    [
      'finish with a status',
      (c) => c.send({ event: 'finish', reason: 'error', status: 402 }),
      { kind: 'credit', mayHaveBeenBilled: false },
    ],
    ['error', (c) => c.send({ event: 'error', error: 'Oh dear.' }), { kind: 'server' }],
    [
      'error with max_concurrency',
      (c) => c.send({ event: 'error', error: 'Too many.', max_concurrency: 5 }),
      { kind: 'rate-limited', retryable: true, mayHaveBeenBilled: false },
    ],
    ['closed without finish', (c) => c.socket.close(1000), { kind: 'protocol', retryable: true, mayHaveBeenBilled: true }],
    ['reset', (c) => c.socket.terminate(), { kind: 'protocol', retryable: true }],
    ['a text message', (c) => c.socket.send('{"event":"finish"}'), { kind: 'protocol' }],
    ['rubbish', (c) => c.socket.send(Buffer.from([0xc1, 0xff, 0x00])), { kind: 'protocol' }],
    ['a map that claims gigabytes', (c) => c.socket.send(Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff])), { kind: 'protocol' }],
    ['audio that is no bytes', (c) => c.send({ event: 'audio', audio: 'UklGRg==' }), { kind: 'protocol' }],
    [
      'audio that is JSON',
      (c) => c.send({ event: 'audio', audio: Buffer.from(JSON.stringify({ error: 'x'.repeat(500) })) }),
      { kind: 'protocol' },
    ],
    ['finish without audio', finish, { kind: 'protocol' }],
    ['finish after a few bytes', (c) => c.send({ event: 'audio', audio: audioBytes(20) }, { event: 'finish' }), { kind: 'protocol' }],
    ['a message of 5 MB', (c) => c.send({ event: 'audio', audio: audioBytes(5_000_000) }), { kind: 'protocol' }],
  ];

  test.each(cases)('before any sound: %s', async (_, fail, expected) => {
    const service = await openLiveService((client) => void client.event('stop').then(() => fail(client)));
    const error = await failureOf(connect(service.url).speakLive({}, textsOf('Hello.').texts));
    expect(error).toMatchObject(expected);
    expect(service.clients).toHaveLength(1);
    await service.clients[0]?.closed;
  });

  test.each(cases.slice(0, 9))('after sound was heard: %s', async (_, fail, { kind }) => {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const service = await openLiveService(speakAfter('stop', 4096, (client) => void heard.then(() => fail(client))));
    const speech = await connect(service.url).speakLive({}, textsOf('Hello.').texts);
    const reader = speech.audio[Symbol.asyncIterator]();
    await reader.next();
    resolve();
    const error = await failureOf(Promise.resolve(reader.next()));
    expect(error).toMatchObject({ kind, mayHaveBeenBilled: true });
    expect(service.clients).toHaveLength(1);
  });

  test('by rubbish that comes along with its upgrade', async () => {
    const service = await openMisbehavingService((request) => {
      const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
      const head = `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept.digest('base64')}`;
      request.socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.alloc(64, 0xff)]));
    });
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', note);
    const api = connect(service.url, { concurrency: 1 });
    for (const _ of [1, 2]) {
      const failing = api.speakLive({}, textsOf('Hello.').texts);
      expect(await failureOf(failing)).toMatchObject({ kind: 'protocol', mayHaveBeenBilled: false });
    }
    process.off('uncaughtExceptionMonitor', note);
    expect(uncaught).toEqual([]);
  });

  test('by a byte now and then is a timeout, and the next call has its turn', async () => {
    const timers: NodeJS.Timeout[] = [];
    const service = await openLiveService(
      speakAfter('stop', 4096, (client) => timers.push(setInterval(() => client.send({ event: 'audio', audio: audioBytes(1) }), 20))),
    );
    onTestFinished(() => timers.forEach(clearInterval));
    const api = connect(service.url, { concurrency: 1, timeouts: { idle: 500 } });
    for (const _ of [1, 2]) {
      const speech = await api.speakLive({}, textsOf('Hello.').texts);
      expect(await failureOf(buffer(speech.audio))).toMatchObject({ kind: 'timeout', mayHaveBeenBilled: true });
    }
    await Promise.all(service.clients.map(({ closed }) => closed));
  });

  test('its message reaches the error without the text or the key', async () => {
    const text = 'My secret plan for the birthday of my aunt.';
    const service = await openLiveService((client) => {
      void client.event('stop').then(() => client.send({ event: 'finish', reason: 'error', message: `Bad words: ${text} (${apiKey})` }));
    });
    const error = await failureOf(connect(service.url).speakLive({}, textsOf(text).texts));
    expect(error.message).toContain('Bad words');
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/secret plan|birthday/);
    expect(error.message).not.toContain(apiKey);
  });

  test('by silence before the first sound, or in the middle, is a timeout', async () => {
    const silent = await openLiveService(() => {});
    expect(await failureOf(connect(silent.url, { timeouts: { headers: 50 } }).speakLive({}, textsOf('Hello.').texts))).toMatchObject({
      kind: 'timeout',
    });
    await silent.clients[0]?.closed;

    const stalling = await openLiveService(speakAfter('stop', 4096, () => {}));
    const speech = await connect(stalling.url, { timeouts: { idle: 50 } }).speakLive({}, textsOf('Hello.').texts);
    expect(await failureOf(buffer(speech.audio))).toMatchObject({ kind: 'timeout' });
  });

  test('by silence after a text that it was to speak at once is a timeout, even if the next text is missing', async () => {
    const service = await openLiveService(() => {});
    const api = connect(service.url, { timeouts: { headers: 50 } });
    expect(await failureOf(api.speakLive({}, endless(), { flush: true }))).toMatchObject({ kind: 'timeout', mayHaveBeenBilled: true });
    await service.clients[0]?.closed;
  });

  test('by silence while the next text is missing is none of its faults', async () => {
    const service = await openLiveService(speakFirstText, stall(0));
    const timers = holdTimers();
    const api = connect(service.url, { timeouts: { idle: timers.ms } });
    const isRead = Promise.withResolvers<void>();
    // Another call, which began after the first text, fails for its silence.
    const texts = withPause(async () => {
      await isRead.promise;
      const failure = failureOf(api.listModels());
      await expect.poll(timers.count).toBe(2);
      timers.expire();
      expect(await failure).toMatchObject({ kind: 'timeout' });
    });
    const speech = await api.speakLive({}, texts);
    const read = buffer(speech.audio);
    isRead.resolve();
    expect(await read).toHaveLength(4096);
  });
});
