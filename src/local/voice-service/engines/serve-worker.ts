// The worker's side of engine-worker.ts, in a thread or a process: runs each task as a generator, and makes its next value when asked for it.
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { EngineError, type EngineErrorKind, type EngineModule } from './engine.ts';
import { lowerPriority } from './priority.ts';

/** Main thread to worker. `start` and `next` ask for a value, `next` with an input for the task; `end` has no answer. */
export type StepRequest =
  | { type: 'start'; job: number; task: unknown }
  | { type: 'next'; job: number; input: unknown }
  | { type: 'end'; job: number };

/** Worker to main thread: one for each `start` and `next`, after `ready`. */
export type WorkerMessage =
  | { type: 'ready' }
  /** The engine can't be loaded; the worker ends. */
  | { type: 'unloadable'; reason: string }
  | { type: 'done' }
  /** The task was begun in another thread. */
  | { type: 'lost' }
  | { type: 'value'; value: unknown }
  | { type: 'failed'; kind: EngineErrorKind; message: string };

// The engines print warnings that nobody reads; they must not pile up either.
globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));

/** Where the main thread is reached: the port of a thread, or the channel of a process. */
const main = parentPort
  ? { port: parentPort, post: (message: WorkerMessage, buffers: ArrayBuffer[]) => parentPort?.postMessage(message, buffers) }
  : { port: process, post: (message: WorkerMessage) => process.send?.(message) };

if (!parentPort) {
  // Ctrl-C reaches every process of the terminal; the parent decides when this one ends.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit());
}

/** Creates the engine whose file the main thread named; where it can't be, the main thread learns why. */
export async function loadEngine<Engine>(): Promise<Engine> {
  try {
    const { createEngine }: EngineModule<Engine> = await import(parentPort ? workerData.engine : process.argv[2]);
    return await createEngine();
  } catch (error) {
    main.post({ type: 'unloadable', reason: (error as Error).message }, []);
    throw error;
  }
}

/**
 * Answers the main thread. An `EngineError` fails its task alone; any other error ends the worker, because the engine in it can no longer
 * be trusted, and the main thread starts a new one.
 * @param transfer picks the buffers of a value to hand over rather than copy, if the worker is a thread
 */
export function serveWorker<Task, Value, Input = undefined>(
  run: (task: Task) => AsyncGenerator<Value, void, Input>,
  transfer: (value: Value) => ArrayBuffer[] = () => [],
): void {
  lowerPriority();
  const jobs = new Map<number, AsyncGenerator<Value, void, Input>>();
  const post = (message: WorkerMessage, buffers: ArrayBuffer[] = []) => main.post(message, buffers);

  async function step(job: number, input: Input): Promise<void> {
    const generator = jobs.get(job);
    try {
      if (!generator) return void post({ type: 'lost' });
      const { done, value } = await generator.next(input);
      if (done) post({ type: 'done' });
      else post({ type: 'value', value }, transfer(value));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      post({ type: 'failed', kind: error.kind, message: error.message });
    }
  }

  main.port.on('message', (request: StepRequest) => {
    if (request.type === 'end') {
      void jobs.get(request.job)?.return(undefined);
      jobs.delete(request.job);
      return;
    }
    if (request.type === 'start') jobs.set(request.job, run(request.task as Task));
    // A generator ignores the input of its first step.
    void step(request.job, (request.type === 'next' ? request.input : undefined) as Input);
  });
  post({ type: 'ready' });
}
