// A process or a thread beside ours: started when it is needed, limited in memory and time, ended when it has nothing to do, and replaced when
// it is lost. serve.ts is its other side; tasks.ts runs work in it that may be tried again.
//
//            start            "ready"          nothing to do for `idleMs`, or `stop`
//   absent ────────→ starting ───────→ ready ───────────────────────────────────────→ absent
//      ↑                 │               │
//      └──── lost ───────┴───────────────┘   it ended, took too long or too much memory, or says that it can't work here
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type FromWorker, type Hello, type ToWorker, WATCHDOG_SIGNALS } from './protocol.ts';
import { createUnderWay, within } from './waiting.ts';

/** What runs beside us, and where. */
export interface Spawn {
  /** Its file, which calls `serve` (serve.ts). */
  file: URL;
  /** A process costs nobody else anything if its native code crashes, or if it runs out of memory. A thread starts faster. */
  runsIn: 'thread' | 'process';
  /** Handed over at each start; a process gets it in a message, because everybody on the machine can read its arguments. */
  data?: () => unknown;
  /**
   * `low` leaves the processor to whatever has to be on time, unless ENGINE_PRIORITY is `normal`; `lowest` leaves it to everything else. Defaults
   * to the usual one.
   */
  priority?: 'low' | 'lowest';
  /** What a process prints is printed here; else nobody sees it. */
  showsOutput?: boolean;
  /** Options of Node that a process is started with. */
  flags?: readonly string[];
  /** Names of the environment that a process gets as well. */
  environment?: readonly string[];
}

export interface Memory {
  /** MB of JavaScript's own heap. */
  heapMb: number;
  /** Bytes of a process in all, WebAssembly and buffers included. Defaults to no limit: what native code holds is bounded by its inputs. */
  residentBytes?: number;
}

/** All in milliseconds. */
export interface Timeouts {
  /** By the clock, until it is ready. */
  startMs: number;
  /** By the clock, without an answer while one is due. */
  answerMs: number;
  /** Of processor time, for one answer. By the clock, a busy machine would be a reason to give up. Defaults to no limit. */
  processorMs?: number;
  /** Of processor time in which no progress is reported. Defaults to no limit. */
  stuckMs?: number;
  /** With nothing to do, after which it ends until it is started again. Defaults to never. */
  idleMs?: number;
  /** From one start to the next. Defaults to none. */
  restartMs?: number;
  /** After which it is asked whether it still answers. Defaults to never. */
  pingMs?: number;
  /** To end in order when it is closed. Defaults to none: it is killed. */
  endMs?: number;
}

/** Why a worker was lost. */
export interface Lost {
  cause: 'time' | 'memory' | 'ended' | 'unavailable';
  /** As a clause. */
  reason: string;
  /** It had started, so what was asked of it may be the reason. */
  wasReady: boolean;
  /** With `unavailable`: what it said besides. */
  details?: unknown;
}

export interface SuperviseOptions<Answer, Notice, Ready> {
  spawn: Spawn;
  memory: Memory;
  timeouts: Timeouts;
  onReady?(ready: Ready): void;
  onAnswer?(answer: Answer): void;
  onNotice?(notice: Notice): void;
  /** What it knew is gone. It isn't started again by itself. */
  onLost?(lost: Lost): void;
  /** It begins to start, or no longer does. */
  onStarting?: ((isStarting: boolean) => void) | undefined;
}

export interface Supervised<Order, Ready> {
  /** Starts it unless it runs, once its predecessor has ended. Rejects with a `LostError` if it is lost first. */
  start(): Promise<Ready>;
  state(): 'absent' | 'starting' | 'ready';
  /** To one that is ready; else it has no effect. @param isAnswered whether an answer is due now */
  post(order: Order, isAnswered: boolean): void;
  /** While it has nothing to do, it ends after `idleMs`. At first, it has something to do. */
  setIdle(isIdle: boolean): void;
  /** Whether it keeps this process alive; at first, it doesn't. */
  hold(isHeld: boolean): void;
  /** Ends it at once, until it is started again. */
  stop(): void;
  /** Resolves once all that were stopped or lost so far have ended. */
  ended(): Promise<void>;
  /** Ends it in order; it can't be started again. */
  close(): Promise<void>;
}

export class LostError extends Error {
  override readonly name = 'LostError';
  readonly lost: Lost;

  constructor(lost: Lost) {
    super(lost.reason);
    this.lost = lost;
  }
}

/**
 * The environment of every process: where programs are, where compiled code is cached, what Windows needs to start programs, and the priority of
 * engines. No keys.
 */
const ENVIRONMENT = ['PATH', 'SystemRoot', 'windir', 'TEMP', 'TMPDIR', 'NODE_COMPILE_CACHE', 'ENGINE_PRIORITY'];

/** Milliseconds: at least one turn of the event loop. */
const READ_MS = 10;

