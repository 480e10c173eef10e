// The ear of `tones.ts` as an engine, loaded in the recognition thread.
import type { Recogniser } from '../../src/local/voice-service/engines/engine.ts';
import { hearTones } from './tones.ts';

export async function createEngine(): Promise<Recogniser> {
  return { recognise: hearTones };
}
