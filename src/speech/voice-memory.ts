// How loud each voice is, as far as it was heard: so that its next sound begins at the right level.
import { createVoiceLoudness, recallVoiceLoudness, type VoiceLoudness } from '../audio/index.ts';
import type { VoiceLevel, VoiceLevels } from './voice-levels.ts';

/** 3 KB each. */
const MAX_VOICES = 500;
/** What has changed by less, and was not heard for twice as long since, need not be kept anew. */
const NOTABLE_LU = 0.5;

export interface VoiceMemory {
  /** Never rejects. @param referenceId `id` of a voice model; null = the service's default voice. */
  of(referenceId: string | null): Promise<VoiceLoudness>;
  /** A sound of the voice has ended: keeps what was learnt of it, if that makes a difference. */
  keep(referenceId: string | null): Promise<void>;
}

interface Known {
  loudness: VoiceLoudness;
  kept: VoiceLevel | null;
}

/** Remembers the voices that spoke last; with `levels`, all of them from one process to the next. */
export function createVoiceMemory(levels?: VoiceLevels): VoiceMemory {
  const voices = new Map<string | null, Promise<Known>>();

  async function recall(referenceId: string | null): Promise<Known> {
    const kept = (await levels?.load(referenceId)) ?? null;
    return { loudness: kept ? recallVoiceLoudness(kept.lufs, kept.blocks) : createVoiceLoudness(), kept };
  }

  return {
    async of(referenceId) {
      const voice = voices.get(referenceId) ?? recall(referenceId);
      voices.delete(referenceId);
      voices.set(referenceId, voice);
      if (voices.size > MAX_VOICES) voices.delete(voices.keys().next().value as string | null);
      return (await voice).loudness;
    },
    async keep(referenceId) {
      const voice = await voices.get(referenceId);
      const lufs = voice?.loudness.integrated() ?? null;
      if (!voice || lufs === null) return;
      const { loudness, kept } = voice;
      if (kept && Math.abs(lufs - kept.lufs) < NOTABLE_LU && loudness.blocks < 2 * kept.blocks) return;
      voice.kept = { lufs, blocks: loudness.blocks };
      levels?.save(referenceId, voice.kept);
    },
  };
}
