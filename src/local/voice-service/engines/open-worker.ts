// The two places an engine can run in, a thread and a process, behind one interface.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { StepRequest, WorkerMessage } from './serve-worker.ts';

export interface OpenWorker {
  post(request: StepRequest): void;
  /** Keeps this process alive, or no longer does. */
  ref(): void;
  unref(): void;
  end(): Promise<void>;
}

export interface WorkerListeners {
  onMessage(message: WorkerMessage): void;
  /** May be called several times. */
  onEnd(reason: string): void;
}

/** JavaScript's own heap in MB: beyond it a process aborts. What engines hold outside of it, such as models and samples, is bounded by the engines. */
const HEAP_MB = 256;
/** The environment of a process: where ffmpeg is, where compiled code is cached, and what Windows needs to start programs. No keys. */
const ENVIRONMENT = ['PATH', 'SystemRoot', 'windir', 'TEMP', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** Starts a process that has nothing of this one but messages: no keys, no output, and a small heap. */
export function forkBare(file: URL, args: readonly string[]): ChildProcess {
  return fork(file, args, {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    env: Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** @param engine for `loadEngine` */
export function openThread(file: URL, engine: URL | undefined, { onMessage, onEnd }: WorkerListeners): OpenWorker {
  // Reading its output would keep the process alive.
  const worker = new Worker(file, { workerData: { engine: engine?.href }, execArgv: [], stdout: true, stderr: true });
  worker.on('message', onMessage);
  worker.on('error', (error: unknown) => onEnd(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => onEnd(`it ended with code ${code}`));
  return {
    post: (request) => worker.postMessage(request),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    end: async () => void (await worker.terminate()),
  };
}

/** @param engine for `loadEngine` @param options `isBackground`: with the lowest priority there is */
export function openProcess(
  file: URL,
  engine: URL | undefined,
  { onMessage, onEnd }: WorkerListeners,
  { isBackground = false } = {},
): OpenWorker {
  const child = forkBare(file, engine ? [engine.href] : []);
  if (isBackground && child.pid !== undefined) lowestPriority(child.pid);
  child.on('message', onMessage);
  // It could not be started, or no longer be reached.
  child.on('error', (error) => onEnd(error.message));
  child.on('exit', (code, signal) => onEnd(`it ended with ${signal ?? `exit code ${code}`}`));
  return {
    post(request) {
      // If it can't be reached, it has usually ended, and its exit says why.
      if (child.connected) child.send(request, (error) => error && child.kill('SIGKILL'));
    },
    ref() {
      child.ref();
      child.channel?.ref();
    },
    unref() {
      child.unref();
      child.channel?.unref();
    },
    async end() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The threads that the process starts from now on have it, too. */
function lowestPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or this isn't permitted here.
  }
}
