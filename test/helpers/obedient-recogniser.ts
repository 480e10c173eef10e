// An ear for tones that does as it is told, loaded in the recognition thread: it listens for ever to "Go on.", and "Die." ends its thread.
import type { Recogniser } from '../../src/local/voice-service/engines/engine.ts';
import { hearTones } from './tones.ts';

export async function createEngine(): Promise<Recogniser> {
  return {
    *recognise(samples) {
      for (const segment of hearTones(samples)) {
        if (segment.text === 'Die.') throw new Error('the heap is broken');
        while (segment.text === 'Go on.') yield undefined;
        yield segment;
      }
    },
  };
}
