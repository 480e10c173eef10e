// Whose texts made which kept sounds: only names of sounds, which say nothing of a text, so that members can have theirs deleted.
import type { Store } from '../store/index.ts';
import { MAX_AGE_MS } from './cache.ts';

export interface SoundOwners {
  /** Beside what is being played. What fails is told to `warn`. */
  note(memberId: string, key: string): void;
  /** The sounds that the member has had me say in the last 30 days. Rejects with StoreError. */
  keysOf(memberId: string): Promise<string[]>;
  /** Of this member, or of all. Rejects with StoreError. */
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
