// Voices that are being made, noted before the service is asked for anything: whatever happens to this process, the next one finds the
// voice again or deletes it.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Store } from '../store/index.ts';
import { consentNote, MADE_TAG } from '../voices/owners.ts';

const pendingVoice = z.object({
  /** A tag of the model at the service, by which it's found if the service's answer got lost. Says nothing about the member. */
  tag: z.string(),
  ownerId: z.string(),
  /** Where it was asked for; null = outside of servers. */
  guildId: z.string().nullable(),
  title: z.string(),
  sharedWith: z.array(z.string()),
  consent: consentNote,
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  /** Null until the service has answered. */
  modelId: z.string().nullable(),
  /** Nobody wants it any more: it's deleted at the service as soon as that is possible. */
  isUnwanted: z.boolean(),
});
export type PendingVoice = z.infer<typeof pendingVoice>;

/** All methods reject with StoreError on failure. */
export interface PendingVoices {
  find(tag: string): Promise<PendingVoice | null>;
  all(): Promise<PendingVoice[]>;
  save(voice: PendingVoice): Promise<void>;
  remove(tag: string): Promise<void>;
}

const PREFIX = 'pending-voice:';

export function createTag(): string {
  return `${MADE_TAG}${randomBytes(8).toString('hex')}`;
}

export function createPendingVoices(store: Store): PendingVoices {
  return {
    async find(tag) {
      const value = await store.get(PREFIX + tag);
      return value === null ? null : pendingVoice.parse(value);
    },
    all: async () => (await store.list(PREFIX)).map(([, value]) => pendingVoice.parse(value)),
    save: (voice) => store.set(PREFIX + voice.tag, voice),
    remove: (tag) => store.delete(PREFIX + tag),
  };
}
