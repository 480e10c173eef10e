// Speech, seen from the main thread: yields encoded audio from the worker of a synthesiser.
import { EngineError, type SpeakRequest } from './engine.ts';
import { createEngineWorker, type EngineWorkerOptions } from './engine-worker.ts';
import { toEncoderSettings } from './limits.ts';
import type { PacedSpeech, Pacing } from './pacing.ts';
import type { SpeechChunk, SpeechTask } from './synthesis-worker.ts';

/**
 * Where natural voices are made. Their engine takes up to 655 MB, and two seconds to load. A clause takes up to 6 s on a slow machine, and
 * half a minute where other programs keep it busy, because its priority is low. ONNX Runtime can't be stopped in the middle of one, so two
 * seconds after a skip, the process ends unless others need it; if they do, the clause is finished.
 *
 * Clauses that take two seconds there would be five words long. Nine long sentences, cut that way, were spoken with 31 pauses in place of 9,
 * were 7 % longer, and took roughly a quarter more of the processor (two voices).
 */
export const NATURAL_PROCESS = { runsIn: 'process', idleMs: 5 * 60_000, abandonMs: 2000, secondTries: 1 } as const;

/** Milliseconds for a clause that is late: as long as one takes where other programs keep the machine busy. */
const FINISH_MS = 30_000;

type WorkerOptions = Pick<EngineWorkerOptions, 'runsIn' | 'idleMs' | 'abandonMs' | 'isBackground' | 'secondTries'>;

export interface SynthesisOptions extends WorkerOptions {
  /** The file of the `Synthesiser`, an `EngineModule`. */
  engine: URL;
  /** For voices that take so long that what is heard of them has to be planned. */
  pacing?: () => Pacing | null;
  /** Called each time another piece of a text is synthesised, with their number. */
  onPiece?(pieces: number): void;
  onLost?(reason: string): void;
}

export function createSynthesis({ engine, pacing: currentPacing = () => null, onPiece, ...worker }: SynthesisOptions) {
  const shared = createEngineWorker<SpeechTask, SpeechChunk, string | null>({
    file: new URL('./synthesis-worker.ts', import.meta.url),
    engine,
    ...worker,
  });

  async function* synthesise(request: SpeakRequest): AsyncGenerator<PacedChunk> {
    const { text, voice, speed = 1, isDownload = false, maxStartSeconds, signal } = request;
    const pacing = currentPacing();
    if ('remote' in voice) throw new EngineError('unsupported-format', 'This voice belongs to another engine.');
    const encoder = toEncoderSettings(request);
    const texts = typeof text === 'string' ? iterateOne(text) : text[Symbol.asyncIterator]();
    let paced = null as PacedSpeech | null;
    const begin = async (one: string) => {
      if (paced) await paced.goOn(one);
      else if (pacing && !isDownload) paced = await pacing.begin(one, { voice, speed, signal, maxStartSeconds });
      return one;
    };
    try {
      const first = await texts.next();
      if (first.done) return;
      const refused = new AbortController();
      const task = { text: await begin(first.value), voice, speed, isFile: isDownload, encoder };
      const chunks = shared.run(task, { signal: AbortSignal.any([refused.signal, ...(signal ? [signal] : [])]) });
      const step = (input: string | null) => {
        const make = () => chunks.next(input);
        if (!pacing) return make();
        return paced ? paced.make(make) : pacing.inBetween(make, signal);
      };
      let isLate = false;
      try {
        let chunk = await step(null);
        while (!chunk.done) {
          const { seconds, isTextEnd } = chunk.value;
          const mayBeHeard = paced?.mayBeHeard(seconds, isTextEnd) ?? true;
          if (isTextEnd) paced?.endText();
          yield { ...chunk.value, mayBeHeard, isUrgent: !isTextEnd && (paced?.isUrgent() ?? false) };
          const next = isTextEnd ? await texts.next() : null;
          chunk = await step(next === null || next.done ? null : await begin(next.value));
        }
      } catch (error) {
        isLate = error instanceof EngineError && error.kind === 'too-slow';
        if (isLate) void endSoon(chunks, refused);
        // What is being made of a text that is refused for another reason is given up, as after a skip.
        else refused.abort();
        throw error;
      } finally {
        if (!isLate) await chunks.return();
      }
    } finally {
      paced?.end();
      await texts.return?.();
    }
  }

  return {
    /** What `speak` yields, with what it took. */
    synthesise,
    async *speak(request: SpeakRequest): AsyncGenerator<Uint8Array> {
      let synthesised = 0;
      let heldBack: Uint8Array[] = [];
      const chunks = synthesise(request);
      for await (const { bytes, pieces, mayBeHeard } of askingOn(chunks)) {
        if (pieces > synthesised) onPiece?.(pieces);
        synthesised = pieces;
        if (bytes.length > 0) heldBack.push(bytes);
        if (!mayBeHeard) continue;
        yield* heldBack;
        heldBack = [];
      }
    },
    /** Runs everything once in this voice, so that the first request finds compiled code. */
    async warmUp(base: string): Promise<void> {
      for (const format of ['mp3', 'opus'] as const) {
        await Array.fromAsync(synthesise({ text: 'Ready.', voice: { base }, format }));
      }
    },
    close: () => shared.close(),
  };
}

/** Lets a clause be finished that is late: if its process ended, the next text would have to wait until it is loaded again, and be late, too. */
async function endSoon(chunks: AsyncGenerator<unknown>, refused: AbortController): Promise<void> {
  const timer = setTimeout(() => refused.abort(), FINISH_MS);
  await chunks.return(undefined).catch(() => {});
  clearTimeout(timer);
}

async function* iterateOne(text: string): AsyncGenerator<string> {
  yield text;
}

interface PacedChunk extends SpeechChunk {
  /** With all those before it. */
  mayBeHeard: boolean;
  /** The next one should be made whether or not this one has been read. */
  isUrgent: boolean;
}

/** Asks for what is urgent before it is read, then waits until it has been read. */
async function* askingOn(chunks: AsyncGenerator<PacedChunk>): AsyncGenerator<PacedChunk> {
  const pending: Promise<IteratorResult<PacedChunk, unknown>>[] = [];
  const ask = () => {
    const next = chunks.next();
    pending.push(next);
    next.then(
      ({ done, value }) => {
        if (!done && (value as PacedChunk).isUrgent) ask();
      },
      () => {},
    );
  };
  try {
    for (;;) {
      if (pending.length === 0) ask();
      const result = await pending.shift();
      if (!result || result.done) return;
      yield result.value;
    }
  } finally {
    await chunks.return(undefined);
  }
}
