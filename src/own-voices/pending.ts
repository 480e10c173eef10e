// Voices that are being made, noted before the service is asked for anything: whatever happens to this process, the next one finds the
// voice again or deletes it.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Store, update } from '../store/index.ts';
import { consentNote, OWN_VOICE_TAG } from '../voices/owners.ts';

const unfinishedOwnVoice = z.object({
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
  /** Nobody wants it any more: it's deleted at the service as soon as that is possible. Never taken back. */
  isUnwanted: z.boolean(),
});
export type UnfinishedOwnVoice = z.infer<typeof unfinishedOwnVoice>;

/** A note that can't be read counts as none: a later version of Parley wrote it. All methods reject with StoreError on failure. */
export interface UnfinishedOwnVoices {
  find(tag: string): Promise<UnfinishedOwnVoice | null>;
  all(): Promise<UnfinishedOwnVoice[]>;
  add(voice: UnfinishedOwnVoice): Promise<void>;
  /** Changes a note unless it is gone; returns it as it is then. Other processes may change it at the same time: no change is lost. */
  change(tag: string, change: (voice: UnfinishedOwnVoice) => UnfinishedOwnVoice): Promise<UnfinishedOwnVoice | null>;
  /** Removes the note of a voice that is still wanted, and returns whether there was one. */
  take(tag: string): Promise<boolean>;
  remove(tag: string): Promise<void>;
}

const PREFIX = 'pending-voice:';

export function createTag(): string {
  return `${OWN_VOICE_TAG}${randomBytes(8).toString('hex')}`;
}

export function createUnfinishedOwnVoices(store: Store): UnfinishedOwnVoices {
  async function change(tag: string, by: (voice: UnfinishedOwnVoice) => UnfinishedOwnVoice | null): Promise<UnfinishedOwnVoice | null> {
    let found: UnfinishedOwnVoice | null = null;
    await update(store, PREFIX + tag, (value) => {
      found = read(value);
      return found === null ? value : by(found);
    });
    return found;
  }
  return {
    find: async (tag) => read(await store.get(PREFIX + tag)),
    all: async () => (await store.list(PREFIX)).flatMap(([, value]) => read(value) ?? []),
    add: (voice) => store.set(PREFIX + voice.tag, voice),
    async change(tag, by) {
      const before = await change(tag, by);
      return before && by(before);
    },
    async take(tag) {
      const before = await change(tag, (voice) => (voice.isUnwanted ? voice : null));
      return before !== null && !before.isUnwanted;
    },
    remove: (tag) => store.delete(PREFIX + tag),
  };
}

function read(value: unknown): UnfinishedOwnVoice | null {
  return unfinishedOwnVoice.safeParse(value).data ?? null;
}
