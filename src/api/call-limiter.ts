// Limits how many calls are in flight, and decides which waiting call goes next.
import type { CallOptions, SharedSlots } from './types.ts';

interface CallTraits {
  priority: NonNullable<CallOptions['priority']>;
  /** It may take many minutes. */
  isLong: boolean;
}

export interface CallLimiter {
  /** Resolves, once the call may start, with a function that ends its turn; rejects with the signal's reason if aborted first. */
  acquire(call: CallTraits, signal: AbortSignal): Promise<() => void>;
  /** Whether a long call could start at once and leave room for one more long call, and for one of any kind. */
  hasRoomToSpare(): boolean | Promise<boolean>;
  /** Changes how many calls may be in flight; those that are go on. */
  resize(concurrency: number): void;
  /** From now on, each call takes one of these slots, too. */
  share(slots: SharedSlots): void;
}

/**
 * At most `concurrency` calls at once: interactive ones before background ones before spare ones, first come, first served within each. Long
 * calls get at most half of the slots, and calls behind a long one that waits for one of these may overtake it. Spare calls leave a slot free.
 */
export function createCallLimiter(initial: number): CallLimiter {
  let concurrency = initial;
  const waiting = { interactive: new Set<WaitingCall>(), background: new Set<WaitingCall>(), spare: new Set<WaitingCall>() };
  let free = concurrency;
  // A transcription may take an hour, a speech the few seconds it takes to synthesize. With a single slot left for speech, one slow
  // utterance in one guild would block all others; with half of the slots it doesn't. Rounded up: a single slot serves both.
  let freeForLong = Math.ceil(concurrency / 2);

  let shared: SharedSlots | null = null;

  const canStart = ({ priority, isLong }: CallTraits) => free > (priority === 'spare' ? 1 : 0) && (!isLong || freeForLong > 0);

  function occupy(isLong: boolean): () => void {
    free -= 1;
    if (isLong) freeForLong -= 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      free += 1;
      if (isLong) freeForLong += 1;
      startNext();
    };
  }

  /** One slot was released, so at most one call can start. */
  function startNext(): void {
    const next = [...waiting.interactive, ...waiting.background, ...waiting.spare].find(canStart);
    next?.start();
  }

  function acquireHere(traits: CallTraits, signal: AbortSignal): Promise<() => void> {
    const { priority, isLong } = traits;
    if (signal.aborted) return Promise.reject(signal.reason);
    if (canStart(traits)) return Promise.resolve(occupy(isLong));
    return new Promise((resolve, reject) => {
      const queue = waiting[priority];
      const leave = () => {
        queue.delete(call);
        reject(signal.reason);
      };
      const call: WaitingCall = {
        ...traits,
        start() {
          queue.delete(call);
          signal.removeEventListener('abort', leave);
          resolve(occupy(isLong));
        },
      };
      queue.add(call);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    resize(next) {
      free += next - concurrency;
      freeForLong += Math.ceil(next / 2) - Math.ceil(concurrency / 2);
      const more = next - concurrency;
      concurrency = next;
      for (let started = 0; started < more; started++) startNext();
    },
    share(slots) {
      shared = slots;
    },
    hasRoomToSpare: () => free > 1 && freeForLong > 1 && (shared?.hasRoomToSpare() ?? true),
    async acquire(call, signal) {
      const release = await acquireHere(call, signal);
      try {
        const giveBack = await shared?.acquire(call.isLong, signal, call.priority === 'spare');
        return () => {
          giveBack?.();
          release();
        };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

interface WaitingCall extends CallTraits {
  start(): void;
}
