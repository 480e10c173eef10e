// A misbehaving engine thread for tests: it answers, fails, dies, hangs, or reports its state, as it is told.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { EngineError } from '../../src/local/voice-service/engines/engine.ts';
import { serveEngine } from '../../src/local/voice-service/engines/serve-engine.ts';

export type Order = 'echo' | 'fail' | 'throw' | 'exit' | 'hang' | 'count' | 'slow' | 'endless' | 'sum' | 'pid' | 'fill';

let answered = 0;

async function* obey(order: Order): AsyncGenerator<unknown, void, unknown> {
  switch (order) {
    case 'echo':
      yield order;
      return;
    case 'pid':
      yield process.pid;
      return;
    case 'fail':
      throw new EngineError('not-audio', 'This is no sound. Send some.');
    case 'throw':
      throw new Error('the heap is broken');
    case 'exit':
      process.exit(7);
      break;
    case 'hang':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      break;
    case 'fill':
      for (const kept: number[][] = []; ; ) kept.push(new Array(1_000_000).fill(kept.length));
    case 'count':
      yield ++answered;
      return;
    case 'slow':
      await setTimeout(100);
      yield order;
      return;
    case 'sum':
      for (let sum = 0; ; ) sum += Number(yield sum);
    case 'endless':
      for (;;) {
        await setImmediate();
        yield ++answered;
      }
  }
}

await serveEngine(() => obey);
