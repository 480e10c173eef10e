// The voices of the members who talk on the local Discord's page: those of the voice service's smallest engine, in a thread of their own.
import { toOpusPackets } from '../audio/index.ts';
import { createEngines, type SHAPEABLE_VOICES } from './voice-service/engines/index.ts';

/** Its clearest voices first, at a pitch of their own. */
const VOICES = [{ base: 'slt' }, { base: 'rms' }, { base: 'awb' }, { base: 'slt', pitchHz: 205 }] as const satisfies {
  base: keyof typeof SHAPEABLE_VOICES;
  pitchHz?: number;
}[];

export interface CrowdVoices {
  /** Says a text with the voice of this number, as Opus packets of 20 ms. Throws what the engine throws, or the signal's reason. */
  speak(text: string, voice: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Nothing is loaded until somebody talks. */
export function createCrowdVoices(): CrowdVoices {
  const engines = createEngines();
  return {
    speak(text, voice, signal) {
      const sound = engines.speak({ text, voice: VOICES[voice % VOICES.length] as (typeof VOICES)[number], format: 'opus', signal });
      return toOpusPackets(sound, { signal });
    },
    close: engines.close,
  };
}
