// The error type of the sound path.

export type AudioErrorKind =
  /** Text, a web page, or bytes that no decoder recognises. */
  | 'not-audio'
  /** Audio in a format that cannot be decoded here. */
  | 'unsupported'
  /** No bytes for too long. */
  | 'stalled'
  /** The sound ends earlier than its format says; everything up to there was returned. */
  | 'truncated'
  /** No bytes, or no sound in them. */
  | 'empty'
  /** It is longer than the spoken text can possibly be. */
  | 'endless'
  /** The worker thread that prepared it ended. */
  | 'crashed';

export class AudioError extends Error {
  readonly kind: AudioErrorKind;

  constructor(kind: AudioErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AudioError';
    this.kind = kind;
  }
}
