// Offline speech and recognition for the local voice service: both run in worker threads, and uploads are decoded in processes, all of them
// loaded when first needed.
import type { DecodeLimits } from './decode/index.ts';
import type { Engines } from './engine.ts';
import { createRecognition } from './recognition.ts';
import { createSpeechPool, speak } from './synthesis.ts';

export type { Engines, EngineVoice, SpeakRequest, SpeechFormat, VoiceBase } from './engine.ts';
export { EngineError } from './engine.ts';
export { ENGINE_VOICES, RECOGNITION_LIMITS, SPEECH_LIMITS } from './limits.ts';

/** What the engines did, for figures and logs. Says nothing of what was spoken or heard. */
export type EngineEvent =
  /** A sentence (or a part of a long one) was synthesised: the `pieces`th of its text. */
  | { type: 'synthesised'; pieces: number }
  /** A thread, or a process that decodes, died or hung; it is replaced when it is needed. */
  | { type: 'worker-lost'; kind: 'speech' | 'recognition' | 'decoding'; reason: string };

export interface EnginesOptions {
  /** Speech threads at most; 1 when left out, which is about a hundred times faster than speech. */
  speechWorkers?: number;
  /** Recognition threads at most; 1 when left out. Each takes about 210 MB and is 5 to 10 times faster than speech. */
  recognitionWorkers?: number;
  /** Processes that decode uploads at most; 2 when left out, so that one upload that never ends holds up nobody. Each takes about 90 MB. */
  decoders?: number;
  /** Other limits than `DECODE_LIMITS` for one upload. */
  decodeLimits?: Partial<DecodeLimits>;
  onEvent?: (event: EngineEvent) => void;
}

/** Makes the engines; nothing is loaded until `warmUp`, `speak` or `transcribe`. */
export function createEngines(options: EnginesOptions = {}): Engines {
  const { speechWorkers = 1, recognitionWorkers = 1, decoders = 2, decodeLimits = {}, onEvent = () => {} } = options;
  const speech = createSpeechPool(speechWorkers, (reason) => onEvent({ type: 'worker-lost', kind: 'speech', reason }));
  const recognition = createRecognition({
    recognisers: recognitionWorkers,
    decoders,
    decodeLimits,
    onLost: (kind, reason) => onEvent({ type: 'worker-lost', kind, reason }),
  });
  return {
    async warmUp() {
      await Promise.all([speech.warmUp(), recognition.warmUp()]);
    },
    speak: (request) => speak(speech, request, (pieces) => onEvent({ type: 'synthesised', pieces })),
    transcribe: (request) => recognition.transcribe(request),
    async close() {
      await Promise.all([speech.close(), recognition.close()]);
    },
  };
}
