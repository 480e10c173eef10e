// What one request, one key and one connection may ask of the service.

export interface Limits {
  /** Bytes of a text-to-speech body: room for the longest text in JSON escapes. */
  speechBodyBytes: number;
  /** UTF-16 units of text in one call, or over one websocket. */
  textLength: number;
  /** Bytes of one audio file. */
  audioBytes: number;
  /** Bytes of all recordings of one voice model. */
  modelBytes: number;
  /** Recordings of one voice model. */
  modelRecordings: number;
  /** Voice models of one user. */
  modelsPerUser: number;
  /** Calls in flight per key. Twice what a starter account of a hosted service allows, so that a client that respects that limit never meets this one. */
  callsPerKey: number;
  /** Milliseconds without a byte of an upload, after which the request is ended. */
  uploadStallMs: number;
  /** Milliseconds in which a websocket with nothing left to speak gets no text, after which it is closed. */
  liveIdleMs: number;
  /** Milliseconds in which a client reads none of the audio it is sent, after which it is disconnected. */
  readStallMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  speechBodyBytes: 256 * 1024,
  textLength: 20_000,
  audioBytes: 20 * 1024 * 1024,
  modelBytes: 64 * 1024 * 1024,
  modelRecordings: 20,
  modelsPerUser: 100,
  callsPerKey: 10,
  uploadStallMs: 15_000,
  liveIdleMs: 60_000,
  readStallMs: 600_000,
};
