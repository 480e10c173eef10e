// The main thread's side of recognition: checks an upload, then hands it to a worker that decodes and recognises it.
import type { RecognitionWork } from './recognition-worker.ts';
import { EngineError, type TranscribeRequest, type Transcript } from './types.ts';
import { RECOGNITION_LIMITS } from './voices.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

/** The worker shows life for each stretch of sound; one of 20 s takes 2 to 4 s, more on a busy machine. */
const HUNG_AFTER_MS = 60_000;

/** Recordings that take turns in one thread, phrase by phrase: a short one does not wait for an hour-long one. Each may take 115 MB. */
const RECORDINGS_AT_ONCE = 3;

export function createRecognitionPool(size: number, onLost: (reason: string) => void): WorkerPool {
  return createWorkerPool({
    file: new URL('./recognition-worker.ts', import.meta.url),
    size,
    turns: RECORDINGS_AT_ONCE,
    silenceLimit: HUNG_AFTER_MS,
    onLost,
  });
}

export async function transcribe(pool: WorkerPool, request: TranscribeRequest): Promise<Transcript> {
  const { audio, timestamps, signal } = request;
  if (audio.length === 0) throw new EngineError('not-audio', 'The file is empty. Send a recording.');
  if (audio.length > RECOGNITION_LIMITS.maxBytes) {
    const limit = RECOGNITION_LIMITS.maxBytes / 1024 / 1024;
    throw new EngineError('too-long', `The file has more than ${limit} MB. Send a shorter or a compressed recording.`);
  }
  // A copy that is handed over: the caller keeps its own. (A Buffer's slice() would be no copy.)
  const bytes = new Uint8Array(audio);
  const work: RecognitionWork = { type: 'transcribe', audio: bytes, timestamps };
  return (await pool.ask(pool.pickLane(), work, { signal, transfer: [bytes.buffer], anywhere: true })) as Transcript;
}
