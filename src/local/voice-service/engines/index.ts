// The engines of the local voice service. Its own are offline: Flite and Kokoro speak, Moonshine listens. In place of the first two or of the
// third, any server with OpenAI-shaped endpoints can be used (remote/).
//
// A built-in engine is a folder with a file of the same name, whose `createEngine` makes a `Synthesiser` or a `Recogniser` (engine.ts): `flite/`,
// `kokoro/`, `moonshine/`. To use another, name its file in `BUILT_IN` (engines.ts), and its voices in `ENGINE_VOICES` or its languages in
// `RECOGNISED_LANGUAGES`. Everything else is shared: the threads and processes (engine-worker.ts, serve-engine.ts), the encoders (encode.ts), and
// the decoding of uploads (decode/).
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
