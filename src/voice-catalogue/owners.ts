// Whose voice is it? All voices that members made from recordings are behind one API key, so the service can't tell whose they are: the
// record kept here decides who may use one. Voices without a record belong to the catalogue. Operators have no access to the others: they
// see at their service that such voices exist, and no more.
import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type Store, update, type Value } from '../store/index.ts';

/** The most voices that a member may have made. */
export const MAX_OWN_VOICES = 3;

/** The beginning of the tag that each of them has at the service, which is not shown to members. */
export const OWN_VOICE_TAG = 'parley-';

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

/**
 * What is left of a deleted voice until nobody has it chosen any more, and the service has deleted it, too: without it, the voice would count as
 * one of the catalogue. `isGone`: the service has.
 */
const deletedVoice = z.object({ id: z.string(), isDeleted: z.literal(true), isGone: z.boolean().catch(false) });
type DeletedVoice = z.infer<typeof deletedVoice>;

/** A voice whose title isn't yet the one that others have it chosen by. `mark` changes with each title. */
interface RenamedVoice {
  voice: OwnVoice;
  mark: Value;
}

/** Who wants to use a voice, and where; `guildId` null = outside of the servers that the bot is a member of. */
export interface VoiceUser {
  /** '' = nobody in particular: only voices that everybody there may use. */
  userId: string;
  guildId: string | null;
}

/** Whether a voice may be used: everybody may use any of the `catalogue`; an `own` one, only its owner, and members where it is shared. */
export type VoiceAccess = 'catalogue' | 'own' | 'refused';

/** All methods reject with StoreError on failure. */
export interface VoiceOwners {
  /** Null if no member made it, or it was deleted. */
  find(voiceId: string): Promise<OwnVoice | null>;
  /** Oldest first. */
  ofMember(memberId: string): Promise<OwnVoice[]>;
  /** The voices that the member made, or speaks in. Oldest first. */
  concerning(memberId: string): Promise<OwnVoice[]>;
  /** The voices made by members that this one may use: first their own, then those shared with the server; each oldest first. */
  usableBy(user: VoiceUser): Promise<OwnVoice[]>;
  /** Those of these ids that don't belong to the catalogue, including deleted voices. */
  made(voiceIds: Iterable<string>): Promise<Set<string>>;
  save(voice: OwnVoice): Promise<void>;
  /** Changes a voice unless it is gone; returns the changed voice. */
  change(voiceId: string, change: (voice: OwnVoice) => OwnVoice): Promise<OwnVoice | null>;
  /** The same for changes that have to follow wherever others have chosen the voice: until `followed`, it is among the `renamed` ones. */
  rename(voiceId: string, changes: Pick<OwnVoice, 'title' | 'description'>): Promise<OwnVoice | null>;
  renamed(): Promise<RenamedVoice[]>;
  followed(renamed: RenamedVoice): Promise<void>;
  /**
   * From now on nobody may use the voice, and only its id is kept, until `remove`. @param isGone whether the service has deleted it, too
   */
  markDeleted(voiceId: string, isGone?: boolean): Promise<void>;
  /** Forgets the voice. Call once the service doesn't have it any more. */
  remove(voiceId: string): Promise<void>;
  /** Stops sharing voices with this server. */
  unshareAll(guildId: string): Promise<void>;
  accessOf(voiceId: string, user: VoiceUser): Promise<VoiceAccess>;
  /** Every voice, oldest first. Reads all of them, page by page, so don't call it while a member waits. */
  all(): Promise<OwnVoice[]>;
  /** The voices that are marked as deleted. Reads all voices, too. */
  deleted(): Promise<DeletedVoice[]>;
  /**
   * Lists these voices under their members and servers, if an earlier version saved them without that. Reads everything known about them.
   */
  index(voices: readonly OwnVoice[]): Promise<void>;
}

const PREFIX = 'own-voice:';
/** Followed by the id of the owner, or of the member who speaks in it, and the voice's id. Only an index: the record itself decides. */
const OF_MEMBER = 'own-voice-of:';
/** Followed by the id of a server it is shared with, and the voice's. */
const IN_GUILD = 'own-voice-in:';
/** Followed by the id of a voice. */
const RENAMED = 'own-voice-renamed:';

/** Voices per step of a review: a millisecond or two. */
const LOOKED_AT = 500;

/** Identifies a voice where others can read it: useless to anybody who doesn't know which voices exist. */
export function handleOf(voiceId: string): string {
  return `~${createHash('sha256').update(voiceId).digest('base64url').slice(0, 16)}`;
}

