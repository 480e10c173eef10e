// POST /v1/tts: text in, audio out as it is synthesised, paid for before the first word.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { speechContentTypes, type TtsRequest, ttsRequest } from '../../../api/schemas.ts';
import { callOf } from '../auth.ts';
import type { Catalogue, CatalogueModel } from '../catalogue.ts';
import { type Engines, type EngineVoice, SPEECH_LIMITS, type SpeakRequest } from '../engines/index.ts';
import { clientLeft, fieldError, httpError, parseWith, quote } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import { formatCredit, priceOfSpeech } from '../money.ts';
import { asObject, mediaType, parseJson, parseMsgpack, readBody, unsupportedMediaType } from '../request-body.ts';
import type { Hold, Wallet } from '../wallet.ts';

interface TtsOptions {
  catalogue: Catalogue;
  wallet: Wallet;
  engines: Engines;
  limits: Limits;
}

/**
 * The price is held when a request is accepted. It is refunded if the service fails, at any moment, and if the client leaves before the
 * first byte; a client that leaves later pays for the whole text, since services of this kind bill the request.
 */
export function ttsRoute(app: FastifyInstance, { catalogue, wallet, engines, limits }: TtsOptions): void {
  app.post('/v1/tts', async (request, reply) => {
    const { userId, signal, release } = callOf(request);
    const wanted = parseWith(ttsRequest, await readTtsBody(request, limits), 'body');
    rejectUnsupported(wanted, limits);
    const voice = findVoice(catalogue, wanted.reference_id, userId);
    const hold = holdPrice(wallet, userId, wanted.text);

    const audio = engines.speak(toSpeakRequest(wanted, voice, signal))[Symbol.asyncIterator]();
    const first = await audio.next().catch((error) => {
      wallet.refund(hold);
      throw error;
    });
    if (signal.aborted) {
      wallet.refund(hold);
      audio.return?.().catch(() => {});
      throw clientLeft();
    }
    if (first.done) {
      wallet.refund(hold);
      throw httpError(500, 'The voice made no sound of this text, and it cost nothing. Try again, or with another text.');
    }

    let failed = false;
    async function* streamFrom(firstChunk: Uint8Array) {
      try {
        yield firstChunk;
        for (let next = await audio.next(); !next.done; next = await audio.next()) yield next.value;
      } catch (error) {
        failed = !signal.aborted;
        throw error;
      }
      // Before the end is sent: a client that has the whole response has paid for it, and may call again.
      wallet.settle(hold);
      release();
    }
    const stream = Readable.from(streamFrom(first.value), { highWaterMark: 1 });
    stream.once('close', () => {
      if (failed) wallet.refund(hold);
      else wallet.settle(hold);
      audio.return?.().catch(() => {});
    });
    return reply.type(speechContentTypes[wanted.format]).send(stream);
  });
}

async function readTtsBody(request: FastifyRequest, limits: Limits): Promise<Record<string, unknown>> {
  const type = mediaType(request);
  if (type === 'application/json') return asObject(parseJson(await readBody(request, limits.speechBodyBytes)));
  if (type === 'application/msgpack') return asObject(parseMsgpack(await readBody(request, limits.speechBodyBytes)));
  throw unsupportedMediaType(type, 'application/json or application/msgpack');
}

/** Rejects, before anything is paid, what the schema allows and this service cannot do. */
function rejectUnsupported({ text, references, format, sample_rate }: TtsRequest, limits: Limits): void {
  if (text.length > limits.textLength) {
    const max = limits.textLength.toLocaleString('en');
    const message = `The text is too long: at most ${max} characters. Send it in parts.`;
    throw fieldError('body', ['text'], 'too_big', message, `maximum ${limits.textLength}`);
  }
  // Answering in another voice would be worse than an error.
  if (references.length > 0)
    throw fieldError('body', ['references'], 'not_supported', 'This service cannot imitate recordings. Choose a voice by reference_id.');
  const rates: readonly number[] = format === 'opus' ? SPEECH_LIMITS.opusSampleRates : SPEECH_LIMITS.sampleRates;
  if (sample_rate !== null && !rates.includes(sample_rate))
    throw fieldError('body', ['sample_rate'], 'invalid_value', `${format} is not made at this rate.`, `one of ${rates.join(', ')}`);
}

/**
 * Returns the voice of a model, or the default one if no model is named.
 * @throws HttpError 404 for an unknown model, 422 for one that does not speak, with the reason
 */
function findVoice(catalogue: Catalogue, referenceId: string | null, userId: string): EngineVoice {
  const model = referenceId === null ? catalogue.defaultModel : catalogue.find(referenceId, userId);
  if (!model) throw httpError(404, `There is no voice model ${quote(referenceId ?? '')}. GET /model lists those there are.`);
  if (model.entity.state === 'trained' && model.entity.type === 'tts' && model.voice) return model.voice;
  throw fieldError('body', ['reference_id'], 'not_speaking', whyItDoesNotSpeak(model));
}

function whyItDoesNotSpeak({ entity }: CatalogueModel): string {
  const name = `The voice model "${entity.title}"`;
  if (entity.type === 'svc') return `${name} converts singing and does not speak text. Choose one of type tts.`;
  if (entity.state === 'created') return `${name} has not been trained yet. Choose one in state trained.`;
  if (entity.state === 'training') return `${name} is still being trained. Wait until it is, or choose another.`;
  if (entity.state === 'failed') return `${name} could not be trained. Choose another.`;
  return `${name} has no voice in this service. Choose another.`;
}

/** @throws HttpError 402 */
function holdPrice(wallet: Wallet, userId: string, text: string): Hold {
  const price = priceOfSpeech(text);
  const hold = wallet.hold(userId, price);
  if (hold) return hold;
  throw httpError(
    402,
    `The credit does not suffice: this text costs ${formatCredit(price)}, and ${formatCredit(wallet.balance(userId))} is left. Add credit.`,
  );
}

function toSpeakRequest(wanted: TtsRequest, voice: EngineVoice, signal: AbortSignal): SpeakRequest {
  const { min, max } = SPEECH_LIMITS.opusBitrate;
  const request: SpeakRequest = {
    text: wanted.text,
    voice,
    format: wanted.format,
    mp3Bitrate: wanted.mp3_bitrate,
    speed: wanted.prosody.speed,
    volumeDb: wanted.prosody.volume,
    signal,
  };
  if (wanted.sample_rate !== null) request.sampleRate = wanted.sample_rate;
  if (wanted.opus_bitrate !== null) request.opusBitrate = Math.min(Math.max(wanted.opus_bitrate, min), max);
  return request;
}
