// The local voice service's websocket: the protocol in raw messages and with the client, credit, limits, and clients that misbehave.

import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { priceOfSpeech } from '../../src/local/voice-service/money.ts';
import { audioOf, type Event, type LiveClient, openLive } from '../helpers/live-service.ts';
import {
  interruptSpeech,
  send,
  sendJson,
  spentBy,
  startTestVoiceService,
  type TestVoiceService,
  toneEngines,
} from '../helpers/voice-service.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

const engines = toneEngines();

const FIRST = 'The old man walked slowly down the road. ';
const SECOND = 'His dog ran ahead of him.';

async function start(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const service = await startTestVoiceService({ engines, ...options });
  onTestFinished(service.close);
  return service;
}

const request = (fields: object = {}): Event => ({ event: 'start', request: { text: '', ...fields } });
const text = (words: string): Event => ({ event: 'text', text: words });
const stop: Event = { event: 'stop' };

async function finishOf(live: LiveClient): Promise<Event> {
  const finish = await live.event('finish');
  await live.closed;
  return finish;
}

describe('speech over a websocket', () => {
  test.each(['mp3', 'wav', 'opus'] as const)('is one continuous %s of all that was sent', async (format) => {
    const service = await start();
    const live = await openLive(service);
    live.send(
      request({ format, reference_id: 'robert-sprint' }),
      text('The old man wal'),
      text('ked slowly down the road. '),
      text(SECOND),
      stop,
    );
    expect(await finishOf(live)).toEqual({ event: 'finish', reason: 'stop' });
    expect(await live.closed).toBe(1000);
    const whole = await sendJson(service, '/v1/tts', { text: FIRST + SECOND, format, reference_id: 'robert-sprint' });
    const hear = (audio: Uint8Array) => engines.transcribe({ audio, timestamps: false });
    const [spoken, expected] = [await hear(audioOf(live.received)), await hear(whole.bytes)];
    expect(spoken.text).toBe(FIRST + SECOND);
    expect(spoken.duration / expected.duration).toBeCloseTo(1, 1);
  });

  test('costs what the same text costs over HTTP', async () => {
    const service = await start();
    const live = await openLive(service);
    live.send(request(), text(FIRST), text(SECOND), stop);
    await finishOf(live);
    expect(await spentBy(service)).toBe(priceOfSpeech(FIRST + SECOND));
  });

  test('begins before the second sentence has come, and before the first one is followed by anything', async () => {
    const live = await openLive(await start());
    live.send(request({ format: 'wav' }), text(FIRST.trim()));
    await live.event('audio');
    const before = audioOf(live.received).length;
    live.send(text(` ${SECOND}`), stop);
    await finishOf(live);
    expect(audioOf(live.received).length).toBeGreaterThan(before);
  });

  test('speaks what there is after flush', async () => {
    const live = await openLive(await start());
    live.send(request(), text('Half a sentence'), { event: 'flush' });
    await live.event('audio');
    live.send(stop);
    expect(await finishOf(live)).toMatchObject({ reason: 'stop' });
  });

  test('skips events it does not know, and takes a text in the first message', async () => {
    const live = await openLive(await start());
    live.send({ event: 'start', request: { text: FIRST } }, { event: 'sing' }, stop, text('Too late.'));
    expect(await finishOf(live)).toMatchObject({ reason: 'stop' });
    expect(audioOf(live.received).length).toBeGreaterThan(10_000);
  });

  test('works over many sockets at once, each with its own voice', async () => {
    const service = await start();
    const all = await Promise.all(Array.from({ length: 8 }, () => openLive(service)));
    for (const [index, live] of all.entries()) {
      live.send(request({ format: 'wav', reference_id: index % 2 ? 'clara' : 'robert-sprint' }), text(FIRST), text(SECOND), stop);
    }
    for (const live of all) expect(await finishOf(live)).toMatchObject({ reason: 'stop' });
    const lengths = all.map(({ received }) => audioOf(received).length);
    expect(new Set(lengths).size).toBe(2);
  });

  test('works with the client', async () => {
    const service = await start();
    const api = createApi({ baseUrl: service.url, apiKey: service.key });
    onTestFinished(() => api.close());
    async function* texts() {
      yield FIRST;
      yield SECOND;
    }
    const speech = await api.speakLive({ format: 'wav', referenceId: 'clara' }, texts());
    const audio = await buffer(speech.audio);
    expect(audio.subarray(0, 4).toString()).toBe('RIFF');
    expect(speech.requestId).toMatch(/^[\w-]{36}$/);
    await expect(api.speakLive({ referenceId: 'nobody' }, texts())).rejects.toMatchObject({ kind: 'not-found', status: 404 });
  });
});

describe('credit', () => {
  test('that covers the first sentence only is charged for that one, and the error says so', async () => {
    const price = Number(priceOfSpeech(FIRST));
    const service = await start({ keys: [{ key: 'poor', credit: ((price + 1) / 1e6).toFixed(6) }] });
    const live = await openLive(service);
    live.send(request(), text(FIRST), text(SECOND), stop);
    expect(await finishOf(live)).toMatchObject({ reason: 'error', status: 402, message: expect.stringContaining('credit') });
    expect(audioOf(live.received).length).toBeGreaterThan(10_000);
    expect((await send(service, '/wallet/self/api-credit')).json).toMatchObject({ credit: '0.000001' });
  });

  test('is not charged for what the client left before', async () => {
    const service = await start();
    const live = await openLive(service);
    live.send(request(), text(FIRST), text('Unfinished'));
    await live.event('audio');
    live.socket.terminate();
    await expect.poll(() => spentBy(service)).toBe(priceOfSpeech(FIRST));
  });

  test('is returned for a sentence that the service failed at', async () => {
    const service = await start({ engines: interruptSpeech(engines, 0, 'fail').engines });
    const live = await openLive(service);
    live.send(request(), text(FIRST), stop);
    expect(await finishOf(live)).toMatchObject({ reason: 'error', status: 500, message: 'The voice broke off. Try again.' });
    expect(await spentBy(service)).toBe(0n);
  });
});

