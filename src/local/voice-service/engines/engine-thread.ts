// A few worker threads that answer requests; one that dies or hangs is replaced.
import { Worker } from 'node:worker_threads';
import { EngineError, type EngineErrorKind } from './engine.ts';

/** Main thread to worker. `cancelled` turns to 1 when nobody waits for the answer any more. */
export interface WorkerRequest<T> {
  id: number;
  body: T;
  cancelled: Int32Array;
}

/** Worker to main thread. `alive` says that a long piece of work still makes progress. */
export type WorkerAnswer =
  | { id: number; type: 'done'; value: unknown }
  | { id: number; type: 'failed'; kind: EngineErrorKind; message: string }
  | { id: number; type: 'alive' };

export interface PoolOptions {
  /** The worker's file. It says `{ id: 0, type: 'done' }` once it is ready. */
  file: URL;
  /** Threads at most. */
  size: number;
  /** Requests a thread may work on in turns; 1 when left out. */
  turns?: number;
  /** What each new thread is given, made when the first one starts. */
  prepare?: () => Promise<unknown>;
  /** A worker that says nothing for this long during a request hangs, and is replaced. Milliseconds. */
  silenceLimit: number;
  onLost?: (reason: string) => void;
}

/** One thread and the requests that wait for it. Work that keeps state in a thread stays on its lane. */
interface Lane {
  queue: Job[];
  current: Map<number, Job>;
  worker: Worker | undefined;
  starting: boolean;
  lastSign: number;
}

