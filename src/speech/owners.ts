// Whose texts made which cached sounds, so that members can have theirs deleted. The names of sounds say nothing about the texts.
import type { Store } from '../store/index.ts';
import { MAX_AGE_MS } from './cache.ts';

export interface SoundOwners {
  /** Runs in the background; failures are reported to `warn`. */
  note(memberId: string, key: string): void;
  /** Keys of the sounds that the member caused in the last 30 days. Rejects with StoreError. */
  keysOf(memberId: string): Promise<string[]>;
  /** Forgets this member, or everybody if absent. Rejects with StoreError. */
  forget(memberId?: string): Promise<void>;
}

export function createSoundOwners(store: Store, warn: (error: unknown) => void = () => {}): SoundOwners {
  const prefixOf = (memberId: string) => `sound:${memberId}:`;
  return {
    note(memberId, key) {
      setImmediate(() => store.set(`${prefixOf(memberId)}${key}`, true, { expiresInMs: MAX_AGE_MS }).catch(warn));
    },
    keysOf: async (memberId) => (await store.list(prefixOf(memberId))).map(([name]) => name.slice(name.lastIndexOf(':') + 1)),
    forget: (memberId) => store.deleteAll(memberId === undefined ? 'sound:' : prefixOf(memberId)),
  };
}
