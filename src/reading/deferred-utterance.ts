// An utterance whose words are decided as late as possible: when its turn is near, and again if they change before anybody has heard it.
import type { PaidDraft } from '../discord/playback.ts';
import type { SpeechUtterance } from '../speech/index.ts';
import type { Predecessor, Utterance } from '../voice/types.ts';

/** The sound of the words as they are now. */
export type Draft = PaidDraft<SpeechUtterance>;

export interface DeferredUtterance extends Utterance {
  /** The words are decided, and their sound is being made. */
  readonly isDrafted: boolean;
  /** Decides the words again after a change. Returns false if they are already being heard. */
  redraft(): boolean;
  /** Call when it has ended. */
  settle(): Promise<void>;
}

/**
 * @param draft decides the words, knowing what is heard before them
 * @param isStale whether they should be other words, now that something else is heard before them
 */
export function createDeferredUtterance(
  draft: (predecessor: Predecessor | null) => Draft,
  isStale: (predecessor: Predecessor | null) => boolean,
): DeferredUtterance {
  const ready = Promise.withResolvers<void>();
  // May go unobserved.
  ready.promise.catch(() => {});
  let current: Draft | null = null;
  let predecessor: Predecessor | null = null;
  let isHeard = false;
  let hasEnded = false;

  function decide(): Draft {
    const before = current;
    const made = draft(predecessor);
    current = made;
    made.utterance.ready.then(
      () => made === current && ready.resolve(),
      (error: unknown) => made === current && ready.reject(error),
    );
    before?.utterance.cancel();
    void before?.settle();
    return made;
  }

  async function* open(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const own = current ?? decide();
        const packets = own.utterance.open(signal);
        const first = await packets.next().catch((error: unknown) => {
          if (own === current) throw error;
        });
        // Other words were decided meanwhile, which has cancelled these.
        if (own !== current || !first) continue;
        isHeard = true;
        try {
          if (!first.done) yield first.value;
          return yield* packets;
        } finally {
          await packets.return(undefined);
        }
      }
    } finally {
      hasEnded = true;
    }
  }

  return {
    ready: ready.promise,
    get isDrafted() {
      return current !== null;
    },
    prepare(before = null) {
      predecessor = before;
      if (isHeard || hasEnded) return;
      const latest = current && !isStale(before) ? current : decide();
      latest.utterance.prepare();
    },
    redraft() {
      if (isHeard || hasEnded) return false;
      if (current) decide().utterance.prepare();
      return true;
    },
    open,
    cancel() {
      hasEnded = true;
      current?.utterance.cancel();
      ready.reject(new Error('the utterance is not wanted anymore'));
    },
    async settle() {
      hasEnded = true;
      await current?.settle();
    },
  };
}
