// Work in a supervised thread or process, step by step. What is lost with it is tried once more, alone in a worker of its own: only the task that
// brought the worker down fails, and no other caller notices.
//
// Piscina does not help: it ends the thread when a running task is aborted (a recogniser takes a second and 350 MB to load again), does not
// notice a thread that hangs, and cannot keep a task's state in its thread from one step to the next.
import { createSemaphore, type Semaphore } from './semaphore.ts';
import { type Lost, LostError, type Memory, type Spawn, supervise, type Timeouts } from './supervise.ts';

export interface TasksOptions {
  spawn: Spawn;
  memory: Memory;
  /**
   * `answerMs`: for one step. `idleMs`: without a task. `abandonMs`: after which a step is ended that nobody waits for any more, together with the
   * worker, unless other tasks are under way in it; defaults to never.
   */
  timeouts: Timeouts & { abandonMs?: number | undefined };
  /** So many workers at most, each with one task at a time. Absent: one for all tasks, which take turns step by step. */
  workers?: number;
  /** How many lost tasks may be tried again at the same time, each in a worker for it alone. 0: none is, because its input is gone, or is to blame. */
  secondTries: number;
  onLost?: ((lost: Lost) => void) | undefined;
  /** The worker for all tasks begins to start, or no longer does. */
  onStarting?: ((isStarting: boolean) => void) | undefined;
}

export interface Tasks<Task, Value, Input = undefined, Notice = never> {
  /**
   * Runs a task and yields its values, each of them made when it is asked for. Leaving the loop ends the task; an abort frees the caller
   * immediately. What is passed to `next` is what the task's `yield` returns. A task that is tried again starts from the beginning, where it has
   * to yield the same values for the same inputs.
   * @throws TaskError
   */
  run(task: Task, options?: RunOptions<Notice>): AsyncGenerator<Value, void, Input>;
  /** Starts a worker, and resolves when it is ready. @throws TaskError */
  start(): Promise<void>;
  /** Resolves once all workers that were lost or given up so far have ended. */
  ended(): Promise<void>;
  close(): Promise<void>;
}

interface RunOptions<Notice> {
  signal?: AbortSignal | undefined;
  /** What the task reports in the middle of a step. */
  onNotice?(notice: Notice): void;
}

/** Why there is no value. */
export type Failure =
  /** `failure` is what the worker made of the error (`toFailure` in serve-tasks.ts). */
  | { kind: 'failed'; failure: unknown }
  /** `lost`: the worker was lost with the task, and with its second try if it had one. */
  | { kind: 'lost' | 'not-started'; lost: Lost }
  | { kind: 'aborted' }
  | { kind: 'closed' };

export class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('lost' in failure ? failure.lost.reason : failure.kind);
    this.failure = failure;
  }
}

/** To the worker. `start` and `next` ask for a value, `next` with an input for the task; `end` has no answer. */
export type StepRequest =
  | { type: 'start'; job: number; task: unknown }
  | { type: 'next'; job: number; input: unknown }
  | { type: 'end'; job: number };

/** From the worker: one for each `start` and `next`. */
export type StepResult =
  | { type: 'value'; value: unknown }
  /** `isSpent`: the worker is to be replaced, because something in it can no longer be trusted. */
  | { type: 'done'; isSpent: boolean }
  | { type: 'failed'; failure: unknown; isSpent: boolean }
  /** The task was begun in another worker. */
  | { type: 'lost' };

/** A request for one value. */
interface Step {
  request: StepRequest;
  onNotice: ((notice: never) => void) | undefined;
  /** Later calls of these two have no effect. */
  resolve(result: StepResult): void;
  reject(error: TaskError): void;
}

const failed = (failure: Failure) => new TaskError(failure);
const isLost = (error: unknown) => error instanceof TaskError && error.failure.kind === 'lost';

