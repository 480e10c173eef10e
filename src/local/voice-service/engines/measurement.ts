// The measuring of voices, seen from the main thread: has a recording decoded in a process, and measures it in a thread.
import type { Decoder } from './decode/decoder.ts';
import { EngineError, type Upload, type VoiceMeasurement } from './engine.ts';
import { createEngineWorker } from './engine-worker.ts';
import type { MeasurementTask } from './measurement-worker.ts';

/** Starts its thread once there is something to measure. */
export function createMeasurement(decoder: Decoder, onLost: (reason: string) => void) {
  const thread = createEngineWorker<MeasurementTask, VoiceMeasurement>({
    file: new URL('./measurement-worker.ts', import.meta.url),
    secondTries: 1,
    onLost,
  });
  return {
    async measureVoice(audio: Upload, signal?: AbortSignal): Promise<VoiceMeasurement> {
      const { blocks } = await decoder.decode(audio, signal);
      const [measurement] = await Array.fromAsync(thread.run({ blocks }, { signal }));
      if (!measurement) throw new EngineError('crashed', 'The recording could not be measured. Try again.');
      return measurement;
    },
    close: thread.close,
  };
}
