// Whose voice is it? Voices that members made of recordings all sit behind one API key, so the service can't tell them apart: what is
// noted here decides who may use one. Voices without a note belong to the catalogue. Operators have no right to the others: they see at
// their service that these exist, and no more.
import { z } from 'zod';
import { type Store, update } from '../store/index.ts';

/** The most voices that a member may have made. */
export const MAX_OWN_VOICES = 3;

/** How the tag begins that each of them has at the service, and that says nothing to members. */
export const MADE_TAG = 'parley-';

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

/** What is left of a deleted voice until the service has deleted it, too: without it, the voice would count as one of the catalogue. */
const deletedVoice = z.object({ id: z.string(), isDeleted: z.literal(true) });

/** Who wants to use a voice, and where; `guildId` null = outside of the servers that the bot is a member of. */
export interface VoiceUser {
  /** '' = nobody in particular: only voices that everybody there may use. */
  userId: string;
  guildId: string | null;
}

/** Whether a voice may be used: any of the `catalogue` may, an `own` one by its owner and where it is shared. */
type VoiceAccess = 'catalogue' | 'own' | 'refused';

/** The voices that members made, as one member may use them. */
export interface VoicesForUser {
  /** Their own ones first, then those that are shared with the server; each oldest first. */
  own: OwnVoice[];
  mayUse(voiceId: string): boolean;
}

/** All methods reject with StoreError on failure. */
export interface VoiceOwners {
  /** Null if no member made it, or it was deleted. */
  find(voiceId: string): Promise<OwnVoice | null>;
  /** Oldest first. */
  ofMember(memberId: string): Promise<OwnVoice[]>;
  /** Those that the member made, or speaks in. Oldest first. */
  concerning(memberId: string): Promise<OwnVoice[]>;
  /** Without deleted ones. */
  all(): Promise<OwnVoice[]>;
  /** Of all that are not of the catalogue, deleted ones included. */
  ids(): Promise<Set<string>>;
  save(voice: OwnVoice): Promise<void>;
  /** Changes a voice unless it is gone; returns it as it is then. */
  change(voiceId: string, change: (voice: OwnVoice) => OwnVoice): Promise<OwnVoice | null>;
  /** From now on nobody may use the voice, and nothing but its id is known of it, until `remove`. */
  markDeleted(voiceId: string): Promise<void>;
  /** Ids of the voices that are only marked. */
  deleted(): Promise<string[]>;
  /** Forgets the voice: once the service doesn't have it any more. */
  remove(voiceId: string): Promise<void>;
  /** Stops sharing voices with this server. */
  unshareAll(guildId: string): Promise<void>;
  accessOf(voiceId: string, user: VoiceUser): Promise<VoiceAccess>;
  /** Whether a voice may be used: any of the catalogue, one's own, or one that was shared with the server. */
  mayUse(voiceId: string, user: VoiceUser): Promise<boolean>;
  /** The same for many voices, in one request to the store. */
  forUser(user: VoiceUser): Promise<VoicesForUser>;
}

const PREFIX = 'own-voice:';

/** @param interaction whose member wants to use a voice */
export function voiceUserOf(interaction: { user: { id: string }; guildId: string | null; inCachedGuild(): boolean }): VoiceUser {
  return { userId: interaction.user.id, guildId: interaction.inCachedGuild() ? interaction.guildId : null };
}

export function createVoiceOwners(store: Store): VoiceOwners {
  const keyOf = (voiceId: string) => PREFIX + voiceId.toWellFormed();
  const read = async (voiceId: string): Promise<OwnVoice | 'unusable' | null> => {
    const value = await store.get(keyOf(voiceId));
    return value === null ? null : toVoice(value);
  };
  const find = async (voiceId: string): Promise<OwnVoice | null> => {
    const voice = await read(voiceId);
    return voice === 'unusable' ? null : voice;
  };
  const list = async () => (await store.list(PREFIX)).map(([key, value]) => ({ id: key.slice(PREFIX.length), value }));
  const all = async (): Promise<OwnVoice[]> => {
    const voices = (await list()).map(({ value }) => toVoice(value)).filter((voice) => voice !== 'unusable');
    return voices.sort((a, b) => a.createdAt - b.createdAt);
  };
  const save = (voice: OwnVoice) => store.set(keyOf(voice.id), voice);
  const accessOf = async (voiceId: string, user: VoiceUser): Promise<VoiceAccess> => accessTo(await read(voiceId), user);

  async function change(voiceId: string, by: (voice: OwnVoice) => OwnVoice): Promise<OwnVoice | null> {
    if (!(await find(voiceId))) return null;
    let changed: OwnVoice | null = null;
    await update(store, keyOf(voiceId), (value) => {
      const voice = value === null ? 'unusable' : toVoice(value);
      changed = voice === 'unusable' ? null : by(voice);
      return changed ?? value;
    });
    return changed;
  }

  return {
    find,
    all,
    ofMember: async (memberId) => (await all()).filter(({ ownerId }) => ownerId === memberId),
    concerning: async (memberId) => (await all()).filter(({ ownerId, consent }) => ownerId === memberId || consent.memberId === memberId),
    ids: async () => new Set((await list()).map(({ id }) => id)),
    save,
    change,
    markDeleted: (voiceId) => store.set(keyOf(voiceId), { id: voiceId, isDeleted: true }),
    deleted: async () => (await list()).filter(({ value }) => deletedVoice.safeParse(value).success).map(({ id }) => id),
    remove: (voiceId) => store.delete(keyOf(voiceId)),
    async unshareAll(guildId) {
      const shared = (await all()).filter(({ sharedWith }) => sharedWith.includes(guildId));
      for (const { id } of shared)
        await change(id, (voice) => ({ ...voice, sharedWith: voice.sharedWith.filter((other) => other !== guildId) }));
    },
    accessOf,
    mayUse: async (voiceId, user) => (await accessOf(voiceId, user)) !== 'refused',
    async forUser(user) {
      const entries = new Map((await list()).map(({ id, value }) => [id, toVoice(value)]));
      const usable = [...entries.values()].filter((voice) => voice !== 'unusable').filter((voice) => accessTo(voice, user) === 'own');
      const isTheirs = ({ ownerId }: OwnVoice) => ownerId === user.userId;
      return {
        own: usable.sort((a, b) => Number(isTheirs(b)) - Number(isTheirs(a)) || a.createdAt - b.createdAt),
        mayUse: (voiceId) => accessTo(entries.get(voiceId.toWellFormed()) ?? null, user) !== 'refused',
      };
    },
  };
}

/** Nobody may use a voice that was deleted, or whose note a later version of Parley wrote. */
function toVoice(value: unknown): OwnVoice | 'unusable' {
  const { data } = ownVoice.safeParse(value);
  return data ?? 'unusable';
}

function accessTo(voice: OwnVoice | 'unusable' | null, { userId, guildId }: VoiceUser): VoiceAccess {
  if (voice === null) return 'catalogue';
  if (voice === 'unusable') return 'refused';
  return voice.ownerId === userId || (guildId !== null && voice.sharedWith.includes(guildId)) ? 'own' : 'refused';
}
