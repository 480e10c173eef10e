// The thread that listens: decodes an upload, finds the phrases in it, and recognises one after the other.
import { decodeAudio } from './decode/index.ts';
import { findPhrases, prepareLevel } from './phrases.ts';
import { loadSphinx, SPHINX_RATE, type Word } from './sphinx.ts';
import { EngineError, type Transcript, type TranscriptSegment } from './types.ts';
import { serve, type Turn } from './worker-loop.ts';

export type RecognitionWork = { type: 'warm-up' } | { type: 'transcribe'; audio: Uint8Array<ArrayBuffer>; timestamps: boolean };

const sphinx = await loadSphinx();

async function handle(work: RecognitionWork, turn: Turn): Promise<Transcript | undefined> {
  if (work.type === 'warm-up') return undefined;
  const samples = await decodeAudio(work.audio, SPHINX_RATE, () => {
    turn.stopIfCancelled();
    turn.showLife();
  });
  const segments: TranscriptSegment[] = [];
  for (const [i, phrase] of findPhrases(samples, SPHINX_RATE).entries()) {
    turn.stopIfCancelled();
    turn.showLife();
    const offset = phrase.start / SPHINX_RATE;
    const words = recognise(prepareLevel(samples.subarray(phrase.start, phrase.end)), i === 0);
    const first = words[0];
    const last = words.at(-1);
    if (!first || !last) continue;
    segments.push({
      text: words.map((word) => word.text).join(' '),
      start: round(offset + first.start),
      end: round(offset + last.end),
    });
  }
  return {
    text: segments.map((segment) => segment.text).join(' '),
    duration: round(samples.length / SPHINX_RATE),
    segments: work.timestamps ? segments : [],
  };
}

/** The engine's abort ends this thread: its heap cannot be trusted any more. */
function recognise(samples: Int16Array, first: boolean): Word[] {
  try {
    if (first) sphinx.adapt(samples);
    return sphinx.recognise(samples);
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new Error(`the recogniser gave up on ${(samples.length / SPHINX_RATE).toFixed(1)} s of sound`, { cause });
  }
}

/** Milliseconds are finer than the engine's 10 ms; more digits would only look exact. */
function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

serve(handle, () => []);
