// A worker thread that runs an engine, seen from the main thread: it starts when needed, and is replaced when it dies or hangs. What is lost
// with it is tried once more, alone in a thread of its own: whoever brought it down fails alone, and nobody else notices.
//
// Piscina does not help: it ends the thread when a running task is aborted (PocketSphinx takes 0.8 s and 210 MB to load again), does not
// notice a thread that hangs, and cannot keep a job's state in its thread from one chunk to the next.
import { Worker } from 'node:worker_threads';
import { aborted, EngineError } from './engine.ts';
import { createSemaphore } from './semaphore.ts';
import type { StepRequest, ThreadMessage } from './serve-thread.ts';

export interface EngineThreadOptions {
  /** The worker's file, which calls `serveThread`. */
  file: URL;
  /** The file of the engine for `loadEngine`, an `EngineModule`; absent if the worker needs none. */
  engine?: URL;
  /** Milliseconds for one step, after which the thread is taken to hang. */
  stepLimitMs: number;
  /** How many lost tasks may be tried again at the same time, each in a thread that loads the engine for it alone. */
  secondTries: number;
  onLost?: (reason: string) => void;
}

export interface EngineThread<Task, Value, Input = undefined> {
  /**
   * Runs a task and yields its values, each of them made when it is asked for. Tasks take turns, value by value.
   * Leaving the loop ends the task; an abort frees the caller immediately. What is passed to `next` is what the task's `yield` returns.
   * A task that is lost with its thread starts again from the beginning, where it has to yield the same values for the same inputs.
   * @throws EngineError, `refused` if the thread was lost with the task a second time
   */
  run(task: Task, options?: RunOptions<Task>): AsyncGenerator<Value, void, Input>;
  close(): Promise<void>;
}

interface Sent<Task> {
  task: Task;
  /** Buffers of the task to hand over rather than copy. */
  transfer?: ArrayBuffer[];
}

interface RunOptions<Task> {
  signal?: AbortSignal | undefined;
  transfer?: Sent<Task>['transfer'];
  /** Makes the task once more, if it can't be sent again since its buffers were handed over. */
  again?: () => Promise<Sent<Task>>;
}

type StepResult = Extract<ThreadMessage, { type: 'value' | 'done' }>;

/** A request for one value. */
interface Step {
  request: StepRequest;
  transfer: ArrayBuffer[];
  /** Later calls of these two have no effect. */
  resolve(result: StepResult): void;
  reject(error: unknown): void;
}

/** Loading takes a second, several on a busy machine. */
const START_LIMIT_MS = 60_000;

/** The thread is gone, and with it what it knew of the task. */
class LostError extends Error {}

export function createEngineThread<Task, Value, Input = undefined>(options: EngineThreadOptions): EngineThread<Task, Value, Input> {
  const shared = createThread<Task, Value, Input>(options);
  const turns = createSemaphore(options.secondTries);
  const alone = new Set<EngineThread<Task, Value, Input>>();
  let closed = false;

  return {
    async *run(task, { signal, transfer = [], again } = {}) {
      const inputs: Input[] = [];
      try {
        yield* follow(shared.run(task, { signal, transfer }), inputs);
        return;
      } catch (error) {
        if (!(error instanceof LostError)) throw error;
      }
      const release = await turns.acquire(signal).catch(() => {
        throw aborted();
      });
      const thread = createThread<Task, Value, Input>(options);
      alone.add(thread);
      try {
        if (closed) await thread.close();
        const repeated: Sent<Task> = again ? await again() : { task };
        yield* follow(thread.run(repeated.task, { signal, transfer: repeated.transfer ?? [] }), inputs);
      } catch (error) {
        if (!(error instanceof LostError)) throw error;
        throw new EngineError('refused', `The engine stopped working on this input, twice (${error.message}). Change the input.`, {
          cause: error,
        });
      } finally {
        await thread.close();
        alone.delete(thread);
        release();
      }
    },
    async close() {
      closed = true;
      await Promise.all([shared, ...alone].map((thread) => thread.close()));
    },
  };
}

