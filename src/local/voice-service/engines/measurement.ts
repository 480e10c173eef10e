// The measuring of voices, seen from the main thread: decodes a recording in a process of its own and measures it in a thread.
import { createDecoder, type DecodeLimits } from './decode/decoder.ts';
import { EngineError, type VoiceMeasurement } from './engine.ts';
import { createEngineWorker } from './engine-worker.ts';
import type { MeasurementTask } from './measurement-worker.ts';

export interface MeasurementOptions {
  decodeLimits: Partial<DecodeLimits> | undefined;
  onLost(reason: string): void;
  onDecoderLost(reason: string): void;
}

/** Starts neither before there is something to measure. */
export function createMeasurement({ decodeLimits, onLost, onDecoderLost }: MeasurementOptions) {
  const decoder = createDecoder({ processes: 1, limits: decodeLimits, onLost: onDecoderLost });
  const thread = createEngineWorker<MeasurementTask, VoiceMeasurement>({
    file: new URL('./measurement-worker.ts', import.meta.url),
    secondTries: 1,
    onLost,
  });
  return {
    async measureVoice(audio: Uint8Array, signal?: AbortSignal): Promise<VoiceMeasurement> {
      const { blocks } = await decoder.decode(audio, signal);
      const [measurement] = await Array.fromAsync(thread.run({ blocks }, { signal }));
      if (!measurement) throw new EngineError('crashed', 'The recording could not be measured. Try again.');
      return measurement;
    },
    async close(): Promise<void> {
      await Promise.all([decoder.close(), thread.close()]);
    },
  };
}
