// Forms with wrong boundaries, headers, parts and lengths, for the voice service and the local Discord's REST API.

import { connect } from 'node:net';
import { asrResult } from '../../../src/api/schemas.ts';
import { anyText } from '../../helpers/arbitrary-text.ts';
import { below, pick, type Random, randomBytes } from '../../helpers/random.ts';
import { ask, classifyAnswer } from '../answers.ts';
import { originalOf } from '../decoder.ts';
import { sample } from '../distort.ts';
import { BOUNDARY, encodeForm, type Part } from '../forms.ts';
import { mutate } from '../mutations.ts';
import { askDiscord } from '../rest.ts';
import type { OpenTarget } from '../target.ts';

const PIECES = [
  ...[`--${BOUNDARY}`, `--${BOUNDARY}--`, '\r\n', '\r\n', '\r\n\r\n', '\n\n', '--', '\0', 'x', "; filename*=utf-8''%ff"],
  ...['Content-Disposition: form-data; name="audio"; filename="a"', 'Content-Disposition: form-data; name="payload_json"'],
  ...[
    'Content-Disposition: form-data; name="language"',
    'Content-Disposition: form-data; name="__proto__"',
    'Content-Disposition: form-data',
  ],
  ...['Content-Transfer-Encoding: base64', 'Content-Type: multipart/form-data; boundary=b', `X: ${'y'.repeat(20_000)}`],
];
const TYPES = [
  ...Array<string>(6).fill(`multipart/form-data; boundary=${BOUNDARY}`),
  ...['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=""', 'multipart/mixed; boundary=a-boundary'],
  ...[`multipart/form-data; boundary=${'b'.repeat(5_000)}`, `multipart/form-data; boundary=${BOUNDARY}; boundary=b`],
];
/** For a request whose body ends before it should. */
const SILENCE_MS = 1_000;

export const openMultipart: OpenTarget = async ({ service, key, empty }) => ({
  async attack(random) {
    const headers = { 'content-type': pick(TYPES, random) };
    const body = bodyOf(random);
    const way = random();
    if (way < 0.2)
      return askDiscord(empty, 'POST', `/channels/${empty.channelId('general', pick(empty.guildIds, random))}/messages`, headers, body);
    if (way < 0.25) return breakOff(service.url, key, body, random);
    const sent = way < 0.4 ? inChunks(body, 1 + below(3_000, random)) : body;
    const answer = await ask(service, '/v1/asr', { key, headers, body: sent });
    return classifyAnswer(answer, ({ json }) => asrResult.safeParse(json).success);
  },
});

function bodyOf(random: Random): Buffer<ArrayBuffer> {
  const kind = random();
  if (kind < 0.35) return Buffer.from(mutate(encodeForm(partsOf(random)), random));
  if (kind < 0.5) return encodeForm(partsOf(random));
  if (kind < 0.9) return Buffer.concat(Array.from({ length: below(30, random) }, () => Buffer.from(pick(PIECES, random))));
  return randomBytes(below(2_000, random), random);
}

function partsOf(random: Random): Part[] {
  const audio: Part = { name: 'audio', filename: 'a.mp3', value: originalOf('mp3') };
  const others = Array.from(
    { length: below(random() < 0.1 ? 500 : 4, random) },
    (): Part => ({
      name: pick(['audio', 'language', 'ignore_timestamps', 'payload_json', 'files[0]', '__proto__', sample(anyText, random)], random),
      ...(random() < 0.3 ? { filename: sample(anyText, random) } : {}),
      value: sample(anyText, random),
    }),
  );
  return random() < 0.7 ? [...others, audio] : others;
}

async function* inChunks(body: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

/** Announces more data than it sends, and hangs up. */
async function breakOff(url: string, key: string, body: Buffer, random: Random): Promise<string> {
  const head = `POST /v1/asr HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}`;
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  socket.write(`${head}\r\nContent-Length: ${body.length + 1 + below(100_000, random)}\r\n\r\n`);
  if (random() < 0.5) {
    socket.write(body, () => socket.destroy());
    await new Promise((resolve) => socket.once('close', resolve));
    return 'broken off';
  }
  socket.end(body);
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  const said = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>).catch(() => [])).toString();
  if (said !== '' && !/^HTTP\/1\.1 4\d\d /.test(said)) throw new Error(`half a form was answered with ${said.slice(0, 200)}`);
  return 'broken off';
}
