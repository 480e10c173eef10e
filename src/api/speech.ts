// Speech as it arrives: the first bytes judged before anybody hears them, the rest handed on one by one.
import type { Answer } from './answer.ts';
import { ApiError } from './errors.ts';
import { header } from './problems.ts';
import type { Speech } from './types.ts';

/** Bytes; shorter than the first Ogg pages, than a WAV header with 5 ms of sound, than two MP3 frames at 64 kbit/s. */
const smallestSpeech = 256;

/** How long an accepted answer took to begin, and what began it. */
export interface SpeechStart {
  chunks: Uint8Array[];
  firstByteAt: number;
}

/** Reads until there can be no doubt that sound follows. Rejects where a 200 carries something else, or next to nothing. */
export async function acceptSpeech(answer: Answer): Promise<SpeechStart> {
  const { status, requestId } = answer;
  const refuse = (what: string) =>
    new ApiError('protocol', `The voice service answered ${status} with ${what} in place of audio. Try again.`, { status, requestId });

  const type = (header(answer.headers, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (/^text\/|[/+](json|xml|html)$/.test(type)) throw refuse(type);

  const chunks: Uint8Array[] = [];
  let firstByteAt = 0;
  let length = 0;
  while (length < smallestSpeech) {
    const chunk = await answer.read();
    if (chunk === null) throw refuse(length === 0 ? 'nothing' : `${length} bytes`);
    if (length === 0) firstByteAt = performance.now();
    length += chunk.length;
    chunks.push(chunk);
  }
  if (looksLikeText(Buffer.concat(chunks).subarray(0, 64))) throw refuse('text');
  return { chunks, firstByteAt };
}

/** JSON or a page under a label that says otherwise. No format of ours begins so: sound is not printable 64 bytes long. */
function looksLikeText(bytes: Uint8Array): boolean {
  return (
    '{[<'.includes(String.fromCharCode(bytes[0] ?? 0)) && bytes.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13)
  );
}

/**
 * The accepted answer as a Speech. Nothing is read ahead beyond what the connection buffers, so a slow listener slows the
 * service. `startedAt` is on the clock of `performance`; an answer left unread for `unreadLimit` ms is ended, for it holds a place.
 */
export function createSpeech(answer: Answer, start: SpeechStart, startedAt: number, unreadLimit: number): Speech {
  const first = start.chunks.values();
  let unread: NodeJS.Timeout | undefined;
  let ended = false;

  const waitForReader = () => {
    answer.whole.pause();
    unread = setTimeout(() => {
      const { status, requestId } = answer;
      answer.fail(new ApiError('timeout', `Nobody read the speech for ${unreadLimit / 1000} s, so it was ended.`, { status, requestId }));
    }, unreadLimit);
    unread.unref();
  };
  const end = () => {
    ended = true;
    clearTimeout(unread);
    answer.close();
  };

  const audio: AsyncIterableIterator<Uint8Array> = {
    async next() {
      if (ended) return { done: true, value: undefined };
      clearTimeout(unread);
      try {
        const held = first.next();
        if (held.done) answer.whole.run();
        const chunk = held.done ? await answer.read() : held.value;
        if (chunk !== null) {
          waitForReader();
          return { done: false, value: chunk };
        }
        end();
        return { done: true, value: undefined };
      } catch (error) {
        end();
        // The service has spoken.
        if (error instanceof ApiError) error.mayHaveBeenBilled = true;
        throw error;
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
    contentType: header(answer.headers, 'content-type') ?? 'application/octet-stream',
    requestId: answer.requestId,
    firstByteMs: start.firstByteAt - startedAt,
  };
}
