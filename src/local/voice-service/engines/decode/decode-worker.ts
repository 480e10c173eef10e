// The process that decodes uploads, one at a time. Nothing else runs in it, so that killing it costs one upload at most.
//
// A process rather than a thread: a thread that runs out of memory in one large allocation aborts the whole process in spite of its
// `resourceLimits`, which count neither ArrayBuffers nor WebAssembly.
import { serve } from '../../../../async/serve.ts';
import { serveTasks } from '../../../../async/serve-tasks.ts';
import type { StepRequest, StepResult } from '../../../../async/tasks.ts';
import { concat } from '../../../../audio/bytes.ts';
import { decodeAudio } from '../../../../decoding/decode-audio.ts';
import { DecodingError } from '../../../../decoding/errors.ts';
import type { EngineFailure } from '../engine-worker.ts';

/** `scratch` is a folder that does not exist yet: decoding may create it, the main thread removes it. */
export interface DecodeTask {
  scratch: string;
}

/** Samples, reported as they are decoded. */
export type DecodedBlock = Int16Array<ArrayBuffer>;

const supervisor = await serve<StepRequest, StepResult, DecodedBlock>();
let hasTrapped = false;

/** Each step takes the next piece of the upload; null ends it. */
async function* decode({ scratch }: DecodeTask): AsyncGenerator<'more', void, Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  for (let piece = yield 'more'; piece !== null; piece = yield 'more') pieces.push(piece);
  await decodeAudio(concat(pieces), {
    scratch,
    onBlock: supervisor.notify,
    onProgress: supervisor.reportProgress,
    onTrap: () => {
      hasTrapped = true;
    },
  });
}

serveTasks(supervisor, decode, {
  // Any other error ends the process, so that it can't affect the next upload.
  toFailure: (error): EngineFailure | undefined =>
    error instanceof DecodingError ? { kind: error.kind, message: error.message } : undefined,
  // WebAssembly that trapped may have left its memory in any state; memory that was not freed is missing for the next upload.
  isSpent: () => hasTrapped || process.memoryUsage.rss() > Number(supervisor.data) / 2,
});