describe('an upgrade', () => {
  test.each([
    ['with a wrong key', '/v1/tts/live', 'wrong', 401],
    ['without credit', '/v1/tts/live', 'empty', 402],
    ['of another path', '/v1/tts/live/with-timestamp', 'rich', 404],
    ['of a path that is no websocket', '/model', 'rich', 200],
  ])('%s is an ordinary response', async (_, path, key, status) => {
    const service = await start({
      keys: [
        { key: 'rich', credit: 1 },
        { key: 'empty', credit: 0 },
      ],
    });
    const headers = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const answer = await send(service, path, { key, headers });
    expect([answer.status, answer.headers.connection]).toEqual([status, 'close']);
    expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
  });

  test('to something else is declined by answering the request as it is', async () => {
    const service = await start();
    const answer = await sendJson(service, '/v1/tts', { text: 'Hi.' }, { headers: { connection: 'upgrade', upgrade: 'h2c' } });
    expect(answer.status).toBe(200);
  });

  test('that is missing is a 426', async () => {
    const service = await start();
    expect(await send(service, '/v1/tts/live')).toMatchObject({ status: 426, json: { message: expect.stringContaining('websocket') } });
  });

  test('beyond the calls of a key is a 429, and passes once another socket has finished', async () => {
    const service = await start({ limits: { callsPerKey: 1 } });
    const live = await openLive(service);
    expect((await send(service, '/model')).status).toBe(429);
    live.send(request(), text(FIRST), stop);
    await live.event('finish');
    expect((await send(service, '/model')).status).toBe(200);
  });
});

describe('a client that', () => {
  const cases: [string, (live: LiveClient) => void, number, RegExp][] = [
    ['sends text messages', (live) => live.socket.send(JSON.stringify(request())), 400, /binary/],
    ['sends rubbish', (live) => live.socket.send(Buffer.from([0xc1, 0xff])), 400, /msgpack/],
    ['claims gigabytes', (live) => live.socket.send(Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff])), 400, /msgpack/],
    ['begins with text', (live) => live.send(text('Hello.')), 400, /start/],
    ['starts twice', (live) => live.send(request(), request()), 400, /twice/],
    ['asks for an unknown voice', (live) => live.send(request({ reference_id: 'nobody' })), 404, /"nobody"/],
    ['asks for an unknown format', (live) => live.send(request({ format: 'midi' })), 422, /format/],
    ['sends a text that is a number', (live) => live.send(request(), { event: 'text', text: 5 }), 422, /text/],
    ['stops without a text', (live) => live.send(request(), stop), 422, /no text/],
    ['sends signs alone', (live) => live.send(request(), text('🙂 … '), text('!'), stop), 422, /no text/],
    ['sends another language', (live) => live.send(request(), text('Съешь ещё этих мягких булок.'), stop), 422, /English/],
    ['sends a novel', (live) => live.send(request(), text(`${'word '.repeat(4001)}`)), 422, /too long/],
    [
      'sends a novel in 25,000 pieces',
      (live) => live.send(request(), ...Array.from({ length: 25_000 }, (_, index) => text(index % 5 ? 'a' : ' '))),
      422,
      /too long/,
    ],
  ];
  test.each(cases)('%s is told so', async (_, misbehave, status, message) => {
    const service = await start();
    const live = await openLive(service);
    misbehave(live);
    expect(await finishOf(live)).toMatchObject({ reason: 'error', status, message: expect.stringMatching(message) });
    expect((await send(service, '/model')).status).toBe(200);
  });

  test('sends a message beyond the limit is disconnected', async () => {
    const service = await start();
    const live = await openLive(service);
    live.send(request(), text('a'.repeat(300_000)));
    expect(await live.closed).toBe(1009);
  });

  test.each([[[]], [[request()]], [[request(), text('Hel')]]])('falls silent is told so (%#)', async (events) => {
    const live = await openLive(await start({ limits: { liveIdleMs: 100 } }));
    live.send(...events);
    expect(await finishOf(live)).toMatchObject({ reason: 'error', status: 408 });
  });

  test('reads nothing is disconnected, and nothing more is spoken for it', async () => {
    const service = await start({ limits: { readStallMs: 600_000, uploadStallMs: 2_000, callsPerKey: 1 } });
    const live = await openLive(service);
    const words = 'Here is one more of very many sentences that nobody will hear. '.repeat(300);
    live.socket.pause();
    live.send(request({ format: 'wav', sample_rate: 48_000 }), text(words), stop);
    // Another call is let in once this one is over.
    expect((await send(service, '/model')).status).toBe(429);
    // From now on, ten minutes take half a second.
    const now = performance.now.bind(performance);
    const since = now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => since + 1_200 * (now() - since));
    onTestFinished(() => void clock.mockRestore());
    await expect.poll(async () => (await send(service, '/model')).status, { timeout: WAIT_MS }).toBe(200);
    const spent = await spentBy(service);
    expect(spent).toBeGreaterThan(0n);
    expect(spent).toBeLessThan(priceOfSpeech(words));
    live.socket.resume();
    expect(await live.closed).toBe(1006);
  });

  test('is connected when the service stops is disconnected', async () => {
    const service = await start();
    const live = await openLive(service);
    live.send(request(), text(FIRST));
    await live.event('audio');
    await service.close();
    expect(await live.closed).toBe(1006);
  });
});
