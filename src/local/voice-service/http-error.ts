// How the service reports errors: the spec's two bodies (general, and the array of a 422), and what each engine failure becomes.
import type { z } from 'zod';
import type { GeneralError, ValidationError } from '../../api/schemas.ts';
import { EngineError } from './engines/index.ts';

type Location = NonNullable<ValidationError['in']>;

/** Thrown anywhere while a request is handled; sent as it is. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly body: GeneralError | ValidationError[];
  readonly headers: Record<string, string>;

  constructor(status: number, body: GeneralError | ValidationError[], headers: Record<string, string> = {}) {
    super(Array.isArray(body) ? body.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ') : body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An error with the general body. The message names the cause, then what to do. */
export const httpError = (status: number, message: string, headers?: Record<string, string>) =>
  new HttpError(status, { status, message }, headers);

/** Ends the handling of a request whose client has gone. */
export const clientLeft = () => httpError(499, 'The client left.');

/** A 422 about one field. */
export function fieldError(location: Location, loc: string[], type: string, msg: string, ctx?: string): HttpError {
  return new HttpError(422, [{ loc, type, msg, ...(ctx !== undefined && { ctx }), in: location }]);
}

/** Enough to correct a request by; the errors of ten thousand wrong values would be megabytes. */
const MAX_ISSUES = 20;
const MAX_NAME = 100;

/** Quotes what the caller sent, cut to 100 characters. */
export const quote = (text: string) => `"${text.length > MAX_NAME ? `${text.slice(0, MAX_NAME).toWellFormed()}…` : text}"`;

/**
 * Parses `value` with one of the API's schemas.
 * @throws HttpError 422 with an entry for each wrong field, up to 20
 */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown, location: Location): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, MAX_ISSUES);
  throw new HttpError(
    422,
    issues.map((issue) => toValidationError(issue, value, location)),
  );
}

function toValidationError(issue: z.core.$ZodIssue, value: unknown, location: Location): ValidationError {
  const loc = issue.path.map((part) => String(part).slice(0, MAX_NAME).toWellFormed());
  const received = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  if (received === undefined || received === null) return { loc, type: 'missing', msg: 'Field required', in: location };
  const ctx = describeConstraint(issue);
  return { loc, type: issue.code, msg: issue.message, ...(ctx !== undefined && { ctx }), in: location };
}

function describeConstraint(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'too_small') return `minimum ${issue.minimum}`;
  if (issue.code === 'too_big') return `maximum ${issue.maximum}`;
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  return undefined;
}

/** Turns anything thrown while a request was handled into the error to send. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof EngineError) return fromEngineError(error);
  // Fastify's own: a malformed URL, a path that is too long.
  const status = (error as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) return httpError(status, (error as Error).message);
  return httpError(500, 'The voice service failed at this request, and took no credit for it. Try again.');
}

function fromEngineError(error: EngineError): HttpError {
  switch (error.kind) {
    case 'unspeakable':
      return fieldError('body', ['text'], 'unspeakable', error.message);
    case 'not-audio':
    case 'unsupported-format':
    case 'refused':
      return httpError(400, error.message);
    case 'unsupported-language':
      return fieldError('body', ['language'], 'not_supported', error.message, 'one of en');
    case 'foreign-speech':
      return fieldError('body', ['audio'], 'foreign_speech', error.message, 'one of en');
    case 'busy':
      return httpError(429, error.message, { 'retry-after': String(error.retryAfter ?? 1) });
    case 'unavailable':
      // The error's own message is for the operator, who has it in the log.
      return httpError(503, 'The engine behind this voice service cannot be used right now. Try again later.');
    case 'too-slow':
      return fieldError('body', ['text'], 'too_slow', error.message, `maximum ${error.maxCharacters}`);
    case 'too-long':
      return fieldError('body', ['audio'], 'too_long', error.message);
    case 'aborted':
      return httpError(503, 'The voice service is stopping. Try again when it is back.', { 'retry-after': '1' });
    case 'crashed':
      return httpError(500, error.message);
  }
}
