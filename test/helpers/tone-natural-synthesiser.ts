// Natural voices made of tones, loaded in the process of natural voices: each says its name first. "Wait." takes for ever, and "Die." ends the process.
import type { Synthesiser } from '../../src/local/voice-service/engines/engine.ts';
import { KOKORO_VOICES } from '../../src/local/voice-service/engines/kokoro/voices.ts';
import { RATE, speakTones } from './tones.ts';

export async function createEngine(): Promise<Synthesiser> {
  return {
    rate: RATE,
    voices: KOKORO_VOICES,
    async *synthesise(text, { base }, speed) {
      for (const sentence of `${base}. ${text.trim()}`.split(/(?<=[.!?]) /)) {
        if (sentence === 'Wait.') await new Promise(() => {});
        if (sentence === 'Die.') process.exit(1);
        yield* speakTones(sentence, speed);
      }
    },
  };
}