export function createTasks<Task, Value, Input = undefined, Notice = never>(options: TasksOptions): Tasks<Task, Value, Input, Notice> {
  const { workers: size, secondTries } = options;
  const workers = Array.from({ length: size ?? 1 }, () => createWorker<Task, Value, Input, Notice>(options));
  const alone = new Set<TaskWorker<Task, Value, Input, Notice>>();
  const places = size === undefined ? null : createSemaphore(size);
  const turns = createSemaphore(secondTries);
  const closing = new AbortController();

  async function acquire(from: Semaphore, signal: AbortSignal | undefined): Promise<() => void> {
    return from.acquire(AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])).catch(() => {
      throw failed({ kind: closing.signal.aborted ? 'closed' : 'aborted' });
    });
  }

  return {
    async *run(task, run = {}) {
      const inputs: Input[] = [];
      const leave = places && (await acquire(places, run.signal));
      try {
        // With a place for each, one is free; rather one that runs already.
        const free = places ? workers.filter((worker) => !worker.isBusy()) : workers;
        const worker = free.find((one) => one.state() !== 'absent') ?? free[0];
        if (worker) yield* secondTries > 0 ? follow(worker.run(task, run), inputs) : worker.run(task, run);
        return;
      } catch (error) {
        if (secondTries === 0 || !isLost(error)) throw error;
      } finally {
        leave?.();
      }
      const release = await acquire(turns, run.signal);
      const worker = createWorker<Task, Value, Input, Notice>({ ...options, onStarting: undefined });
      alone.add(worker);
      try {
        yield* follow(worker.run(task, run), inputs);
      } finally {
        await worker.close();
        alone.delete(worker);
        release();
      }
    },
    start: async () => workers[0]?.start(),
    ended: async () => void (await Promise.all([...workers, ...alone].map((worker) => worker.ended()))),
    async close() {
      closing.abort();
      await Promise.all([...workers, ...alone].map((worker) => worker.close()));
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

interface TaskWorker<Task, Value, Input, Notice> extends Tasks<Task, Value, Input, Notice> {
  state(): 'absent' | 'starting' | 'ready';
  isBusy(): boolean;
}

/** One worker, without a second try. */
function createWorker<Task, Value, Input, Notice>(options: TasksOptions): TaskWorker<Task, Value, Input, Notice> {
  const { spawn, memory, timeouts } = options;
  const { abandonMs } = timeouts;
  let isClosed = false;
  let lastJob = 0;
  /** Tasks that have begun and not ended. */
  let jobs = 0;
  /** Begun tasks that the worker has been told about. */
  const inWorker = new Set<number>();
  let waiting: Step[] = [];
  /** In the worker now: one at a time, so that a hang fails no other task than its own. */
  let current: Step | undefined;

  const worker = supervise<StepRequest, StepResult, Notice>({
    spawn,
    memory,
    timeouts,
    onStarting: options.onStarting,
    onReady: dispatch,
    onNotice: (notice) => current?.onNotice?.(notice as never),
    onAnswer(result) {
      const step = current;
      current = undefined;
      noteIdle();
      if ('isSpent' in result && result.isSpent) worker.stop();
      if (result.type === 'lost')
        step?.reject(failed({ kind: 'lost', lost: { cause: 'ended', reason: 'it was restarted in the middle', wasReady: true } }));
      else if (result.type === 'failed') step?.reject(failed({ kind: 'failed', failure: result.failure }));
      else step?.resolve(result);
      dispatch();
    },
    onLost(lost) {
      const victims = lost.wasReady ? [current] : waiting;
      current = undefined;
      if (!lost.wasReady) waiting = [];
      options.onLost?.(lost);
      for (const step of victims) step?.reject(failed({ kind: lost.wasReady ? 'lost' : 'not-started', lost }));
      dispatch();
    },
  });

  /** Sends the next step, and starts the worker if there is none. */
  function dispatch(): void {
    if (isClosed || current) return;
    worker.hold(waiting.length > 0);
    if (waiting.length > 0 && worker.state() === 'absent') void worker.start().catch(() => {});
    if (worker.state() !== 'ready') return;
    current = waiting.shift();
    if (!current) return;
    inWorker.add(current.request.job);
    worker.post(current.request, true);
  }

  function countJob(change: 1 | -1): void {
    jobs += change;
    noteIdle();
  }

  /** A step that nobody waits for any more isn't cut short. */
  function noteIdle(): void {
    worker.setIdle(jobs === 0 && !current);
  }

  function abandon(step: Step): void {
    setTimeout(() => {
      if (isClosed || current !== step || inWorker.size > 0) return;
      current = undefined;
      worker.stop();
      dispatch();
    }, abandonMs).unref();
  }

  function ask(request: StepRequest, { signal, onNotice }: RunOptions<Notice>) {
    const { promise, resolve, reject } = Promise.withResolvers<StepResult>();
    if (isClosed) throw failed({ kind: 'closed' });
    if (signal?.aborted) throw failed({ kind: 'aborted' });
    const step: Step = { request, onNotice: onNotice as Step['onNotice'], resolve, reject };
    const onAbort = () => {
      waiting = waiting.filter((other) => other !== step);
      reject(failed({ kind: 'aborted' }));
      if (current === step && abandonMs !== undefined) abandon(step);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(step);
    dispatch();
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  return {
    async *run(task, run = {}) {
      const job = ++lastJob;
      countJob(1);
      try {
        let result = await ask({ type: 'start', job, task }, run);
        while (result.type === 'value') {
          const input = yield result.value as Value;
          result = await ask({ type: 'next', job, input }, run);
        }
      } finally {
        inWorker.delete(job);
        worker.post({ type: 'end', job }, false);
        countJob(-1);
      }
    },
    state: worker.state,
    isBusy: () => jobs > 0,
    async start() {
      worker.hold(true);
      try {
        await worker.start();
      } catch (error) {
        if (isClosed) throw failed({ kind: 'closed' });
        throw error instanceof LostError ? failed({ kind: 'not-started', lost: error.lost }) : error;
      } finally {
        dispatch();
      }
    },
    ended: worker.ended,
    async close() {
      isClosed = true;
      for (const step of [current, ...waiting]) step?.reject(failed({ kind: 'closed' }));
      waiting = [];
      await worker.close();
    },
  };
}
