// How many calls the account may have in flight at the voice service: what the latest answer to any process said, over restarts, too.
import { z } from 'zod';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';

/** Until an answer says more or less; what a starter account allows. */
const STARTER_CALLS = 5;

const storedLimit = z.int().min(1).max(1_000).nullable().catch(null);

export interface CallLimit {
  /** Calls of all processes together. */
  current(): number;
  /** An answer has said that the account may have so many. */
  note(calls: number): void;
  /** Learns what answers to other processes have said since. Never rejects. */
  refresh(): Promise<void>;
}

export interface CallLimitOptions {
  store: Store;
  /** Distinguishes accounts at different services. */
  service: string;
  /** The most; `auto` leaves that to the service. */
  most: number | 'auto';
  /** Called with the current limit, and each time it changes. */
  onChange(calls: number): void;
  log: Log;
}

/** @throws StoreError */
export async function openCallLimit({ store, service, most, onChange, log }: CallLimitOptions): Promise<CallLimit> {
  const key = `call-limit:${service}`;
  let allowed = storedLimit.parse(await store.get(key));
  let applied: number | null = null;

  const current = () => (most === 'auto' ? (allowed ?? STARTER_CALLS) : Math.min(most, allowed ?? most));

  function apply(calls: number | null): void {
    allowed = calls;
    const limit = current();
    if (limit === applied) return;
    if (applied !== null) log.info({ calls: limit }, 'the voice service allows another number of calls at a time');
    applied = limit;
    onChange(limit);
  }

  const warn = (error: Error) =>
    log.warn({ error: error.message }, 'the number of calls that the voice service allows could not be shared');

  apply(allowed);
  return {
    current,
    note(calls) {
      if (calls === allowed) return;
      apply(calls);
      store.set(key, calls).catch(warn);
    },
    async refresh() {
      const before = allowed;
      const stored = storedLimit.parse(await store.get(key).catch(() => null));
      // An answer that came meanwhile is newer.
      if (stored !== null && allowed === before) apply(stored);
    },
  };
}
