// The thread that measures voices: a minute of speech takes up to a second.
import type { VoiceMeasurement } from './engine.ts';
import { serveEngine } from './serve-engine.ts';
import { measureVoice } from './voice-measurement.ts';

export interface MeasurementTask {
  /** One recording at 16 kHz, in pieces. */
  blocks: Int16Array<ArrayBuffer>[];
}

await serveEngine(
  () =>
    async function* measure({ blocks }: MeasurementTask): AsyncGenerator<VoiceMeasurement> {
      yield measureVoice(concatBlocks(blocks));
    },
);

function concatBlocks(blocks: Int16Array[]): Int16Array {
  const samples = new Int16Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  return samples;
}
