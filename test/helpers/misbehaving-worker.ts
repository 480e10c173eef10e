// A worker that does what it is told, for the tests of the pool: answer, fail, die, hang, or say what state it keeps.
import { EngineError } from '../../src/local/voice-service/engines/engine.ts';
import { serve } from '../../src/local/voice-service/engines/serve-thread.ts';

export type Order = 'echo' | 'fail' | 'throw' | 'exit' | 'hang' | 'work' | 'count' | 'until-cancelled';

let answered = 0;

serve<{ order: Order } | { type: 'warm-up' }>(
  async (body, turn) => {
    if (!('order' in body)) return undefined;
    switch (body.order) {
      case 'echo':
        return body.order;
      case 'fail':
        throw new EngineError('not-audio', 'This is no sound. Send some.');
      case 'throw':
        throw new Error('the heap is broken');
      case 'exit':
        process.exit(7);
        break;
      case 'hang':
        for (;;);
      case 'work':
        for (let i = 0; i < 25; i++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          turn.showLife();
        }
        return 'worked';
      case 'count':
        return ++answered;
      case 'until-cancelled':
        for (;;) {
          await new Promise(setImmediate);
          turn.stopIfCancelled();
        }
    }
  },
  () => [],
);
