// The thread that listens: recognises a decoded recording phrase by phrase.
import type { TranscriptSegment } from './engine.ts';
import { loadPocketSphinx } from './pocketsphinx/index.ts';
import { serveThread } from './serve-thread.ts';

export interface RecognitionTask {
  /** One recording at `RECOGNITION_RATE`, in pieces. */
  blocks: Int16Array<ArrayBuffer>[];
}

const recogniser = await loadPocketSphinx();

async function* recognise({ blocks }: RecognitionTask): AsyncGenerator<TranscriptSegment | undefined> {
  const samples = new Int16Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  blocks.length = 0; // Frees them while the recognition goes on.
  yield* recogniser.recognise(samples);
}

serveThread(recognise);
