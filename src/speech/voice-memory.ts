// How loud each voice is, as far as it was heard: so that its next sound begins at the right level.
import { createVoiceLoudness, type VoiceLoudness } from '../audio/index.ts';

/** 3 KB each. */
const MAX_VOICES = 500;

export interface VoiceMemory {
  /** @param referenceId `id` of a voice model; null = the service's default voice. */
  of(referenceId: string | null): VoiceLoudness;
}

/** Remembers the voices that spoke last, until the process ends. */
export function createVoiceMemory(): VoiceMemory {
  const voices = new Map<string | null, VoiceLoudness>();
  return {
    of(referenceId) {
      const voice = voices.get(referenceId) ?? createVoiceLoudness();
      voices.delete(referenceId);
      voices.set(referenceId, voice);
      if (voices.size > MAX_VOICES) voices.delete(voices.keys().next().value as string | null);
      return voice;
    },
  };
}
