// Which voice each member's messages are read in, in the store until they haven't been heard for thirty days.
import { z } from 'zod';
import type { Store } from '../store/index.ts';

const persistedSchema = z
  .object({ voices: z.record(z.string(), z.string()), heardAt: z.number() })
  .nullable()
  .catch(null);

export interface PersistedVoices {
  /** Ids, by the language of the texts that they were assigned for (`de`). */
  voices: Record<string, string>;
  /** When the member was last heard, to the hour; milliseconds since 1970. */
  heardAt: number;
}

/** All methods reject with StoreError. */
export interface VoiceAssignments {
  load(guildId: string, memberId: string): Promise<PersistedVoices | null>;
  /** The voices of the other members of the guild. */
  loadOthers(guildId: string, memberId: string): Promise<PersistedVoices[]>;
  save(guildId: string, memberId: string, voices: PersistedVoices['voices']): Promise<void>;
  /** The member is heard again. */
  renew(guildId: string, memberId: string, kept: PersistedVoices): Promise<void>;
}

const RETENTION_MS = 30 * 24 * 3600_000;
/** It isn't noted more often that a member is heard. */
const RENEW_MS = 3600_000;

/** @param now milliseconds since 1970 */
export function createVoiceAssignments(store: Store, now: () => number): VoiceAssignments {
  const assignments: VoiceAssignments = {
    load: async (guildId, memberId) => persistedSchema.parse(await store.get(ofGuild(guildId) + memberId)),
    async loadOthers(guildId, memberId) {
      const entries = await store.list(ofGuild(guildId));
      return entries.flatMap(([key, value]) => (key === ofGuild(guildId) + memberId ? [] : (persistedSchema.parse(value) ?? [])));
    },
    async save(guildId, memberId, voices) {
      // First where it can be found again to be deleted.
      await store.set(ofMember(memberId) + guildId, true, { expiresInMs: RETENTION_MS });
      await store.set(ofGuild(guildId) + memberId, { voices, heardAt: now() }, { expiresInMs: RETENTION_MS });
    },
    async renew(guildId, memberId, { voices, heardAt }) {
      if (now() - heardAt >= RENEW_MS) await assignments.save(guildId, memberId, voices);
    },
  };
  return assignments;
}

/** Forgets in all guilds which voices the member's messages were read in. @throws StoreError */
export async function forgetVoiceAssignments(store: Store, memberId: string): Promise<void> {
  for (const [key] of await store.list(ofMember(memberId))) {
    const guildId = key.slice(ofMember(memberId).length);
    await store.delete(ofGuild(guildId) + memberId);
    await store.delete(key);
  }
}

const ofGuild = (guildId: string) => `reading-voices:${guildId}:`;
/** Prefix of the keys that name the guilds in which the member has voices assigned. */
const ofMember = (memberId: string) => `reading-voices-of:${memberId}:`;
