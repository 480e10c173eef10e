// Uploading audio: encoding, back-pressure, and how the caller's stream ends.
import { Readable } from 'node:stream';
import { decode } from '@msgpack/msgpack';
import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/api/index.ts';
import {
  answer,
  answerJson,
  type Behaviour,
  beforeTheBody,
  connect,
  type MisbehavingService,
  openMisbehavingService,
  reset,
  type SeenRequest,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';

async function startWith(...behaviours: [Behaviour, ...Behaviour[]]): Promise<{ api: Api; service: MisbehavingService }> {
  const service = await openMisbehavingService(...behaviours);
  return { api: connect(service.url), service };
}

const result = { text: 'one two', duration: 2, segments: [{ text: 'one two', start: 0.5, end: 1.75 }] };
const done = answerJson(200, result);
const audio = Buffer.from('RIFF\r\n--\0 not a boundary');

/** The form as parsed by another implementation. */
const readForm = (request: SeenRequest): Promise<FormData> =>
  new Response(new Uint8Array(request.body), { headers: { 'content-type': String(request.headers['content-type']) } }).formData();

async function* pieces(count: number, size: number, onPull: () => void = () => {}): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(size, 7);
  for (let at = 0; at < count; at += 1) {
    onPull();
    yield piece;
  }
}

describe('multipart', () => {
  test('has the file, the language and the word false, and the response is read into segments', async () => {
    const { api, service } = await startWith(done);
    const transcript = await api.transcribe({ audio, filename: 'a "b"\n ü.wav', contentType: 'audio/wav', language: 'en' });
    expect(transcript).toEqual(result);
    const request = await service.request(1);
    expect(request.headers['content-length']).toBe(String(request.body.length));
    const form = await readForm(request);
    expect([...form.keys()]).toEqual(['language', 'ignore_timestamps', 'audio']);
    expect(form.get('language')).toBe('en');
    expect(form.get('ignore_timestamps')).toBe('false');
    const file = form.get('audio') as File;
    expect(file).toMatchObject({ name: 'a "b"  ü.wav', type: 'audio/wav' });
    expect(Buffer.from(await file.arrayBuffer()).equals(audio)).toBe(true);
  });

  test('omits an unset language, and sends true if timestamps are unwanted', async () => {
    const { api, service } = await startWith(done);
    await api.transcribe({ audio, language: null, ignoreTimestamps: true });
    const form = await readForm(await service.request(1));
    expect([...form.keys()]).toEqual(['ignore_timestamps', 'audio']);
    expect(form.get('ignore_timestamps')).toBe('true');
  });

  test.each([
    ['pt-BR', 'pt'],
    ['EN_us', 'en'],
    ['zh-Hant-TW', 'zh'],
    ['eng', 'en'],
    ['tl', 'tl'],
    ['iw', 'he'],
    ['haw', null],
    ['English', null],
    ['a: b\r\n', null],
    ['', null],
  ])('sends the language %j as %j', async (language, sent) => {
    const { api, service } = await startWith(done);
    await api.transcribe({ audio, language });
    expect((await readForm(await service.request(1))).get('language')).toBe(sent);
    await api.transcribe({ audio, language, encoding: 'msgpack' });
    expect(decode((await service.request(2)).body)).toMatchObject({ language: sent });
  });

  test.each<[string, () => AsyncIterable<Uint8Array>]>([
    ['a generator', () => pieces(3, 1000)],
    ['a Node stream', () => Readable.from(pieces(3, 1000))],
    ['a web stream', () => new Blob([Buffer.alloc(3000, 7)]).stream()],
  ])('carries %s whole', async (_, source) => {
    const { api, service } = await startWith(done);
    await api.transcribe({ audio: source() });
    const file = (await readForm(await service.request(1))).get('audio') as File;
    expect(Buffer.from(await file.arrayBuffer()).equals(Buffer.alloc(3000, 7))).toBe(true);
  });

  test('an empty file is left for the service to judge', async () => {
    const { api, service } = await startWith(answerJson(422, [{ loc: ['body', 'audio'], type: 'empty', msg: 'no audio', in: 'body' }]));
    await expect(api.transcribe({ audio: new Uint8Array() })).rejects.toMatchObject({ kind: 'validation', status: 422 });
    expect(((await readForm(await service.request(1))).get('audio') as File).size).toBe(0);
  });
});

