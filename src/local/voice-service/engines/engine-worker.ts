// A worker that runs an engine, a thread or a process, seen from the main thread: tasks of async/tasks.ts that fail with errors of engines.
import type { Lost } from '../../../async/supervise.ts';
import { createTasks, TaskError, type Tasks } from '../../../async/tasks.ts';
import { aborted, EngineError, type EngineErrorKind, type EngineModule } from './engine.ts';

export interface EngineWorkerOptions {
  /** The worker's file, which calls `serveEngine`. */
  file: URL;
  /** The file of the engine, an `EngineModule`; absent if the worker needs none. */
  engine?: URL;
  /** A process costs nobody else anything if its native code crashes or it runs out of memory. Defaults to a thread, which starts faster. */
  runsIn?: 'thread' | 'process';
  /** Its process leaves the processor to everything else. */
  isBackground?: boolean;
  /** Milliseconds without a task after which the worker ends, until there is one again. Defaults to never. */
  idleMs?: number | undefined;
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
  /** The worker for all tasks begins to load the engine, or no longer does. */
  onStarting?: ((isStarting: boolean) => void) | undefined;
}

/**
 * For loading and for a step, by the clock: loading takes two seconds of an idle processor, the longest step six, and many times as long on a
 * computer that is slow and busy. That isn't a hang, and a second try would take as long.
 */
const HANG_MS = 3 * 60_000;
/** MB of JavaScript's own heap. What engines hold outside of it, such as models and samples, is bounded by the engines. */
export const ENGINE_HEAP_MB = 256;

/** What an engine's tasks fail with. */
export interface EngineFailure {
  kind: EngineErrorKind;
  message: string;
}

/** `run` of its tasks throws EngineErrors: `refused` if the worker was lost with the task a second time. */
export function createEngineWorker<Task, Value, Input = undefined>(
  options: EngineWorkerOptions,
): Pick<Tasks<Task, Value, Input>, 'run' | 'close'> {
  const { file, engine, runsIn = 'thread', isBackground = false, idleMs, abandonMs, stepLimitMs = HANG_MS, secondTries, onLost } = options;
  const tasks = createTasks<Task, Value, Input>({
    spawn: { file, runsIn, priority: isBackground ? 'lowest' : 'low', data: () => engine?.href },
    memory: { heapMb: ENGINE_HEAP_MB },
    timeouts: { startMs: HANG_MS, answerMs: stepLimitMs, abandonMs, ...(idleMs !== undefined && { idleMs }) },
    secondTries,
    onLost: ({ reason }) => onLost?.(reason),
    onStarting: options.onStarting,
  });
  return {
    async *run(task, run) {
      try {
        yield* tasks.run(task, run);
      } catch (error) {
        throw toEngineError(error, {
          lost: ({ reason }) => ['refused', `The engine stopped working on this input, twice (${reason}). Change the input.`],
          'not-started': ({ reason }) => [
            'crashed',
            `The engine could not be loaded (${reason}). Run npm ci --ignore-scripts again, then restart.`,
          ],
        });
      }
    },
    close: tasks.close,
  };
}

/** What a task failed with, as an EngineError. @param explain a worker that was lost with the task, or could not be started */
export function toEngineError(
  error: unknown,
  explain: Record<'lost' | 'not-started', (lost: Lost) => [kind: EngineErrorKind, message: string]>,
): unknown {
  if (!(error instanceof TaskError)) return error;
  const { failure } = error;
  if (failure.kind === 'aborted') return aborted();
  if (failure.kind === 'closed') return aborted('the engines were closed. Start them again, then repeat the request');
  if (failure.kind === 'failed') {
    const { kind, message } = failure.failure as EngineFailure;
    return new EngineError(kind, message);
  }
  const [kind, message] = explain[failure.kind](failure.lost);
  return new EngineError(kind, message, { cause: error });
}

/** Says whether an engine will load, without loading it. @throws EngineError */
export async function checkEngine(file: URL): Promise<void> {
  const { check }: EngineModule<unknown> = await import(file.href);
  await check?.();
}