interface Job {
  id: number;
  body: unknown;
  transfer: ArrayBuffer[];
  anywhere: boolean;
  cancelled: Int32Array;
  settled: boolean;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface AskOptions {
  signal?: AbortSignal | undefined;
  transfer?: ArrayBuffer[];
  /** Another lane may take it over when it is free sooner. */
  anywhere?: boolean;
}

export interface WorkerPool {
  /** The lane with the least to do. */
  pickLane(): Lane;
  /** Asks the lane's worker, in turn. Rejects with `EngineError`; an abort frees the caller at once. */
  ask(lane: Lane, body: unknown, options?: AskOptions): Promise<unknown>;
  /** Tells the lane's worker something that has no answer, if it runs. */
  tell(lane: Lane, body: unknown): void;
  /** Starts one worker and waits until it is ready. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** Loading takes a second; on a machine that is busy with everything else, several. */
const START_LIMIT_MS = 60_000;

export function createWorkerPool(options: PoolOptions): WorkerPool {
  const lanes: Lane[] = Array.from({ length: Math.max(1, options.size) }, () => ({
    queue: [],
    current: new Map(),
    worker: undefined,
    starting: false,
    lastSign: 0,
  }));
  const turns = options.turns ?? 1;
  let prepared: Promise<unknown> | undefined;
  let closed = false;
  let lastId = 0;
  let watchdog: NodeJS.Timeout | undefined;

  const load = (lane: Lane) => lane.queue.length + lane.current.size + (lane.worker || lane.starting ? 0 : 0.5);

  async function start(lane: Lane): Promise<void> {
    lane.starting = true;
    lane.lastSign = performance.now();
    try {
      prepared ??= options.prepare?.() ?? Promise.resolve(undefined);
      const workerData = await prepared;
      if (closed) return;
      // Its output goes nowhere: the decoders print what they think of broken files. (Reading it would keep the process alive.)
      const worker = new Worker(options.file, { workerData, execArgv: [], stdout: true, stderr: true });
      lane.worker = worker;
      worker.on('message', (answer: WorkerAnswer) => receive(lane, worker, answer));
      worker.on('error', (error: unknown) => lose(lane, worker, error instanceof Error ? error.message : String(error)));
      worker.on('exit', (code) => lose(lane, worker, `it ended with code ${code}`));
    } catch (error) {
      lane.starting = false;
      prepared = undefined;
      const cause = error instanceof Error ? error.message : String(error);
      for (const job of takeAll(lane))
        fail(job, 'crashed', `The engine could not be loaded (${cause}). Run npm ci again, then restart.`, error);
    }
  }

  function receive(lane: Lane, worker: Worker, answer: WorkerAnswer): void {
    if (lane.worker !== worker) return;
    lane.lastSign = performance.now();
    if (answer.id === 0) {
      lane.starting = false;
      dispatch(lane);
      return;
    }
    const job = lane.current.get(answer.id);
    if (!job || answer.type === 'alive') return;
    lane.current.delete(answer.id);
    if (answer.type === 'done') settle(job, () => job.resolve(answer.value));
    else fail(job, answer.kind, answer.message);
    dispatch(lane);
  }

  /** Ends the thread of a lane, fails what it was doing, and goes on with what waits in a new one. */
  function lose(lane: Lane, worker: Worker, reason: string): void {
    if (lane.worker !== worker) return;
    const failedToStart = lane.starting;
    lane.worker = undefined;
    lane.starting = false;
    void worker.terminate();
    if (closed) return;
    options.onLost?.(reason);
    const victims = failedToStart ? takeAll(lane) : [...lane.current.values()];
    lane.current.clear();
    for (const job of victims)
      fail(job, 'crashed', `The engine stopped working (${reason}). Try again; if it happens with the same input, change the input.`);
    dispatch(lane);
  }

  /** Gives the lane's worker what it can take, and starts one when there is none. */
  function dispatch(lane: Lane): void {
    if (closed || lane.starting) return;
    while (lane.current.size < turns) {
      const job = lane.queue.shift() ?? takeOver();
      if (!job) break;
      if (!lane.worker) {
        lane.queue.unshift(job);
        void start(lane);
        watch();
        return;
      }
      send(lane, lane.worker, job);
    }
    if (lane.current.size === 0) {
      lane.worker?.unref();
      stopWatching();
    }
  }

  function send(lane: Lane, worker: Worker, job: Job): void {
    const request: WorkerRequest<unknown> = { id: job.id, body: job.body, cancelled: job.cancelled };
    try {
      worker.postMessage(request, job.transfer);
    } catch (error) {
      settle(job, () => job.reject(error as Error));
      return;
    }
    if (lane.current.size === 0) lane.lastSign = performance.now();
    lane.current.set(job.id, job);
    worker.ref();
    watch();
  }

  /** The first request that waits for another thread and does not need that very one. */
  function takeOver(): Job | undefined {
    for (const lane of lanes) {
      const job = lane.queue.find((waiting) => waiting.anywhere);
      if (job) {
        lane.queue = lane.queue.filter((waiting) => waiting !== job);
        return job;
      }
    }
    return undefined;
  }

  function watch(): void {
    watchdog ??= setInterval(() => {
      for (const lane of lanes) {
        const limit = lane.starting ? START_LIMIT_MS : lane.current.size > 0 ? options.silenceLimit : Number.POSITIVE_INFINITY;
        if (lane.worker && performance.now() - lane.lastSign > limit) lose(lane, lane.worker, `no sign of life for ${limit / 1000} s`);
      }
    }, options.silenceLimit / 4).unref();
  }

  function stopWatching(): void {
    if (lanes.some((lane) => lane.current.size > 0 || lane.queue.length > 0)) return;
    clearInterval(watchdog);
    watchdog = undefined;
  }

  return {
    pickLane: () => lanes.reduce((best, lane) => (load(lane) < load(best) ? lane : best)),

    ask(lane, body, { signal, transfer = [], anywhere = false } = {}) {
      return new Promise((resolve, reject) => {
        if (closed) throw abortedBecause('the engines are closed. Start them again');
        if (signal?.aborted) throw abortedBecause('the request was cancelled. Ask again if it is still wanted');
        const job: Job = {
          id: ++lastId,
          body,
          transfer,
          anywhere,
          cancelled: new Int32Array(new SharedArrayBuffer(4)),
          settled: false,
          resolve,
          reject,
        };
        if (signal) {
          const onAbort = () => {
            Atomics.store(job.cancelled, 0, 1);
            for (const each of lanes) each.queue = each.queue.filter((waiting) => waiting !== job);
            settle(job, () => reject(abortedBecause('the request was cancelled. Ask again if it is still wanted')));
          };
          signal.addEventListener('abort', onAbort, { once: true });
          job.resolve = (value) => {
            signal.removeEventListener('abort', onAbort);
            resolve(value);
          };
          job.reject = (error) => {
            signal.removeEventListener('abort', onAbort);
            reject(error);
          };
        }
        lane.queue.push(job);
        dispatch(lane);
      });
    },

    tell(lane, body) {
      lane.worker?.postMessage({ id: -1, body, cancelled: new Int32Array(1) } satisfies WorkerRequest<unknown>);
    },

    async warmUp() {
      await this.ask(this.pickLane(), { type: 'warm-up' });
    },

    async close() {
      closed = true;
      clearInterval(watchdog);
      for (const lane of lanes) {
        for (const job of takeAll(lane)) fail(job, 'aborted', 'The engines were closed. Start them again, then repeat the request.');
      }
      await Promise.all(lanes.map((lane) => lane.worker?.terminate()));
    },
  };
}

/** Everything the lane has to do, taken off it. */
function takeAll(lane: Lane): Job[] {
  const jobs = [...lane.current.values(), ...lane.queue];
  lane.queue = [];
  lane.current.clear();
  return jobs;
}

function settle(job: Job, how: () => void): void {
  if (job.settled) return;
  job.settled = true;
  how();
}

function fail(job: Job, kind: EngineErrorKind, message: string, cause?: unknown): void {
  settle(job, () => job.reject(new EngineError(kind, message, { cause })));
}

function abortedBecause(reason: string): EngineError {
  return new EngineError('aborted', `Stopped: ${reason}.`);
}
