// Recognition, seen from the main thread: checks an upload, has it decoded in a process and recognised in a thread. The main thread never
// parses an upload itself, because a malicious container can keep a parser busy for ever.
import { createDecoder, type DecodeLimits } from './decode/index.ts';
import { aborted, EngineError, type TranscribeRequest, type Transcript, type TranscriptSegment } from './engine.ts';
import { createEngineThread } from './engine-thread.ts';
import { requireUpload } from './limits.ts';
import type { RecognitionTask } from './recognition-worker.ts';
import { createSemaphore } from './semaphore.ts';

/** A phrase of 20 s takes 2 to 4 s, more on a busy machine. */
const STEP_LIMIT_MS = 60_000;

/** Recordings take turns phrase by phrase, so that a short one does not wait for an hour-long one. Each may take 115 MB of memory. */
const CONCURRENT_RECORDINGS = 3;

/** Two, so that an upload whose decoding never ends does not hold up the others. Each takes about 90 MB. */
const DECODER_PROCESSES = 2;

export interface RecognitionOptions {
  /** The file of the `Recogniser`, an `EngineModule`. */
  engine: URL;
  decodeLimits: Partial<DecodeLimits> | undefined;
  onRecogniserLost(reason: string): void;
  onDecoderLost(reason: string): void;
}

export function createRecognition({ engine, decodeLimits, onRecogniserLost, onDecoderLost }: RecognitionOptions) {
  const decoder = createDecoder({ processes: DECODER_PROCESSES, limits: decodeLimits, onLost: onDecoderLost });
  const thread = createEngineThread<RecognitionTask, TranscriptSegment | undefined>({
    file: new URL('./recognition-worker.ts', import.meta.url),
    engine,
    stepLimitMs: STEP_LIMIT_MS,
    // It takes 210 MB.
    secondTries: 1,
    onLost: onRecogniserLost,
  });
  // Taken before decoding: an upload that waits is smaller than its samples.
  const semaphore = createSemaphore(CONCURRENT_RECORDINGS);

  return {
    async transcribe({ audio, timestamps, language, signal, onDecoded }: TranscribeRequest): Promise<Transcript> {
      rejectForeignLanguage(language);
      requireUpload(audio);
      const release = await semaphore.acquire(signal).catch(() => {
        throw aborted();
      });
      try {
        const { blocks, seconds } = await decoder.decode(audio, signal);
        onDecoded?.(seconds);
        const again = async () => handOver((await decoder.decode(audio, signal)).blocks);
        const { task, transfer } = handOver(blocks);
        const phrases = await Array.fromAsync(thread.run(task, { signal, transfer, again }));
        const segments = phrases.filter((phrase) => phrase !== undefined).map(roundTimes);
        return {
          text: segments.map(({ text }) => text).join(' '),
          duration: toMilliseconds(seconds),
          segments: timestamps ? segments : [],
        };
      } finally {
        release();
      }
    },

    async warmUp(): Promise<void> {
      await Promise.all([decoder.warmUp(), Array.fromAsync(thread.run({ blocks: [] }))]);
    },

    async close(): Promise<void> {
      await Promise.all([decoder.close(), thread.close()]);
    },
  };
}

/** BCP 47, each with all its regions. The recogniser knows one language; words of another would come out as nonsense. */
export const RECOGNISED_LANGUAGES: readonly string[] = ['en'];

function rejectForeignLanguage(language: string | null = null): void {
  if (language === null || /^en([-_].*)?$/i.test(language.trim())) return;
  throw new EngineError('unsupported-language', 'This service understands English alone: send en, or no language.');
}

/** A task whose samples are not copied: an hour of them takes 115 MB. */
const handOver = (blocks: Int16Array<ArrayBuffer>[]): { task: RecognitionTask; transfer: ArrayBuffer[] } => ({
  task: { blocks },
  transfer: blocks.map(({ buffer }) => buffer),
});

const roundTimes = ({ text, start, end }: TranscriptSegment) => ({ text, start: toMilliseconds(start), end: toMilliseconds(end) });

/** Recognisers count in steps of 10 ms or more; more digits would only look precise. */
const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;
