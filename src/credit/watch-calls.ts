// An Api that tells of each call that costs something: when it begins, and how much was spoken or read when it has ended.
import { type Api, ApiError, type Speech } from '../api/index.ts';
import type { SpendingKind } from './types.ts';

export interface CallWatcher {
  /** A call begins, unless this throws. What is returned is called once, with characters or seconds, or null where nobody knows. */
  begin(kind: SpendingKind): (amount: number | null) => void;
  /** The service refuses a call for want of credit. */
  refused(): void;
}

export function watchCalls(api: Api, watcher: CallWatcher): Api {
  /** What a call that failed took: nothing where the service has refused it, else nobody knows. */
  function amountOfFailure(error: unknown): 0 | null {
    if (!(error instanceof ApiError) || error.status === null) return null;
    if (error.kind === 'credit') watcher.refused();
    if (error.kind === 'unsupported') return 0;
    return error.status >= 400 && error.status < 500 ? 0 : null;
  }

  return {
    ...api,
    async speak(request, call) {
      const end = watcher.begin('speech');
      try {
        const speech = await api.speak(request, call);
        return { ...speech, audio: watchAudio(speech, (isWhole) => end(isWhole ? request.text.length : null)) };
      } catch (error) {
        end(amountOfFailure(error));
        throw error;
      }
    },
    async transcribe(request, call) {
      const end = watcher.begin('transcription');
      try {
        const transcript = await api.transcribe(request, call);
        end(transcript.duration);
        return transcript;
      } catch (error) {
        end(amountOfFailure(error));
        throw error;
      }
    },
  };
}

/** Not a generator: one that was never begun would not pass on that it is not wanted. */
function watchAudio({ audio }: Speech, ended: (isWhole: boolean) => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = audio[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const result = await iterator.next();
            if (result.done) ended(true);
            return result;
          } catch (error) {
            ended(false);
            throw error;
          }
        },
        async return() {
          const returned = (await iterator.return?.()) ?? { done: true, value: undefined };
          ended(false);
          return returned;
        },
      };
    },
  };
}
