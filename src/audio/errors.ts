// The one error of the sound path.

export type AudioErrorKind =
  /** The bytes are text, a web page, or nothing that any decoder knows. */
  | 'not-audio'
  /** Sound in a format that cannot be read here. */
  | 'unsupported'
  /** No bytes for too long. */
  | 'stalled'
  /** The sound ends before its own format says so; everything up to there was given out. */
  | 'truncated'
  /** No bytes, or no sound in them. */
  | 'empty'
  /** It goes on for longer than what was to be said can be. */
  | 'endless'
  /** The thread that it was prepared in ended. */
  | 'crashed';

export class AudioError extends Error {
  readonly kind: AudioErrorKind;

  constructor(kind: AudioErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AudioError';
    this.kind = kind;
  }
}
