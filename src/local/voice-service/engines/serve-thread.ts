// The worker's side of the pool: takes requests and answers each.
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../../audio/lower-priority.ts';
import { EngineError } from './engine.ts';
import type { WorkerAnswer, WorkerRequest } from './engine-thread.ts';

export interface Turn {
  /** Throws when nobody waits for the answer any more. */
  stopIfCancelled(): void;
  /** Tells the watchdog that the work goes on. */
  showLife(): void;
}

// The decoders print what they think of broken files; nobody reads it, so it must not pile up either.
globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));

/**
 * Answers every request with what `handle` returns, or with its error: an `EngineError` passes as it is, anything else ends the
 * thread, because the engine in it can no longer be trusted; the pool makes a new one.
 * @param transfer picks the buffers of an answer that can be handed over rather than copied
 */
export function serve<T>(handle: (body: T, turn: Turn) => Promise<unknown> | unknown, transfer: (value: unknown) => ArrayBuffer[]): void {
  const port = parentPort;
  if (!port) throw new Error('This file is a worker. Start it with new Worker().');
  lowerPriority();
  const post = (answer: WorkerAnswer, buffers: ArrayBuffer[] = []) => port.postMessage(answer, buffers);

  async function answer({ id, body, cancelled }: WorkerRequest<T>): Promise<void> {
    const turn: Turn = {
      stopIfCancelled() {
        if (Atomics.load(cancelled, 0) === 1) throw new EngineError('aborted', 'The request was cancelled.');
      },
      showLife: () => post({ id, type: 'alive' }),
    };
    try {
      const value = await handle(body, turn);
      if (id > 0) post({ id, type: 'done', value }, transfer(value));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      post({ id, type: 'failed', kind: error.kind, message: error.message });
    }
  }

  port.on('message', (request: WorkerRequest<T>) => {
    void answer(request);
  });
  post({ id: 0, type: 'done', value: undefined });
}
