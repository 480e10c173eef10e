// Decodes recordings, and cuts them into parts or looks for speech in them, in processes of their own with limits of memory and time.
import { createTasks, TaskError } from '../async/tasks.ts';
import type { CutFailure, CutTask, RecordingPart } from './cut-worker.ts';
import { DecodingError } from './errors.ts';
import { DECODE_LIMITS } from './limits.ts';
import { createScratch } from './scratch.ts';

export type { RecordingPart };

export interface RecordingCutter {
  /**
   * Reads a recording to its end, then yields its parts, each of them made when it is asked for. Parts in which nobody can be heard are left
   * out. Waits for a free process; an abort frees the caller immediately.
   * @param options `longest`: seconds of a part
   * @throws DecodingError, or whatever `audio` throws
   */
  cut(audio: AsyncIterable<Uint8Array>, options: { longest: number; signal: AbortSignal }): AsyncGenerator<RecordingPart, void, undefined>;
  /** Reads a recording to its end, and tells whether somebody speaks in it. @throws as `cut` */
  hasSpeech(audio: AsyncIterable<Uint8Array>, options: { signal: AbortSignal }): Promise<boolean>;
  /** Ends the processes; cutting in progress fails. */
  close(): Promise<void>;
}

/** Recordings at a time: each waits in its process while its parts are transcribed. */
const PROCESSES = 2;
/** Milliseconds without a recording after which a process ends. */
const IDLE_MS = 60_000;
/** MB of JavaScript's own heap: sound lies outside of it. */
const HEAP_MB = 128;

/** No process is started before the first recording. @param options for tests: limits, see limits.ts */
export function createRecordingCutter({ limits = {} }: { limits?: Partial<typeof DECODE_LIMITS> } = {}): RecordingCutter {
  const { memoryBytes, stuckMs, totalMs, deadlineMs } = { ...DECODE_LIMITS, ...limits };
  const tasks = createTasks<CutTask, RecordingPart | 'speech' | null, Uint8Array | null>({
    spawn: { file: new URL('./cut-worker.ts', import.meta.url), runsIn: 'process', priority: 'low', data: () => memoryBytes },
    memory: { heapMb: HEAP_MB, residentBytes: memoryBytes },
    // A decoder at work takes no notice of an abort.
    timeouts: { startMs: deadlineMs, answerMs: deadlineMs, stuckMs, processorMs: totalMs, idleMs: IDLE_MS, abandonMs: 0 },
    workers: PROCESSES,
    // What a process is lost with is to blame for it.
    secondTries: 0,
  });
  const scratch = createScratch(tasks.ended);

  async function* run(audio: AsyncIterable<Uint8Array>, longest: number | null, signal: AbortSignal) {
    const path = scratch.take();
    const steps = tasks.run({ scratch: path, longest }, { signal });
    try {
      await steps.next(null);
      for await (const piece of audio) await steps.next(piece);
      for (let step = await steps.next(null); !step.done; step = await steps.next(null)) if (step.value) yield step.value;
    } catch (error) {
      throw error instanceof TaskError ? toDecodingError(error, signal) : error;
    } finally {
      await steps.return();
      scratch.remove(path);
    }
  }

  return {
    async *cut(audio, { longest, signal }) {
      for await (const part of run(audio, longest, signal)) if (part !== 'speech') yield part;
    },
    async hasSpeech(audio, { signal }) {
      for await (const _ of run(audio, null, signal)) return true;
      return false;
    },
    async close() {
      await tasks.close();
      await scratch.removed();
    },
  };
}

function toDecodingError(cause: TaskError, signal: AbortSignal): unknown {
  const { failure } = cause;
  if (failure.kind === 'aborted') return signal.reason;
  if (failure.kind === 'failed') {
    const { kind, message } = failure.failure as CutFailure;
    return new DecodingError(kind, message, { cause });
  }
  return new DecodingError('not-audio', `The recording could not be decoded (${cause.message}).`, { cause });
}