describe('msgpack', () => {
  test('is a map with the bytes, and nil for unset fields', async () => {
    const { api, service } = await startWith(done);
    expect(await api.transcribe({ audio, encoding: 'msgpack' })).toEqual(result);
    await api.transcribe({ audio, encoding: 'msgpack', language: 'nl', ignoreTimestamps: true });
    const [first, second] = service.requests;
    expect(first?.headers['content-type']).toBe('application/msgpack');
    expect(decode(first?.body ?? [])).toEqual({ audio, language: null, ignore_timestamps: false });
    expect(decode(second?.body ?? [])).toEqual({ audio, language: 'nl', ignore_timestamps: true });
  });

  test('requires bytes: a stream of unknown size is refused before anything is sent, and is ended', async () => {
    const { api, service } = await startWith(done);
    const source = Readable.from(pieces(3, 1000));
    await expect(api.transcribe({ audio: source, encoding: 'msgpack' })).rejects.toMatchObject({ kind: 'validation' });
    expect(source.destroyed).toBe(true);
    expect(service.requests).toHaveLength(0);
  });
});

describe('a stream whose size is known', () => {
  const file = Buffer.alloc(3000, 7);

  test.each<[string, () => AsyncIterable<Uint8Array>]>([
    ['a generator', () => pieces(3, 1000)],
    ['a Node stream', () => Readable.from(pieces(3, 1000))],
    ['a web stream', () => new Blob([file]).stream()],
  ])('%s is sent with the length of the whole request, not in chunks', async (_, source) => {
    const { api, service } = await startWith(done);
    expect(await api.transcribe({ audio: source(), size: 3000, language: 'en', filename: 'ü.wav' })).toEqual(result);
    const request = await service.request(1);
    expect(request.headers['content-length']).toBe(String(request.body.length));
    expect(request.headers['transfer-encoding']).toBeUndefined();
    const form = await readForm(request);
    expect([...form.keys()]).toEqual(['language', 'ignore_timestamps', 'audio']);
    expect(Buffer.from(await (form.get('audio') as File).arrayBuffer()).equals(file)).toBe(true);
  });

  test('may also be sent as msgpack', async () => {
    const { api, service } = await startWith(done);
    await api.transcribe({ audio: pieces(3, 1000), size: 3000, encoding: 'msgpack' });
    const request = await service.request(1);
    expect(request.headers['content-length']).toBe(String(request.body.length));
    expect(decode(request.body)).toEqual({ audio: file, language: null, ignore_timestamps: false });
  });

  test.each<[string, () => AsyncIterable<Uint8Array>, string]>([
    ['ends early', () => pieces(2, 1000), 'ended after 2000 of 3000 bytes'],
    ['ends before its first byte', () => pieces(0, 1000), 'ended after 0 of 3000 bytes'],
    ['goes on', () => pieces(4, 1000), 'longer than the 3000 bytes'],
    ['never ends', () => pieces(Number.POSITIVE_INFINITY, 1000), 'longer than the 3000 bytes'],
    ['breaks off', () => Readable.from(brokenAfter(2)), 'could not be read to its end'],
    ['ends early as msgpack', () => pieces(2, 1000), 'ended after 2000 of 3000 bytes'],
  ])('and that %s ends the call, and the service has no whole request', async (name, source, what) => {
    const arrived = Promise.withResolvers<{ isComplete: boolean; bytes: number; announced: number }>();
    const count = beforeTheBody((request) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on('error', () => {});
      request.on('close', () =>
        arrived.resolve({ isComplete: request.complete, bytes, announced: Number(request.headers['content-length']) }),
      );
    });
    const { api, service } = await startWith(count);
    const encoding = name.endsWith('msgpack') ? 'msgpack' : 'multipart';
    const call = api.transcribe({ audio: source(), size: 3000, encoding });
    await expect(call).rejects.toMatchObject({ kind: 'aborted', message: expect.stringContaining(what) });
    const { isComplete, bytes, announced } = await arrived.promise;
    expect(isComplete).toBe(false);
    expect(bytes).toBeLessThan(announced);
    expect(service.requests).toHaveLength(1);
  });

  async function* brokenAfter(count: number): AsyncGenerator<Uint8Array> {
    yield* pieces(count, 1000);
    throw new Error('the budget is used up');
  }
});

