// The sound of messages that are read aloud: in memory only, and only until the message is edited or deleted.
import { LRUCache } from 'lru-cache';
import type { CacheSlot } from './cache.ts';

/** A message that is spoken, and its author. */
interface SpokenMessage {
  messageId: string;
  /** Null = in no guild. */
  guildId: string | null;
  memberId: string;
  /** Null = the service's default one. */
  voiceId: string | null;
}

export interface MessageSounds {
  /** @param key of the sound, which includes the guild @param isWanted whether it may still be kept once it is complete */
  slot(key: string, message: SpokenMessage, isWanted: () => boolean): CacheSlot;
  /** Forgets all sounds of a message that was deleted or edited, also those being made, even if others have the same words. */
  forgetMessage(messageId: string): void;
  /** Returns how many sounds of the member's messages were forgotten, not counting those being made. */
  forgetMember(memberId: string): number;
  forgetVoice(voiceId: string): void;
  forgetGuild(guildId: string): void;
  clear(): void;
  /** Size of all sounds; one that is being made counts as a byte. */
  readonly bytes: number;
}

interface Sound {
  /** Empty while the sound is being made. */
  packets: Uint8Array[];
  /** Messages that are read with it. */
  messages: Map<string, SpokenMessage>;
}

/** Milliseconds a sound is kept after it was last heard: the bot doesn't learn of deletions in a channel that it can no longer see. */
const KEEP_MS = 3600_000;
/** Including those being made, some of which never will be. */
const MAX_SOUNDS = 2_000;

/** @param maxBytes of all guilds together; the sound that was heard the longest ago leaves first */
export function createMessageSounds(maxBytes: number): MessageSounds {
  /** The keys of each message's sounds: it may be read in several voices and speeds, or with other words around its own. */
  const keys = new Map<string, Set<string>>();
  const sounds = new LRUCache<string, Sound>({
    max: MAX_SOUNDS,
    maxSize: maxBytes,
    sizeCalculation: ({ packets }) => Math.max(1, sizeOf(packets)),
    ttl: KEEP_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    perf: { now: Date.now },
    dispose({ messages }, key, reason) {
      if (reason === 'set') return;
      for (const id of messages.keys()) {
        const others = keys.get(id);
        others?.delete(key);
        if (others?.size === 0) keys.delete(id);
      }
    },
  });

  function note({ messages }: Sound, key: string, message: SpokenMessage): void {
    messages.set(message.messageId, message);
    const messageKeys = keys.get(message.messageId);
    if (messageKeys) messageKeys.add(key);
    else keys.set(message.messageId, new Set([key]));
  }

  /** Returns how many complete sounds were forgotten. */
  function forget(isMeant: (message: SpokenMessage) => boolean): number {
    const meant = [...sounds].filter(([, { messages }]) => [...messages.values()].some(isMeant));
    for (const [key] of meant) sounds.delete(key);
    return meant.filter(([, { packets }]) => packets.length > 0).length;
  }

  return {
    slot: (key, message, isWanted) => ({
      async get() {
        const sound = sounds.get(key);
        if (!sound || sound.packets.length === 0) return null;
        note(sound, key, message);
        return sound.packets;
      },
      record() {
        // The sound is noted before it is complete, so it is found if the message is to be forgotten meanwhile.
        const sound: Sound = sounds.get(key) ?? { packets: [], messages: new Map() };
        sounds.set(key, sound);
        note(sound, key, message);
        let packets: Uint8Array[] = [];
        let bytes = 0;
        return {
          add(packet) {
            bytes += packet.length;
            if (bytes <= maxBytes) packets.push(packet.slice());
            else packets = [];
          },
          save() {
            const { messages } = sound;
            const isForgotten = sounds.peek(key)?.messages !== messages;
            if (!isForgotten && isWanted() && packets.length > 0 && bytes <= maxBytes) sounds.set(key, { packets, messages });
          },
        };
      },
    }),
    forgetMessage(messageId) {
      for (const key of [...(keys.get(messageId) ?? [])]) sounds.delete(key);
    },
    forgetMember: (memberId) => forget((message) => message.memberId === memberId),
    forgetVoice: (voiceId) => void forget((message) => message.voiceId === voiceId),
    forgetGuild: (guildId) => void forget((message) => message.guildId === guildId),
    clear: () => sounds.clear(),
    get bytes() {
      return sounds.calculatedSize;
    },
  };
}

function sizeOf(packets: readonly Uint8Array[]): number {
  return packets.reduce((sum, { length }) => sum + length, 0);
}
