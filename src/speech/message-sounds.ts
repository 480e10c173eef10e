// The sound of messages that are read aloud: in memory only, and only for as long as the message exists.
import { LRUCache } from 'lru-cache';
import type { CacheSlot } from './cache.ts';

/** A message whose words are spoken, and whose they are. */
interface SpokenMessage {
  messageId: string;
  memberId: string;
  /** Null = the service's default one. */
  voiceId: string | null;
}

export interface MessageSounds {
  /** @param key of the sound, which includes the guild @param isWanted whether it may still be kept once it is complete */
  slot(key: string, message: SpokenMessage, isWanted: () => boolean): CacheSlot;
  /** Forgets the sound of a message that was deleted, even if others have the same words. */
  forgetMessage(messageId: string): void;
  /** Returns how many sounds of the member's messages were forgotten. */
  forgetMember(memberId: string): number;
  forgetVoice(voiceId: string): void;
  clear(): void;
  /** Of all sounds. */
  readonly bytes: number;
}

interface Sound {
  packets: Uint8Array[];
  /** Those that were read with it. */
  messages: Map<string, SpokenMessage>;
}

/** @param maxBytes of all guilds together; the sound that was heard the longest ago leaves first */
export function createMessageSounds(maxBytes: number): MessageSounds {
  const keys = new Map<string, string>();
  const sounds = new LRUCache<string, Sound>({
    maxSize: maxBytes,
    sizeCalculation: ({ packets }) => Math.max(1, sizeOf(packets)),
    dispose({ messages }) {
      for (const id of messages.keys()) keys.delete(id);
    },
  });

  function note(sound: Sound, key: string, message: SpokenMessage): void {
    sound.messages.set(message.messageId, message);
    keys.set(message.messageId, key);
  }

  /** Returns how many sounds that were. */
  function forget(isMeant: (message: SpokenMessage) => boolean): number {
    const meant = [...sounds].filter(([, { messages }]) => [...messages.values()].some(isMeant));
    for (const [key] of meant) sounds.delete(key);
    return meant.length;
  }

  return {
    slot: (key, message, isWanted) => ({
      async get() {
        const sound = sounds.get(key);
        if (!sound) return null;
        note(sound, key, message);
        return sound.packets;
      },
      record() {
        let packets: Uint8Array[] = [];
        let bytes = 0;
        return {
          add(packet) {
            bytes += packet.length;
            if (bytes <= maxBytes) packets.push(packet.slice());
            else packets = [];
          },
          save() {
            if (packets.length === 0 || bytes > maxBytes || !isWanted()) return;
            const sound = { packets, messages: new Map() };
            sounds.set(key, sound);
            note(sound, key, message);
          },
        };
      },
    }),
    forgetMessage(messageId) {
      const key = keys.get(messageId);
      if (key !== undefined) sounds.delete(key);
    },
    forgetMember: (memberId) => forget((message) => message.memberId === memberId),
    forgetVoice: (voiceId) => void forget((message) => message.voiceId === voiceId),
    clear: () => sounds.clear(),
    get bytes() {
      return sounds.calculatedSize;
    },
  };
}

function sizeOf(packets: readonly Uint8Array[]): number {
  return packets.reduce((sum, { length }) => sum + length, 0);
}
