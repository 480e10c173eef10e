// A worker that runs an engine, a thread or a process, seen from the main thread: it starts when needed, and is replaced when it dies or hangs.
// What is lost with it is tried once more, alone in a worker of its own: only the job that brought the worker down fails, and no other
// caller notices.
//
// Piscina does not help: it ends the thread when a running task is aborted (a recogniser takes a second and 350 MB to load again), does not
// notice a thread that hangs, and cannot keep a job's state in its thread from one chunk to the next.
import { aborted, EngineError } from './engine.ts';
import { type OpenWorker, openProcess, openThread, type WorkerListeners } from './open-worker.ts';
import { createSemaphore } from './semaphore.ts';
import type { StepRequest, WorkerMessage } from './serve-worker.ts';

export interface EngineWorkerOptions {
  /** The worker's file, which calls `serveWorker`. */
  file: URL;
  /** The file of the engine for `loadEngine`, an `EngineModule`; absent if the worker needs none. */
  engine?: URL;
  /** A process costs nobody else anything if its native code crashes or it runs out of memory. Defaults to a thread, which starts faster. */
  runsIn?: 'thread' | 'process';
  /** Its process leaves the processor to everything else. */
  isBackground?: boolean;
  /** Milliseconds without a task after which the worker ends, until there is one again. Defaults to never. */
  idleMs?: number;
  /**
   * Milliseconds after which a step is ended that nobody waits for any more, together with the worker, unless other tasks are under way in it.
   * Defaults to never.
   */
  abandonMs?: number;
  /** Milliseconds for one step, after which the worker is taken to hang. Defaults to three minutes. */
  stepLimitMs?: number;
  /** How many lost tasks may be tried again at the same time, each in a worker that loads the engine for it alone. */
  secondTries: number;
  onLost?: (reason: string) => void;
}

export interface EngineWorker<Task, Value, Input = undefined> {
  /**
   * Runs a task and yields its values, each of them made when it is asked for. Tasks take turns, value by value.
   * Leaving the loop ends the task; an abort frees the caller immediately. What is passed to `next` is what the task's `yield` returns.
   * A task that is lost with its worker starts again from the beginning, where it has to yield the same values for the same inputs.
   * @throws EngineError, `refused` if the worker was lost with the task a second time
   */
  run(task: Task, options?: RunOptions): AsyncGenerator<Value, void, Input>;
  /** Whether the engine is being loaded. */
  isStarting(): boolean;
  close(): Promise<void>;
}

interface RunOptions {
  signal?: AbortSignal | undefined;
}

type StepResult = Extract<WorkerMessage, { type: 'value' | 'done' }>;

/** A request for one value. */
interface Step {
  request: StepRequest;
  /** Later calls of these two have no effect. */
  resolve(result: StepResult): void;
  reject(error: unknown): void;
}

/**
 * For loading and for a step, by the clock: Node 20 doesn't tell the processor time of a thread. Loading takes two seconds of an idle processor,
 * the longest step six, and many times as long on a computer that is slow and busy. That isn't a hang, and a second try would take as long.
 */
const HANG_MS = 3 * 60_000;

/** The worker is gone, and with it what it knew of the task. */
class LostError extends Error {}

