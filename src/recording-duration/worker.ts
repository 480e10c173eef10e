// The worker thread that measures recordings, so that files from members are never parsed in the main thread.
import { serve } from '../async/serve.ts';
import { serveTasks } from '../async/serve-tasks.ts';
import type { StepRequest, StepResult } from '../async/tasks.ts';
import { createCounter } from './counter.ts';
import type { Duration } from './duration.ts';

/** Yields the duration so far. Each step takes the next bytes; null ends the recording. */
async function* measure(): AsyncGenerator<Duration, void, Uint8Array | null> {
  const counter = createCounter();
  for (let bytes = yield counter.duration(); bytes !== null; bytes = yield counter.duration()) counter.push(bytes);
  counter.end();
  yield counter.duration();
}

serveTasks(await serve<StepRequest, StepResult>(), measure);
