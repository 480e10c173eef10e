// Why an upload can't be decoded.

type DecodingErrorKind = 'not-audio' | 'unsupported-format' | 'too-long';

/** Its message says what is wrong with the file, and what to do. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';
  readonly kind: DecodingErrorKind;

  constructor(kind: DecodingErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** @param bytesEach on average */
export function tooSmallPackets(bytesEach: number): DecodingError {
  return new DecodingError(
    'not-audio',
    `The file is made of packets of ${bytesEach.toFixed(1)} bytes, too small to be sound. Export it again.`,
  );
}
