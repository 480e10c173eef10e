// Request bodies: read up to a limit, and parsed safely whatever the bytes are.
import type { IncomingMessage } from 'node:http';
import { decode } from '@msgpack/msgpack';
import type { FastifyRequest } from 'fastify';
import { inspectJson, inspectMsgpack, type PayloadLimits, type PayloadProblem } from '../../api/http.ts';
import { readWhole } from '../../async/whole.ts';
import { fieldError, HttpError, httpError } from './http-error.ts';

/** The media type in lower case, without parameters; empty if there is none. */
export function mediaType(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The 415 error that names the accepted types. */
export const unsupportedMediaType = (received: string, accepted: string) =>
  httpError(
    415,
    `${received === '' ? 'The request names no Content-Type' : `Content-Type ${received} is not taken here`}: send ${accepted}.`,
  );

/**
 * Reads the whole body, sent with a length or in chunks.
 * @param message of the 413
 * @throws HttpError 413 above `limit` bytes, 415 if it is compressed, 400 if it is cut off
 */
export async function readBody(request: FastifyRequest, limit: number, message = tooLarge(limit).message): Promise<Buffer> {
  rejectCompressed(request);
  if (Number(request.headers['content-length']) > limit) throw httpError(413, message);
  try {
    return await readWhole(request.raw.iterator({ destroyOnReturn: false }), limit, () => httpError(413, message));
  } catch (error) {
    throw error instanceof HttpError ? error : cutOff();
  }
}

/** @throws HttpError 415 */
export function rejectCompressed(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity')
    throw httpError(415, `Content-Encoding ${encoding} is not taken here: send the body uncompressed.`);
}

export function tooLarge(limit: number) {
  const kilobytes = Math.floor(limit / 1024);
  return httpError(413, `The body is too large: at most ${kilobytes >= 1024 ? `${Math.floor(kilobytes / 1024)} MB` : `${kilobytes} KB`}.`);
}

export const cutOff = () => httpError(400, 'The body was cut off. Send the whole of it.');

/** Far more than any body of the spec has: the deepest, `references`, is a map in a list in a map. */
const PAYLOAD_LIMITS: PayloadLimits = { depth: 16, values: 10_000 };

/** @throws HttpError 400 if it is not JSON, is nested too deeply or has too many values */
export function parseJson(bytes: Uint8Array): unknown {
  rejectOversized(inspectJson(bytes, PAYLOAD_LIMITS));
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), (key, value) => (key === '__proto__' ? undefined : value));
  } catch {
    throw httpError(400, 'The body is not valid JSON in UTF-8.');
  }
}

/** @throws HttpError 400 if it is not msgpack, claims sizes that the body cannot hold, is nested too deeply or has too many values */
export function parseMsgpack(bytes: Uint8Array): unknown {
  const problem = inspectMsgpack(bytes, PAYLOAD_LIMITS);
  rejectOversized(problem);
  try {
    if (problem === null) return decode(bytes);
  } catch {
    // Well-formed but unreadable: a list as a map's key, an invalid date.
  }
  throw httpError(400, 'The body is not valid msgpack.');
}

function rejectOversized(problem: PayloadProblem | null): void {
  if (problem === 'too-deep') throw httpError(400, `The body is nested too deeply: at most ${PAYLOAD_LIMITS.depth} levels.`);
  if (problem === 'too-many-values')
    throw httpError(400, `The body has too many values: at most ${PAYLOAD_LIMITS.values.toLocaleString('en')}.`);
}

/** @throws HttpError 422 if the body is not an object */
export function asObject(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof Uint8Array)) return { ...body };
  throw fieldError('body', [], 'invalid_type', 'The body must be an object with named fields.');
}

/**
 * For a response that did not wait for the whole body: discards what still arrives for a moment, so that the client gets to read the
 * response, and then closes the connection.
 */
export function drainThenClose(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  const timer = setTimeout(() => raw.socket.destroy(), 2000);
  raw.once('close', () => clearTimeout(timer));
  raw.once('end', () => clearTimeout(timer));
  raw.resume();
}
