// Request bodies: read with a limit, and made into values whatever the bytes are.
import type { IncomingMessage } from 'node:http';
import { decode } from '@msgpack/msgpack';
import type { FastifyRequest } from 'fastify';
import { createByteCollector } from '../../api/byte-collector.ts';
import { inspectJson, inspectMsgpack, type PayloadLimits, type PayloadProblem } from '../../api/payload-limits.ts';
import { refuse, refuseField } from './http-error.ts';

/** The media type without parameters, in lower case; empty when there is none. */
export function mediaType(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** @throws Refusal 415 that names what is taken */
export function refuseMediaType(given: string, taken: string): never {
  throw refuse(415, `${given === '' ? 'The request names no Content-Type' : `Content-Type ${given} is not taken here`}: send ${taken}.`);
}

/**
 * The whole body, sent with a length or in chunks.
 * @throws Refusal 413 above `limit` bytes, 415 for a compressed one, 400 when it is cut off
 */
export async function readBody(request: FastifyRequest, limit: number): Promise<Buffer> {
  refuseEncoding(request);
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
  const body = createByteCollector(limit);
  let fits = true;
  try {
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
      fits = body.add(chunk);
      if (!fits) break;
    }
  } catch {
    throw cutOff();
  }
  if (!fits) throw tooLarge(limit);
  return body.bytes();
}

export function refuseEncoding(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity')
    throw refuse(415, `Content-Encoding ${encoding} is not taken here: send the body uncompressed.`);
}

export const tooLarge = (limit: number) =>
  refuse(
    413,
    `The body is too large: at most ${limit >= 1024 * 1024 ? `${Math.floor(limit / 1024 / 1024)} MB` : `${Math.floor(limit / 1024)} KB`}.`,
  );

export const cutOff = () => refuse(400, 'The body was cut off. Send the whole of it.');

/** Far more than any body of the spec has, whose recordings to imitate are the deepest: a map in a list in a map. */
const BOUNDS: PayloadLimits = { depth: 16, values: 10_000 };

/** @throws Refusal 400 for what is no JSON, is nested too deeply or has too many values */
export function parseJson(bytes: Uint8Array): unknown {
  refuseOversized(inspectJson(bytes, BOUNDS));
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), (key, value) => (key === '__proto__' ? undefined : value));
  } catch {
    throw refuse(400, 'The body is not valid JSON in UTF-8.');
  }
}

/** @throws Refusal 400 for what is no msgpack, claims sizes that the body cannot hold, is nested too deeply or has too many values */
export function parseMsgpack(bytes: Uint8Array): unknown {
  const complaint = inspectMsgpack(bytes, BOUNDS);
  refuseOversized(complaint);
  try {
    if (complaint === null) return decode(bytes);
  } catch {
    // A map's key that is a list, a date that is none: well-formed, and still nothing that can be read.
  }
  throw refuse(400, 'The body is not valid msgpack.');
}

function refuseOversized(complaint: PayloadProblem | null): void {
  if (complaint === 'too-deep') throw refuse(400, `The body is nested too deeply: at most ${BOUNDS.depth} levels.`);
  if (complaint === 'too-many-values') throw refuse(400, `The body has too many values: at most ${BOUNDS.values.toLocaleString('en')}.`);
}

/** @throws Refusal 422 when the body is no object */
export function asObject(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof Uint8Array)) return { ...body };
  throw refuseField('body', [], 'invalid_type', 'The body must be an object with named fields.');
}

/**
 * After an answer that did not wait for the whole body: what still comes is thrown away for a moment, so that the client gets to
 * read the answer, and then the connection ends.
 */
export function lingerThenClose(raw: IncomingMessage, ms = 2000): void {
  if (raw.complete || raw.destroyed) return;
  const timer = setTimeout(() => raw.socket.destroy(), ms);
  raw.once('close', () => clearTimeout(timer));
  raw.once('end', () => clearTimeout(timer));
  raw.resume();
}
