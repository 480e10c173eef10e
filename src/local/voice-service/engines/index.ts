// The engines of the local voice service, all of them offline: Flite speaks, PocketSphinx listens.
//
// An engine is a `Synthesiser` or a `Recogniser` (engine.ts) in its own folder: `flite/`, `pocketsphinx/`. To add one, write such a
// folder, load it in synthesis-worker.ts or recognition-worker.ts, and add its voices to `ENGINE_VOICES` below. With
// a second one of a kind, that worker picks the engine by the voice. Everything else is shared:
// the threads (engine-thread.ts, serve-thread.ts), the encoders (encode.ts), and the decoding of uploads (decode/).
import type { DecodeLimits } from './decode/index.ts';
import type { Engines, VoiceLimits } from './engine.ts';
import { FLITE_VOICES } from './flite/voices.ts';
import { createRecognition } from './recognition.ts';
import { createSynthesis } from './synthesis.ts';

export { EngineError, type Engines, type EngineVoice, type SpeakRequest, type SpeechFormat } from './engine.ts';
export { RECOGNITION_LIMITS, SPEECH_LIMITS } from './limits.ts';

/** The voices there are, by their base. */
export const ENGINE_VOICES: Readonly<Record<string, VoiceLimits>> = FLITE_VOICES;

/** What the engines did, for metrics and logs. Contains nothing of what was spoken or heard. */
export type EngineEvent =
  /** A sentence (or a part of a long one) was synthesised: the `pieces`th of its text. */
  | { type: 'synthesised'; pieces: number }
  /** A thread, or a process that decodes, died or hung; it is replaced when it is next needed. */
  | { type: 'worker-lost'; kind: 'speech' | 'recognition' | 'decoding'; reason: string };

export interface EnginesOptions {
  /** Overrides the usual limits for one upload. */
  decodeLimits?: Partial<DecodeLimits>;
  onEvent?: (event: EngineEvent) => void;
}

/** Creates the engines; nothing is loaded until `warmUp`, `speak` or `transcribe`. */
export function createEngines({ decodeLimits, onEvent = () => {} }: EnginesOptions = {}): Engines {
  const onLost = (kind: 'speech' | 'recognition' | 'decoding') => (reason: string) => onEvent({ type: 'worker-lost', kind, reason });
  const synthesis = createSynthesis({
    onPiece: (pieces) => onEvent({ type: 'synthesised', pieces }),
    onLost: onLost('speech'),
  });
  const recognition = createRecognition({
    decodeLimits,
    onRecogniserLost: onLost('recognition'),
    onDecoderLost: onLost('decoding'),
  });
  return {
    async warmUp() {
      await Promise.all([synthesis.warmUp(), recognition.warmUp()]);
    },
    speak: synthesis.speak,
    transcribe: recognition.transcribe,
    async close() {
      await Promise.all([synthesis.close(), recognition.close()]);
    },
  };
}
