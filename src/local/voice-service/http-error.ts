// How the service says no: the general error body, the 422 array, and what each failure of the engines becomes.
import type { z } from 'zod';
import type { GeneralError, ValidationError } from '../../api/schemas.ts';
import { EngineError } from './engines/index.ts';

type Place = NonNullable<ValidationError['in']>;

/** Thrown anywhere while a request is handled; becomes the answer as it stands. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly body: GeneralError | ValidationError[];
  readonly headers: Record<string, string>;

  constructor(status: number, body: GeneralError | ValidationError[], headers: Record<string, string> = {}) {
    super(Array.isArray(body) ? (body[0]?.msg ?? 'invalid') : body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The general error body: the cause, then what to do. */
export const refuse = (status: number, message: string, headers?: Record<string, string>) =>
  new Refusal(status, { status, message }, headers);

/** Nobody is there to read it; it ends the handling of the request. */
export const clientLeft = () => refuse(499, 'The client left.');

/** A 422 about one field. */
export const refuseField = (place: Place, loc: string[], type: string, msg: string, ctx?: string) =>
  new Refusal(422, [{ loc, type, msg, ...(ctx !== undefined && { ctx }), in: place }]);

/** Of a 422: enough to mend a request by; a body of ten thousand wrong values would be answered with megabytes. */
const MOST_ISSUES = 20;
const LONGEST_NAME = 100;

/** What the caller wrote, short enough to be put into an answer. */
export const quoted = (text: string) => `"${text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME).toWellFormed()}…` : text}"`;

/**
 * Reads `value` with one of the API's schemas.
 * @throws Refusal: a 422 with an entry for each field that is wrong, up to 20
 */
export function check<S extends z.ZodType>(schema: S, value: unknown, place: Place): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Refusal(
    422,
    result.error.issues.slice(0, MOST_ISSUES).map((issue) => toValidationError(issue, value, place)),
  );
}

function toValidationError(issue: z.core.$ZodIssue, value: unknown, place: Place): ValidationError {
  const loc = issue.path.map((part) => String(part).slice(0, LONGEST_NAME).toWellFormed());
  const given = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  if (given === undefined || given === null) return { loc, type: 'missing', msg: 'Field required', in: place };
  const ctx = contextOf(issue);
  return { loc, type: issue.code, msg: issue.message, ...(ctx !== undefined && { ctx }), in: place };
}

function contextOf(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'too_small') return `minimum ${issue.minimum}`;
  if (issue.code === 'too_big') return `maximum ${issue.maximum}`;
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  return undefined;
}

/** What went wrong while a request was handled, as the answer to it. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof EngineError) return fromEngine(error);
  // Fastify's own: a malformed address, a path that is too long.
  const status = (error as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) return refuse(status, (error as Error).message);
  return refuse(500, 'The voice service failed at this request, and took no credit for it. Try again.');
}

function fromEngine(error: EngineError): Refusal {
  switch (error.kind) {
    case 'unspeakable':
      return refuseField('body', ['text'], 'unspeakable', error.message);
    case 'not-audio':
    case 'unsupported-format':
      return refuse(400, error.message);
    case 'too-long':
      return refuseField('body', ['audio'], 'too_long', error.message);
    case 'aborted':
      return refuse(503, 'The voice service is stopping. Try again when it is back.', { 'retry-after': '1' });
    case 'crashed':
      return refuse(500, error.message);
  }
}
