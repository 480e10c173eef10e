// Text → something to play, or a file: joins the Voice Service API and the sound path.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Api, Speech as ApiSpeech, SpeakRequest, SpeechFormat } from '../api/types.ts';
import type { SpeechCache } from './cache.ts';
import { boundBytes, longestSeconds, mostBytes } from './endless.ts';
import { readFile, type SpeechFile } from './file.ts';
import type { SoundOwners } from './owners.ts';
import { createPins, type Pin } from './pins.ts';
import { cutIntoPieces } from './sentences.ts';
import { createUtterance, type Keeping, type SpeechUtterance } from './utterance.ts';
import type { VoiceLevels } from './voice-levels.ts';
import { createVoiceMemory } from './voice-memory.ts';

export { openSpeechCache, type SpeechCache } from './cache.ts';
export { fileOfPackets, type SpeechFile, SpeechTooLargeError } from './file.ts';
export { createSoundOwners } from './owners.ts';
export type { Pin } from './pins.ts';
export { cutShort, makeSpeakable } from './speakable.ts';
export type { SpeechUtterance } from './utterance.ts';
export { createVoiceLevels } from './voice-levels.ts';

/**
 * Who shares a kept sound: what was said in one server says nothing about itself in any other, neither by a price nor by how fast it
 * begins. `shared` is for Parley's own words.
 */
export type SoundScope = { guildId: string } | { userId: string } | 'shared';

export interface SpeechRequest {
  /** As it is to be spoken; makeSpeakable makes it so. */
  text: string;
  /** `id` of a voice model; absent or null = the service's default voice. */
  referenceId?: string | null;
  /** 1 = as the voice speaks. */
  speed?: number;
  /** A factor, 0 to 2; 1 = the loudness that all voices are brought to. */
  volume?: number;
  /** Absent: its sound is neither kept nor looked for among those that are. */
  scope?: SoundScope;
}

interface UtteranceOptions {
  signal?: AbortSignal;
  /** Whose words it is, so that what is kept of it can be forgotten. */
  memberId?: string;
  /** The sound, if it was pinned. It is released when the utterance ends. */
  pin?: Pin | null;
  /** Awaited before anything is asked of the service; the utterance fails with what it rejects with. */
  permit?: () => Promise<void>;
}

export interface Speech {
  /**
   * Holds the kept sound of this request until it is released, so that it costs nothing whatever becomes of the cache: only `forget` and
   * `clearCache` take it away. null if it is not kept. Never rejects.
   */
  pin(request: SpeechRequest, memberId: string): Promise<Pin | null>;
  /**
   * Something to play. Nothing is asked of the service before `prepare` or `open`; a text of over 300 characters is several calls, the
   * next one made while one is played. What is in the cache is not asked for again. The signal cancels it at any time. Fails with
   * ApiError or AudioError.
   */
  utterance(request: SpeechRequest, options?: UtteranceOptions): SpeechUtterance;
  /**
   * The whole text in one call, as the service's own bytes. Rejects with ApiError, AudioError or SpeechTooLargeError (default bound
   * 25 MiB). `onSpoken`: the service has begun to give the sound, and so has spoken the text, whatever becomes of the file.
   */
  file(request: SpeechRequest, options?: { signal?: AbortSignal; maxBytes?: number; onSpoken?: () => void }): Promise<SpeechFile>;
  /**
   * Deletes the kept sounds of the member's words, those included that are pinned or still being made, but for one that is being played;
   * gives how many names there were. Rejects with StoreError.
   */
  forget(memberId: string): Promise<number>;
  /** Deletes all kept sounds; gives the bytes that are free again. Rejects with StoreError. */
  clearCache(): Promise<number>;
}

const MAX_FILE_BYTES = 25 * 1024 * 1024;
/** Thirty of the longest texts at half speed. What has no room counts as not kept beforehand, and may turn out to be free. */
const MAX_PINNED_BYTES = 64 * 1024 * 1024;

