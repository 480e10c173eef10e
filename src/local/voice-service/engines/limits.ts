// What a request to the engines may ask for. The routes see to it.
import type { EncoderSettings } from './encode.ts';
import type { SpeakRequest } from './engine.ts';

export const SPEECH_LIMITS = {
  /** Seconds until the first sound of a text that is heard while it is made. */
  maxStartSeconds: 10,
  sampleRates: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000],
  opusSampleRates: [8000, 12000, 16000, 24000, 48000],
  volumeDb: { min: -20, max: 20 },
  opusBitrate: { min: 6000, max: 128_000 },
} as const;

/** Seconds, rounded: recognisers count in steps of 10 ms or more, and more digits would only look precise. */
export const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

export function toEncoderSettings(request: SpeakRequest): EncoderSettings {
  const { format, mp3Bitrate = 128, opusBitrate = 32_000, volumeDb = 0 } = request;
  const sampleRate = request.sampleRate ?? (format === 'opus' ? 48_000 : 44_100);
  return { format, sampleRate, mp3Bitrate, opusBitrate, volumeDb };
}
