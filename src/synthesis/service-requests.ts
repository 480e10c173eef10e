// What the voice service is asked for: a text with its mood, in a voice, a format and a speed; and how soon, where it wants to know.
import { ApiError } from '../api/errors.ts';
import type { Api, AudioResponse, LiveSpeakRequest, SpeakCallOptions, SpeakRequest, SpeechFormat } from '../api/types.ts';
import type { SpokenPiece } from './calls.ts';
import { maxSeconds, maxSoundBytes } from './read-ahead.ts';
import { isUnknownVoice } from './refusals.ts';
import { withMood, withoutInstructions } from './speakable.ts';
import type { SpeechRequest } from './types.ts';

export interface ServiceRequestsOptions {
  api: Api;
  /** Requested from the service. */
  format: SpeechFormat;
  /** Value of the `model` header; absent = the API client's own. With a cache it should be set: it is part of the cache key. */
  model?: string;
  /** Whether this service's model takes moods, if it is one of those that understand them; default false. */
  moods?: boolean;
  /**
   * Whether this service is one of those that are told how soon a sound is needed, and not to level it; default false. If it refuses that, it is
   * no longer told.
   */
  delivery?: boolean;
}

export interface ServiceRequests {
  /** The request with the text as it is spoken: the whole of it at once, or a piece could end within what has to be taken out. */
  asSpoken(request: SpeechRequest): SpeechRequest;
  /** This text of the request, as the service is asked for it. */
  toApiRequest(request: SpeechRequest, text: string): SpeakRequest;
  /** UTF-8 bytes that the service is sent for this text of the request. */
  bytesOf(request: SpeechRequest, text: string): number;
  /**
   * Asks for this text of the request.
   * @param isLevelled whether all voices are brought to one loudness afterwards @throws ApiError
   */
  speak(request: SpeechRequest, text: string, call: SpeakCallOptions, isLevelled: boolean): Promise<SpokenPiece>;
  /** Asks for these texts of the request over the websocket. @throws ApiError */
  speakLive(request: SpeechRequest, texts: AsyncIterable<string>, signal: AbortSignal, isLevelled: boolean): Promise<SpokenPiece>;
}

export function createServiceRequests({ api, format, model, moods = false, delivery = false }: ServiceRequestsOptions): ServiceRequests {
  let takesDelivery = delivery;

  const marked = (text: string, { mood }: SpeechRequest) => withMood(text, moods ? mood : null, model);

  function toApiRequest(request: SpeechRequest, text: string): SpeakRequest {
    return {
      text: marked(text, request),
      format,
      ...(model === undefined ? {} : { model }),
      ...(request.referenceId ? { referenceId: request.referenceId } : {}),
      ...(request.speed === undefined || request.speed === 1 ? {} : { prosody: { speed: request.speed } }),
    };
  }

  function toPiece(speech: AudioResponse, text: string, speed: number | undefined): SpokenPiece {
    // Bytes of no known format are taken for PCM only if PCM was requested: anything else would be heard as noise.
    const isUnlabelled = speech.contentType.startsWith('application/octet-stream');
    return {
      speech,
      formatHint: isUnlabelled && format !== 'pcm' ? '' : speech.contentType,
      maxBytes: maxSoundBytes(maxSeconds(text, speed), speech.contentType),
    };
  }

  return {
    asSpoken: (request) => ({ ...request, text: withoutInstructions(request.text, model) }),
    toApiRequest,
    bytesOf: (request, text) => Buffer.byteLength(marked(text, request)),
    async speak(request, text, call, isLevelled) {
      const plain = toApiRequest(request, text);
      if (!takesDelivery) return toPiece(await api.speak(plain, call), text, request.speed);
      const speech = await api.speak(delivered(plain, call.isDownload ?? false, isLevelled), call).catch(async (error: unknown) => {
        if (!mayRefuseDelivery(error)) throw error;
        const accepted = await api.speak(plain, call);
        takesDelivery = false;
        return accepted;
      });
      return toPiece(speech, text, request.speed);
    },
    async speakLive(request, texts, signal, isLevelled) {
      async function* markedTexts() {
        for await (const text of texts) yield marked(text, request);
      }
      const { text: _, ...plain } = toApiRequest(request, '');
      const speech = await api.speakLive(takesDelivery ? delivered(plain, false, isLevelled) : plain, markedTexts(), {
        signal,
        flush: true,
        isOptional: true,
      });
      return toPiece(speech, request.text, request.speed);
    },
  };
}

/** The request with how soon its sound is needed, and not levelled by the service if that is done here. */
function delivered<R extends LiveSpeakRequest>(request: R, isDownload: boolean, isLevelled: boolean): R {
  return {
    ...request,
    latency: isDownload ? 'normal' : 'balanced',
    ...(isLevelled && { prosody: { ...request.prosody, normalizeLoudness: false } }),
  };
}

/** A refusal that isn't about anything else. */
function mayRefuseDelivery(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.kind !== 'validation' || isUnknownVoice(error)) return false;
  const { details } = error;
  return details.length === 0 || details.some(({ loc }) => loc.some((name) => ['latency', 'prosody', 'normalize_loudness'].includes(name)));
}
