// Synthesized speech: its first bytes are checked before anyone hears them, the rest is passed on as it arrives.
import { ApiError } from './errors.ts';
import type { ApiResponse } from './http.ts';
import type { AudioResponse } from './types.ts';

/** Bytes; less than the first Ogg pages, a WAV header with 5 ms of sound, or two MP3 frames at 64 kbit/s. */
const MIN_SPEECH_BYTES = 256;

/** The beginning of an accepted response, and when it arrived. */
export interface SpeechStart {
  chunks: Uint8Array[];
  /** When the first byte came, on the clock of `performance.now`. */
  firstByteAt: number;
}

/**
 * Reads until it is certain that audio follows.
 * @param firstByteTimeout milliseconds; defaults to that between any two chunks
 * @throws ApiError `protocol` if a success carries something else, or next to nothing
 */
export async function acceptSpeech(response: ApiResponse, firstByteTimeout?: number): Promise<SpeechStart> {
  const { status } = response;
  const refuse = (problem: string, isWrongAddress = false) =>
    new ApiError('protocol', `The voice service answered ${status} with ${problem} instead of audio. Try again.`, {
      status,
      requestId: response.requestId,
      isWrongAddress,
    });

  const type = response.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (/^text\/|[/+](json|xml|html)$/.test(type)) throw refuse(type, /html$/.test(type));

  const chunks: Uint8Array[] = [];
  let firstByteAt = 0;
  let length = 0;
  while (length < MIN_SPEECH_BYTES) {
    const chunk = await response.read(length === 0 ? firstByteTimeout : undefined);
    if (chunk === null) throw refuse(length === 0 ? 'nothing' : `${length} bytes`);
    if (length === 0) firstByteAt = performance.now();
    length += chunk.length;
    chunks.push(chunk);
  }
  if (looksLikeText(Buffer.concat(chunks).subarray(0, 64))) throw refuse('text');
  return { chunks, firstByteAt };
}

/** JSON or a page with a wrong content type. No audio format begins with 64 printable bytes. */
function looksLikeText(bytes: Uint8Array): boolean {
  return (
    '{[<'.includes(String.fromCharCode(bytes[0] ?? 0)) && bytes.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13)
  );
}

/**
 * The accepted response as a Speech. Nothing is read ahead beyond what the connection buffers, so a slow listener slows the service.
 * @param startedAt on the clock of `performance.now`
 * @param options `unreadTimeout`: milliseconds; a response left unread for longer is ended, because it occupies a call. `isLive`: it lasts
 * for as long as the caller has texts, so the deadline of calls is over once it has begun
 */
export function createSpeech(
  response: ApiResponse,
  start: SpeechStart,
  startedAt: number,
  { unreadTimeout, isLive = false }: { unreadTimeout: number; isLive?: boolean },
): AudioResponse {
  const firstChunks = start.chunks.values();
  let unreadTimer: NodeJS.Timeout | undefined;
  let ended = false;

  const waitForReader = () => {
    response.deadline.pause();
    unreadTimer = setTimeout(() => {
      const { status, requestId } = response;
      const message = `Nobody read the speech for ${unreadTimeout / 1000} s, so it was ended.`;
      response.fail(new ApiError('timeout', message, { status, requestId }));
    }, unreadTimeout);
    unreadTimer.unref();
  };
  const end = () => {
    ended = true;
    clearTimeout(unreadTimer);
    response.close();
  };

  const audio: AsyncIterableIterator<Uint8Array> = {
    async next() {
      if (ended) return { done: true, value: undefined };
      clearTimeout(unreadTimer);
      try {
        const first = firstChunks.next();
        if (first.done && !isLive) response.deadline.resume();
        const chunk = first.done ? await response.read() : first.value;
        if (chunk !== null) {
          waitForReader();
          return { done: false, value: chunk };
        }
        end();
        return { done: true, value: undefined };
      } catch (error) {
        end();
        // The service has synthesized at least part of it.
        throw error instanceof ApiError ? error.with({ mayHaveBeenBilled: true }) : error;
      }
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return audio;
    },
  };
  waitForReader();

  return {
    audio,
    contentType: response.contentType || 'application/octet-stream',
    get requestId() {
      return response.requestId;
    },
    firstByteMs: start.firstByteAt - startedAt,
  };
}
