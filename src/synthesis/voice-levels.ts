// How loud each voice is, as measured, in memory and in the store: its next sound starts at the right level, even after a restart.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createVoiceLoudness, recallVoiceLoudness, type VoiceLoudness } from '../audio/index.ts';
import type { Store } from '../store/index.ts';

/** What is stored about a voice; nothing about who used it. */
interface VoiceLevel {
  lufs: number;
  /** How much of it was measured, in tenths of a second. */
  blocks: number;
}

/** Levels in the store. `referenceId` null = the service's default voice. */
export interface VoiceLevels {
  /** null if it is unknown or the store fails, which is reported to `warn`. Never rejects. */
  load(referenceId: string | null): Promise<VoiceLevel | null>;
  /** Runs in the background; failures are reported to `warn`. */
  save(referenceId: string | null, level: VoiceLevel): void;
}

/** The voices that spoke last; with VoiceLevels, all voices, even after a restart. */
export interface VoiceMemory {
  /** Never rejects. @param referenceId `id` of a voice model; null = the service's default voice */
  recall(referenceId: string | null): Promise<VoiceLoudness>;
  /** Call when a sound of the voice has ended: saves what was learned about it, if that makes a difference. */
  save(referenceId: string | null): Promise<void>;
}

/** How long a voice is remembered after something new was last learned about it. */
const RETENTION_MS = 90 * 24 * 3600_000;
/** 3 KB each. */
const MAX_VOICES = 500;
/** A smaller change is saved only once the voice has been heard for twice as long. */
const NOTABLE_LU = 0.5;

/** @param service the service that the voices belong to: two services may have different voices under one id */
export function createVoiceLevels(store: Store, service: string, warn: (error: unknown) => void = () => {}): VoiceLevels {
  // A voice may be a member's own: its id must not be readable from the store after they have deleted their data.
  const keyOf = (referenceId: string | null) =>
    `level:${createHash('sha256')
      .update(JSON.stringify([service, referenceId]))
      .digest('base64url')}`;
  return {
    async load(referenceId) {
      const stored = await store.get(keyOf(referenceId)).catch(warn);
      if (!stored || typeof stored !== 'object' || Array.isArray(stored)) return null;
      const { lufs, blocks } = stored;
      return Number.isFinite(lufs) && Number.isFinite(blocks) ? { lufs: Number(lufs), blocks: Number(blocks) } : null;
    },
    save(referenceId, { lufs, blocks }) {
      setImmediate(() => store.set(keyOf(referenceId), { lufs, blocks }, { expiresInMs: RETENTION_MS }).catch(warn));
    },
  };
}

/** @param levels absent = voices are forgotten when the process ends */
export function createVoiceMemory(levels?: VoiceLevels): VoiceMemory {
  const voices = new LRUCache<string, Promise<{ loudness: VoiceLoudness; saved: VoiceLevel | null }>>({ max: MAX_VOICES });
  const keyOf = (referenceId: string | null) => referenceId ?? '';

  async function load(referenceId: string | null) {
    const saved = (await levels?.load(referenceId)) ?? null;
    return { loudness: saved ? recallVoiceLoudness(saved.lufs, saved.blocks) : createVoiceLoudness(), saved };
  }

  return {
    async recall(referenceId) {
      const voice = voices.get(keyOf(referenceId)) ?? load(referenceId);
      voices.set(keyOf(referenceId), voice);
      return (await voice).loudness;
    },
    async save(referenceId) {
      const voice = await voices.peek(keyOf(referenceId));
      const lufs = voice?.loudness.integrated() ?? null;
      if (!voice || lufs === null) return;
      const { loudness, saved } = voice;
      if (saved && Math.abs(lufs - saved.lufs) < NOTABLE_LU && loudness.blocks < 2 * saved.blocks) return;
      voice.saved = { lufs, blocks: loudness.blocks };
      levels?.save(referenceId, voice.saved);
    },
  };
}
