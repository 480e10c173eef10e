// Which sounds are kept: on disk, in memory for a message or for a member who was told that it is free; and how they are deleted.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CacheSlot, SpeechCache } from './cache.ts';
import { createMessageSounds } from './message-sounds.ts';
import { createPins } from './pins.ts';
import type { SoundOwners } from './sound-owners.ts';
import type { CacheInvalidation, SpeechEngine, SpeechRequest } from './types.ts';
import { readAccess, type VoiceAccessLookup } from './voice-access.ts';

/** Thirty of the longest texts at half speed. A sound that does not fit counts as not cached beforehand, and may turn out to be free. */
const MAX_PINNED_BYTES = 64 * 1024 * 1024;
/** Half an hour of speech. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Increment when packets are made differently from the same bytes: older cached sounds are then no longer played. */
const PACKETS_VERSION = 2;

export interface KeptSoundsOptions {
  cache?: SpeechCache | null;
  /** Notes whose words are in the cache. */
  owners?: SoundOwners;
  /** Has other processes delete sounds, too. Resolves with what waits for them, and returns whether all have done so. Both reject with StoreError. */
  shareDeletion?: (invalidation: CacheInvalidation) => Promise<() => Promise<boolean>>;
  /** Asked each time a voice speaks. Absent: everybody may use all of them. */
  accessOf?: VoiceAccessLookup;
}

export interface KeptSounds extends Pick<SpeechEngine, 'pin' | 'forget' | 'forgetVoice' | 'forgetMessages' | 'clearCache' | 'discard'> {
  /** Null if the sound isn't to be kept. @param isOwn whether the voice was made by a member */
  slotOf(request: SpeechRequest, memberId: string | undefined, isOwn: () => boolean): CacheSlot | null;
}

/** @param factsOf all that the sound of a request depends on, besides its scope */
export function createKeptSounds(options: KeptSoundsOptions, factsOf: (request: SpeechRequest) => readonly unknown[]): KeptSounds {
  const { cache, owners, accessOf, shareDeletion = async () => async () => true } = options;
  const pins = createPins(MAX_PINNED_BYTES);
  const messageSounds = createMessageSounds(MAX_MESSAGE_BYTES);
  /** How often the sounds of each member or voice were deleted: a sound that was begun before the last deletion isn't cached after it. */
  const deletions = new Map<string, number>();

  /** Returns a function that tells whether nothing with these ids has been deleted since. */
  function untilDeleted(...ids: string[]): () => boolean {
    const before = ids.map((id) => deletions.get(id));
    return () => ids.every((id, index) => deletions.get(id) === before[index]);
  }

  const keyFactsOf = (request: SpeechRequest) => [PACKETS_VERSION, request.scope, ...factsOf(request)];

  /** Null if the sound is not to be cached. */
  function cacheKeyOf(request: SpeechRequest): string | null {
    return cache && request.scope !== undefined && request.messageId === undefined ? cache.keyOf(keyFactsOf(request)) : null;
  }

  /** The key is a hash, because the sound is kept for longer than the words may be. */
  function messageSlotOf(request: SpeechRequest, messageId: string, memberId: string): CacheSlot {
    const key = createHash('sha256')
      .update(JSON.stringify(keyFactsOf(request)))
      .digest('base64');
    const { scope, referenceId: voiceId = null } = request;
    const guildId = typeof scope === 'object' && 'guildId' in scope ? scope.guildId : null;
    return messageSounds.slot(key, { messageId, guildId, memberId, voiceId }, untilDeleted(memberId, voiceId ?? ''));
  }

  function slotOf(request: SpeechRequest, memberId: string | undefined, isOwn: () => boolean): CacheSlot | null {
    if (request.messageId === null) return null;
    if (request.messageId !== undefined) return messageSlotOf(request, request.messageId, memberId ?? '');
    const key = cacheKeyOf(request);
    return cache && key !== null ? cacheSlotOf(cache, key, request, memberId, isOwn) : null;
  }

  function cacheSlotOf(
    cache: SpeechCache,
    key: string,
    request: SpeechRequest,
    memberId: string | undefined,
    isOwn: () => boolean,
  ): CacheSlot {
    const isWanted = untilDeleted(memberId ?? '', request.referenceId ?? '');
    const noteOwner = () => {
      if (memberId !== undefined && isWanted()) owners?.note(memberId, key);
    };
    const noteVoice = async () => (await owners?.noteVoice(request.referenceId ?? '', key)) ?? false;
    return {
      async get() {
        const packets = await cache.get(key);
        if (packets) noteOwner();
        if (packets && isOwn()) void noteVoice();
        return packets;
      },
      record() {
        const recording = cache.record(key);
        const save = () => {
          if (!isWanted()) return;
          recording.save();
          noteOwner();
        };
        /** Noted before it is saved, so deleting the voice finds all its sounds; not saved if the voice has been deleted meanwhile. */
        async function saveIfKept(): Promise<void> {
          const isKept = async () => (await readAccess(accessOf, request, memberId).catch(() => 'refused')) === 'own';
          if ((await isKept()) && (await noteVoice()) && (await isKept())) save();
        }
        return { add: recording.add, save: () => (isOwn() ? void saveIfKept() : save()) };
      },
    };
  }

  /** Deletes sounds of this process. Returns how many there were in memory. */
  async function discard({ keys, memberId, voiceId }: CacheInvalidation): Promise<number> {
    for (const id of [memberId, voiceId]) if (id !== undefined) deletions.set(id, (deletions.get(id) ?? 0) + 1);
    const inMemory = memberId === undefined ? 0 : messageSounds.forgetMember(memberId);
    if (voiceId !== undefined) messageSounds.forgetVoice(voiceId);
    if (keys === 'all') {
      pins.dropAll();
      messageSounds.clear();
      await cache?.clear();
    } else {
      pins.drop(memberId ?? null, keys);
      for (const key of keys) await cache?.delete(key);
    }
    return inMemory;
  }

  return {
    slotOf,
    async pin(request, memberId) {
      const key = cacheKeyOf(request);
      if (key === null) return null;
      const access = await readAccess(accessOf, request, memberId).catch(() => 'refused');
      if (access === 'refused') return null;
      return pins.pin(key, memberId, async () => (await slotOf(request, memberId, () => access === 'own')?.get()) ?? null);
    },
    async forget(memberId) {
      // The note about a sound from a moment ago may still be on its way to the store.
      await nextTurn();
      const keys = (await owners?.keysOf(memberId)) ?? [];
      const inMemory = await discard({ keys, memberId });
      const isEverywhere = await shareDeletion({ keys, memberId });
      // Forgotten only now: if deleting failed, it can be tried again.
      await owners?.forget(memberId);
      return { count: keys.length + inMemory, everywhere: await isEverywhere() };
    },
    async forgetVoice(voiceId) {
      const keys = (await owners?.keysOfVoice(voiceId)) ?? [];
      await discard({ keys, voiceId });
      const isEverywhere = await shareDeletion({ keys, voiceId });
      await owners?.forgetVoice(voiceId);
      await isEverywhere();
    },
    forgetMessages(messages) {
      if (messages === 'all') messageSounds.clear();
      else if ('guildId' in messages) messageSounds.forgetGuild(messages.guildId);
      else messageSounds.forgetMessage(messages.messageId);
    },
    async clearCache() {
      const bytes = (cache?.bytes ?? 0) + messageSounds.bytes;
      await discard({ keys: 'all' });
      const isEverywhere = await shareDeletion({ keys: 'all' });
      await owners?.forget();
      await isEverywhere();
      return bytes;
    },
    discard: async (invalidation) => void (await discard(invalidation)),
  };
}
