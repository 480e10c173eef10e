// The calls to the voice service that all processes together may have in flight. One that is alone needs nobody's leave, and many have an even
// share each if that is large enough. In between each call takes a slot in the store, so that none lies idle while others wait.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Store, StoreError } from '../store/index.ts';

/** From this share on, calls in each process are so many that they level out: a slot for each would only cost steps of the store. */
const MIN_EVEN_SHARE = 8;
const SLOT = 'call-slot:';
/** The slots of a process that has died are free after this long, in milliseconds. */
const SLOT_MS = 15_000;
const RENEW_MS = 4_000;
/** Between two looks for a free one, in milliseconds. */
const POLL_INTERVAL_MS = 200;

interface Call {
  /** What the store has for its slot: a slot that it no longer has may belong to the next call of the same process. */
  id: string;
  isLong: boolean;
  /** Its number; null if it began without one. */
  slot: number | null;
}

export interface CallSlots {
  /** Resolves, once a call may start, with a function that returns its slot; rejects with the signal's reason if aborted first. */
  acquire(isLong: boolean, signal: AbortSignal): Promise<() => void>;
  /** Whether a long call could start at once and leave room for one more long call, and for one of any kind. Never rejects. */
  hasRoomToSpare(): boolean | Promise<boolean>;
  /** To be called every few seconds with how many processes run. Never rejects. */
  review(processes: number): Promise<void>;
}

/**
 * @param total of all processes
 * @param setConcurrency changes how many calls this process has in flight or waiting for a slot
 */
export function createCallSlots(
  store: Store,
  { total, setConcurrency }: { total: number; setConcurrency(calls: number): void },
): CallSlots {
  const calls = new Set<Call>();
  /** Long calls take only the first ones, which are half of all. */
  const forLong = Math.ceil(total / 2);
  let share = total;
  let renewedAt = Number.NEGATIVE_INFINITY;

  const isShared = () => share < Math.min(MIN_EVEN_SHARE, total);

  async function listTaken(): Promise<Set<number>> {
    return new Set((await store.list(SLOT)).map(([key]) => Number(key.slice(SLOT.length))));
  }

  /** @returns false if it is taken @throws StoreError */
  async function tryAcquire(call: Call, slot: number): Promise<boolean> {
    if (!(await store.compareAndSet(SLOT + slot, null, call.id, { expiresInMs: SLOT_MS }))) return false;
    call.slot = slot;
    return true;
  }

  /** @returns false if none is free for it @throws StoreError */
  async function findSlot(call: Call): Promise<boolean> {
    const rest = shuffled(total - forLong).map((slot) => forLong + slot);
    const [guess = 0, ...others] = call.isLong ? shuffled(forLong) : [...rest, ...shuffled(forLong)];
    // It mostly is free.
    if (await tryAcquire(call, guess)) return true;
    const taken = await listTaken();
    for (const slot of others) if (!taken.has(slot) && (await tryAcquire(call, slot))) return true;
    return false;
  }

  /** @throws StoreError */
  async function hasFreeSlots(): Promise<boolean> {
    const taken = [...(await listTaken())];
    return total - taken.length > 1 && forLong - taken.filter((slot) => slot < forLong).length > 1;
  }

  async function end(call: Call): Promise<void> {
    if (!calls.delete(call) || call.slot === null) return;
    // Otherwise it expires.
    await store.compareAndSet(SLOT + call.slot, call.id, null).catch(() => {});
  }

  async function renew(call: Call): Promise<void> {
    const { id, slot } = call;
    if (slot !== null && !(await store.compareAndSet(SLOT + slot, id, id, { expiresInMs: SLOT_MS }))) call.slot = null;
    if (call.slot === null) await findSlot(call);
    // It has ended meanwhile.
    if (call.slot !== null && !calls.has(call)) await store.compareAndSet(SLOT + call.slot, id, null);
  }

  return {
    async acquire(isLong, signal) {
      const call: Call = { id: randomUUID(), isLong, slot: null };
      while (isShared()) {
        signal.throwIfAborted();
        try {
          if (await findSlot(call)) break;
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          // Without the store nobody knows what the others do: each has its share, and one call at least.
          if (calls.size < Math.max(1, share)) break;
        }
        await sleep(POLL_INTERVAL_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
      }
      calls.add(call);
      if (!signal.aborted) return () => void end(call);
      await end(call);
      throw signal.reason;
    },
    hasRoomToSpare: () => !isShared() || hasFreeSlots().catch(() => false),
    async review(processes) {
      share = Math.floor(total / Math.max(1, processes));
      setConcurrency(isShared() ? total : share);
      if (!isShared() || performance.now() - renewedAt < RENEW_MS) return;
      renewedAt = performance.now();
      // Those, too, that began while this process was alone.
      await Promise.allSettled([...calls].map(renew));
    },
  };
}

/** The numbers from 0 on, in any order. */
function shuffled(count: number): number[] {
  return Array.from({ length: count }, (_, number) => [Math.random(), number] as const)
    .sort(([a], [b]) => a - b)
    .map(([, number]) => number);
}
