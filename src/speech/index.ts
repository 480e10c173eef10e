// Text → something to play, or a file: joins the Voice Service API and the sound path.
import type { Api, Speech as ApiSpeech, SpeakRequest, SpeechFormat } from '../api/types.ts';
import type { SpeechCache } from './cache.ts';
import { readFile, type SpeechFile } from './file.ts';
import type { SoundOwners } from './owners.ts';
import { cutIntoPieces } from './sentences.ts';
import { createUtterance, type Keeping, type SpeechUtterance } from './utterance.ts';
import { createVoiceMemory } from './voice-memory.ts';

export { openSpeechCache, type SpeechCache } from './cache.ts';
export { type SpeechFile, SpeechTooLargeError } from './file.ts';
export { createSoundOwners } from './owners.ts';
export { cutShort, makeSpeakable } from './speakable.ts';
export type { SpeechUtterance } from './utterance.ts';

export interface SpeechRequest {
  /** As it is to be spoken; makeSpeakable makes it so. */
  text: string;
  /** `id` of a voice model; absent or null = the service's default voice. */
  referenceId?: string | null;
  /** 1 = as the voice speaks. */
  speed?: number;
  /** A factor, 0 to 2; 1 = the loudness that all voices are brought to. */
  volume?: number;
}

export interface Speech {
  /** Is this said from the cache, so that it costs nothing? At once, from memory. */
  isKept(request: SpeechRequest): boolean;
  /**
   * Something to play. Nothing is asked of the service before `prepare` or `open`; a text of over 300 characters is several calls, the
   * next one made while one is played. What is in the cache is not asked for again. The signal cancels it at any time. Fails with
   * ApiError or AudioError. `memberId`: whose words it is, so that what is kept of it can be forgotten.
   */
  utterance(request: SpeechRequest, options?: { signal?: AbortSignal; memberId?: string }): SpeechUtterance;
  /**
   * The whole text in one call, as the service's own bytes. Rejects with ApiError, AudioError or SpeechTooLargeError (default bound
   * 25 MiB). `onSpoken`: the service has begun to give the sound, and so has spoken the text, whatever becomes of the file.
   */
  file(request: SpeechRequest, options?: { signal?: AbortSignal; maxBytes?: number; onSpoken?: () => void }): Promise<SpeechFile>;
  /** Deletes the kept sounds of the member's words; gives how many names there were. Rejects with StoreError. */
  forget(memberId: string): Promise<number>;
  /** Deletes all kept sounds; gives the bytes that are free again. Rejects with StoreError. */
  clearCache(): Promise<number>;
}

const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** How packets are made from the service's sound: one more whenever that changes, so that what was made before is not played any more. */
const PACKETS_VERSION = 1;

/**
 * @param options `format` is what is asked of the service; `model` the value of its header, absent = the API client's own (with a cache
 * it should be named: it is part of what a sound is kept under). `loudness`: whether voices are brought to one loudness; default true.
 */
export function createSpeech(options: {
  api: Api;
  format: SpeechFormat;
  model?: string;
  cache?: SpeechCache;
  /** Remembers whose words are in the cache. */
  owners?: SoundOwners;
  loudness?: boolean;
}): Speech {
  const { api, format, model, cache, owners, loudness = true } = options;
  const voices = loudness ? createVoiceMemory() : null;

  function toApiRequest(request: SpeechRequest, text: string): SpeakRequest {
    return {
      text,
      format,
      ...(model === undefined ? {} : { model }),
      ...(request.referenceId ? { referenceId: request.referenceId } : {}),
      ...(request.speed === undefined || request.speed === 1 ? {} : { prosody: { speed: request.speed } }),
    };
  }

  async function speak(
    request: SpeechRequest,
    text: string,
    signal: AbortSignal | undefined,
  ): Promise<{ speech: ApiSpeech; label: string }> {
    const speech = await api.speak(toApiRequest(request, text), signal ? { signal } : {});
    // Bytes without a known format are taken for PCM only where PCM was asked for: anything else would be heard as noise.
    const isBare = speech.contentType.startsWith('application/octet-stream');
    return { speech, label: isBare && format !== 'pcm' ? '' : speech.contentType };
  }

  /** All that its sound depends on. */
  function soundOf(request: SpeechRequest): unknown {
    return [PACKETS_VERSION, loudness, request.volume ?? 1, toApiRequest(request, request.text)];
  }

  return {
    isKept: (request) => cache?.has(cache.keyOf(soundOf(request))) ?? false,
    utterance(request, { signal, memberId } = {}) {
      const { volume = 1 } = request;
      const onKept = (key: string) => {
        if (memberId !== undefined) owners?.note(memberId, key);
      };
      const pieces = cutIntoPieces(request.text);
      // A blank text is the service's to refuse.
      return createUtterance(pieces.length > 0 ? pieces : [request.text], (text, stop) => speak(request, text, stop), {
        ...(signal ? { signal } : {}),
        ...(cache ? { keeping: keepingIn(cache, soundOf(request), onKept) } : {}),
        frames: { volume, ...(voices ? { loudness: voices.of(request.referenceId ?? null) } : {}) },
      });
    },
    async file(request, { signal, maxBytes = MAX_FILE_BYTES, onSpoken } = {}) {
      const { speech, label } = await speak(request, request.text, signal);
      onSpoken?.();
      return readFile(speech.audio, label, maxBytes);
    },
    async forget(memberId) {
      const keys = (await owners?.keysOf(memberId)) ?? [];
      for (const key of keys) await cache?.delete(key);
      // Only now: what could not be deleted can be tried again.
      await owners?.forget(memberId);
      return keys.length;
    },
    async clearCache() {
      const bytes = cache?.bytes ?? 0;
      await cache?.clear();
      await owners?.forget();
      return bytes;
    },
  };
}

/** `onKept` is told the name of a sound that was there, or is there now. */
function keepingIn(cache: SpeechCache, what: unknown, onKept: (key: string) => void): Keeping {
  const key = cache.keyOf(what);
  return {
    async get() {
      const packets = await cache.get(key);
      if (packets) onKept(key);
      return packets;
    },
    record() {
      const recording = cache.record(key);
      return {
        add: recording.add,
        save() {
          recording.save();
          onKept(key);
        },
      };
    },
  };
}
