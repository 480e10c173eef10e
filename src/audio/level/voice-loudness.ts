// What is known about the loudness of a voice, kept from one sound to the next.
import { createLoudnessMemory, type LoudnessCopy, type LoudnessMemory, toPower } from './loudness-meter.ts';

/** Anything quieter is not speech, and says nothing about a voice. */
const FLOOR_LUFS = -50;
/** After this many blocks (half a minute of speech or more), everything heard before counts half. */
const MEMORY_BLOCKS = 600;
/** A second of speech. Before that, a voice is unknown and only made quieter: the first sound is often a breath. */
const KNOWN_BLOCKS = 7;

/** The loudness of a voice. Several sounds may add to it at a time. */
export type VoiceLoudness = LoudnessMemory;

/** @param from what is known already */
export function createVoiceLoudness(from?: LoudnessCopy): VoiceLoudness {
  return createLoudnessMemory({ memoryBlocks: MEMORY_BLOCKS, floor: FLOOR_LUFS, from });
}

/** Recreates a voice from its stored loudness. @param blocks tenths of a second that were heard at this loudness */
export function recallVoiceLoudness(lufs: number, blocks: number): VoiceLoudness {
  const voice = createVoiceLoudness();
  for (let count = 0; count < Math.min(blocks, MEMORY_BLOCKS - 1); count++) voice.add(toPower(lufs));
  return voice;
}

export function isUnknown(voice: VoiceLoudness): boolean {
  return voice.blocks < KNOWN_BLOCKS;
}
