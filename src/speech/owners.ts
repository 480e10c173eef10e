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
  const list = (memberId?: string) => store.list(memberId === undefined ? 'sound:' : `sound:${memberId}:`);
  return {
    note(memberId, key) {
      setImmediate(() => store.set(`sound:${memberId}:${key}`, true, { expiresInMs: MAX_AGE_MS }).catch(warn));
    },
    keysOf: async (memberId) => (await list(memberId)).map(([name]) => name.slice(name.lastIndexOf(':') + 1)),
    async forget(memberId) {
      for (const [name] of await list(memberId)) await store.delete(name);
    },
  };
}
