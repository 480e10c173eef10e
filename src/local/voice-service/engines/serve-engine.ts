// The worker's side of engine-worker.ts: loads an engine, and runs its tasks.
import { serve } from '../../../async/serve.ts';
import { serveTasks } from '../../../async/serve-tasks.ts';
import type { StepRequest, StepResult } from '../../../async/tasks.ts';
import { EngineError, type EngineModule } from './engine.ts';
import type { EngineFailure } from './engine-worker.ts';

/**
 * Answers the main thread. An `EngineError` fails its task alone; any other error ends the worker, because the engine in it can no longer be trusted.
 * @param open makes what runs a task of the engine; undefined is passed on if the main thread named none. If it throws, the main thread learns why
 * @param transfer picks the buffers of a value to hand over rather than copy, if the worker is a thread
 */
export async function serveEngine<Engine, Task, Value, Input = undefined>(
  open: (engine: Engine) => (task: Task) => AsyncGenerator<Value, void, Input>,
  transfer?: (value: Value) => ArrayBuffer[],
): Promise<void> {
  const supervisor = await serve<StepRequest, StepResult>();
  let run: (task: Task) => AsyncGenerator<Value, void, Input>;
  try {
    run = open((await loadEngine(supervisor.data)) as Engine);
  } catch (error) {
    supervisor.unavailable((error as Error).message);
    throw error;
  }
  serveTasks(supervisor, run, { toFailure, ...(transfer && { transfer }) });
}

async function loadEngine(href: unknown): Promise<unknown> {
  if (typeof href !== 'string') return undefined;
  const { createEngine }: EngineModule<unknown> = await import(href);
  return createEngine();
}

function toFailure(error: unknown): EngineFailure | undefined {
  return error instanceof EngineError ? { kind: error.kind, message: error.message } : undefined;
}
