// One process registers the commands for all that offer the same. During a deploy, some still offer the previous ones: once newer commands
// are registered, the older ones are not put back for as long as a process with the newer ones is running.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createFailureLog, type Log } from '../log.ts';
import { readAs, type Store } from '../store/index.ts';
import type { Leases } from './types.ts';

/** Key of the process that is registering, or has done so lately. */
const CLAIM = 'registration';
/** Key of the commands that were registered last, and of those before them. */
const REGISTERED = 'registered-commands';
const MAX_EARLIER = 10;
/** Milliseconds after which another process takes over from one that has ended. */
const CLAIM_MS = 30_000;
/** Milliseconds for which processes that start at the same time rely on it: a later start compares with Discord again. */
const DONE_MS = 60_000;
const POLL_INTERVAL_MS = 500;
/** Milliseconds between two checks whether processes with newer commands are still running. */
const LATER_POLL_INTERVAL_MS = 5_000;

const claimShape = z.object({ process: z.string(), commands: z.string(), isDone: z.boolean() });
const registeredShape = z.object({ last: z.string(), before: z.array(z.string()) });

/**
 * Has `register` called once for all processes; it returns whether that succeeded, and is called by another process if not.
 * Resolves when it is done, here or elsewhere, or the signal is aborted. Never rejects. `again`: even if another process has just done so.
 */
export type RegisterOnce = (
  register: (signal: AbortSignal) => Promise<boolean>,
  options: { signal: AbortSignal; again: boolean },
) => Promise<void>;

/** @param commands a name for those that this process offers, and for where */
export function createRegisterOnce(
  store: Store,
  { leases, commands, log }: { leases: Pick<Leases, 'id' | 'processes'>; commands: string; log: Log },
): RegisterOnce {
  const mine = { process: leases.id, commands, isDone: false };
  const failures = createFailureLog(log, 'the commands cannot be registered yet; trying again until they are');
  let isWaiting = false;

  /** @returns false as long as newer commands are registered and offered @throws StoreError */
  async function areLatest(): Promise<boolean> {
    const stored = await store.get(REGISTERED);
    const registered = readAs(registeredShape, stored, log, REGISTERED);
    if (registered?.last === commands) return true;
    if (registered?.before.includes(commands) && (await leases.processes()).some(({ facts }) => facts.commands === registered.last)) {
      if (!isWaiting) log.info('other processes have registered newer commands: those of this one have to wait');
      isWaiting = true;
      return false;
    }
    isWaiting = false;
    const before = registered ? [registered.last, ...registered.before.filter((one) => one !== commands)].slice(0, MAX_EARLIER) : [];
    // If another process has changed it meanwhile, the next attempt looks at it again.
    return store.compareAndSet(REGISTERED, stored, { last: commands, before });
  }

  /** @returns milliseconds until it should be tried again; 0 = registered @throws StoreError */
  async function attempt(register: Parameters<RegisterOnce>[0], signal: AbortSignal, again: boolean): Promise<number> {
    const stored = await store.get(CLAIM);
    const claim = readAs(claimShape, stored, log, CLAIM);
    if (claim?.isDone && claim.commands === commands && !again) return 0;
    if (claim && !claim.isDone) return POLL_INTERVAL_MS;
    if (!(await areLatest())) return LATER_POLL_INTERVAL_MS;
    if (!(await store.compareAndSet(CLAIM, stored, mine, { expiresInMs: CLAIM_MS }))) return POLL_INTERVAL_MS;
    const lost = new AbortController();
    const renewal = setInterval(() => {
      store.compareAndSet(CLAIM, mine, mine, { expiresInMs: CLAIM_MS }).then(
        (isMine) => isMine || lost.abort(),
        // The next renewal may succeed; otherwise another process may claim it, too.
        failures.failed,
      );
    }, CLAIM_MS / 3);
    try {
      // Others may have come between the two looks.
      const isLatest = await areLatest();
      const isDone = isLatest && (await register(AbortSignal.any([signal, lost.signal])));
      await store.compareAndSet(CLAIM, mine, isDone ? { ...mine, isDone } : null, isDone ? { expiresInMs: DONE_MS } : {});
      return isLatest ? 0 : LATER_POLL_INTERVAL_MS;
    } finally {
      clearInterval(renewal);
    }
  }

  return async (register, { signal, again }) => {
    while (!signal.aborted) {
      let pause = POLL_INTERVAL_MS;
      try {
        pause = await attempt(register, signal, again);
        failures.succeeded();
      } catch (error) {
        failures.failed(error);
      }
      if (pause === 0) return;
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
    }
  };
}
