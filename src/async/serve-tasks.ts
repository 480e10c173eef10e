// The worker's side of tasks.ts: runs each task as a generator, and makes its next value when asked for it.
import type { Supervisor } from './serve.ts';
import type { StepRequest, StepResult } from './tasks.ts';

interface ServeOptions<Value> {
  /**
   * What a caller is told of an error that fails its task alone; undefined if it ends the worker, because what runs in it can no longer be
   * trusted, and the supervisor starts a new one.
   */
  toFailure?(error: unknown): unknown;
  /** Picks the buffers of a value to hand over rather than copy, if the worker is a thread. */
  transfer?(value: Value): ArrayBuffer[];
  /** Whether the worker is to be replaced; asked after each task. */
  isSpent?(): boolean;
}

/** Begins to take tasks. */
export function serveTasks<Task, Value, Input = undefined, Notice = never>(
  supervisor: Supervisor<StepRequest, StepResult, Notice, undefined>,
  run: (task: Task) => AsyncGenerator<Value, void, Input>,
  { toFailure = () => undefined, transfer = () => [], isSpent = () => false }: ServeOptions<Value> = {},
): void {
  const jobs = new Map<number, AsyncGenerator<Value, void, Input>>();

  async function step(job: number, input: Input): Promise<void> {
    const generator = jobs.get(job);
    if (!generator) return supervisor.answer({ type: 'lost' });
    supervisor.beginWork();
    try {
      const { done, value } = await generator.next(input);
      if (done) supervisor.answer({ type: 'done', isSpent: isSpent() });
      else supervisor.answer({ type: 'value', value }, transfer(value));
    } catch (error) {
      const failure = toFailure(error);
      if (failure === undefined) throw error;
      supervisor.answer({ type: 'failed', failure, isSpent: isSpent() });
    }
  }

  supervisor.ready(undefined, (request) => {
    if (request.type === 'end') {
      void jobs.get(request.job)?.return(undefined);
      jobs.delete(request.job);
      return;
    }
    if (request.type === 'start') jobs.set(request.job, run(request.task as Task));
    // A generator ignores the input of its first step.
    void step(request.job, (request.type === 'next' ? request.input : undefined) as Input);
  });
}
