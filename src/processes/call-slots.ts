// Limits the calls to the voice service that all processes together have in flight. A single process needs no coordination, and many have
// an even share each if that is large enough. In between, each call takes a slot in the store, so none is idle while calls are waiting.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Store, StoreError } from '../store/index.ts';
import { shuffled } from './types.ts';

/** With a share this large, load evens out between the processes, and slots would only cost steps of the store. */
const MIN_EVEN_SHARE = 8;
const SLOT = 'call-slot:';
/** Milliseconds after which the slots of a process that has died are free. */
const SLOT_MS = 15_000;
const RENEW_MS = 4_000;
/** Milliseconds between two attempts to find a free slot. */
const POLL_INTERVAL_MS = 200;

interface Call {
  /** The value of its slot in the store, to tell it from a later call of the same process in the same slot. */
  id: string;
  isLong: boolean;
  isSpare: boolean;
  /** The number of its slot; null if it began without one. */
  slot: number | null;
}

export interface CallSlots {
  /**
   * Resolves, once a call may start, with a function that returns its slot; rejects with the signal's reason if aborted first.
   * @param isSpare never the last free slot
   */
  acquire(isLong: boolean, signal: AbortSignal, isSpare?: boolean): Promise<() => void>;
  /** Whether a long call could start at once and leave room for one more long call, and for one of any kind. Never rejects. */
  hasRoomToSpare(): boolean | Promise<boolean>;
  /** Changes how many slots there are, of all processes together; calls in flight go on. */
  resize(total: number): void;
  /** Call every few seconds with the number of running processes. Never rejects. */
  review(processes: number): Promise<void>;
}

/**
 * @param total of all processes
 * @param setConcurrency changes how many calls this process has in flight or waiting for a slot
 */
export function createCallSlots(
  store: Store,
  { total: initial, setConcurrency }: { total: number; setConcurrency(calls: number): void },
): CallSlots {
  const calls = new Set<Call>();
  let total = initial;
  /** Long calls only take the first half of the slots. */
  let forLong = Math.ceil(total / 2);
  let processes = 1;
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
    if (!(await findAnySlot(call))) return false;
    // Two processes may take the last two at the same time, so it is looked at afterwards.
    if (!call.isSpare || (await listTaken()).size < total) return true;
    await store.compareAndSet(`${SLOT}${call.slot}`, call.id, null);
    call.slot = null;
    return false;
  }

  /** @throws StoreError */
  async function findAnySlot(call: Call): Promise<boolean> {
    const slots = Array.from({ length: total }, (_, slot) => slot);
    const long = shuffled(slots.slice(0, forLong));
    const [guess = 0, ...others] = call.isLong ? long : [...shuffled(slots.slice(forLong)), ...long];
    // It is free most of the time.
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
    // If this fails, it expires.
    await store.compareAndSet(SLOT + call.slot, call.id, null).catch(() => {});
  }

  async function renew(call: Call): Promise<void> {
    const { id, slot } = call;
    if (slot !== null && !(await store.compareAndSet(SLOT + slot, id, id, { expiresInMs: SLOT_MS }))) call.slot = null;
    if (call.slot === null) await findSlot(call);
    // The call has ended meanwhile.
    if (call.slot !== null && !calls.has(call)) await store.compareAndSet(SLOT + call.slot, id, null);
  }

  function divide(): void {
    share = Math.floor(total / Math.max(1, processes));
    setConcurrency(isShared() ? total : share);
  }

  return {
    async acquire(isLong, signal, isSpare = false) {
      const call: Call = { id: randomUUID(), isLong, isSpare, slot: null };
      while (isShared()) {
        signal.throwIfAborted();
        try {
          if (await findSlot(call)) break;
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          // Without the store, no process knows what the others do, so each keeps to its share, and makes at least one call.
          if (calls.size + Number(isSpare) < Math.max(1, share)) break;
        }
        await sleep(POLL_INTERVAL_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
      }
      calls.add(call);
      if (!signal.aborted) return () => void end(call);
      await end(call);
      throw signal.reason;
    },
    hasRoomToSpare: () => !isShared() || hasFreeSlots().catch(() => false),
    resize(next) {
      total = next;
      forLong = Math.ceil(total / 2);
      divide();
    },
    async review(running) {
      processes = running;
      divide();
      if (!isShared() || performance.now() - renewedAt < RENEW_MS) return;
      renewedAt = performance.now();
      // Includes calls that began while this process was alone.
      await Promise.allSettled([...calls].map(renew));
    },
  };
}