export function isHandle(text: string): boolean {
  return /^~[\w-]{16}$/.test(text);
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

  /** The voices that are listed under these prefixes. */
  async function listed(...prefixes: string[]): Promise<OwnVoice[]> {
    const lists = await Promise.all(prefixes.map((prefix) => store.list(prefix)));
    const ids = new Set(lists.flatMap((list, index) => list.map(([key]) => key.slice(prefixes[index]?.length))));
    return sorted(await Promise.all([...ids].map(find)));
  }

  const concerning = async (memberId: string) =>
    (await listed(`${OF_MEMBER}${memberId}:`)).filter(({ ownerId, consent }) => ownerId === memberId || consent.memberId === memberId);

  const addKeys = (keys: Iterable<string>) => Promise.all([...keys].map((key) => store.set(key, true)));
  const deleteKeys = (keys: Iterable<string>) => Promise.all([...keys].map((key) => store.delete(key)));

  async function change(voiceId: string, edit: (voice: OwnVoice) => OwnVoice): Promise<OwnVoice | null> {
    let before: OwnVoice | null = await find(voiceId);
    if (!before) return null;
    let changed: OwnVoice | null = null;
    await update(store, keyOf(voiceId), (value) => {
      const voice = value === null ? 'unusable' : toVoice(value);
      before = voice === 'unusable' ? null : voice;
      changed = before && edit(before);
      return changed ?? value;
    });
    const [keysBefore, keys] = [keysOf(before), keysOf(changed)];
    await Promise.all([addKeys(keys.difference(keysBefore)), deleteKeys(keysBefore.difference(keys))]);
    return changed;
  }

  async function all(): Promise<OwnVoice[]> {
    const voices: (OwnVoice | 'unusable')[] = [];
    for await (const { value } of store.entries(PREFIX)) voices.push(toVoice(value));
    return sorted(voices);
  }

  return {
    find,
    ofMember: async (memberId) => (await concerning(memberId)).filter(({ ownerId }) => ownerId === memberId),
    concerning,
    async usableBy(user) {
      const { userId, guildId } = user;
      const prefixes = [userId === '' ? null : `${OF_MEMBER}${userId}:`, guildId === null ? null : `${IN_GUILD}${guildId}:`];
      const usable = (await listed(...prefixes.filter((prefix) => prefix !== null))).filter((voice) => accessTo(voice, user) === 'own');
      return [...usable.filter(({ ownerId }) => ownerId === userId), ...usable.filter(({ ownerId }) => ownerId !== userId)];
    },
    async made(voiceIds) {
      const ids = [...voiceIds];
      const notes = await Promise.all(ids.map(read));
      return new Set(ids.filter((_, index) => notes[index] !== null));
    },
    async save(voice) {
      await addKeys(keysOf(voice));
      await store.set(keyOf(voice.id), voice);
    },
    change,
    async rename(voiceId, changes) {
      const voice = await change(voiceId, (before) => ({ ...before, ...changes }));
      if (voice) await store.set(RENAMED + voiceId.toWellFormed(), randomUUID());
      return voice;
    },
    async renamed() {
      const marks = await store.list(RENAMED);
      const voices = await Promise.all(marks.map(([key]) => find(key.slice(RENAMED.length))));
      return marks.flatMap(([, mark], index) => (voices[index] ? [{ voice: voices[index], mark }] : []));
    },
    async followed({ voice, mark }) {
      await store.compareAndSet(RENAMED + voice.id.toWellFormed(), mark, null);
    },
    async markDeleted(voiceId, isGone = false) {
      const voice = await find(voiceId);
      await store.set(keyOf(voiceId), { id: voiceId, isDeleted: true, isGone });
      await deleteKeys([...keysOf(voice), RENAMED + voiceId.toWellFormed()]);
    },
    async remove(voiceId) {
      const voice = await find(voiceId);
      await store.delete(keyOf(voiceId));
      await deleteKeys([...keysOf(voice), RENAMED + voiceId.toWellFormed()]);
    },
    async unshareAll(guildId) {
      for (const { id } of await listed(`${IN_GUILD}${guildId}:`))
        await change(id, (voice) => ({ ...voice, sharedWith: voice.sharedWith.filter((other) => other !== guildId) }));
    },
    accessOf: async (voiceId, user) => accessTo(await read(voiceId), user),
    all,
    async deleted() {
      const voices: DeletedVoice[] = [];
      for await (const { value } of store.entries(PREFIX)) {
        const { data } = deletedVoice.safeParse(value);
        if (data) voices.push(data);
      }
      return voices;
    },
    async index(voices) {
      const indexKeys = new Set<string>();
      for (const prefix of [OF_MEMBER, IN_GUILD]) for await (const { key } of store.entries(prefix)) indexKeys.add(key);
      for (const [place, voice] of voices.entries()) {
        if (place % LOOKED_AT === 0) await setImmediate();
        const missing = keysOf(voice).difference(indexKeys);
        if (missing.size === 0) continue;
        // If the voice was deleted or changed since it was read, its keys lead nowhere.
        await addKeys(missing);
        // A store on this machine answers immediately, and sound has to be sent in between.
        await setImmediate();
      }
    },
  };
}

/** The keys that a voice is listed under. */
function keysOf(voice: OwnVoice | null): Set<string> {
  if (voice === null) return new Set();
  const { ownerId, sharedWith, consent } = voice;
  const lists = [ownerId, consent.memberId].map((id) => OF_MEMBER + id).concat(sharedWith.map((id) => IN_GUILD + id));
  return new Set(lists.map((list) => `${list}:${voice.id.toWellFormed()}`));
}

function sorted(voices: readonly (OwnVoice | 'unusable' | null)[]): OwnVoice[] {
  return voices.filter((voice) => voice !== null && voice !== 'unusable').sort((a, b) => a.createdAt - b.createdAt);
}

/** Nobody may use a voice that was deleted, or whose record was written by a later version of Parley. */
function toVoice(value: unknown): OwnVoice | 'unusable' {
  const { data } = ownVoice.safeParse(value);
  return data ?? 'unusable';
}

function accessTo(voice: OwnVoice | 'unusable' | null, { userId, guildId }: VoiceUser): VoiceAccess {
  if (voice === null) return 'catalogue';
  if (voice === 'unusable') return 'refused';
  return voice.ownerId === userId || (guildId !== null && voice.sharedWith.includes(guildId)) ? 'own' : 'refused';
}
