// Notes which member's text each cached sound is from, and which sounds are in a voice that a member made, so members can have theirs
// deleted. The names of sounds reveal nothing about the texts.
import { keepTrying } from '../async/waiting.ts';
import { type Store, whileStoreFails } from '../store/index.ts';
import { MAX_AGE_MS } from './cache.ts';

export interface SoundOwners {
  /** Runs in the background until it is stored; the first failure is reported to `warn`. */
  note(memberId: string, key: string): void;
  /** Keys of the sounds that the member caused in the last 30 days. Rejects with StoreError. */
  keysOf(memberId: string): Promise<string[]>;
  /** Forgets this member, or everybody if absent. Rejects with StoreError. */
  forget(memberId?: string): Promise<void>;
  /** Notes a sound in a voice that a member made; false if that failed, which is reported to `warn`. Never rejects. */
  noteVoice(voiceId: string, key: string): Promise<boolean>;
  /** Keys of the sounds in this voice of the last 30 days. Rejects with StoreError. */
  keysOfVoice(voiceId: string): Promise<string[]>;
  /** Rejects with StoreError. */
  forgetVoice(voiceId: string): Promise<void>;
}

const VOICE_PREFIX = 'voice-sound:';

export function createSoundOwners(store: Store, warn: (error: unknown) => void = () => {}): SoundOwners {
  const prefixOf = (memberId: string) => `sound:${memberId}:`;
  const voicePrefixOf = (voiceId: string) => `${VOICE_PREFIX}${voiceId.toWellFormed()}:`;
  /** What couldn't be noted yet. */
  const unnoted = new Set<string>();
  const keysBelow = async (prefix: string) => (await store.list(prefix)).map(([name]) => name.slice(name.lastIndexOf(':') + 1));
  return {
    note(memberId, key) {
      const name = prefixOf(memberId) + key;
      if (unnoted.has(name)) return;
      unnoted.add(name);
      const write = async () => {
        // Forgotten before it was noted.
        if (!unnoted.has(name)) return;
        await store.set(name, true, { expiresInMs: MAX_AGE_MS });
        unnoted.delete(name);
      };
      setImmediate(() => void keepTrying(write, whileStoreFails(warn)));
    },
    async keysOf(memberId) {
      const prefix = prefixOf(memberId);
      const pending = [...unnoted].flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
      return [...pending, ...(await keysBelow(prefix))];
    },
    async forget(memberId) {
      for (const name of unnoted) if (memberId === undefined || name.startsWith(prefixOf(memberId))) unnoted.delete(name);
      await store.deleteAll(memberId === undefined ? 'sound:' : prefixOf(memberId));
      if (memberId === undefined) await store.deleteAll(VOICE_PREFIX);
    },
    async noteVoice(voiceId, key) {
      try {
        await store.set(voicePrefixOf(voiceId) + key, true, { expiresInMs: MAX_AGE_MS });
        return true;
      } catch (error) {
        warn(error);
        return false;
      }
    },
    keysOfVoice: (voiceId) => keysBelow(voicePrefixOf(voiceId)),
    forgetVoice: (voiceId) => store.deleteAll(voicePrefixOf(voiceId)),
  };
}
