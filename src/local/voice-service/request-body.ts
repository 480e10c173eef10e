// Request bodies: read up to a limit, and parsed safely whatever the bytes are.
import type { IncomingMessage } from 'node:http';
import { decode } from '@msgpack/msgpack';
import type { FastifyRequest } from 'fastify';
import { inspectJson, inspectMsgpack, type PayloadLimits, type PayloadProblem } from '../../api/http.ts';
import { orAborted } from '../../async/waiting.ts';
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
function rejectCompressed(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity')
    throw httpError(415, `Content-Encoding ${encoding} is not taken here: send the body uncompressed.`);
}

export function tooLarge(limit: number) {
  const kilobytes = Math.floor(limit / 1024);
  return httpError(413, `The body is too large: at most ${kilobytes >= 1024 ? `${Math.floor(kilobytes / 1024)} MB` : `${kilobytes} KB`}.`);
}

const cutOff = () => httpError(400, 'The body was cut off. Send the whole of it.');

/** Bytes of a text in a form, or of a small form. */
export const FIELD_BYTES = 64 * 1024;
const MAX_FIELDS = 100;

interface FormLimits {
  bodyBytes: number;
  /** Of one file. */
  fileBytes: number;
  files: number;
  /** Thrown if there are more files. */
  tooManyFiles: HttpError;
}

/** A field, or a file in pieces: joining 20 MB takes time in which nobody else's sound moves. */
type FormPart = { name: string; field: unknown } | { name: string; file: Uint8Array[] };

/** @throws HttpError 413 above a limit, 415 if it is compressed, 400 if it is malformed or cut off */
export async function readForm(request: FastifyRequest, limits: FormLimits): Promise<FormPart[]> {
  const { bodyBytes, fileBytes, files } = limits;
  rejectCompressed(request);
  if (Number(request.headers['content-length']) > bodyBytes) throw tooLarge(bodyBytes);
  const parts: FormPart[] = [];
  const readParts = async () => {
    for await (const part of request.parts({ limits: { fileSize: fileBytes, fieldSize: FIELD_BYTES, fields: MAX_FIELDS, files } })) {
      // Whatever its type says, there may be none.
      const name: string | undefined = part.fieldname;
      if (name === undefined) throw httpError(400, 'A part of the form has no name.');
      if (part.type === 'field') parts.push({ name, field: part.value });
      else parts.push({ name, file: await readPieces(part.file, fileBytes) });
    }
  };
  try {
    await orAborted(readParts(), abortedBeyond(request, bodyBytes));
  } catch (error) {
    throw toFormError(error, request, limits);
  }
  return parts;
}

const PIECE_BYTES = 256 * 1024;

/** In pieces of one size: it may come byte by byte, and each byte of its own would take a hundred. */
async function readPieces(file: AsyncIterable<Uint8Array> & { truncated: boolean }, limit: number): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let filled = PIECE_BYTES;
  // The parser passes on no more than the limit, and then says that the file is truncated.
  for await (const chunk of file) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === PIECE_BYTES) {
        pieces.push(new Uint8Array(PIECE_BYTES));
        filled = 0;
      }
      const part = chunk.subarray(at, at + PIECE_BYTES - filled);
      pieces.at(-1)?.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  if (file.truncated) throw tooLarge(limit);
  const last = pieces.pop();
  return last ? [...pieces, last.subarray(0, filled)] : [];
}

/**
 * Counts every byte, including those that belong to no part: the parser's limits are per part, and a chunked body has no length.
 * Returns a signal that is aborted above `maxBytes`.
 */
function abortedBeyond({ raw }: FastifyRequest, maxBytes: number): AbortSignal {
  const beyond = new AbortController();
  let bytes = 0;
  const count = (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) return;
    raw.off('data', count).unpipe();
    beyond.abort(tooLarge(maxBytes));
  };
  raw.on('data', count);
  return beyond.signal;
}

function toFormError(error: unknown, { raw }: FastifyRequest, { fileBytes, tooManyFiles }: FormLimits): HttpError {
  if (error instanceof HttpError) return error;
  const { code } = error as { code?: string };
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(fileBytes);
  if (code === 'FST_FILES_LIMIT') return tooManyFiles;
  if (code === 'FST_PARTS_LIMIT') return httpError(413, 'The form has too many parts.');
  if (code === 'FST_FIELDS_LIMIT') return httpError(413, `The form has too many fields: at most ${MAX_FIELDS}.`);
  if (raw.destroyed && !raw.complete) return cutOff();
  return httpError(400, 'The body is not a well-formed multipart form, or was cut off.');
}

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
