// The main thread's side of recognition: checks an upload, has it decoded in one process and recognised in a thread. It is not read here:
// a container can be made so that reading it never ends.
import { createDecoder, DECODE_LIMITS, type DecodeLimits } from './decode/index.ts';
import { EngineError, type TranscribeRequest, type Transcript } from './engine.ts';
import { createWorkerPool } from './engine-thread.ts';
import { RECOGNITION_LIMITS } from './limits.ts';
import type { RecognitionWork } from './recognition-worker.ts';
import { createSeats } from './semaphore.ts';

/** The worker shows life for each stretch of sound; one of 20 s takes 2 to 4 s, more on a busy machine. */
const HUNG_AFTER_MS = 60_000;

/** Recordings that take turns in one thread, phrase by phrase: a short one does not wait for an hour-long one. Each may take 115 MB. */
const RECORDINGS_AT_ONCE = 3;

export interface Recognition {
  transcribe(request: TranscribeRequest): Promise<Transcript>;
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

export interface RecognitionOptions {
  /** Threads at most. */
  recognisers: number;
  /** Processes at most. */
  decoders: number;
  decodeLimits?: Partial<DecodeLimits>;
  onLost(kind: 'recognition' | 'decoding', reason: string): void;
}

export function createRecognition({ recognisers, decoders, decodeLimits = DECODE_LIMITS, onLost }: RecognitionOptions): Recognition {
  const decoder = createDecoder({ size: decoders, limits: decodeLimits, onLost: (reason) => onLost('decoding', reason) });
  const pool = createWorkerPool({
    file: new URL('./recognition-worker.ts', import.meta.url),
    size: recognisers,
    turns: RECORDINGS_AT_ONCE,
    silenceLimit: HUNG_AFTER_MS,
    onLost: (reason) => onLost('recognition', reason),
  });
  // What waits, waits as it was sent, which is smaller than its samples.
  const seats = createSeats(RECORDINGS_AT_ONCE * recognisers);

  return {
    async transcribe({ audio, timestamps, signal, onDecoded }) {
      if (audio.length === 0) throw new EngineError('not-audio', 'The file is empty. Send a recording.');
      if (audio.length > RECOGNITION_LIMITS.maxBytes) {
        const limit = RECOGNITION_LIMITS.maxBytes / 1024 / 1024;
        throw new EngineError('too-long', `The file has more than ${limit} MB. Send a shorter or a compressed recording.`);
      }
      const leave = await seats.take(signal).catch(() => {
        throw new EngineError('aborted', 'Stopped: the request was cancelled. Ask again if it is still wanted.');
      });
      try {
        const { blocks, seconds } = await decoder.decode(audio, signal);
        onDecoded?.(seconds);
        const work: RecognitionWork = { type: 'transcribe', blocks, timestamps };
        const transfer = blocks.map(({ buffer }) => buffer);
        return (await pool.ask(pool.pickLane(), work, { signal, transfer, anywhere: true })) as Transcript;
      } finally {
        leave();
      }
    },
    async warmUp() {
      await Promise.all([decoder.warmUp(), pool.warmUp()]);
    },
    async close() {
      await Promise.all([decoder.close(), pool.close()]);
    },
  };
}
