// Text → something to play, or a file: joins the Voice Service API and the sound path.
import type { Api, Speech as ApiSpeech, SpeechFormat } from '../api/types.ts';
import { type AudioPart, joinOpusFrames } from '../audio/index.ts';
import type { Utterance } from '../voice/types.ts';
import { readFile, type SpeechFile } from './file.ts';
import { type ReadAhead, readAhead } from './read-ahead.ts';
import { cutIntoPieces } from './sentences.ts';

export { type SpeechFile, SpeechTooLargeError } from './file.ts';
export { makeSpeakable, type Names, type Words } from './speakable.ts';

export interface SpeechRequest {
  /** As it is to be spoken; makeSpeakable makes it so. */
  text: string;
  /** `id` of a voice model; absent or null = the service's default voice. */
  referenceId?: string | null;
  /** 1 = as the voice speaks. */
  speed?: number;
}

/** What an utterance has cost and brought so far. */
export interface UtteranceFacts {
  /** Calls begun, and the characters of text sent in them. */
  calls: number;
  characters: number;
  /** Of sound received, compressed. */
  bytes: number;
  /** As the service labels it; null before the first answer. */
  contentType: string | null;
  /** Milliseconds from the first call to its first byte; null before. */
  firstByteMs: number | null;
}

export interface SpeechUtterance extends Utterance {
  readonly facts: Readonly<UtteranceFacts>;
}

export interface Speech {
  /** Nothing is asked of the service before `prepare` or `open`. The signal cancels it at any time. Fails with ApiError or AudioError. */
  utterance(request: SpeechRequest, options?: { signal?: AbortSignal }): SpeechUtterance;
  /** The whole text in one call, as the service's own bytes. Rejects with ApiError, AudioError or SpeechTooLargeError (default bound 25 MiB). */
  file(request: SpeechRequest, options?: { signal?: AbortSignal; maxBytes?: number }): Promise<SpeechFile>;
}

/** Frames that are ready before an utterance is opened: what the player pulls at once. */
const PREPARED_FRAMES = 5;
const READ_AHEAD_BYTES = 1024 * 1024;
const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** @param options `format` is what is asked of the service; `model` the value of its header, absent = the API client's own. */
export function createSpeech(options: { api: Api; format: SpeechFormat; model?: string }): Speech {
  const { api, format, model } = options;

  function call(request: SpeechRequest, text: string, signal: AbortSignal | undefined): Promise<ApiSpeech> {
    return api.speak(
      {
        text,
        format,
        ...(model === undefined ? {} : { model }),
        ...(request.referenceId ? { referenceId: request.referenceId } : {}),
        ...(request.speed === undefined || request.speed === 1 ? {} : { prosody: { speed: request.speed } }),
      },
      signal ? { signal } : {},
    );
  }

  /** Bytes without a known format are taken for PCM only where PCM was asked for: anything else would be heard as noise. */
  function labelOf(speech: ApiSpeech): string {
    if (format === 'pcm' || !speech.contentType.startsWith('application/octet-stream')) return speech.contentType;
    return '';
  }

  function utterance(request: SpeechRequest, { signal: outer }: { signal?: AbortSignal } = {}): SpeechUtterance {
    const pieces = cutIntoPieces(request.text);
    // A blank text is the service's to refuse.
    const texts = pieces.length > 0 ? pieces : [request.text];
    const facts: UtteranceFacts = { calls: 0, characters: 0, bytes: 0, contentType: null, firstByteMs: null };
    const stop = new AbortController();
    const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
    const played = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    first.promise.catch(() => {});
    if (signal.aborted) first.reject(signal.reason);
    signal.addEventListener('abort', () => first.reject(signal.reason), { once: true });

    let frames: AsyncGenerator<Uint8Array> | null = null;
    let ahead: Promise<IteratorResult<Uint8Array>>[] = [];

    async function fetchPiece(text: string): Promise<AudioPart & { source: ReadAhead }> {
      facts.calls++;
      facts.characters += text.length;
      const speech = await call(request, text, signal);
      facts.contentType ??= speech.contentType;
      facts.firstByteMs ??= speech.firstByteMs;
      const source = readAhead(speech.audio, READ_AHEAD_BYTES, (count) => {
        facts.bytes += count;
      });
      return { source, contentType: labelOf(speech) };
    }

    /** One piece after the other. The call for the next is made once the one before is being played, so that a skip wastes one call at most. */
    async function* parts(): AsyncGenerator<AudioPart> {
      signal.throwIfAborted();
      let part = fetchPiece(texts[0] as string);
      for (let index = 0; index < texts.length; index++) {
        const current = await part;
        const nextText = texts[index + 1];
        if (nextText !== undefined) part = played.promise.then(() => fetchPiece(nextText));
        // Whether anybody waits for it when it fails is not known yet.
        part.catch(() => {});
        try {
          yield current;
        } finally {
          current.source.close();
        }
      }
    }

    function prepare(): AsyncGenerator<Uint8Array> {
      if (frames) return frames;
      const opened = joinOpusFrames(parts(), { signal });
      frames = opened;
      ahead = Array.from({ length: PREPARED_FRAMES }, () => opened.next());
      ahead[0]?.then(() => first.resolve(), first.reject);
      // A failure before anybody listens frees the rest by itself; it is still told to whoever opens.
      for (const result of ahead) result.catch(() => stop.abort());
      return opened;
    }

    return {
      facts,
      ready: first.promise,
      prepare() {
        prepare();
      },
      cancel: () => stop.abort(),
      open(openSignal) {
        const cancel = () => stop.abort(openSignal.reason);
        if (openSignal.aborted) cancel();
        openSignal.addEventListener('abort', cancel, { once: true });
        const source = prepare();
        const end = () => {
          openSignal.removeEventListener('abort', cancel);
          stop.abort();
        };
        return {
          [Symbol.asyncIterator]: () => ({
            async next() {
              played.resolve();
              try {
                const result = await (ahead.shift() ?? source.next());
                if (result.done) end();
                return result;
              } catch (error) {
                end();
                throw error;
              }
            },
            async return() {
              const returned = source.return(undefined);
              end();
              return returned;
            },
          }),
        };
      },
    };
  }

  return {
    utterance,
    async file(request, { signal, maxBytes = MAX_FILE_BYTES } = {}) {
      const speech = await call(request, request.text, signal);
      return readFile(speech.audio, labelOf(speech), maxBytes);
    },
  };
}
