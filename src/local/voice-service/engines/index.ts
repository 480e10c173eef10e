// The engines of the local voice service. Its own are offline: Flite and Kokoro speak, Moonshine listens. In place of the first two or of the
// third, any server with OpenAI-shaped endpoints can be used (remote/).
//
// The README of the voice service says how to add one. What they share: the threads and processes (engine-worker.ts, serve-engine.ts), the
// encoders (encode.ts), and the decoding of uploads (decode/).
export {
  EngineError,
  type Engines,
  type EngineVoice,
  type Espeak,
  type ListedVoice,
  type NaturalSpeed,
  type RemoteVoice,
  type SpeakRequest,
  type SpeechFormat,
  type Upload,
  type VoiceMeasurement,
} from './engine.ts';
export { checkEngine } from './engine-worker.ts';
export {
  BUILT_IN,
  checkSpeechEngine,
  checkTranscriptionEngine,
  createEngines,
  ENGINE_VOICES,
  type EngineEvent,
  type EnginesOptions,
  isNatural,
  SHAPEABLE_VOICES,
} from './engines.ts';
export { findEspeak } from './espeak/program.ts';
export { ESPEAK_VOICES } from './espeak/voices.ts';
export { SPEECH_LIMITS } from './limits.ts';
export { measureNaturalSpeed } from './natural-speed.ts';
export type { EngineAddress } from './remote/connection.ts';
