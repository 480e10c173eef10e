// Why an upload can't be decoded.

export type DecodingErrorKind = 'not-audio' | 'unsupported-format' | 'too-long';

/** Its message says what is wrong with the file, and what to do. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';
  readonly kind: DecodingErrorKind;

  constructor(kind: DecodingErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
