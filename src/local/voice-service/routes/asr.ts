// POST /v1/asr: an audio file in, its words out, paid by the second.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createByteCollector } from '../../../api/byte-collector.ts';
import { type AsrFields, type AsrResult, asrFields, asrRequest } from '../../../api/schemas.ts';
import { callOf } from '../auth.ts';
import type { Engines } from '../engines/index.ts';
import { check, Refusal, refuse, refuseField } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import { formatCredit, priceOfTranscription } from '../money.ts';
import { asObject, cutOff, mediaType, parseMsgpack, readBody, refuseEncoding, refuseMediaType, tooLarge } from '../request-body.ts';
import type { Hold, Wallet } from '../wallet.ts';

interface Upload {
  audio: Uint8Array;
  fields: AsrFields;
}

/** What surrounds the audio in its body: part headers, names, the other fields. */
const ENVELOPE = 64 * 1024;

/**
 * The price of the length that was decoded is held before anything is recognised: what the file says of its own length counts for nothing.
 * A client that leaves before its answer pays nothing, for then the work is stopped.
 */
export function transcriptionRoute(
  app: FastifyInstance,
  { wallet, engines, limits }: { wallet: Wallet; engines: Engines; limits: Limits },
): void {
  app.post('/v1/asr', async (request): Promise<AsrResult> => {
    const { userId, signal } = callOf(request);
    if (wallet.balance(userId) === 0n) throw refuse(402, 'The credit is used up, and transcribing costs credit by the second. Add credit.');
    const { audio, fields } = await readUpload(request, limits);
    refuseLanguage(fields.language);
    if (audio.length === 0) throw refuseField('body', ['audio'], 'too_small', 'The audio file is empty.');

    let hold = null as Hold | null;
    const onDecoded = (seconds: number) => {
      const price = priceOfTranscription(seconds);
      hold = wallet.hold(userId, price);
      if (hold) return;
      const left = formatCredit(wallet.balance(userId));
      throw refuse(402, `The credit does not suffice: this audio costs ${formatCredit(price)}, and ${left} is left. Add credit.`);
    };
    try {
      const { text, duration, segments } = await engines.transcribe({ audio, timestamps: !fields.ignore_timestamps, signal, onDecoded });
      if (hold && !signal.aborted) wallet.settle(hold, priceOfTranscription(duration));
      return { text, duration, segments };
    } finally {
      // Ended already if it was settled.
      if (hold) wallet.giveBack(hold);
    }
  });
}

async function readUpload(request: FastifyRequest, limits: Limits): Promise<Upload> {
  const type = mediaType(request);
  if (type === 'multipart/form-data') return readMultipart(request, limits);
  if (type !== 'application/msgpack') return refuseMediaType(type, 'multipart/form-data or application/msgpack');
  const { audio, ...fields } = check(asrRequest, asObject(parseMsgpack(await readBody(request, limits.audio + ENVELOPE))), 'body');
  if (audio.length > limits.audio) throw tooLarge(limits.audio);
  return { audio, fields };
}

async function readMultipart(request: FastifyRequest, limits: Limits): Promise<Upload> {
  refuseEncoding(request);
  if (Number(request.headers['content-length']) > limits.audio + ENVELOPE) throw tooLarge(limits.audio);
  let audio: Uint8Array | undefined;
  const texts: Record<string, unknown> = {};
  const readParts = async () => {
    for await (const part of request.parts({ limits: { fileSize: limits.audio, fieldSize: 4096, fields: 50, files: 5 } })) {
      if (part.type === 'field') texts[part.fieldname] = part.value;
      else if (part.fieldname === 'audio' && !audio) audio = await readFile(part.file, limits.audio);
      else part.file.resume();
    }
  };
  try {
    await Promise.race([readParts(), refuseBeyond(request, limits.audio + ENVELOPE, limits.audio)]);
  } catch (error) {
    throw multipartRefusal(error, request, limits);
  }
  const fields = check(asrFields, texts, 'body');
  if (audio) return { audio, fields };
  if ('audio' in texts) throw refuseField('body', ['audio'], 'invalid_type', 'Must be a file: give the part a filename.');
  throw refuseField('body', ['audio'], 'missing', 'Field required');
}

async function readFile(file: AsyncIterable<Uint8Array> & { truncated: boolean }, limit: number): Promise<Uint8Array> {
  const audio = createByteCollector(limit);
  // The parser hands over no more than the limit, and says then that there was more.
  for await (const chunk of file) audio.add(chunk);
  if (file.truncated) throw tooLarge(limit);
  return audio.bytes();
}

/**
 * Counts all that comes, also what belongs to no part: the limits of the parser are for each part, and a body sent in chunks
 * says no length. Rejects with a Refusal 413 above `most` bytes, and otherwise never settles.
 */
function refuseBeyond({ raw }: FastifyRequest, most: number, named: number): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  let bytes = 0;
  const count = (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= most) return;
    raw.off('data', count).unpipe();
    reject(tooLarge(named));
  };
  raw.on('data', count);
  return promise;
}

function multipartRefusal(error: unknown, request: FastifyRequest, limits: Limits): Refusal {
  if (error instanceof Refusal) return error;
  const { code } = error as { code?: string };
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(limits.audio);
  if (code?.startsWith('FST_') && code.endsWith('_LIMIT'))
    return refuse(413, 'The form has too many parts: send audio, language and ignore_timestamps.');
  if (request.raw.destroyed && !request.raw.complete) return cutOff();
  return refuse(400, 'The body is not a well-formed multipart form, or was cut off.');
}

/** The recogniser knows one language; words of another would come out as nonsense. */
function refuseLanguage(language: string | null): void {
  if (language === null || /^en([-_].*)?$/i.test(language.trim())) return;
  throw refuseField('body', ['language'], 'not_supported', 'This service understands English alone: send en, or no language.', 'one of en');
}
