// What speech is asked for, and what it can do.
import { z } from 'zod';
import type { SpeechFile } from './file.ts';
import type { Pin } from './pins.ts';
import type { Mood } from './speakable.ts';
import type { SpeechUtterance } from './utterance.ts';

/**
 * Who shares a cached sound: what was said in one server must not show in any other, neither by its price nor by how fast it starts.
 * `shared` is for Parley's own words.
 */
export type SoundScope = { guildId: string } | { userId: string } | 'shared';

export interface SpeechRequest {
  /** The text as it is to be spoken: see makeSpeakable. */
  text: string;
  /** `id` of a voice model; absent or null = the service's default voice. */
  referenceId?: string | null;
  /** Which language's default voice speaks if none is named (BCP 47); absent or null = the server's. */
  language?: string | null;
  /** 1 = the voice's own speed. */
  speed?: number;
  /** Has no effect unless the model is known to understand moods. */
  mood?: Mood | null;
  /** Factor, 0 to 2; 1 = the loudness that all voices are brought to. */
  volume?: number;
  /** Absent: the cache is not used. */
  scope?: SoundScope;
  /**
   * The text is this message: its sound is kept in memory only, and forgotten with the message. Null = a message that may be deleted without
   * the bot hearing of it: its sound isn't kept at all.
   */
  messageId?: string | null;
}

interface SpeakOptions {
  signal?: AbortSignal;
  /** Voices to try next, in this order, if the service does not have the request's. */
  fallbackIds?: readonly (string | null)[];
  /** The member whose words they are, to have their sound deleted. */
  memberId?: string;
  /** The sound in the request's voice, if it was pinned. Released when the utterance ends. */
  pin?: Pin | null;
  /** Awaited before the service is called; the utterance fails with what it rejects with. */
  permit?: () => Promise<void>;
  /** The sound isn't played before all of it has come: a slow voice may take its time. */
  isDownload?: boolean;
}

export interface SpeechEngine {
  /**
   * Holds the cached sound of this request until it is released, so it stays free whatever happens to the cache: only `forget` and
   * `clearCache` take it away. null if it is not cached. Never rejects.
   */
  pin(request: SpeechRequest, memberId: string): Promise<Pin | null>;
  /**
   * Something to play. The service is not called before `prepare` or `open`; a text of over 300 characters takes several calls, each made
   * while the previous piece plays, or a single one over the websocket, to which it goes sentence by sentence. Cached sound takes none. The
   * signal cancels it at any time. Fails with ApiError or AudioError. A voice that the member may not use there, as the request's scope
   * says, counts as one that the service does not have.
   */
  utterance(request: SpeechRequest, options?: SpeakOptions): SpeechUtterance;
  /** UTF-8 bytes that the service is sent, and bills, for the whole text: markers included. */
  bytesOf(request: SpeechRequest): number;
  /**
   * The whole text in one call, as the service's own bytes. Rejects with ApiError, AudioError or SpeechTooLargeError (default limit
   * 25 MiB). `onSpoken`: the service has started to send the sound, so the text is spoken, whatever becomes of the file. `onStandIn`: the
   * voice of this id speaks in place of the default one.
   */
  file(
    request: SpeechRequest,
    options?: { signal?: AbortSignal; maxBytes?: number; memberId?: string; onSpoken?: () => void; onStandIn?: (id: string) => void },
  ): Promise<SpeechFile>;
  /**
   * Deletes the cached sounds of the member's words, including those that are pinned or still being made, but not one that is being
   * played. Returns how many there were. Rejects with StoreError.
   */
  forget(memberId: string): Promise<{ count: number; everywhere: boolean }>;
  /**
   * Deletes the cached sounds of everything that anybody said in a voice that a member made. Call it once nobody may use the voice: sounds
   * still being made are then not cached.
   */
  forgetVoice(voiceId: string): Promise<void>;
  /** Forgets the sounds of a message that was deleted or edited, or of all messages (of a guild) if it is not known which were. */
  forgetMessages(messages: { messageId: string } | { guildId: string } | 'all'): void;
  /** Deletes all cached sounds and returns the bytes freed. Rejects with StoreError. */
  clearCache(): Promise<number>;
  /** Deletes sounds that another process was asked to delete. Never rejects. */
  discard(invalidation: CacheInvalidation): Promise<void>;
}

/** Sounds to delete: by their keys, and those in memory by whose or in which voice they are. */
export const cacheInvalidation = z.object({
  keys: z.union([z.array(z.string()), z.literal('all')]),
  memberId: z.string().exactOptional(),
  voiceId: z.string().exactOptional(),
});

export type CacheInvalidation = z.infer<typeof cacheInvalidation>;
