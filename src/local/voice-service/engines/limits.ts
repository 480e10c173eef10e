// What a request to the engines may ask for.
import { MAX_SECONDS, RATE } from '../../../decoding/limits.ts';
import type { EncoderSettings } from './encode.ts';
import { EngineError, type SpeakRequest, type Upload } from './engine.ts';

export const SPEECH_LIMITS = {
  /** UTF-16 units of text in one request. */
  maxTextLength: 20_000,
  /** Seconds until the first sound of a text that is heard while it is made. */
  maxStartSeconds: 10,
  sampleRates: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000],
  opusSampleRates: [8000, 12000, 16000, 24000, 48000],
  speed: { min: 0.5, max: 2 },
  volumeDb: { min: -20, max: 20 },
  opusBitrate: { min: 6000, max: 128_000 },
} as const;

export const RECOGNITION_LIMITS = {
  maxBytes: 20 * 1024 * 1024,
  maxSeconds: MAX_SECONDS,
} as const;

/** Samples per second of what recognisers are given: the rate that speech models are trained on. */
export const RECOGNITION_RATE = RATE;

/** Seconds, rounded: recognisers count in steps of 10 ms or more, and more digits would only look precise. */
export const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** @throws EngineError `unsupported-format`, also for NaN */
export function requireWithin(name: string, value: number, { min, max }: { min: number; max: number }): void {
  if (value >= min && value <= max) return;
  throw new EngineError('unsupported-format', `${name} is ${value}. It must be from ${min} to ${max}.`);
}

/** @throws EngineError `unsupported-format` */
export function toEncoderSettings(request: SpeakRequest): EncoderSettings {
  const { format, mp3Bitrate = 128, opusBitrate = 32_000, volumeDb = 0 } = request;
  const sampleRate = request.sampleRate ?? (format === 'opus' ? 48_000 : 44_100);
  const rates: readonly number[] = SPEECH_LIMITS.sampleRates;
  if (!rates.includes(sampleRate)) {
    throw new EngineError('unsupported-format', `There is no speech at ${sampleRate} Hz. Ask for one of ${rates.join(', ')}.`);
  }
  requireWithin('opusBitrate', opusBitrate, SPEECH_LIMITS.opusBitrate);
  requireWithin('volumeDb', volumeDb, SPEECH_LIMITS.volumeDb);
  requireWithin('speed', request.speed ?? 1, SPEECH_LIMITS.speed);
  return { format, sampleRate, mp3Bitrate, opusBitrate, volumeDb };
}

/** @throws EngineError `not-audio` or `too-long` */
export function requireUpload(audio: Upload): void {
  const bytes = audio instanceof Uint8Array ? audio.length : audio.reduce((sum, { length }) => sum + length, 0);
  if (bytes === 0) throw new EngineError('not-audio', 'The file is empty. Send a recording.');
  if (bytes <= RECOGNITION_LIMITS.maxBytes) return;
  const limit = RECOGNITION_LIMITS.maxBytes / 1024 / 1024;
  throw new EngineError('too-long', `The file has more than ${limit} MB. Send a shorter or a compressed recording.`);
}
