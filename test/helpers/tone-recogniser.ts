// The ear of `tones.ts` as an engine, loaded in the recognition process. It says nothing before the recording is over, listens for ever to
// "Go on.", and "Die." ends its process.
import type { Listener, Recogniser } from '../../src/local/voice-service/engines/engine.ts';
import { hearTones } from './tones.ts';

export async function createEngine(): Promise<Recogniser> {
  return {
    listen(): Listener {
      const blocks: Int16Array[] = [];
      return {
        *hear(samples) {
          if (samples) return void blocks.push(samples);
          for (const segment of hearTones(Int16Array.from(blocks.flatMap((block) => [...block])))) {
            if (segment.text === 'Die.') throw new Error('the heap is broken');
            while (segment.text === 'Go on.') yield undefined;
            yield segment;
          }
        },
      };
    },
  };
}