export function createEngineWorker<Task, Value, Input = undefined>(options: EngineWorkerOptions): EngineWorker<Task, Value, Input> {
  const shared = createOne<Task, Value, Input>(options);
  const turns = createSemaphore(options.secondTries);
  const alone = new Set<EngineWorker<Task, Value, Input>>();
  let closed = false;

  return {
    async *run(task, { signal } = {}) {
      const inputs: Input[] = [];
      try {
        yield* follow(shared.run(task, { signal }), inputs);
        return;
      } catch (error) {
        if (!(error instanceof LostError)) throw error;
      }
      const release = await turns.acquire(signal).catch(() => {
        throw aborted();
      });
      const worker = createOne<Task, Value, Input>(options);
      alone.add(worker);
      try {
        if (closed) await worker.close();
        yield* follow(worker.run(task, { signal }), inputs);
      } catch (error) {
        if (!(error instanceof LostError)) throw error;
        throw new EngineError('refused', `The engine stopped working on this input, twice (${error.message}). Change the input.`, {
          cause: error,
        });
      } finally {
        await worker.close();
        alone.delete(worker);
        release();
      }
    },
    isStarting: () => shared.isStarting(),
    async close() {
      closed = true;
      await Promise.all([shared, ...alone].map((worker) => worker.close()));
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

/** One worker, without a second try. Its tasks fail with `LostError` if they are lost. */
function createOne<Task, Value, Input>(options: EngineWorkerOptions): EngineWorker<Task, Value, Input> {
  const { file, engine, runsIn = 'thread', isBackground = false, idleMs, abandonMs, stepLimitMs = HANG_MS, onLost = () => {} } = options;
  let worker: OpenWorker | undefined;
  let ready = false;
  let closed = false;
  let lastJob = 0;
  /** Tasks that have begun and not ended. */
  let jobs = 0;
  /** Begun tasks that the worker has been told about. */
  const begun = new Set<number>();
  let waiting: Step[] = [];
  /** In the worker now: one at a time, so that a hang fails no other job than its own. */
  let current: Step | undefined;
  let watchdog: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): void {
    ready = false;
    const listeners: WorkerListeners = {
      onMessage: (message) => {
        if (worker === started) receive(message);
      },
      onEnd: (reason) => lose(started, reason),
    };
    const started: OpenWorker =
      runsIn === 'process' ? openProcess(file, engine, listeners, { isBackground }) : openThread(file, engine, listeners);
    worker = started;
    watch(started, HANG_MS);
  }

  function watch(watched: OpenWorker, limitMs: number): void {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => lose(watched, `no sign of life for ${limitMs / 1000} s`), limitMs).unref();
  }

  function receive(message: WorkerMessage): void {
    if (message.type === 'unloadable') {
      if (worker) lose(worker, message.reason);
      return;
    }
    clearTimeout(watchdog);
    const step = current;
    current = undefined;
    if (message.type === 'ready') ready = true;
    else if (message.type === 'lost') step?.reject(new LostError('it was restarted in the middle'));
    else if (message.type === 'failed') step?.reject(new EngineError(message.kind, message.message));
    else step?.resolve(message);
    dispatch();
  }

  /** Sends the next step, and starts the worker if there is none. */
  function dispatch(): void {
    if (closed || current) return;
    if (waiting.length === 0) worker?.unref();
    else if (!worker) start();
    else if (ready) send(worker, waiting.shift() as Step);
  }

  function send(to: OpenWorker, step: Step): void {
    current = step;
    begun.add(step.request.job);
    to.ref();
    watch(to, stepLimitMs);
    to.post(step.request);
  }

  /** Ends the worker, fails the step that was in it, and continues with the others in a new one. */
  function lose(lost: OpenWorker, reason: string): void {
    if (worker !== lost) return;
    const victims = ready ? [current] : waiting;
    const failure = ready
      ? new LostError(reason)
      : new EngineError('crashed', `The engine could not be loaded (${reason}). Run npm ci --ignore-scripts again, then restart.`);
    clearTimeout(watchdog);
    clearTimeout(idle);
    worker = undefined;
    current = undefined;
    if (!ready) waiting = [];
    void lost.end();
    if (closed) return;
    onLost(reason);
    for (const step of victims) step?.reject(failure);
    dispatch();
  }

  function beginJob(): void {
    jobs++;
    clearTimeout(idle);
  }

  function endJob(): void {
    jobs--;
    if (jobs > 0 || idleMs === undefined || !worker) return;
    clearTimeout(idle);
    idle = setTimeout(retire, idleMs).unref();
  }

  /** Ends the worker, until there is a task again. */
  function retire(): void {
    const unused = worker;
    clearTimeout(watchdog);
    worker = undefined;
    current = undefined;
    void unused?.end();
  }

  function abandon(step: Step): void {
    setTimeout(() => {
      if (closed || current !== step || begun.size > 0) return;
      retire();
      dispatch();
    }, abandonMs).unref();
  }

  function ask(request: StepRequest, signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<StepResult>();
    if (closed) throw aborted('the engines are closed. Start them again');
    if (signal?.aborted) throw aborted();
    const step: Step = { request, resolve, reject };
    const onAbort = () => {
      waiting = waiting.filter((other) => other !== step);
      reject(aborted());
      if (current === step && abandonMs !== undefined) abandon(step);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(step);
    dispatch();
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  return {
    async *run(task, { signal } = {}) {
      const job = ++lastJob;
      beginJob();
      try {
        let result = await ask({ type: 'start', job, task }, signal);
        while (result.type === 'value') {
          const input = yield result.value as Value;
          result = await ask({ type: 'next', job, input }, signal);
        }
      } finally {
        begun.delete(job);
        if (ready) worker?.post({ type: 'end', job });
        endJob();
      }
    },

    isStarting: () => worker !== undefined && !ready,

    async close() {
      closed = true;
      clearTimeout(watchdog);
      clearTimeout(idle);
      for (const step of [current, ...waiting])
        step?.reject(new EngineError('aborted', 'The engines were closed. Start them again, then repeat the request.'));
      waiting = [];
      await worker?.end();
    },
  };
}