/** Yields the values that come after those that these inputs answered, and adds the inputs that answer them. */
async function* follow<Value, Input>(values: AsyncGenerator<Value, void, Input>, inputs: Input[]): AsyncGenerator<Value, void, Input> {
  try {
    // Its input has no effect: nothing was yielded before.
    let result = await values.next(undefined as Input);
    for (const input of inputs) result = await values.next(input);
    while (!result.done) {
      const input = yield result.value;
      inputs.push(input);
      result = await values.next(input);
    }
  } finally {
    await values.return();
  }
}

/** One thread, without a second try. Its tasks fail with `LostError` if they are lost. */
function createThread<Task, Value, Input>({
  file,
  engine,
  stepLimitMs,
  onLost = () => {},
}: EngineThreadOptions): EngineThread<Task, Value, Input> {
  let worker: Worker | undefined;
  let ready = false;
  let closed = false;
  let lastJob = 0;
  let waiting: Step[] = [];
  /** In the thread now: one at a time, so that a hang fails no other job than its own. */
  let current: Step | undefined;
  let watchdog: NodeJS.Timeout | undefined;

  function start(): void {
    // Reading its output would keep the process alive.
    const started = new Worker(file, { workerData: { engine: engine?.href }, execArgv: [], stdout: true, stderr: true });
    worker = started;
    ready = false;
    watch(started, START_LIMIT_MS);
    started.on('message', (message: ThreadMessage) => {
      if (worker === started) receive(message);
    });
    started.on('error', (error: unknown) => lose(started, error instanceof Error ? error.message : String(error)));
    started.on('exit', (code) => lose(started, `it ended with code ${code}`));
  }

  function watch(thread: Worker, limitMs: number): void {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => lose(thread, `no sign of life for ${limitMs / 1000} s`), limitMs).unref();
  }

  function receive(message: ThreadMessage): void {
    clearTimeout(watchdog);
    const step = current;
    current = undefined;
    if (message.type === 'ready') ready = true;
    else if (message.type === 'lost') step?.reject(new LostError('it was restarted in the middle'));
    else if (message.type === 'failed') step?.reject(new EngineError(message.kind, message.message));
    else step?.resolve(message);
    dispatch();
  }

  /** Sends the next step, and starts the thread if there is none. */
  function dispatch(): void {
    if (closed || current) return;
    if (waiting.length === 0) worker?.unref();
    else if (!worker) start();
    else if (ready) send(worker, waiting.shift() as Step);
  }

  function send(thread: Worker, step: Step): void {
    current = step;
    thread.ref();
    watch(thread, stepLimitMs);
    thread.postMessage(step.request, step.transfer);
  }

  /** Ends the thread, fails the step that was in it, and continues with the others in a new one. */
  function lose(lost: Worker, reason: string): void {
    if (worker !== lost) return;
    const victims = ready ? [current] : waiting;
    const failure = ready
      ? new LostError(reason)
      : new EngineError('crashed', `The engine could not be loaded (${reason}). Run npm ci again, then restart.`);
    clearTimeout(watchdog);
    worker = undefined;
    current = undefined;
    if (!ready) waiting = [];
    void lost.terminate();
    if (closed) return;
    onLost(reason);
    for (const step of victims) step?.reject(failure);
    dispatch();
  }

  function ask(request: StepRequest, transfer: ArrayBuffer[], signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<StepResult>();
    if (closed) throw aborted('the engines are closed. Start them again');
    if (signal?.aborted) throw aborted();
    const step: Step = { request, transfer, resolve, reject };
    const onAbort = () => {
      waiting = waiting.filter((other) => other !== step);
      reject(aborted());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(step);
    dispatch();
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  return {
    async *run(task, { signal, transfer = [] } = {}) {
      const job = ++lastJob;
      try {
        let result = await ask({ type: 'start', job, task }, transfer, signal);
        while (result.type === 'value') {
          const input = yield result.value as Value;
          result = await ask({ type: 'next', job, input }, [], signal);
        }
      } finally {
        if (ready) worker?.postMessage({ type: 'end', job } satisfies StepRequest);
      }
    },

    async close() {
      closed = true;
      clearTimeout(watchdog);
      for (const step of [current, ...waiting])
        step?.reject(new EngineError('aborted', 'The engines were closed. Start them again, then repeat the request.'));
      waiting = [];
      await worker?.terminate();
    },
  };
}
