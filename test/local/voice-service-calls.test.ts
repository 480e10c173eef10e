// Calls of the local voice service in progress: clients that leave, engines that fail, too many calls at once, and calls that stall.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { encode } from '@msgpack/msgpack';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Engines } from '../../src/local/voice-service/engines/index.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { priceOfSpeech } from '../../src/local/voice-service/money.ts';
import {
  beginSpeech,
  createToneEngines,
  interruptSpeech,
  send,
  sendJson,
  spentBy,
  startTestVoiceService,
  type TestVoiceService,
} from '../helpers/voice-service.ts';

let pieces = 0;
const engines = createToneEngines({ onEvent: ({ type }) => (pieces += type === 'synthesised' ? 1 : 0) });
afterAll(() => engines.close());

const TEXT = 'The first sentence is here. The second sentence follows it. And this is the third one.';

async function start(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const service = await startTestVoiceService({ engines, ...options });
  onTestFinished(service.close);
  return service;
}

describe('speech', () => {
  test('begins before what follows is synthesised', async () => {
    const interrupted = interruptSpeech(engines, 1, 'wait');
    const service = await start({ engines: interrupted.engines });
    const response = await beginSpeech(service, { text: TEXT, format: 'wav' }).response;
    const [first] = (await once(response, 'data')) as [Buffer];
    expect(first.subarray(0, 4).toString()).toBe('RIFF');
    interrupted.release();
    await once(response.resume(), 'end');
  });

  test('is no longer synthesised if the client leaves, who pays for the whole text', async () => {
    const service = await start();
    const text = 'Here is one more of very many sentences that nobody will hear. '.repeat(300);
    const { sent, response } = beginSpeech(service, { text, format: 'wav' });
    await once(await response, 'data');
    sent.destroy();
    // By the end of another speech the only speech thread has been told to stop.
    await sendJson(service, '/v1/tts', { text: 'Hello there.' });
    const before = pieces;
    expect(before).toBeLessThan(290);
    await sendJson(service, '/v1/tts', { text: 'Hello there.' });
    expect(pieces - before).toBe(1);
    expect(await spentBy(service)).toBe(priceOfSpeech(text) + 2n * priceOfSpeech('Hello there.'));
  });

  test('costs nothing if the client leaves before the first byte', async () => {
    const interrupted = interruptSpeech(engines, 0, 'wait');
    const service = await start({ engines: interrupted.engines });
    const { sent } = beginSpeech(service, { text: TEXT });
    await interrupted.reached;
    expect(await spentBy(service)).toBe(priceOfSpeech(TEXT));
    sent.destroy();
    await expect.poll(() => spentBy(service)).toBe(0n);
  });

  test('that breaks off is a response cut short, and costs nothing', async () => {
    const service = await start({ engines: interruptSpeech(engines, 1, 'fail').engines });
    const response = await beginSpeech(service, { text: TEXT, format: 'wav' }).response;
    const reading = Array.fromAsync(response as AsyncIterable<Buffer>);
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect.poll(() => spentBy(service)).toBe(0n);
  });

  test('that fails before it begins is a 500 with the general body, and costs nothing', async () => {
    const service = await start({ engines: interruptSpeech(engines, 0, 'fail').engines });
    const { status, json } = await sendJson(service, '/v1/tts', { text: TEXT });
    expect([status, json]).toEqual([500, { status: 500, message: 'The voice broke off. Try again.' }]);
    expect(await spentBy(service)).toBe(0n);
  });
});

