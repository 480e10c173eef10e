// What one request, one key and one connection may ask of the service.
import { RECOGNITION_LIMITS, SPEECH_LIMITS } from './engines/index.ts';

export interface Limits {
  /** Bytes of a text-to-speech body. Room for the longest text in JSON escapes. */
  speechBody: number;
  /** UTF-16 units of text in one call. */
  textLength: number;
  /** Bytes of one audio file. */
  audio: number;
  /** Calls in flight per key. Twice what a starter account of a hosted service allows, so that a client that keeps exactly to that never meets it. */
  callsPerKey: number;
  /** Milliseconds without a byte of an upload, after which the request is ended. */
  uploadSilence: number;
  /** Milliseconds in which a client that is given audio reads none of it, after which it is taken to be gone. */
  readSilence: number;
}

export const DEFAULT_LIMITS: Limits = {
  speechBody: 256 * 1024,
  textLength: SPEECH_LIMITS.maxTextLength,
  audio: RECOGNITION_LIMITS.maxBytes,
  callsPerKey: 10,
  uploadSilence: 15_000,
  readSilence: 600_000,
};
