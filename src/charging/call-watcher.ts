// An Api that reports when calls that cost credit begin and end.
import { type Api, ApiError, type AudioResponse } from '../api/index.ts';
import type { SpendingKind } from './prices.ts';

interface CallWatcher {
  /**
   * Called when a call begins, which it prevents by throwing. The returned function is called when the call ends, with what is billed
   * for it: see Bill.
   */
  begin(kind: SpendingKind): (billed: number) => void;
  /** Called when the service has refused a call for lack of credit. */
  onRefused(kind: SpendingKind): void;
}

export function watchCalls(api: Api, watcher: CallWatcher): Api {
  async function watch<T>(
    kind: SpendingKind,
    call: () => Promise<T>,
    onSuccess: (result: T, end: (billed: number) => void) => T,
  ): Promise<T> {
    const end = watcher.begin(kind);
    try {
      return onSuccess(await call(), end);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'credit' && error.status !== null) watcher.onRefused(kind);
      end(0);
      throw error;
    }
  }

  return {
    ...api,
    speak: (request, call) =>
      watch(
        'speech',
        () => api.speak(request, call),
        untilEnd(() => Buffer.byteLength(request.text)),
      ),
    speakLive(request, texts, call) {
      let bytes = 0;
      async function* counted() {
        for await (const text of texts) {
          bytes += Buffer.byteLength(text);
          yield text;
        }
      }
      return watch(
        'speech',
        () => api.speakLive(request, counted(), call),
        untilEnd(() => bytes),
      );
    },
    transcribe: (request, call) =>
      watch(
        'transcription',
        () => api.transcribe(request, call),
        (transcript, end) => {
          end(Math.ceil(transcript.duration));
          return transcript;
        },
      ),
  };
}

const untilEnd = (billed: () => number) => (speech: AudioResponse, end: (billed: number) => void) =>
  Object.assign(speech, { audio: onEnd(speech.audio, () => end(billed())) });

/** Not a generator: returning one that hasn't been started would not return the source. */
function onEnd(audio: AudioResponse['audio'], ended: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = audio[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const result = await iterator.next();
            if (result.done) ended();
            return result;
          } catch (error) {
            ended();
            throw error;
          }
        },
        async return() {
          const result = (await iterator.return?.()) ?? { done: true, value: undefined };
          ended();
          return result;
        },
      };
    },
  };
}
