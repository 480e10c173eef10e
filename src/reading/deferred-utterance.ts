// An utterance whose words are decided as late as possible: when its turn is near, and again if they change before anybody has heard them.
import type { PaidDraft } from '../discord/paid-playback.ts';
import type { SpeechUtterance } from '../speech/index.ts';
import type { Packets, Predecessor, Utterance } from '../voice/types.ts';

/** The sound of the words as they are now. */
export type Draft = PaidDraft<SpeechUtterance>;

export interface DeferredUtterance extends Utterance {
  /** Its words are decided, and their sound is being made. */
  readonly isDrafted: boolean;
  /** The words have changed: decides them again. Returns false if they are being heard already. */
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

  function open(signal: AbortSignal): Packets {
    let opened: { draft: Draft; packets: Packets; iterator: AsyncIterator<Uint8Array> } | null = null;
    const follow = () => {
      const latest = current ?? decide();
      if (opened?.draft === latest) return opened;
      const packets = latest.utterance.open(signal);
      opened = { draft: latest, packets, iterator: packets[Symbol.asyncIterator]() };
      return opened;
    };

    async function next(): Promise<IteratorResult<Uint8Array>> {
      for (;;) {
        const { draft: own, iterator } = follow();
        try {
          const result = await iterator.next();
          if (own !== current) continue;
          isHeard = true;
          return result;
        } catch (error) {
          if (own === current) throw error;
        }
      }
    }

    return {
      take: () => (isHeard ? (opened?.packets.take?.() ?? null) : null),
      [Symbol.asyncIterator]: () => ({
        next,
        async return() {
          hasEnded = true;
          await opened?.iterator.return?.();
          return { done: true, value: undefined };
        },
      }),
    };
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