describe('a transcription', () => {
  test('is stopped if the client leaves, who then pays nothing', async () => {
    const begun = Promise.withResolvers<AbortSignal | undefined>();
    const ended = Promise.withResolvers<unknown>();
    const observed: Engines = {
      ...engines,
      transcribe(wanted) {
        begun.resolve(wanted.signal);
        const result = engines.transcribe(wanted);
        result.then(ended.resolve, ended.resolve);
        return result;
      },
    };
    const service = await start({ engines: observed });
    const speech = await sendJson(service, '/v1/tts', { text: TEXT.repeat(5), format: 'wav', sample_rate: 16_000 });
    const before = await spentBy(service);
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/msgpack' };
    const sent = request(`${service.url}/v1/asr`, { method: 'POST', agent: false, headers }).on('error', () => {});
    sent.end(encode({ audio: new Uint8Array(speech.bytes) }));
    const signal = await begun.promise;
    // Its price is held once it is decoded.
    await expect.poll(() => spentBy(service)).toBeGreaterThan(before);
    sent.destroy();
    expect(await ended.promise).toMatchObject({ kind: 'aborted' });
    expect(signal?.aborted).toBe(true);
    expect(await spentBy(service)).toBe(before);
  });
});

describe('calls in flight', () => {
  test('beyond the limit of a key are a 429 with Retry-After, and later ones pass', async () => {
    const interrupted = interruptSpeech(engines, 0, 'wait');
    const keys = ['one', 'two'].map((key) => ({ key, credit: 1 }));
    const service = await start({ engines: interrupted.engines, keys, limits: { callsPerKey: 2 } });
    const waiting = [1, 2].map(() => sendJson(service, '/v1/tts', { text: 'Hello.' }));
    await interrupted.reached;
    await expect.poll(async () => (await send(service, '/model')).status).toBe(429);
    const rejected = await send(service, '/model');
    expect([rejected.json, rejected.headers['retry-after']]).toEqual([{ status: 429, message: expect.any(String) }, '1']);
    expect((await send(service, '/model', { key: 'two' })).status).toBe(200);
    interrupted.release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await send(service, '/model')).status).toBe(200);
  });

  test('of a client that respects the limit are never rejected', async () => {
    const service = await start({ limits: { callsPerKey: 2 } });
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ text: 'Hi.' });
    const statuses: number[] = [];
    const caller = async () => {
      for (let call = 0; call < 40; call += 1) {
        const response = await (call % 8 === 0
          ? fetch(`${service.url}/v1/tts`, { method: 'POST', headers, body })
          : fetch(`${service.url}/model?page_size=1`, { headers }));
        await response.arrayBuffer();
        statuses.push(response.status);
      }
    };
    await Promise.all([caller(), caller()]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('a stalled call', () => {
  /** From now on, ten minutes take half a second. */
  function hurryTime(): void {
    const now = performance.now.bind(performance);
    const since = now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => since + 1_200 * (now() - since));
    onTestFinished(() => void clock.mockRestore());
  }

  test.each([
    ['application/json', '/v1/tts', '{"text":'],
    ['application/msgpack', '/v1/asr', '\x81'],
    ['multipart/form-data; boundary=x', '/v1/asr', '--x\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nabc'],
  ])('is ended with a 408 if its upload stops: %s to %s', async (type, path, beginning) => {
    const service = await start({ limits: { uploadStallMs: 200 } });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: ${type}\r\nContent-Length: 5000\r\n\r\n${beginning}`,
    );
    const response = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString();
    expect(response).toMatch(/^HTTP\/1.1 408 /);
    expect(response).toContain('"status":408');
    expect((await send(service, '/model')).status).toBe(200);
  });

  test('is ended if nobody reads its response, and no longer counts as in flight', async () => {
    const service = await start({ limits: { readStallMs: 600_000, uploadStallMs: 2_000, callsPerKey: 1 } });
    const text = 'A sentence that is written and never read by anybody at all. '.repeat(320);
    const { sent, response } = beginSpeech(service, { text, format: 'wav' });
    (await response).on('error', () => {}).pause();
    expect((await send(service, '/model')).status).toBe(429);
    hurryTime();
    await expect.poll(async () => (await send(service, '/model')).status).toBe(200);
    sent.destroy();
  });
});
