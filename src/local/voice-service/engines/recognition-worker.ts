// The process that listens: recognises decoded recordings, each block after block.
import type { HeardSegment, Recogniser } from './engine.ts';
import { serveEngine } from './serve-engine.ts';

/** What was said; undefined while nothing is; or that the next block is wanted. */
export type Heard = HeardSegment | undefined | 'more';

await serveEngine(
  (recogniser: Recogniser) =>
    async function* recognise(): AsyncGenerator<Heard, void, Int16Array | null> {
      const listener = recogniser.listen();
      for (;;) {
        const block = yield 'more';
        yield* listener.hear(block);
        if (block === null) return;
      }
    },
);
