// How large a body the local voice service accepts, however it is sent.
import { encode } from '@msgpack/msgpack';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import type { Engines } from '../../src/local/voice-service/engines/index.ts';
import { recordTones } from '../helpers/tones.ts';
import { send, sendForm, sendJson, startTestVoiceService, type TestVoiceService, toneEngines } from '../helpers/voice-service.ts';

const MEGABYTE = 1024 * 1024;

let service: TestVoiceService;
beforeAll(async () => {
  service = await startTestVoiceService();
});
afterAll(() => service.close());

/** So many zeros between `head` and `tail`, in chunks. */
async function* chunks(bytes: number, head = '', tail = ''): AsyncGenerator<Uint8Array> {
  yield Buffer.from(head);
  for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
  yield Buffer.from(tail);
}

async function* inChunks(...parts: Buffer[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) for (let at = 0; at < part.length; at += 65_536) yield part.subarray(at, at + 65_536);
}

const form = {
  headers: { 'content-type': 'multipart/form-data; boundary=frontier' },
  head: '--frontier\r\nContent-Disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n',
  tail: '\r\n--frontier--\r\n',
};

test('a text-to-speech body of 300 KB is a 413, with a length and in chunks', async () => {
  const headers = { 'content-type': 'application/json' };
  const tooLarge = { status: 413, message: expect.stringContaining('256 KB') };
  expect((await send(service, '/v1/tts', { headers, body: Buffer.alloc(300 * 1024, ' ') })).json).toEqual(tooLarge);
  expect((await send(service, '/v1/tts', { headers, body: chunks(300 * 1024) })).json).toEqual(tooLarge);
});

test('20,001 characters of text are a 422', async () => {
  const { json } = await sendJson(service, '/v1/tts', { text: 'a'.repeat(20_001) });
  expect(json).toMatchObject([{ loc: ['text'], type: 'too_big', ctx: 'maximum 20000', in: 'body' }]);
});

test.each(['/v1/asr', '/model'])('a part without a name in a form to %s is a 400', async (path) => {
  const body = Buffer.from(`--frontier\r\nContent-Disposition: form-data\r\n\r\na${form.tail}`);
  expect((await send(service, path, { headers: form.headers, body })).json).toEqual({
    status: 400,
    message: 'A part of the form has no name.',
  });
});

test('20 MB of audio are read, with a length and in chunks', async () => {
  // That they are no recording is seen once all of them are there, and faster than they would be transcribed.
  const zeros = Buffer.alloc(20 * MEGABYTE);
  const body = inChunks(Buffer.from(form.head), zeros, Buffer.from(form.tail));
  expect((await sendForm(service, '/v1/asr', { audio: zeros })).status).toBe(400);
  expect((await send(service, '/v1/asr', { headers: form.headers, body })).status).toBe(400);
});

test('a recording reaches the engines in pieces of 256 KB, however small the parts in which it comes', async () => {
  const pieces: number[] = [];
  const engines: Engines = {
    ...toneEngines(),
    transcribe(request) {
      if (!(request.audio instanceof Uint8Array)) pieces.push(...request.audio.map(({ length }) => length));
      return toneEngines().transcribe(request);
    },
  };
  await using other = await startTestVoiceService({ engines });
  const wav = Buffer.concat([recordTones('Hello there.'), Buffer.alloc(256 * 1024)]);
  const whole = Buffer.concat([Buffer.from(form.head), wav, Buffer.from(form.tail)]);
  async function* tiny(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 2_000; at++) yield whole.subarray(at, at + 1);
    yield whole.subarray(2_000);
  }
  const { json } = await send(other, '/v1/asr', { headers: form.headers, body: tiny() });
  expect(json).toMatchObject({ text: 'Hello there.' });
  expect(pieces.slice(0, -1).every((length) => length === 256 * 1024)).toBe(true);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(wav.length);
});

test('more than 20 MB of audio are a 413, in a form and in msgpack, with a length and in chunks', async () => {
  const bytes = 20 * MEGABYTE + 1;
  const tooLarge = { status: 413, message: expect.stringContaining('20 MB') };
  const msgpack = { 'content-type': 'application/msgpack' };
  // {audio: bin of so many bytes}
  const head = Buffer.concat([Buffer.from([0x81, 0xa5]), Buffer.from('audio'), Buffer.from([0xc6, 0x01, 0x40, 0x00, 0x01])]);
  expect((await sendForm(service, '/v1/asr', { audio: Buffer.alloc(bytes) })).json).toEqual(tooLarge);
  expect((await send(service, '/v1/asr', { headers: form.headers, body: chunks(bytes, form.head, form.tail) })).json).toEqual(tooLarge);
  expect((await send(service, '/v1/asr', { headers: msgpack, body: Buffer.concat([head, Buffer.alloc(bytes)]) })).json).toEqual(tooLarge);
  expect((await send(service, '/v1/asr', { headers: msgpack, body: chunks(bytes + 65_536) })).json).toEqual(tooLarge);
});

test('recordings to imitate, of any size, are refused as what they are', async () => {
  const headers = { 'content-type': 'application/msgpack' };
  for (const size of [1_000, MEGABYTE]) {
    const body = encode({ text: 'Hello there.', references: [{ audio: new Uint8Array(size), text: 'Hi.' }] });
    const { status, bytes } = await send(service, '/v1/tts', { headers, body });
    expect([status, bytes.toString()]).toEqual([size < MEGABYTE ? 422 : 413, expect.stringContaining('cannot imitate recordings')]);
  }
});

test.each([
  ['in other files', form.head.replace('"audio"', '"other"'), ''],
  ['before the first part', '', `\r\n${form.head}x${form.tail}`],
  ['after the last part', `${form.head}x${form.tail}`, ''],
])('a form with 21 MB in chunks %s is a 413', async (_, head, tail) => {
  const { json } = await send(service, '/v1/asr', { headers: form.headers, body: chunks(21 * MEGABYTE, head, tail) });
  expect(json).toEqual({ status: 413, message: expect.stringContaining('20 MB') });
});

test('a form that changes a voice model is a 413 above 4 MB, too', async () => {
  const body = chunks(5 * MEGABYTE, '', `\r\n${form.head.replace('"audio"', '"title"')}x${form.tail}`);
  const { json } = await send(service, '/model/mine', { method: 'PATCH', headers: form.headers, body });
  expect(json).toEqual({ status: 413, message: expect.stringContaining('4 MB') });
});

test('a form in chunks is read no further than the limit, however many parts it has', async () => {
  const part = form.head.replace('"audio"', '"other"');
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 4; count += 1) yield* chunks(15 * MEGABYTE, count === 0 ? part : `\r\n${part}`);
    yield Buffer.from(form.tail);
  }
  const { json } = await send(service, '/v1/asr', { headers: form.headers, body: parts() });
  expect(json).toEqual({ status: 413, message: expect.stringContaining('20 MB') });
});

test('a compressed body is a 415', async () => {
  const { json } = await sendJson(service, '/v1/tts', { text: 'Hello.' }, { headers: { 'content-encoding': 'gzip' } });
  expect(json).toEqual({ status: 415, message: expect.stringContaining('uncompressed') });
});

test('the API client reports each of these with its kind and status', async () => {
  const api = createApi({ baseUrl: service.url, apiKey: service.key });
  await expect(api.transcribe({ audio: Buffer.alloc(20 * MEGABYTE + 1) })).rejects.toMatchObject({ kind: 'validation', status: 413 });
  await expect(api.speak({ text: 'a'.repeat(20_001) })).rejects.toMatchObject({ kind: 'validation', status: 422 });
  await api.close();
});
