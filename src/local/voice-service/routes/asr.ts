// POST /v1/asr: an audio file in, its words out, paid by the second.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AsrFields, asrRequest } from '../../../api/schemas.ts';
import { orAborted } from '../../../async/waiting.ts';
import { callOf } from '../auth.ts';
import type { Engines, Upload } from '../engines/index.ts';
import { fieldError, HttpError, httpError, parseWith } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import type { Manners } from '../manners.ts';
import { formatCredit, priceOfTranscription } from '../money.ts';
import { asObject, cutOff, mediaType, parseMsgpack, readBody, rejectCompressed, tooLarge, unsupportedMediaType } from '../request-body.ts';
import type { Hold, Wallet } from '../wallet.ts';

interface AsrUpload {
  /** In the pieces in which it came, if it came in a form: joining 20 MB takes time in which nobody else's sound moves. */
  audio: Upload;
  fields: AsrFields;
}

interface AsrOptions {
  wallet: Wallet;
  engines: Engines;
  limits: Limits;
  manners: Manners;
}

/** Bytes allowed besides the audio: part headers, names, the other fields. */
const ENVELOPE_BYTES = 64 * 1024;
const PIECE_BYTES = 256 * 1024;

/**
 * The price of the decoded length is held before recognition starts; the length that the file claims is ignored. A client that leaves
 * before its response pays nothing, because the work is stopped.
 */
export function asrRoute(app: FastifyInstance, { wallet, engines, limits, manners }: AsrOptions): void {
  app.post('/v1/asr', async (request): Promise<object> => {
    const { userId, signal } = callOf(request);
    if (wallet.balance(userId) === 0n)
      throw httpError(402, 'The credit is used up, and transcribing costs credit by the second. Add credit.');
    const { audio, fields } = await readUpload(request, limits, manners);
    if (audio.length === 0) throw fieldError('body', ['audio'], 'too_small', 'The audio file is empty.');
    const recording = { audio, fields, model: request.headers.model?.toString(), requestId: request.id };
    const language = manners.toHint(recording);

    let hold = null as Hold | null;
    const onDecoded = (seconds: number) => {
      manners.checkLength(seconds, recording);
      const price = priceOfTranscription(manners.billedSeconds(seconds));
      hold = wallet.hold(userId, price);
      if (hold) return;
      const left = formatCredit(wallet.balance(userId));
      throw httpError(402, `The credit does not suffice: this audio costs ${formatCredit(price)}, and ${left} is left. Add credit.`);
    };
    try {
      const transcript = await engines.transcribe({ audio, timestamps: !fields.ignore_timestamps, language, signal, onDecoded });
      const answer = manners.toAnswer(transcript, recording);
      if (hold && !signal.aborted) wallet.settle(hold, priceOfTranscription(manners.billedSeconds(transcript.duration)));
      return answer;
    } finally {
      // Has no effect after a settlement.
      if (hold) wallet.refund(hold);
    }
  });
}

async function readUpload(request: FastifyRequest, limits: Limits, { asrFields }: Manners): Promise<AsrUpload> {
  const type = mediaType(request);
  if (type === 'multipart/form-data') return readMultipart(request, limits, asrFields);
  if (type !== 'application/msgpack') throw unsupportedMediaType(type, 'multipart/form-data or application/msgpack');
  const body = asObject(parseMsgpack(await readBody(request, limits.audioBytes + ENVELOPE_BYTES)));
  const { audio } = parseWith(asrRequest, body, 'body');
  if (audio.length > limits.audioBytes) throw tooLarge(limits.audioBytes);
  return { audio, fields: parseWith(asrFields, body, 'body') };
}

async function readMultipart(request: FastifyRequest, limits: Limits, asrFields: Manners['asrFields']): Promise<AsrUpload> {
  rejectCompressed(request);
  const maxBytes = limits.audioBytes + ENVELOPE_BYTES;
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(limits.audioBytes);
  let audio: Uint8Array[] | undefined;
  const texts: Record<string, unknown> = {};
  const readParts = async () => {
    for await (const part of request.parts({ limits: { fileSize: limits.audioBytes, fieldSize: 4096, fields: 50, files: 5 } })) {
      if (part.type === 'field') texts[part.fieldname] = part.value;
      else if (part.fieldname === 'audio' && !audio) audio = await readPieces(part.file, limits.audioBytes);
      else part.file.resume();
    }
  };
  try {
    await orAborted(readParts(), abortedBeyond(request, maxBytes, tooLarge(limits.audioBytes)));
  } catch (error) {
    throw toMultipartError(error, request, limits);
  }
  const fields = parseWith(asrFields, texts, 'body');
  if (audio) return { audio, fields };
  if ('audio' in texts) throw fieldError('body', ['audio'], 'invalid_type', 'Must be a file: give the part a filename.');
  throw fieldError('body', ['audio'], 'missing', 'Field required');
}

/** In pieces of one size: it may come byte by byte, and each byte of its own would take a hundred. */
async function readPieces(file: AsyncIterable<Uint8Array> & { truncated: boolean }, limit: number): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let filled = PIECE_BYTES;
  // The parser passes on no more than the limit, and then says that the file is truncated.
  for await (const chunk of file) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === PIECE_BYTES) {
        pieces.push(new Uint8Array(PIECE_BYTES));
        filled = 0;
      }
      const part = chunk.subarray(at, at + PIECE_BYTES - filled);
      pieces.at(-1)?.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  if (file.truncated) throw tooLarge(limit);
  const last = pieces.pop();
  return last ? [...pieces, last.subarray(0, filled)] : [];
}

/**
 * Counts every byte, including those that belong to no part: the parser's limits are per part, and a chunked body has no length.
 * Returns a signal that is aborted with `error` above `maxBytes`.
 */
function abortedBeyond({ raw }: FastifyRequest, maxBytes: number, error: HttpError): AbortSignal {
  const beyond = new AbortController();
  let bytes = 0;
  const count = (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) return;
    raw.off('data', count).unpipe();
    beyond.abort(error);
  };
  raw.on('data', count);
  return beyond.signal;
}

function toMultipartError(error: unknown, request: FastifyRequest, limits: Limits): HttpError {
  if (error instanceof HttpError) return error;
  const { code } = error as { code?: string };
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(limits.audioBytes);
  if (code?.startsWith('FST_') && code.endsWith('_LIMIT'))
    return httpError(413, 'The form has too many parts: send audio, language and ignore_timestamps.');
  if (request.raw.destroyed && !request.raw.complete) return cutOff();
  return httpError(400, 'The body is not a well-formed multipart form, or was cut off.');
}
