// Offline speech and recognition for the local voice service: both run in worker threads, loaded when first needed.
import type { Engines, SpeakRequest, TranscribeRequest, Transcript } from './types.ts';
import { EngineError } from './types.ts';

export type {
  EngineErrorKind,
  Engines,
  EngineVoice,
  SpeakRequest,
  SpeechFormat,
  TranscribeRequest,
  Transcript,
  TranscriptSegment,
  VoiceBase,
} from './types.ts';
export { EngineError } from './types.ts';
export { ENGINE_VOICES, type EngineVoiceLimits, RECOGNITION_LIMITS, SPEECH_LIMITS } from './voices.ts';

/**
 * Makes the engines; nothing is loaded until `warmUp`, `speak` or `transcribe`.
 * @param options how many worker threads of each kind may run at once (a recognition worker takes about 210 MB)
 */
export function createEngines(options: { speechWorkers?: number; recognitionWorkers?: number } = {}): Engines {
  void options;
  const unfinished = () => new EngineError('crashed', 'The engines are not finished yet. Try again in a while.');
  return {
    async warmUp(): Promise<void> {},
    // biome-ignore lint/correctness/useYield: until the engine is in
    async *speak(_request: SpeakRequest): AsyncGenerator<Uint8Array> {
      throw unfinished();
    },
    async transcribe(_request: TranscribeRequest): Promise<Transcript> {
      throw unfinished();
    },
    async close(): Promise<void> {},
  };
}
