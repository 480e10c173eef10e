// Whatever is sent to the local voice service, it responds in the spec's shapes and keeps working.
import { connect } from 'node:net';
import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { asrResult, generalError, modelList, speechFormats, validationErrors } from '../../src/api/schemas.ts';
import { anyCharacter } from '../helpers/arbitrary-text.ts';
import { type RawResponse, send, sendForm, sendJson, startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { QUERY_NAMES } from './targets/json.ts';

let service: TestVoiceService;

beforeAll(async () => {
  service = await startTestVoiceService({ keys: [{ key: 'the-key', credit: '1000000' }] });
});
afterAll(() => service.close());
afterEach(async () => {
  expect((await send(service, '/model')).status).toBe(200);
});

/** A refusal in one of the spec's two shapes; never a failure of the service. */
function mustBeRefusal(answer: RawResponse): void {
  expect(answer.status, answer.bytes.toString()).toBeGreaterThanOrEqual(400);
  expect(answer.status, answer.bytes.toString()).toBeLessThan(500);
  if (answer.status === 422) expect(validationErrors.parse(answer.json).length).toBeGreaterThan(0);
  else expect(generalError.parse(answer.json).status).toBe(answer.status);
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.lorem({ maxCount: 6 }),
);

test('any string as text is spoken or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.constantFrom(...speechFormats), async (text, format) => {
      const answer = await sendJson(service, '/v1/tts', { text, format, sample_rate: 16_000 });
      if (answer.status !== 200) return mustBeRefusal(answer);
      expect(answer.headers['content-type']).toMatch(/^(audio\/|application\/octet-stream)/);
      expect(answer.bytes.length).toBeGreaterThan(256);
    }),
    { numRuns: 40 },
  );
});

test('any value in any field is accepted or rejected', async () => {
  const fields = [
    'reference_id',
    'format',
    'sample_rate',
    'mp3_bitrate',
    'opus_bitrate',
    'prosody',
    'references',
    'latency',
    '__proto__',
    'other',
  ];
  const body = fc.dictionary(
    fc.constantFrom(...fields),
    fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.integer(), fc.constantFrom(...speechFormats)),
  );
  await fc.assert(
    fc.asyncProperty(body, fc.boolean(), async (given, packed) => {
      const whole = { ...given, text: 'Hi.' };
      const answer = packed
        ? await send(service, '/v1/tts', { headers: { 'content-type': 'application/msgpack' }, body: encode(whole) })
        : await sendJson(service, '/v1/tts', whole);
      if (answer.status !== 200) mustBeRefusal(answer);
    }),
    { numRuns: 60 },
  );
});

test.each(['application/json', 'application/msgpack'])('any bytes as a body of %s are rejected', async (type) => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (body) => {
      mustBeRefusal(await send(service, '/v1/tts', { headers: { 'content-type': type }, body }));
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['a map of four thousand million entries', [0xdf, 0xff, 0xff, 0xff, 0xff]],
  ['an array of four thousand million entries', [0xdd, 0xff, 0xff, 0xff, 0xff]],
  ['a string of four gigabytes', [0x81, 0xa4, 0x74, 0x65, 0x78, 0x74, 0xdb, 0xff, 0xff, 0xff, 0xff]],
  ['arrays in arrays, a hundred thousand deep', Array.from({ length: 100_000 }, () => 0x91)],
])('msgpack that claims %s is refused', async (_what, bytes) => {
  const body = Uint8Array.from(bytes);
  for (const path of ['/v1/tts', '/v1/asr']) {
    mustBeRefusal(await send(service, path, { headers: { 'content-type': 'application/msgpack' }, body }));
  }
});

