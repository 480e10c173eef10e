// Voice activity detection: where speech begins and ends in sound. Nothing is loaded before `loadSpeechModel` is called.
export { createSpeechDetector, type SpeechBounds, type SpeechDetector } from './detector.ts';
export { FRAME, loadRuntime, loadSpeechModel, RATE, SPEECH_MODEL } from './model.ts';
export { createSpeechSegmenter, type SpeechSegment } from './segments.ts';
export { checkWeights, readWeights, type Weights } from './weights.ts';