interface Running<Ready> {
  worker: Spawned | null;
  isReady: boolean;
  ready: PromiseWithResolvers<Ready>;
  /** Answers that are due. */
  due: number;
  watchdog: NodeJS.Timeout | undefined;
  ping: NodeJS.Timeout | undefined;
}

/** Nothing is started before `start` is called. */
export function supervise<Order, Answer, Notice = never, Ready = undefined>(
  options: SuperviseOptions<Answer, Notice, Ready>,
): Supervised<Order, Ready> {
  const { spawn, memory, timeouts } = options;
  const { startMs, answerMs, processorMs, stuckMs, idleMs, restartMs = 0, pingMs, endMs = 0 } = timeouts;
  let current: Running<Ready> | null = null;
  let startedAt = Number.NEGATIVE_INFINITY;
  let isIdle = false;
  let isHeld = false;
  let isClosed = false;
  let idleTimer: NodeJS.Timeout | undefined;
  const ending = createUnderWay();

  async function open(started: Running<Ready>): Promise<void> {
    // One at a time: two would hold the same files, and twice the memory.
    await ended();
    // Timers may fire a fraction of a millisecond early.
    const waitMs = startedAt + restartMs - performance.now();
    if (waitMs > 0) await sleep(waitMs + 1, undefined, { ref: isHeld });
    if (current !== started) return;
    startedAt = performance.now();
    watch(started, startMs);
    const limits = { residentBytes: memory.residentBytes, processorMs, stuckMs };
    const { data = () => undefined, priority, showsOutput = false } = spawn;
    const hello: Hello = { data: data(), limits, isLowPriority: hasLowPriority(priority), showsOutput };
    try {
      const open = spawn.runsIn === 'thread' ? openThread : openProcess;
      started.worker = open(spawn, memory, hello, {
        onMessage: (message) => receive(started, message as FromWorker<Answer, Notice, Ready>),
        onEnd: (cause, reason) => lose(started, { cause, reason, wasReady: started.isReady }),
      });
      started.worker.hold(isHeld);
    } catch (error) {
      // Some failures are thrown, not emitted: out of memory, for one.
      lose(started, { cause: 'ended', reason: (error as Error).message, wasReady: false });
    }
  }

  function receive(from: Running<Ready>, message: FromWorker<Answer, Notice, Ready>): void {
    if (current !== from) return;
    if (message.type === 'notice') options.onNotice?.(message.notice);
    else if (message.type === 'unavailable') {
      const { reason, details } = message;
      lose(from, { cause: 'unavailable', reason, wasReady: false, details });
    } else if (message.type === 'ready') {
      clearTimeout(from.watchdog);
      from.isReady = true;
      if (pingMs !== undefined) from.ping = setInterval(ping, pingMs, from).unref();
      options.onStarting?.(false);
      from.ready.resolve(message.ready);
      options.onReady?.(message.ready);
    } else {
      from.due--;
      if (from.due > 0) watch(from, answerMs);
      else clearTimeout(from.watchdog);
      if (message.type === 'answer') options.onAnswer?.(message.answer);
    }
  }

  function watch(watched: Running<Ready>, limitMs: number): void {
    clearTimeout(watched.watchdog);
    const giveUp = () => lose(watched, { cause: 'time', reason: `no sign of life for ${limitMs / 1000} s`, wasReady: watched.isReady });
    // This process may have been held up itself: whatever has come meanwhile is read first.
    const readFirst = () => {
      watched.watchdog = setTimeout(giveUp, READ_MS).unref();
    };
    watched.watchdog = setTimeout(readFirst, limitMs).unref();
  }

  function ping(asked: Running<Ready>): void {
    if (asked.due === 0) send(asked, { type: 'ping' }, true);
  }

  function send(to: Running<Ready>, message: ToWorker<Order>, isAnswered: boolean): void {
    if (isAnswered) {
      to.due++;
      if (to.due === 1) watch(to, answerMs);
    }
    to.worker?.post(message);
  }

  function lose(lost: Running<Ready>, why: Lost): void {
    if (current !== lost) return;
    drop(new LostError(why));
    if (!isClosed) options.onLost?.(why);
  }

  function drop(error: LostError): void {
    const dropped = current;
    current = null;
    clearTimeout(idleTimer);
    if (!dropped) return;
    clearTimeout(dropped.watchdog);
    clearInterval(dropped.ping);
    if (!dropped.isReady) options.onStarting?.(false);
    dropped.ready.reject(error);
    const { worker } = dropped;
    if (!worker) return;
    void ending.add(worker.end());
  }

  function armIdle(): void {
    clearTimeout(idleTimer);
    if (isIdle && idleMs !== undefined && current) idleTimer = setTimeout(stop, idleMs).unref();
  }

  const stopped = (reason: string) => new LostError({ cause: 'ended', reason, wasReady: current?.isReady ?? false });
  const stop = () => drop(stopped('it was stopped'));
  const ended = () => ending.current();

  return {
    start() {
      if (isClosed) return Promise.reject(stopped('it was closed'));
      if (current) return current.ready.promise;
      const started: Running<Ready> = {
        worker: null,
        isReady: false,
        ready: Promise.withResolvers(),
        due: 0,
        watchdog: undefined,
        ping: undefined,
      };
      // May go unobserved: `onLost` says it, too.
      started.ready.promise.catch(() => {});
      current = started;
      options.onStarting?.(true);
      armIdle();
      void open(started);
      return started.ready.promise;
    },
    state: () => (current ? (current.isReady ? 'ready' : 'starting') : 'absent'),
    post(order, isAnswered) {
      if (current?.isReady) send(current, { type: 'order', order }, isAnswered);
    },
    setIdle(now) {
      isIdle = now;
      armIdle();
    },
    hold(now) {
      isHeld = now;
      current?.worker?.hold(now);
    },
    stop,
    ended,
    async close() {
      isClosed = true;
      const worker = current?.worker;
      if (worker && endMs > 0) {
        worker.post({ type: 'end' });
        await worker.endsWithin(endMs);
      }
      drop(stopped('it was closed'));
      await ended();
    },
  };
}

