// The local voice service as a server: who gets in, what is too much, who leaves early, what is kept.
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from '@msgpack/msgpack';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { createEngines, EngineError, type Engines } from '../../src/local/voice-service/engines/index.ts';
import { startVoiceService, type VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { parseCredit, priceOfSpeech } from '../../src/local/voice-service/money.ts';
import { send, sendForm, sendJson, startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

let pieces = 0;
const engines = createEngines({ onEvent: ({ type }) => (pieces += type === 'synthesised' ? 1 : 0) });
beforeAll(() => engines.warmUp());
afterAll(() => engines.close());

const TEXT = 'The first sentence is here. The second sentence follows it. And this is the third one.';
const MEGABYTE = 1024 * 1024;

async function start(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const service = await startTestVoiceService({ engines, ...options });
  onTestFinished(service.close);
  return service;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-service-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The real engines, with the speech held back before its chunk `at` until `open` is called, or failing there. */
function speakingUntil(at: number, then: 'waits' | 'fails') {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const held: Engines = {
    ...engines,
    async *speak(wanted) {
      let count = 0;
      const left = new Promise<void>((resolve) => wanted.signal?.addEventListener('abort', () => resolve(), { once: true }));
      for await (const chunk of engines.speak(wanted)) {
        if (count++ === at) {
          reached.resolve();
          if (then === 'fails') throw new EngineError('crashed', 'The voice broke off. Try again.');
          await Promise.race([gate.promise, left]);
        }
        yield chunk;
      }
    },
  };
  return { held, reached: reached.promise, open: gate.resolve };
}

/** A request in the caller's hands: its answer can be read in part, and its connection broken. */
function openSpeech(service: TestVoiceService, body: object): { sent: ClientRequest; answer: Promise<IncomingMessage> } {
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const sent = request(`${service.url}/v1/tts`, { method: 'POST', agent: false, headers });
  sent.on('error', () => {});
  const answer = once(sent, 'response').then(([response]) => response as IncomingMessage);
  answer.catch(() => {});
  sent.end(JSON.stringify(body));
  return { sent, answer };
}

const spent = async (service: TestVoiceService) =>
  parseCredit('1000') - parseCredit(((await send(service, '/wallet/self/api-credit')).json as { credit: string }).credit);

describe('speech on its way', () => {
  test('begins before what follows is synthesised', async () => {
    const { held, open } = speakingUntil(1, 'waits');
    const service = await start({ engines: held });
    const response = await openSpeech(service, { text: TEXT, format: 'wav' }).answer;
    const [first] = (await once(response, 'data')) as [Buffer];
    expect(first.subarray(0, 4).toString()).toBe('RIFF');
    open();
    await once(response.resume(), 'end');
  });

  test('is no longer synthesised when the client leaves, who pays for the text it began to hear', async () => {
    const service = await start();
    const text = 'Here is one more of very many sentences that nobody will hear. '.repeat(300);
    const { sent, answer } = openSpeech(service, { text, format: 'wav' });
    await once(await answer, 'data');
    sent.destroy();
    // A whole other speech on the one speech thread: by its end the thread has heard that it should stop.
    await sendJson(service, '/v1/tts', { text: 'Hello there.' });
    const before = pieces;
    expect(before).toBeLessThan(290);
    await sendJson(service, '/v1/tts', { text: 'Hello there.' });
    expect(pieces - before).toBe(1);
    expect(await spent(service)).toBe(priceOfSpeech(text) + 2n * priceOfSpeech('Hello there.'));
  });

  test('costs nothing when the client leaves before the first byte', async () => {
    const { held, reached } = speakingUntil(0, 'waits');
    const service = await start({ engines: held });
    const { sent } = openSpeech(service, { text: TEXT });
    await reached;
    expect(await spent(service)).toBe(priceOfSpeech(TEXT));
    sent.destroy();
    await vi.waitFor(async () => expect(await spent(service)).toBe(0n), { timeout: 20_000 });
  });

  test('that breaks off is an answer cut short, and costs nothing', async () => {
    const { held } = speakingUntil(1, 'fails');
    const service = await start({ engines: held });
    const response = await openSpeech(service, { text: TEXT, format: 'wav' }).answer;
    const reading = Array.fromAsync(response as AsyncIterable<Buffer>);
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    await vi.waitFor(async () => expect(await spent(service)).toBe(0n), { timeout: 20_000 });
  });

  test('that fails before it begins is a 500 with the general body, and costs nothing', async () => {
    const { held } = speakingUntil(0, 'fails');
    const service = await start({ engines: held });
    const answer = await sendJson(service, '/v1/tts', { text: TEXT });
    expect([answer.status, answer.json]).toEqual([500, { status: 500, message: 'The voice broke off. Try again.' }]);
    expect(await spent(service)).toBe(0n);
  });
});

describe('a recording', () => {
  test('is no longer listened to when the client leaves, who then pays nothing', async () => {
    const begun = Promise.withResolvers<AbortSignal | undefined>();
    const ended = Promise.withResolvers<unknown>();
    const listening: Engines = {
      ...engines,
      transcribe(wanted) {
        begun.resolve(wanted.signal);
        const result = engines.transcribe(wanted);
        result.then(ended.resolve, ended.resolve);
        return result;
      },
    };
    const service = await start({ engines: listening });
    const speech = await sendJson(service, '/v1/tts', { text: TEXT.repeat(5), format: 'wav', sample_rate: 16_000 });
    const before = await spent(service);
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/msgpack' };
    const sent = request(`${service.url}/v1/asr`, { method: 'POST', agent: false, headers }).on('error', () => {});
    sent.end(encode({ audio: new Uint8Array(speech.bytes) }));
    const signal = await begun.promise;
    // Once it is decoded, its price is held.
    await vi.waitFor(async () => expect(await spent(service)).toBeGreaterThan(before), { timeout: 20_000 });
    sent.destroy();
    expect(await ended.promise).toMatchObject({ kind: 'aborted' });
    expect(signal?.aborted).toBe(true);
    expect(await spent(service)).toBe(before);
  });
});

describe('calls in flight', () => {
  test('beyond the limit of a key are a 429 with Retry-After, and the next ones pass', async () => {
    const { held, open, reached } = speakingUntil(0, 'waits');
    const keys = ['one', 'two'].map((key) => ({ key, credit: 1 }));
    const service = await start({ engines: held, keys, limits: { callsPerKey: 2 } });
    const waiting = [1, 2].map(() => sendJson(service, '/v1/tts', { text: 'Hello.' }));
    await reached;
    await vi.waitFor(async () => expect((await send(service, '/model')).status).toBe(429), { timeout: 20_000 });
    const refused = await send(service, '/model');
    expect([refused.json, refused.headers['retry-after']]).toEqual([{ status: 429, message: expect.any(String) }, '1']);
    expect((await send(service, '/model', { key: 'two' })).status).toBe(200);
    open();
    expect((await Promise.all(waiting)).map((answer) => answer.status)).toEqual([200, 200]);
    expect((await send(service, '/model')).status).toBe(200);
  });

  test('never refuse a client that keeps to the limit', async () => {
    const service = await start({ limits: { callsPerKey: 2 } });
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ text: 'Hi.' });
    const statuses: number[] = [];
    const caller = async () => {
      for (let call = 0; call < 40; call += 1) {
        const answer = await (call % 8 === 0
          ? fetch(`${service.url}/v1/tts`, { method: 'POST', headers, body })
          : fetch(`${service.url}/model?page_size=1`, { headers }));
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
    };
    await Promise.all([caller(), caller()]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('too much', () => {
  let service: TestVoiceService;
  beforeAll(async () => {
    service = await startTestVoiceService({ engines });
  });
  afterAll(() => service.close());

  async function* chunks(bytes: number, head = '', tail = ''): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
    yield Buffer.from(tail);
  }
  const form = {
    headers: { 'content-type': 'multipart/form-data; boundary=frontier' },
    head: '--frontier\r\nContent-Disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n',
    tail: '\r\n--frontier--\r\n',
  };
  /** A WAV of silence, exactly so long: 16-bit mono at 44,100 Hz. */
  const wavHeader = (bytes: number) => {
    const header = Buffer.alloc(44);
    header.write('RIFF', 0);
    header.writeUInt32LE(bytes - 8, 4);
    header.write('WAVEfmt ', 8);
    header.writeUInt32LE(16, 16);
    header.writeUInt16LE(1, 20);
    header.writeUInt16LE(1, 22);
    header.writeUInt32LE(44_100, 24);
    header.writeUInt32LE(88_200, 28);
    header.writeUInt16LE(2, 32);
    header.writeUInt16LE(16, 34);
    header.write('data', 36);
    header.writeUInt32LE(bytes - 44, 40);
    return header.toString('latin1');
  };

  test('text: a body of 300 KB is a 413, whether it says so before or not', async () => {
    const headers = { 'content-type': 'application/json' };
    const whole = { status: 413, message: expect.stringContaining('256 KB') };
    expect((await send(service, '/v1/tts', { headers, body: Buffer.alloc(300 * 1024, ' ') })).json).toEqual(whole);
    expect((await send(service, '/v1/tts', { headers, body: chunks(300 * 1024) })).json).toEqual(whole);
  });

  test('text: 20,001 characters are a 422', async () => {
    const answer = await sendJson(service, '/v1/tts', { text: 'a'.repeat(20_001) });
    expect(answer.json).toMatchObject([{ loc: ['text'], type: 'too_big', ctx: 'maximum 20000', in: 'body' }]);
  });

  test('audio: 20 MB are heard, sent with a length and in chunks', async () => {
    const bytes = 20 * MEGABYTE;
    const silence = Buffer.alloc(bytes);
    silence.write(wavHeader(bytes), 'latin1');
    const heard = [
      await sendForm(service, '/v1/asr', { audio: silence }),
      await send(service, '/v1/asr', { headers: form.headers, body: piecewise(Buffer.from(form.head), silence, Buffer.from(form.tail)) }),
    ];
    for (const answer of heard) {
      expect(answer.json).toEqual({ text: '', duration: expect.closeTo((bytes - 44) / 88_200, 1), segments: [] });
    }
  });

  async function* piecewise(...parts: Buffer[]): AsyncGenerator<Uint8Array> {
    for (const part of parts) for (let at = 0; at < part.length; at += 65_536) yield part.subarray(at, at + 65_536);
  }

  test('audio: more than 20 MB are a 413, in a form and in msgpack, with a length and in chunks', async () => {
    const bytes = 20 * MEGABYTE + 1;
    const tooLarge = { status: 413, message: expect.stringContaining('20 MB') };
    const msgpack = { 'content-type': 'application/msgpack' };
    // {audio: bin of so many bytes}
    const head = Buffer.concat([Buffer.from([0x81, 0xa5]), Buffer.from('audio'), Buffer.from([0xc6, 0x01, 0x40, 0x00, 0x01])]).toString(
      'latin1',
    );
    expect((await sendForm(service, '/v1/asr', { audio: Buffer.alloc(bytes) })).json).toEqual(tooLarge);
    expect((await send(service, '/v1/asr', { headers: form.headers, body: chunks(bytes, form.head, form.tail) })).json).toEqual(tooLarge);
    expect(
      (await send(service, '/v1/asr', { headers: msgpack, body: Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(bytes)]) })).json,
    ).toEqual(tooLarge);
    expect((await send(service, '/v1/asr', { headers: msgpack, body: chunks(bytes + 65_536) })).json).toEqual(tooLarge);
  });

  test.each([
    ['in other files', form.head.replace('"audio"', '"other"'), ''],
    ['before the first part', '', `\r\n${form.head}x${form.tail}`],
    ['after the last part', `${form.head}x${form.tail}`, ''],
  ])('a form of 21 MB in chunks %s is a 413', async (_, head, tail) => {
    const answer = await send(service, '/v1/asr', { headers: form.headers, body: chunks(21 * MEGABYTE, head, tail) });
    expect(answer.json).toEqual({ status: 413, message: expect.stringContaining('20 MB') });
  });

  test('a form in chunks is read no further than its bound, however many parts it has', async () => {
    const part = form.head.replace('"audio"', '"other"');
    async function* parts(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 4; count += 1) yield* chunks(15 * MEGABYTE, count === 0 ? part : `\r\n${part}`);
      yield Buffer.from(form.tail);
    }
    const answer = await send(service, '/v1/asr', { headers: form.headers, body: parts() });
    expect(answer.json).toEqual({ status: 413, message: expect.stringContaining('20 MB') });
  });

  test('a compressed body is a 415', async () => {
    const answer = await sendJson(service, '/v1/tts', { text: 'Hello.' }, { headers: { 'content-encoding': 'gzip' } });
    expect(answer.json).toEqual({ status: 415, message: expect.stringContaining('uncompressed') });
  });

  test('the client of the API reads each of these as what it is', async () => {
    const api = createApi({ baseUrl: service.url, apiKey: service.key });
    await expect(api.transcribe({ audio: Buffer.alloc(20 * MEGABYTE + 1) })).rejects.toMatchObject({ kind: 'validation', status: 413 });
    await expect(api.speak({ text: 'a'.repeat(20_001) })).rejects.toMatchObject({ kind: 'validation', status: 422 });
    await api.close();
  });
});

describe('a request that stands still', () => {
  test.each([
    ['application/json', '/v1/tts', '{"text":'],
    ['application/msgpack', '/v1/asr', '\x81'],
    ['multipart/form-data; boundary=x', '/v1/asr', '--x\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nabc'],
  ])('is ended with a 408: %s to %s', async (type, path, beginning) => {
    const service = await start({ limits: { uploadStallMs: 200 } });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: ${type}\r\nContent-Length: 5000\r\n\r\n${beginning}`,
    );
    const answer = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString();
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('"status":408');
    expect((await send(service, '/model')).status).toBe(200);
  });

  test('is ended when nobody reads its answer, so that its place is free again', async () => {
    const service = await start({ limits: { readStallMs: 300, callsPerKey: 1 } });
    const text = 'A sentence that is written and never read by anybody at all. '.repeat(320);
    const { sent, answer } = openSpeech(service, { text, format: 'wav' });
    (await answer).on('error', () => {}).pause();
    expect((await send(service, '/model')).status).toBe(429);
    await vi.waitFor(async () => expect((await send(service, '/model')).status).toBe(200), { timeout: 50_000 });
    sent.destroy();
  });
});

describe('who gets in', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example'])(
    'not a request for the host "%s"',
    async (host) => {
      const service = await start();
      const answer = await send(service, '/model', { headers: { host } });
      expect(answer.json).toEqual({ status: 403, message: expect.any(String) });
    },
  );

  test.each(['https://evil.example', 'http://127.0.0.1.evil.example', 'null', 'file://', 'nonsense'])(
    'not a page of %s, with or without a key',
    async (origin) => {
      const service = await start();
      for (const key of [service.key, null]) {
        for (const path of ['/model', '/covers/clara.png']) {
          expect((await send(service, path, { key, headers: { origin } })).json).toEqual({ status: 403, message: expect.any(String) });
        }
      }
    },
  );

  test('not a page of another site that shows its pictures, whoever drew them', async () => {
    const service = await start();
    for (const path of ['/covers/clara.png', '/avatars/local.png', '/samples/clara/a.mp3'])
      expect((await send(service, path, { key: null, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    for (const from of ['same-origin', 'same-site', 'none'])
      expect((await send(service, '/covers/clara.png', { key: null, headers: { 'sec-fetch-site': from } })).status).toBe(200);
  });

  test('programs of this machine, by each of its names, and pages of this machine', async () => {
    const service = await start();
    const { port } = new URL(service.url);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST']) {
      expect((await send(service, '/model', { headers: { host } })).status).toBe(200);
    }
    for (const origin of ['http://localhost:8787', 'http://127.0.0.1:8787']) {
      expect((await send(service, '/model', { headers: { origin } })).status).toBe(200);
    }
  });

  test('addresses in the answers are those by which the service was reached', async () => {
    const service = await start();
    const host = `localhost:${new URL(service.url).port}`;
    const { items } = (await send(service, '/model?page_size=1', { headers: { host } })).json as { items: { cover_image: string }[] };
    expect(items[0]?.cover_image).toMatch(`http://${host}/covers/`);
  });
});

describe('what is kept', () => {
  test('the key made at first start, readable by its owner alone, and its balance', async () => {
    const dataDir = await makeFolder();
    const first = await startVoiceService({ dataDir, engines });
    await sendJson(first, '/v1/tts', { text: 'Hello.' });
    const { json } = await send(first, '/wallet/self/api-credit');
    await first.close();
    const file = join(dataDir, 'voice-service', 'key');
    expect((await readFile(file, 'utf8')).trim()).toBe(first.key);
    const paths = ['.', ...(await readdir(dataDir, { recursive: true }))].map((name) => join(dataDir, name));
    expect(paths.length).toBeGreaterThanOrEqual(4);
    const openOnes = async () => {
      const facts = await Promise.all(paths.map((path) => stat(path)));
      return paths.filter((_, index) => (facts[index]?.mode ?? 0) & 0o077);
    };
    expect(await openOnes()).toEqual([]);
    for (const path of paths) await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644);

    const second = await start({ dataDir });
    expect(await openOnes()).toEqual([]);
    expect(second.key).toBe(first.key);
    expect((await send(second, '/wallet/self/api-credit')).json).toEqual(json);
  });

  test('a folder serves one service at a time, and the other says why it cannot start', async () => {
    const dataDir = await makeFolder();
    await start({ dataDir });
    await expect(startVoiceService({ dataDir, engines })).rejects.toThrow(/Another voice service is using/);
  });

  test('a port that is taken is said, and the folder is free again', async () => {
    const dataDir = await makeFolder();
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(startVoiceService({ dataDir, engines, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await start({ dataDir });
  });

  test('closing ends what is under way, gives back what was held for it, and may be asked for twice', async () => {
    const dataDir = await makeFolder();
    const { held, reached } = speakingUntil(0, 'waits');
    const first = await startVoiceService({ dataDir, engines: held });
    const { answer } = openSpeech({ ...first, dataDir } as TestVoiceService, { text: TEXT });
    await reached;
    await Promise.all([first.close(), first.close()]);
    await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await spent(await start({ dataDir }))).toBe(0n);
  });

  test('closing while the engines still load is no failure of theirs, and what is one is logged', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const dataDir = await makeFolder();
    const soonClosed = await startVoiceService({ dataDir, log, warm: true });
    await soonClosed.close();
    expect(lines).toEqual([]);

    const broken = { ...engines, warmUp: () => Promise.reject(new EngineError('crashed', 'The engine could not be loaded.')) };
    await start({ engines: broken, log, warm: true });
    await vi.waitFor(() => expect(lines.join('')).toContain('an engine did not load'));
  });

  test('nothing of keys, texts and titles is in the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const { held } = speakingUntil(0, 'fails');
    const service = await start({ engines: held, log });
    await sendJson(service, '/v1/tts', { text: 'Something private.' });
    await send(service, '/model?title=private-title');
    await send(service, '/model', { key: 'a-wrong-key' });
    await vi.waitFor(() => expect(lines.filter((line) => line.includes('answered')).length).toBe(3));
    for (const secret of [service.key, 'Something private', 'private-title', 'a-wrong-key']) expect(lines.join('')).not.toContain(secret);
    expect(lines.some((line) => JSON.parse(line).level >= 50)).toBe(true);
  });
});
