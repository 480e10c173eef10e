// The thread that listens: finds the phrases in a decoded recording, and recognises one after the other.
import { setImmediate } from 'node:timers/promises';
import type { Transcript, TranscriptSegment } from './engine.ts';
import { loadSphinx, type Recording, SPHINX_RATE, type Word } from './pocketsphinx/index.ts';
import { findPhrases, prepareLevel } from './pocketsphinx/phrases.ts';
import { serve, type Turn } from './serve-thread.ts';

export type RecognitionWork = { type: 'warm-up' } | { type: 'transcribe'; blocks: Int16Array<ArrayBuffer>[]; timestamps: boolean };

const sphinx = await loadSphinx();

async function handle(work: RecognitionWork, turn: Turn): Promise<Transcript | undefined> {
  if (work.type === 'warm-up') return undefined;
  const samples = join(work.blocks);
  const recording = sphinx.openRecording();
  const segments: TranscriptSegment[] = [];
  for (const phrase of findPhrases(samples, SPHINX_RATE)) {
    // Lets the other recordings have their turn.
    await setImmediate();
    turn.stopIfCancelled();
    turn.showLife();
    const offset = phrase.start / SPHINX_RATE;
    const words = recognise(recording, prepareLevel(samples.subarray(phrase.start, phrase.end)));
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

function join(blocks: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all;
}

/** The engine's abort ends this thread: its heap cannot be trusted any more. */
function recognise(recording: Recording, samples: Int16Array): Word[] {
  try {
    return recording.recognise(samples);
  } catch (cause) {
    throw new Error(`the recogniser gave up on ${(samples.length / SPHINX_RATE).toFixed(1)} s of sound`, { cause });
  }
}

/** Milliseconds are finer than the engine's 10 ms; more digits would only look exact. */
function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

serve(handle, () => []);
