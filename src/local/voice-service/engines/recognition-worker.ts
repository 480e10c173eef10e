// The thread that listens: recognises a decoded recording phrase by phrase.
import type { Recogniser, TranscriptSegment } from './engine.ts';
import { loadEngine, serveThread } from './serve-thread.ts';

export interface RecognitionTask {
  /** One recording at `RECOGNITION_RATE`, in pieces. */
  blocks: Int16Array<ArrayBuffer>[];
}

const recogniser = await loadEngine<Recogniser>();

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