test('JSON a hundred thousand levels deep is rejected', async () => {
  const body = `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  mustBeRefusal(await send(service, '/v1/tts', { headers: { 'content-type': 'application/json' }, body }));
});

test('twenty megabytes of nested arrays, and of empty maps, are rejected without using much memory', async () => {
  const bytes = 20 * 1024 * 1024;
  const maps = Buffer.alloc(bytes, 0x80);
  maps[0] = 0xdd;
  maps.writeUInt32BE(bytes - 5, 1);
  for (const body of [Buffer.alloc(bytes, 0x91), maps]) {
    const before = process.memoryUsage().heapUsed;
    mustBeRefusal(await send(service, '/v1/asr', { headers: { 'content-type': 'application/msgpack' }, body }));
    expect((process.memoryUsage().heapUsed - before) / bytes).toBeLessThan(5);
  }
});

test('arrays whose headers claim more and more elements are rejected', async () => {
  const body = Buffer.alloc(256 * 1024);
  for (let at = 0; at + 5 <= body.length; at += 5) {
    body[at] = 0xdd;
    body.writeUInt32BE(262_080, at + 1);
  }
  mustBeRefusal(await send(service, '/v1/tts', { headers: { 'content-type': 'application/msgpack' }, body }));
});

test('ten thousand wrong values are rejected in a few kilobytes', async () => {
  const references = Array.from({ length: 9_000 }, () => 1);
  const long = 'x'.repeat(200_000);
  const refusals = [
    await sendJson(service, '/v1/tts', { text: 'Hi.', references }),
    await sendJson(service, '/v1/tts', { text: 'Hi.', references: Array.from({ length: 3_000 }, () => ({ audio: 1, text: 2 })) }),
    await sendJson(service, '/v1/tts', { text: 'Hi.', reference_id: long }),
    await sendJson(service, '/v1/tts', { text: 'Hi.', format: long }),
  ];
  for (const refusal of refusals) {
    mustBeRefusal(refusal);
    expect(refusal.bytes.length).toBeLessThan(5_000);
  }
});

test('any bytes as audio are transcribed or rejected, whatever format they claim', async () => {
  const beginnings = [
    '',
    'RIFF\x24\0\0\0WAVEfmt ',
    'ID3\x04\0\0\0\0\0\0',
    '\xff\xfb\x90\0',
    'OggS\0\x02',
    'fLaC\0\0\0\x22',
    '\x1aE\xdf\xa3',
    '\0\0\0\x18ftypM4A ',
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 3000 }), fc.boolean(), async (beginning, rest, packed) => {
      const audio = Buffer.concat([Buffer.from(beginning, 'latin1'), rest]);
      const answer = packed
        ? await send(service, '/v1/asr', {
            headers: { 'content-type': 'application/msgpack' },
            body: encode({ audio: new Uint8Array(audio) }),
          })
        : await sendForm(service, '/v1/asr', { audio });
      if (answer.status === 200) asrResult.parse(answer.json);
      else mustBeRefusal(answer);
    }),
    { numRuns: 16 },
  );
});

test('any bytes as a form are rejected', async () => {
  const pieces = fc.constantFrom(
    '--b',
    '\r\n',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="audio"; filename="a"',
    'Content-Disposition: form-data; name="language"',
    '--',
    'x',
    '\0',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.array(pieces, { maxLength: 12 }).map((all) => Buffer.from(all.join(''))),
        fc.uint8Array({ maxLength: 200 }),
      ),
      async (body) => {
        mustBeRefusal(await send(service, '/v1/asr', { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body }));
      },
    ),
    { numRuns: 50 },
  );
});

test.each([
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  'MULTIPART/FORM-DATA; boundary=b; boundary=c',
])('a form of type "%s" without a readable boundary is rejected', async (type) => {
  mustBeRefusal(await send(service, '/v1/asr', { headers: { 'content-type': type }, body: '--b\r\n\r\nx' }));
});

test('any query string returns a list or is rejected', async () => {
  const names = [...QUERY_NAMES, 'x'];
  const values = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 12 }),
    fc.constantFrom('', 'null', '0', '1', '-1', '1e9', 'true', 'score', 'en,de', '%', '%zz'),
  );
  const query = fc.oneof(
    fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 6 }).map((pairs) => new URLSearchParams(pairs).toString()),
    fc.stringMatching(/^[!-~]{0,40}$/).map((text) => text.replaceAll('#', '')),
  );
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      const answer = await send(service, `/model?${text}`);
      if (answer.status === 200) modelList.parse(answer.json);
      else mustBeRefusal(answer);
    }),
    { numRuns: 80 },
  );
});

test('any path gets a response in the documented shape', async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[!-~]{0,40}$/), async (path) => {
      const answer = await send(service, `/${path.replaceAll('#', '')}`);
      if (answer.status !== 200) mustBeRefusal(answer);
    }),
    { numRuns: 50 },
  );
});

test('any bytes on the socket are answered or dropped', async () => {
  const { port } = new URL(service.url);
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 100 }),
    fc.constantFrom('GET', 'POST /v1/tts HTTP/1.1\r\nContent-Length: -1\r\n\r\n', 'GET / HTTP/9\r\n\r\n').map(Buffer.from),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (sent) => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      socket.end(sent);
      const answer = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>).catch(() => [])).toString();
      if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    }),
    { numRuns: 60 },
  );
});
