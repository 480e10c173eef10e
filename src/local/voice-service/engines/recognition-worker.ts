// The thread that listens: decodes an upload, finds the phrases in it, and recognises one after the other.
import { setImmediate } from 'node:timers/promises';
import { decodeAudio } from './decode/index.ts';
import { findPhrases, prepareLevel } from './phrases.ts';
import { loadSphinx, type Recording, SPHINX_RATE, type Word } from './sphinx.ts';
import type { Transcript, TranscriptSegment } from './types.ts';
import { serve, type Turn } from './worker-loop.ts';

export type RecognitionWork = { type: 'warm-up' } | { type: 'transcribe'; audio: Uint8Array<ArrayBuffer>; timestamps: boolean };

const sphinx = await loadSphinx();

async function handle(work: RecognitionWork, turn: Turn): Promise<Transcript | undefined> {
  if (work.type === 'warm-up') return undefined;
  const samples = await decodeAudio(work.audio, SPHINX_RATE, () => {
    turn.stopIfCancelled();
    turn.showLife();
  });
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
