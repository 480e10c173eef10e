// An Api that reports when calls that cost credit begin and end.
import { type Api, ApiError, type AudioResponse } from '../api/index.ts';

export interface CallWatcher {
  /** A call begins, unless this throws. The returned function is called when it ends. */
  begin(): () => void;
  /** The service has refused a call for lack of credit. */
  onRefused(): void;
}

export function watchCalls(api: Api, watcher: CallWatcher): Api {
  async function watch<T>(call: () => Promise<T>, onSuccess: (result: T, end: () => void) => T): Promise<T> {
    const end = watcher.begin();
    try {
      return onSuccess(await call(), end);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'credit' && error.status !== null) watcher.onRefused();
      end();
      throw error;
    }
  }

  return {
    ...api,
    speak: (request, call) => watch(() => api.speak(request, call), untilEnd),
    speakLive: (request, texts, call) => watch(() => api.speakLive(request, texts, call), untilEnd),
    transcribe: (request, call) =>
      watch(
        () => api.transcribe(request, call),
        (transcript, end) => {
          end();
          return transcript;
        },
      ),
  };
}

function untilEnd(speech: AudioResponse, end: () => void): AudioResponse {
  return { ...speech, audio: onEnd(speech.audio, end) };
}

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
