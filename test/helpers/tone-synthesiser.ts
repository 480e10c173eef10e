// The voice of `tones.ts` as an engine, loaded in the synthesis thread. All its voices sound alike, but for their rate.
import type { Synthesiser } from '../../src/local/voice-service/engines/engine.ts';
import { RATE, speakTones, VOICES } from './tones.ts';

export async function createEngine(): Promise<Synthesiser> {
  return { rate: RATE, voices: VOICES, synthesise: (text, { rate = 1 }, speed) => speakTones(text, rate * speed) };
}
