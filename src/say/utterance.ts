// An utterance that is spoken in the first of several voices that the service still has.
import type { SpeechUtterance } from '../speech/index.ts';
import type { Utterance } from '../voice/types.ts';
import { isVoiceGone, type Voice } from './voices.ts';

export interface VoicedUtterance extends Utterance {
  /** The voice that is tried, or speaks. */
  readonly voice: Voice;
  /** Characters that the service may have charged for, once that is known; 0 if they came from the cache. Never rejects. */
  charged(): Promise<number>;
  readonly fromCache: boolean;
}

/** The next voice is asked for as soon as the service says that there is no such voice; its turn in the queue is not lost by that. */
export function speakInOneOf([first, ...others]: [Voice, ...Voice[]], speak: (voice: Voice) => SpeechUtterance): VoicedUtterance {
  let voice = first;
  let current = speak(first);
  const ready = Promise.withResolvers<void>();
  let begun = false;
  let cancelled = false;
  // Whether anybody waits for it is not known.
  ready.promise.catch(() => {});

  function prepare(): void {
    if (!begun) attempt();
    // Its sound may have been deleted since.
    else current.prepare();
    begun = true;
  }

  function attempt(): void {
    current.prepare();
    current.ready.then(ready.resolve, (error: unknown) => {
      const next = others.shift();
      if (cancelled || next === undefined || !isVoiceGone(error)) return ready.reject(error);
      voice = next;
      current = speak(next);
      attempt();
    });
  }

  function cancel(): void {
    cancelled = true;
    current.cancel();
  }

  async function* open(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    prepare();
    try {
      await ready.promise;
      yield* current.open(signal);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  return {
    prepare,
    ready: ready.promise,
    open,
    cancel,
    get voice() {
      return voice;
    },
    charged: () => current.charged(),
    get fromCache() {
      return current.facts.fromCache === true;
    },
  };
}
