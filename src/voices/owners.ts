// Whose voice is it? Voices that members made of recordings all sit behind one API key, so the service can't tell them apart: what is
// noted here decides who may use one. Voices without a note belong to the catalogue.
import { z } from 'zod';
import type { Store } from '../store/index.ts';

/** The most voices that a member may have made. */
export const MAX_OWN_VOICES = 3;

/** Who agreed to it, and when. `own`: the owner speaks in it. `permission`: the owner said that the speaker agreed. `speaker`: the speaker pressed the button. */
export const consentNote = z.object({ kind: z.enum(['own', 'permission', 'speaker']), memberId: z.string(), at: z.number() });

const ownVoice = z.object({
  id: z.string(),
  ownerId: z.string(),
  title: z.string(),
  description: z.string().catch(''),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** Guilds whose members may use it besides its owner. */
  sharedWith: z.array(z.string()).catch([]),
  consent: consentNote,
});
export type OwnVoice = z.infer<typeof ownVoice>;

/** Who wants to use a voice, and where; `guildId` null = outside of servers. */
export interface VoiceUser {
  userId: string;
  guildId: string | null;
}

/** All methods reject with StoreError on failure. */
export interface VoiceOwners {
  /** Null if no member made it. */
  find(voiceId: string): Promise<OwnVoice | null>;
  /** Oldest first. */
  ofMember(memberId: string): Promise<OwnVoice[]>;
  all(): Promise<OwnVoice[]>;
  save(voice: OwnVoice): Promise<void>;
  remove(voiceId: string): Promise<void>;
  /** Whether a voice may be used: any of the catalogue, one's own, or one that was shared with the server. */
  mayUse(voiceId: string, user: VoiceUser): Promise<boolean>;
}

const PREFIX = 'own-voice:';

export function createVoiceOwners(store: Store): VoiceOwners {
  const find = async (voiceId: string): Promise<OwnVoice | null> => {
    const value = await store.get(PREFIX + voiceId.toWellFormed());
    return value === null ? null : ownVoice.parse(value);
  };
  const all = async (): Promise<OwnVoice[]> => {
    const entries = await store.list(PREFIX);
    return entries.map(([, value]) => ownVoice.parse(value)).sort((a, b) => a.createdAt - b.createdAt);
  };
  return {
    find,
    all,
    ofMember: async (memberId) => (await all()).filter(({ ownerId }) => ownerId === memberId),
    save: (voice) => store.set(PREFIX + voice.id, voice),
    remove: (voiceId) => store.delete(PREFIX + voiceId),
    async mayUse(voiceId, { userId, guildId }) {
      const voice = await find(voiceId);
      return voice === null || voice.ownerId === userId || (guildId !== null && voice.sharedWith.includes(guildId));
    },
  };
}