/** A thread or a process that has been started. */
interface Spawned {
  post(message: unknown): void;
  hold(isHeld: boolean): void;
  /** Kills it, and resolves once it has ended. */
  end(): Promise<void>;
  /** Resolves when it has ended, after so many milliseconds at the latest. */
  endsWithin(ms: number): Promise<void>;
}

interface Listeners {
  onMessage(message: unknown): void;
  /** May be called several times. */
  onEnd(cause: Lost['cause'], reason: string): void;
}

function openThread({ file }: Spawn, { heapMb }: Memory, hello: Hello, { onMessage, onEnd }: Listeners): Spawned {
  const worker = new Worker(file, {
    workerData: hello,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // Reading its output would keep the process alive.
    stdout: true,
    stderr: true,
  });
  const exited = once(worker, 'exit').catch(() => {});
  worker.unref();
  worker.on('message', onMessage);
  worker.on('error', (error: NodeJS.ErrnoException) =>
    onEnd(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'ended', error instanceof Error ? error.message : String(error)),
  );
  worker.on('exit', (code) => onEnd('ended', `it ended with code ${code}`));
  return {
    post: (message) => worker.postMessage(message),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    end: async () => void (await worker.terminate()),
    endsWithin: async (ms) => void (await within(ms, exited)),
  };
}

function openProcess(
  { file, priority, showsOutput, flags = [], environment = [] }: Spawn,
  { heapMb }: Memory,
  hello: Hello,
  on: Listeners,
): Spawned {
  const names = [...ENVIRONMENT, ...environment];
  const output = showsOutput ? 'inherit' : 'ignore';
  const child = fork(file, [], {
    execArgv: [`--max-old-space-size=${heapMb}`, ...flags],
    env: Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    serialization: 'advanced',
    stdio: ['ignore', output, output, 'ipc'],
  });
  const exited = once(child, 'exit').catch(() => {});
  if (priority === 'lowest' && child.pid !== undefined) lowestPriority(child.pid);
  const hold = (isHeld: boolean) => {
    if (isHeld) child.ref();
    else child.unref();
    if (isHeld) child.channel?.ref();
    else child.channel?.unref();
  };
  hold(false);
  child.on('message', on.onMessage);
  // It could not be started, or no longer be reached.
  child.on('error', (error) => on.onEnd('ended', error.message));
  child.on('exit', (code, signal) => on.onEnd(causeOf(signal), `it ended with ${signal ?? `exit code ${code}`}`));
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const post = (message: unknown) => {
    // If it can't be reached, it has usually ended, and its exit says why.
    if (child.connected) child.send(message as object, (error) => error && child.kill('SIGKILL'));
  };
  post({ type: 'hello', ...hello });
  return {
    post,
    hold,
    async end() {
      if (hasEnded()) return;
      child.ref();
      child.kill('SIGKILL');
      await exited;
    },
    async endsWithin(ms) {
      if (!hasEnded()) await within(ms, Promise.allSettled([exited]));
    },
  };
}

/** V8 aborts a process whose heap is full. */
function causeOf(signal: NodeJS.Signals | null): Lost['cause'] {
  if (signal === WATCHDOG_SIGNALS.time) return 'time';
  return signal === WATCHDOG_SIGNALS.memory || signal === 'SIGABRT' ? 'memory' : 'ended';
}

const hasLowPriority = (priority: Spawn['priority']) =>
  priority === 'lowest' || (priority === 'low' && process.env.ENGINE_PRIORITY?.trim() !== 'normal');

/** The threads that the process starts from now on have it, too. */
function lowestPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or this isn't permitted here.
  }
}
