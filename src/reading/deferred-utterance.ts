// An utterance whose words are decided as late as possible: when its turn is near, and again if they change before anybody has heard it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PaidDraft } from '../discord/payment.ts';
import type { SpeechUtterance } from '../synthesis/index.ts';
import type { Predecessor, Utterance } from '../voice-session/types.ts';

/** The sound of the words as they are now. */
export type Draft = PaidDraft<SpeechUtterance>;

export interface DeferredUtterance<D extends Draft> extends Utterance {
  /** Null before the words are decided. From then on, their sound is being made. */
  readonly draft: D | null;
  /** Decides the words again after a change. Returns false if they are already being heard. */
  redraft(): boolean;
  /** Call when it has ended. */
  settle(): Promise<void>;
}

/**
 * What becomes of its words:
 *
 *     undecided ── its turn is near ──▶ drafted ── the first packet ──▶ heard
 *         │                              │  ▲                             │
 *         │                              └──┘ other words, or once more   │
 *         └───────── cancelled ──────────────┴───────── ended ────────────┴──▶ over
 */
type State<D> =
  | { name: 'undecided'; draft: null }
  | { name: 'drafted' | 'heard'; draft: D }
  /** Null if it ended before. */
  | { name: 'over'; draft: D | null };

interface Deciding<D> {
  /** Decides the words, knowing what is heard before them. */
  draft(predecessor: Predecessor | null): D;
  /** Whether they should be other words, now that something else is heard before them. */
  isStale(draft: D, predecessor: Predecessor | null): boolean;
  /** Milliseconds after which a sound that failed is made again; null if it has failed for good. */
  retryAfter(error: unknown): number | null;
}

export function createDeferredUtterance<D extends Draft>({ draft, isStale, retryAfter }: Deciding<D>): DeferredUtterance<D> {
  const ready = Promise.withResolvers<void>();
  // May go unobserved.
  ready.promise.catch(() => {});
  let state: State<D> = { name: 'undecided', draft: null };
  let predecessor: Predecessor | null = null;
  const mayChange = () => state.name === 'undecided' || state.name === 'drafted';

  function decide(): D {
    const before = state.draft;
    const made = draft(predecessor);
    state = { name: state.name === 'over' ? 'over' : 'drafted', draft: made };
    made.utterance.ready.then(
      () => made === state.draft && ready.resolve(),
      (error: unknown) => made === state.draft && ready.reject(error),
    );
    before?.utterance.cancel();
    void before?.settle();
    return made;
  }

  function end(): void {
    state = { name: 'over', draft: state.draft };
  }

  async function* open(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const own = state.draft ?? decide();
        const packets = own.utterance.open(signal);
        const first = await packets.next().catch(async (error: unknown) => {
          if (own !== state.draft) return;
          const pause = signal.aborted ? null : retryAfter(error);
          if (pause === null) throw error;
          await sleep(pause, undefined, { signal });
          if (own === state.draft) decide();
        });
        // Other words were decided meanwhile, which has cancelled these.
        if (own !== state.draft || !first) continue;
        if (state.name !== 'over') state = { name: 'heard', draft: own };
        try {
          if (!first.done) yield first.value;
          return yield* packets;
        } finally {
          await packets.return(undefined);
        }
      }
    } finally {
      end();
    }
  }

  return {
    ready: ready.promise,
    get draft() {
      return state.draft;
    },
    prepare(before = null) {
      predecessor = before;
      if (!mayChange()) return;
      const latest = state.draft && !isStale(state.draft, before) ? state.draft : decide();
      latest.utterance.prepare();
    },
    redraft() {
      if (!mayChange()) return false;
      if (state.draft) decide().utterance.prepare();
      return true;
    },
    open,
    cancel() {
      end();
      state.draft?.utterance.cancel();
      ready.reject(new Error('the utterance is not wanted anymore'));
    },
    async settle() {
      end();
      await state.draft?.settle();
    },
  };
}
