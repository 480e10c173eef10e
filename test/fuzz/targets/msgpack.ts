// Bodies of msgpack: unexpected values, damaged ones, and lengths that exceed the bytes sent.

import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { asrResult } from '../../../src/api/schemas.ts';
import { below, pick, type Random, randomBytes } from '../../helpers/random.ts';
import { ask, classifyAnswer } from '../answers.ts';
import { originalOf } from '../decoder.ts';
import { distort, sample } from '../distort.ts';
import { mutate } from '../mutations.ts';
import type { OpenTarget } from '../target.ts';

/** Heads of arrays, maps, strings, bytes and extensions, with lengths of 8, 16 or 32 bits, and the short forms. */
const HEADS = [
  0x81, 0x8f, 0x91, 0x9f, 0xa1, 0xbf, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xd4, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf,
];
const LENGTHS = [0, 1, 15, 16, 255, 65_535, 262_080, 0x7fff_ffff, 0xffff_ffff];
/** Just under and over the service's limit for a text-to-speech body. */
const BOMB_BYTES = [10, 1_000, 100_000, 250_000, 300_000, 2_000_000];

export const openMsgpack: OpenTarget = async ({ service, key }) => ({
  async attack(random) {
    const path = pick(['/v1/tts', '/v1/asr'], random);
    const answer = await ask(service, path, { key, headers: { 'content-type': 'application/msgpack' }, body: bodyOf(path, random) });
    return classifyAnswer(answer, ({ bytes, json }) => (path === '/v1/asr' ? asrResult.safeParse(json).success : bytes.length > 0));
  },
});

function bodyOf(path: string, random: Random): Uint8Array {
  const valid =
    path === '/v1/tts'
      ? { text: 'Hi.', format: 'pcm', references: [{ audio: new Uint8Array(40), text: 'a' }] }
      : { audio: originalOf('mp3'), language: 'en' };
  const kind = random();
  if (kind < 0.25) return mutate(encode(valid), random);
  if (kind < 0.45) return encode({ ...valid, [pick(Object.keys(valid), random)]: sample(fc.jsonValue({ maxDepth: 3 }), random) });
  if (kind < 0.55) return encode(distort(JSON.parse(JSON.stringify(valid)), random));
  if (kind < 0.65) return randomBytes(below(300, random), random);
  if (kind < 0.8) return soup(random);
  return bomb(random);
}

/** Heads with lengths, one after another. */
function soup(random: Random): Buffer {
  return Buffer.concat(
    Array.from({ length: 1 + below(40, random) }, () => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(pick(LENGTHS, random));
      return Buffer.concat([Buffer.of(pick(HEADS, random)), length.subarray(below(5, random)), randomBytes(below(8, random), random)]);
    }),
  );
}

/** The same head many times, nested or side by side. */
function bomb(random: Random): Buffer {
  const size = pick(BOMB_BYTES, random);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(pick(LENGTHS, random));
  const unit =
    random() < 0.5 ? Buffer.of(pick(HEADS, random)) : Buffer.concat([Buffer.of(pick([0xdd, 0xdf, 0xdb, 0xc6, 0xc9], random)), length]);
  const body = Buffer.alloc(size, unit);
  // Side by side in one array.
  if (random() < 0.3 && size > 5) {
    body[0] = 0xdd;
    body.writeUInt32BE(pick([size - 5, 262_080], random), 1);
  }
  return body;
}
