// Recognition, seen from the main thread: has an upload decoded and recognised in processes. The main thread never
// parses an upload itself, because a malicious container can keep a parser busy forever.

import { createSemaphore } from '../../../async/semaphore.ts';
import type { Decoder } from './decode/decoder.ts';
import { aborted, EngineError, type HeardSegment, type TranscribeRequest, type Transcript } from './engine.ts';
import { checkEngine, createEngineWorker } from './engine-worker.ts';
import { requireEnglishSpeech } from './foreign-speech.ts';
import { toMilliseconds } from './limits.ts';
import type { Heard } from './recognition-worker.ts';

/** After this long without a recording, the recogniser's process ends: it has up to 660 MB and takes two seconds to start again. */
const IDLE_MS = 5 * 60_000;

/** Recordings take turns phrase by phrase, so that a short one does not wait for an hour-long one. Each may take 115 MB of memory here. */
const CONCURRENT_RECORDINGS = 3;

interface RecognitionOptions {
  /** The file of the `Recogniser`, an `EngineModule`. */
  engine: URL;
  decoder: Decoder;
  onRecogniserLost(reason: string): void;
  /** It begins to be loaded, as it is for the first recording in a while, or no longer is. */
  onRecogniserStarting(isStarting: boolean): void;
}

export function createRecognition({ engine, decoder, onRecogniserLost, onRecogniserStarting }: RecognitionOptions) {
  const recogniser = createEngineWorker<null, Heard, Int16Array | null | undefined>({
    file: new URL('./recognition-worker.ts', import.meta.url),
    engine,
    runsIn: 'process',
    idleMs: IDLE_MS,
    // It takes up to 660 MB.
    secondTries: 1,
    onLost: onRecogniserLost,
    onStarting: onRecogniserStarting,
  });
  // Taken before decoding: an upload that waits is smaller than its samples.
  const semaphore = createSemaphore(CONCURRENT_RECORDINGS);

  async function recognise(blocks: Int16Array[], signal: AbortSignal | undefined): Promise<HeardSegment[]> {
    const segments: HeardSegment[] = [];
    const heard = recogniser.run(null, { signal });
    try {
      const rest = blocks.values();
      let step = await heard.next(undefined);
      while (!step.done) {
        const { value } = step;
        if (value !== undefined && value !== 'more') segments.push(value);
        step = await heard.next(value === 'more' ? (rest.next().value ?? null) : undefined);
      }
    } finally {
      await heard.return();
    }
    return segments;
  }

  return {
    async transcribe({ audio, timestamps, language = null, signal, onDecoded }: TranscribeRequest): Promise<Transcript> {
      rejectForeignLanguage(language);
      const release = await semaphore.acquire(signal).catch(() => {
        throw aborted();
      });
      try {
        const { blocks, seconds } = await decoder.decode(audio, signal);
        onDecoded?.(seconds);
        const { segments, doubtful } = requireEnglishSpeech((await recognise(blocks, signal)).map(roundTimes), language !== null);
        return {
          text: segments.map(({ text }) => text).join(' '),
          duration: toMilliseconds(seconds),
          segments: timestamps ? segments : [],
          ...(doubtful && { doubtful }),
        };
      } finally {
        release();
      }
    },

    /** Starts a decoder alone: the recogniser starts with the first recording. */
    async warmUp(): Promise<void> {
      await decoder.warmUp();
      await checkEngine(engine);
    },

    close: recogniser.close,
  };
}

/** BCP 47, each with all its regions. The recogniser knows one language; words of another would come out as nonsense. */
export const RECOGNISED_LANGUAGES: readonly string[] = ['en'];

function rejectForeignLanguage(language: string | null): void {
  if (language === null || /^en([-_].*)?$/i.test(language.trim())) return;
  throw new EngineError('unsupported-language', 'This service understands English alone: send en, or no language.');
}

const roundTimes = (segment: HeardSegment) => ({ ...segment, start: toMilliseconds(segment.start), end: toMilliseconds(segment.end) });
