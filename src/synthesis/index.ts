// Speech: text in, something to play or a file out. Joins the Voice Service API and the audio path, and caches what was said.

export { openSpeechCache, type SpeechCache } from './cache.ts';
export type { NamedDefaults } from './default-voice.ts';
export { packetsToFile, packetsToMessage, type SpeechFile, SpeechTooLargeError, type SpokenMessage } from './file.ts';
export type { Pin } from './pins.ts';
export { estimateSeconds } from './read-ahead.ts';
export { findLengthLimit, isScriptRefusal, isSpeedRefusal, isUnknownVoice } from './refusals.ts';
export { createSoundOwners } from './sound-owners.ts';
export { hasMoods, MOODS, type Mood, makeSpeakable, plainLetters, type SpeakableWords, truncateSpeech } from './speakable.ts';
export { createSpeech } from './speech.ts';
export { type CacheInvalidation, cacheInvalidation, type SoundScope, type SpeechEngine, type SpeechRequest } from './types.ts';
export type { SpeechUtterance } from './utterance.ts';
export { withVoiceFallback } from './utterance.ts';
export { createVoiceLevels } from './voice-levels.ts';
