// An ear for tones that does as it is told, loaded in the recognition process: it listens for ever to "Go on.", and "Die." ends its process.
import type { Recogniser } from '../../src/local/voice-service/engines/engine.ts';
import { hearAtTheEnd, hearTones } from './tones.ts';

export async function createEngine(): Promise<Recogniser> {
  return {
    listen: () =>
      hearAtTheEnd(function* (samples) {
        for (const segment of hearTones(samples)) {
          if (segment.text === 'Die.') throw new Error('the heap is broken');
          while (segment.text === 'Go on.') yield undefined;
          yield segment;
        }
      }),
  };
}