/** How packets are made from the service's sound: one more whenever that changes, so that what was made before is not played any more. */
const PACKETS_VERSION = 2;

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
  /** Keeps how loud voices are; absent: known until the process ends. */
  levels?: VoiceLevels;
  loudness?: boolean;
}): Speech {
  const { api, format, model, cache, owners, levels, loudness = true } = options;
  const voices = loudness ? createVoiceMemory(levels) : null;
  const pins = createPins(MAX_PINNED_BYTES);
  /** How often each member has had their sounds deleted: what began before the last time is not kept afterwards. */
  const deletions = new Map<string, number>();

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
    const most = mostBytes(longestSeconds(text, request.speed), speech.contentType);
    return { speech: { ...speech, audio: boundBytes(speech.audio, most) }, label: isBare && format !== 'pcm' ? '' : speech.contentType };
  }

  /** The name of its sound, made of who shares it and of all that it depends on; null if it is not to be kept. */
  function keyOf(request: SpeechRequest): string | null {
    if (!cache || request.scope === undefined) return null;
    return cache.keyOf([PACKETS_VERSION, request.scope, loudness, request.volume ?? 1, toApiRequest(request, request.text)]);
  }

  /** Where the sound of one utterance is kept. */
  function keepingOf(request: SpeechRequest, memberId: string | undefined): Keeping | null {
    const key = keyOf(request);
    if (!cache || key === null) return null;
    const deletionsBefore = deletions.get(memberId ?? '');
    const isWanted = () => deletions.get(memberId ?? '') === deletionsBefore;
    const note = () => {
      if (memberId !== undefined && isWanted()) owners?.note(memberId, key);
    };
    return {
      async get() {
        const packets = await cache.get(key);
        if (packets) note();
        return packets;
      },
      record() {
        const recording = cache.record(key);
        return {
          add: recording.add,
          save() {
            if (!isWanted()) return;
            recording.save();
            note();
          },
        };
      },
    };
  }

  return {
    async pin(request, memberId) {
      const key = keyOf(request);
      if (key === null) return null;
      return pins.pin(key, memberId, async () => (await keepingOf(request, memberId)?.get()) ?? null);
    },
    utterance(request, { signal, memberId, pin, permit } = {}) {
      const { volume = 1 } = request;
      const voiceId = request.referenceId ?? null;
      const keeping = keepingOf(request, memberId);
      const pieces = cutIntoPieces(request.text);
      // A blank text is the service's to refuse.
      return createUtterance(pieces.length > 0 ? pieces : [request.text], (text, stop) => speak(request, text, stop), {
        ...(signal ? { signal } : {}),
        ...(keeping ? { keeping } : {}),
        ...(pin ? { pin } : {}),
        ...(permit ? { permit } : {}),
        ...(request.speed === undefined ? {} : { speed: request.speed }),
        volume,
        ...(voices ? { voice: { recall: () => voices.of(voiceId), keep: () => voices.keep(voiceId) } } : {}),
      });
    },
    async file(request, { signal, maxBytes = MAX_FILE_BYTES, onSpoken } = {}) {
      const { speech, label } = await speak(request, request.text, signal);
      onSpoken?.();
      return readFile(speech.audio, label, maxBytes);
    },
    async forget(memberId) {
      deletions.set(memberId, (deletions.get(memberId) ?? 0) + 1);
      // What was noted a moment ago is being written.
      await nextTurn();
      const keys = (await owners?.keysOf(memberId)) ?? [];
      pins.drop(memberId, keys);
      for (const key of keys) await cache?.delete(key);
      // Only now: what could not be deleted can be tried again.
      await owners?.forget(memberId);
      return keys.length;
    },
    async clearCache() {
      const bytes = cache?.bytes ?? 0;
      pins.dropAll();
      await cache?.clear();
      await owners?.forget();
      return bytes;
    },
  };
}
