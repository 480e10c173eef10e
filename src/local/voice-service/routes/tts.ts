// POST /v1/tts: text in, audio out as it is synthesised, paid for before the first word.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { speechContentTypes, ttsRequest } from '../../../api/schemas.ts';
import { callOf } from '../auth.ts';
import { SPEECH_LIMITS, type SpeakRequest } from '../engines/index.ts';
import { clientLeft, httpError, parseWith } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import { asObject, mediaType, parseJson, parseMsgpack, readBody, tooLarge, unsupportedMediaType } from '../request-body.ts';
import { findVoice, holdPrice, NOT_IMITATED, rejectUnsupported, type SpeechOptions, toSpeakRequest } from './speech-request.ts';

/**
 * The price is held when a request is accepted. It is refunded if the service fails, at any moment, and if the client leaves before the
 * first byte; a client that leaves later pays for the whole text, since services of this kind bill the request.
 */
export function ttsRoute(app: FastifyInstance, { readCatalogue, wallet, engines, limits, manners, now }: SpeechOptions): void {
  app.post('/v1/tts', async (request, reply) => {
    const { userId, signal, release } = callOf(request);
    const wanted = parseWith(ttsRequest, await readTtsBody(request, limits), 'body');
    rejectUnsupported(wanted, limits);
    const voice = findVoice(await readCatalogue(), wanted, userId);
    const model = request.headers.model?.toString();
    const hold = holdPrice(wallet, userId, manners.priceOfSpeech(wanted.text, model));

    const text = manners.toSpoken(wanted.text, model, now());
    const call = { text, voice, model, ...readPatience(request), signal };
    const audio = engines.speak(toSpeakRequest(wanted, call))[Symbol.asyncIterator]();
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

/**
 * How long the caller is prepared to wait: if that is longer than anybody would who listens, the sound isn't heard before all of it has come. The
 * spec has no field for that, and an unknown field might be refused elsewhere, so it is a preference of HTTP (RFC 7240).
 */
function readPatience({ headers }: FastifyRequest): Pick<SpeakRequest, 'isDownload' | 'maxStartSeconds'> {
  const [, digits = ''] = /\bwait=(\d+)/i.exec(String(headers.prefer)) ?? [];
  if (digits === '') return {};
  const seconds = Number(digits);
  return seconds > SPEECH_LIMITS.maxStartSeconds ? { isDownload: true } : { maxStartSeconds: seconds };
}

async function readTtsBody(request: FastifyRequest, { speechBodyBytes }: Limits): Promise<Record<string, unknown>> {
  const type = mediaType(request);
  if (type === 'application/json') return asObject(parseJson(await readBody(request, speechBodyBytes)));
  // Callers choose it for the recordings that they send with a text.
  const tooMuch = `${tooLarge(speechBodyBytes).message} ${NOT_IMITATED}`;
  if (type === 'application/msgpack') return asObject(parseMsgpack(await readBody(request, speechBodyBytes, tooMuch)));
  throw unsupportedMediaType(type, 'application/json or application/msgpack');
}
