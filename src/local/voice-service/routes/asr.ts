// POST /v1/asr: an audio file in, its words out, paid by the second.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AsrFields, asrRequest } from '../../../api/schemas.ts';
import { callOf } from '../auth.ts';
import type { Engines, Upload } from '../engines/index.ts';
import { fieldError, httpError, parseWith } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import type { Manners } from '../manners.ts';
import { formatCredit, priceOfTranscription } from '../money.ts';
import { asObject, mediaType, parseMsgpack, readBody, readForm, tooLarge, unsupportedMediaType } from '../request-body.ts';
import type { Hold, Wallet } from '../wallet.ts';

interface AsrUpload {
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

async function readMultipart(request: FastifyRequest, { audioBytes }: Limits, asrFields: Manners['asrFields']): Promise<AsrUpload> {
  let audio: Uint8Array[] | undefined;
  const texts: Record<string, unknown> = {};
  const tooManyFiles = httpError(413, 'The form has too many files: send one, as audio.');
  const limits = { bodyBytes: audioBytes + ENVELOPE_BYTES, fileBytes: audioBytes, files: 5, tooManyFiles };
  for (const part of await readForm(request, limits)) {
    if ('field' in part) texts[part.name] = part.field;
    else if (part.name === 'audio') audio ??= part.file;
  }
  const fields = parseWith(asrFields, texts, 'body');
  if (audio) return { audio, fields };
  if ('audio' in texts) throw fieldError('body', ['audio'], 'invalid_type', 'Must be a file: give the part a filename.');
  throw fieldError('body', ['audio'], 'missing', 'Field required');
}
