// POST /v1/tts: text in, audio out as it is made, paid before the first word is synthesised.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { speechContentTypes, type TtsRequest, ttsRequest } from '../../../api/schemas.ts';
import { callOf } from '../auth.ts';
import type { Catalogue, CatalogueModel } from '../catalogue.ts';
import { type Engines, type EngineVoice, SPEECH_LIMITS, type SpeakRequest } from '../engines/index.ts';
import { check, clientLeft, quoted, refuse, refuseField } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import { formatCredit, priceOfSpeech } from '../money.ts';
import { asObject, mediaType, parseJson, parseMsgpack, readBody, refuseMediaType } from '../request-body.ts';
import type { Hold, Wallet } from '../wallet.ts';

interface Parts {
  catalogue: Catalogue;
  wallet: Wallet;
  engines: Engines;
  limits: Limits;
}

/**
 * What a speech costs is held when it is accepted. It is given back when the service fails, at any moment, and when the client
 * leaves before the first byte; a client that leaves later pays for the whole text, since services of this kind bill the request.
 */
export function speechRoute(app: FastifyInstance, { catalogue, wallet, engines, limits }: Parts): void {
  app.post('/v1/tts', async (request, reply) => {
    const { userId, signal, release } = callOf(request);
    const wanted = check(ttsRequest, await readSpeechBody(request, limits), 'body');
    refuseUnmakeable(wanted, limits);
    const voice = findVoice(catalogue, wanted.reference_id, userId);
    const hold = takePrice(wallet, userId, wanted.text);

    const audio = engines.speak(toEngineRequest(wanted, voice, signal))[Symbol.asyncIterator]();
    const first = await audio.next().catch((error) => {
      wallet.giveBack(hold);
      throw error;
    });
    if (signal.aborted) {
      wallet.giveBack(hold);
      audio.return?.().catch(() => {});
      throw clientLeft();
    }
    if (first.done) {
      wallet.giveBack(hold);
      throw refuse(500, 'The voice made no sound of this text, and it cost nothing. Try again, or with another text.');
    }

    let failed = false;
    async function* spoken(chunk: Uint8Array) {
      try {
        yield chunk;
        for (let next = await audio.next(); !next.done; next = await audio.next()) yield next.value;
      } catch (error) {
        failed = !signal.aborted;
        throw error;
      }
      // Before the end goes out: who has the whole answer has paid for it, and may call again.
      wallet.settle(hold);
      release();
    }
    const stream = Readable.from(spoken(first.value), { highWaterMark: 1 });
    stream.once('close', () => {
      if (failed) wallet.giveBack(hold);
      else wallet.settle(hold);
      audio.return?.().catch(() => {});
    });
    return reply.type(speechContentTypes[wanted.format]).send(stream);
  });
}

async function readSpeechBody(request: FastifyRequest, limits: Limits): Promise<Record<string, unknown>> {
  const type = mediaType(request);
  if (type === 'application/json') return asObject(parseJson(await readBody(request, limits.speechBody)));
  if (type === 'application/msgpack') return asObject(parseMsgpack(await readBody(request, limits.speechBody)));
  return refuseMediaType(type, 'application/json or application/msgpack');
}

/** What the schema allows and this service cannot do: said before anything is paid. */
function refuseUnmakeable({ text, references, format, sample_rate }: TtsRequest, limits: Limits): void {
  if (text.length > limits.textLength) {
    const most = limits.textLength.toLocaleString('en');
    throw refuseField(
      'body',
      ['text'],
      'too_big',
      `The text is too long: at most ${most} characters. Send it in parts.`,
      `maximum ${limits.textLength}`,
    );
  }
  // Voices of one's own come later; until then a request for one must not be answered in another voice.
  if (references.length > 0)
    throw refuseField('body', ['references'], 'not_supported', 'This service cannot imitate recordings. Choose a voice by reference_id.');
  const rates: readonly number[] = format === 'opus' ? SPEECH_LIMITS.opusSampleRates : SPEECH_LIMITS.sampleRates;
  if (sample_rate !== null && !rates.includes(sample_rate))
    throw refuseField('body', ['sample_rate'], 'invalid_value', `${format} is not made at this rate.`, `one of ${rates.join(', ')}`);
}

/**
 * The voice of a model, or the default one when none is named.
 * @throws Refusal 404 for an unknown model, 422 for one that does not speak, with the reason
 */
function findVoice(catalogue: Catalogue, referenceId: string | null, userId: string): EngineVoice {
  const model = referenceId === null ? catalogue.defaultModel : catalogue.find(referenceId, userId);
  if (!model) throw refuse(404, `There is no voice model ${quoted(referenceId ?? '')}. GET /model lists those there are.`);
  if (model.entity.state === 'trained' && model.entity.type === 'tts' && model.voice) return model.voice;
  throw refuseField('body', ['reference_id'], 'not_speaking', whyItDoesNotSpeak(model));
}

function whyItDoesNotSpeak({ entity }: CatalogueModel): string {
  const name = `The voice model "${entity.title}"`;
  if (entity.type === 'svc') return `${name} converts singing and does not speak text. Choose one of type tts.`;
  if (entity.state === 'created') return `${name} has not been trained yet. Choose one in state trained.`;
  if (entity.state === 'training') return `${name} is still being trained. Wait until it is, or choose another.`;
  if (entity.state === 'failed') return `${name} could not be trained. Choose another.`;
  return `${name} has no voice in this service. Choose another.`;
}

/** @throws Refusal 402 */
function takePrice(wallet: Wallet, userId: string, text: string): Hold {
  const price = priceOfSpeech(text);
  const hold = wallet.hold(userId, price);
  if (hold) return hold;
  throw refuse(
    402,
    `The credit does not suffice: this text costs ${formatCredit(price)}, and ${formatCredit(wallet.balance(userId))} is left. Add credit.`,
  );
}

function toEngineRequest(wanted: TtsRequest, voice: EngineVoice, signal: AbortSignal): SpeakRequest {
  const { opusBitrate } = SPEECH_LIMITS;
  return {
    text: wanted.text,
    voice,
    format: wanted.format,
    mp3Bitrate: wanted.mp3_bitrate,
    speed: wanted.prosody.speed,
    volumeDb: wanted.prosody.volume,
    signal,
    ...(wanted.sample_rate !== null && { sampleRate: wanted.sample_rate }),
    ...(wanted.opus_bitrate !== null && { opusBitrate: Math.min(Math.max(wanted.opus_bitrate, opusBitrate.min), opusBitrate.max) }),
  };
}
