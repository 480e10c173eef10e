// The ear of `tones.ts` as an engine, loaded in the recognition process.
import type { Recogniser } from '../../src/local/voice-service/engines/engine.ts';
import { hearAtTheEnd, hearTones } from './tones.ts';

export async function createEngine(): Promise<Recogniser> {
  return { listen: () => hearAtTheEnd(hearTones) };
}