describe('a stream of 64 MB', () => {
  const size = 64 * 1024;
  const count = 1024;

  test('is never read far ahead of the service', async () => {
    let pulled = 0;
    let received = 0;
    let ahead = 0;
    const count20 = beforeTheBody((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      request.on('end', () => done(request, response));
    });
    const { api } = await startWith(count20);
    const source = pieces(count, size, () => {
      pulled += size;
      ahead = Math.max(ahead, pulled - received);
    });
    await api.transcribe({ audio: source });
    expect(received).toBeGreaterThan(count * size);
    expect(ahead).toBeLessThan(16 * 1024 * 1024);
  });

  test('is not read while the service accepts nothing', async () => {
    let pulled = 0;
    const { api, service } = await startWith(
      beforeTheBody((request) => request.pause()),
      answerJson(200, { total: 0, items: [] }),
    );
    const caller = new AbortController();
    const source = pieces(count, size, () => {
      pulled += size;
    });
    const failure = expect(api.transcribe({ audio: source }, { signal: caller.signal })).rejects.toMatchObject({ kind: 'aborted' });
    await service.request(1);
    // Round trips on another connection: the upload has every chance to go on.
    for (let call = 0; call < 200; call += 1) await api.listModels();
    expect(pulled).toBeLessThan(32 * 1024 * 1024);
    caller.abort();
    await failure;
  });
});

describe('a stream that cannot be read twice', () => {
  test('is not sent again once started', async () => {
    const { api, service } = await startWith(reset, done);
    await expect(api.transcribe({ audio: pieces(3, 1000) })).rejects.toMatchObject({ kind: 'server', retryable: true });
    expect(service.requests).toHaveLength(1);
  });

  test('is sent by the next attempt if the service was unreachable before it started', async () => {
    const refusing = await startMisbehavingService(done);
    await refusing.close();
    let tries = 0;
    const api = connect(refusing.url, {
      sleep: async () => {
        tries += 1;
      },
    });
    await expect(api.transcribe({ audio: pieces(3, 1000) })).rejects.toMatchObject({ kind: 'server' });
    expect(tries).toBe(2);
  });

  test('bytes are sent again after a retryable refusal', async () => {
    const { api, service } = await startWith(answer(503, ''), answer(429, ''), done);
    expect(await api.transcribe({ audio })).toEqual(result);
    expect(service.requests).toHaveLength(3);
  });
});

describe("the caller's stream", () => {
  test('fails: the call ends with its error as the cause', async () => {
    const broken = new Error('the attachment is gone');
    const { api } = await startWith(done);
    async function* source() {
      yield Buffer.alloc(1000);
      throw broken;
    }
    await expect(api.transcribe({ audio: source() })).rejects.toMatchObject({ kind: 'aborted', cause: broken });
  });

  test('is refused half-way: the error is the refusal, not the broken upload, and the stream is ended', async () => {
    let ended = () => {};
    const streamEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(64 * 1024);
      } finally {
        ended();
      }
    }
    const tooLarge = beforeTheBody((_, response) => {
      response.writeHead(413, { connection: 'close' }).end(JSON.stringify({ status: 413, message: 'at most 20 MB' }));
    });
    const { api } = await startWith(tooLarge);
    await expect(api.transcribe({ audio: endless() })).rejects.toMatchObject({ kind: 'validation', status: 413 });
    await streamEnded;
  });

  test('never yields anything: an abort ends it and the call', async () => {
    const source = new Readable({ read() {} });
    const { api, service } = await startWith(beforeTheBody(() => {}));
    const caller = new AbortController();
    const failure = expect(api.transcribe({ audio: source }, { signal: caller.signal })).rejects.toMatchObject({ kind: 'aborted' });
    await service.request(1);
    caller.abort();
    await failure;
    expect(source.destroyed).toBe(true);
  });

  test('is ended if the call is aborted before it starts', async () => {
    const source = Readable.from(pieces(3, 1000));
    const { api, service } = await startWith(done);
    await expect(api.transcribe({ audio: source }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'aborted' });
    expect(source.destroyed).toBe(true);
    expect(service.requests).toHaveLength(0);
  });
});
