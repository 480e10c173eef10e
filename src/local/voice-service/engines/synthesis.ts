// Speech, seen from the main thread: checks a request, then yields encoded audio from the synthesis thread.
import { EngineError, type SpeakRequest } from './engine.ts';
import { createEngineWorker } from './engine-worker.ts';
import { toEncoderSettings } from './limits.ts';
import type { SpeechChunk, SpeechTask } from './synthesis-worker.ts';

/** A sentence takes about 0.1 s, a second on a busy machine. */
const STEP_LIMIT_MS = 20_000;

export interface SynthesisOptions {
  /** The file of the `Synthesiser`, an `EngineModule`. */
  engine: URL;
  /** Called each time another piece of a text is synthesised, with their number. */
  onPiece(pieces: number): void;
  onLost(reason: string): void;
}

export function createSynthesis({ engine, onPiece, onLost }: SynthesisOptions) {
  const thread = createEngineWorker<SpeechTask, SpeechChunk, string | null>({
    file: new URL('./synthesis-worker.ts', import.meta.url),
    engine,
    stepLimitMs: STEP_LIMIT_MS,
    // Nobody waits until somebody else has listened to the end.
    secondTries: 8,
    onLost,
  });

  async function* synthesise(request: SpeakRequest): AsyncGenerator<SpeechChunk> {
    const { text, voice, speed = 1, signal } = request;
    if ('remote' in voice) throw new EngineError('unsupported-format', 'This voice belongs to another engine.');
    const encoder = toEncoderSettings(request);
    const texts = typeof text === 'string' ? iterateOne(text) : text[Symbol.asyncIterator]();
    try {
      const first = await texts.next();
      if (first.done) return;
      const chunks = thread.run({ text: first.value, voice, speed, encoder }, { signal });
      try {
        let chunk = await chunks.next(null);
        while (!chunk.done) {
          yield chunk.value;
          const next = chunk.value.isTextEnd ? await texts.next() : null;
          chunk = await chunks.next(next === null || next.done ? null : next.value);
        }
      } finally {
        await chunks.return();
      }
    } finally {
      await texts.return?.();
    }
  }

  return {
    async *speak(request: SpeakRequest): AsyncGenerator<Uint8Array> {
      let synthesised = 0;
      for await (const { bytes, pieces } of synthesise(request)) {
        if (pieces > synthesised) onPiece(pieces);
        synthesised = pieces;
        if (bytes.length > 0) yield bytes;
      }
    },
    /** Runs everything once, so that the first request finds compiled code. */
    async warmUp(): Promise<void> {
      for (const format of ['mp3', 'opus'] as const) {
        await Array.fromAsync(synthesise({ text: 'Ready.', voice: { base: 'slt' }, format }));
      }
    },
    close: () => thread.close(),
  };
}

async function* iterateOne(text: string): AsyncGenerator<string> {
  yield text;
}
