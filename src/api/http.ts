// One HTTP request handed to the connection pool, and its response while the body is read.
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher, Pool } from 'undici';
import type { z } from 'zod';
import { readBeginning, readWhole } from '../async/whole.ts';
import type { Redactor } from '../text/redactor.ts';
import { errorFromConnection, type Headers, readRequestId } from './error-mapping.ts';
import { ApiError } from './errors.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | null;
  /** Milliseconds from the last byte of the request to the headers of the response. */
  headersTimeout: number;
}

/** How far an attempt has come, for its failure. */
export interface SendProgress {
  /** The last byte of the request has been written to the socket, or a first text to the websocket: the service may charge for it. */
  isSent: boolean;
}

/**
 * Resolves with the response once its headers have arrived. An abort rejects at once with the signal's reason; undici alone would wait
 * for a connection that is still being made.
 * @param progress kept up to date
 */
export function sendRequest(
  pool: Pool,
  request: HttpRequest,
  signal: AbortSignal,
  progress: SendProgress,
): Promise<Dispatcher.ResponseData> {
  const { body } = request;
  return new Promise((resolve, reject) => {
    const abort = () => {
      if (body !== null && typeof body === 'object' && 'destroy' in body) body.on('error', () => {}).destroy(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    pool
      .compose(noteSent(progress))
      // The idle timeout of the body is ours, below.
      .request({ ...request, bodyTimeout: 0, signal })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** undici's promise doesn't tell when the request has been sent; its handlers do. */
function noteSent(progress: SendProgress): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (...args) => handler.onRequestStart?.(...args),
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
      onBodySent: (...args) => handler.onBodySent?.(...args),
      onRequestSent() {
        progress.isSent = true;
        handler.onRequestSent?.();
      },
    });
}

// The response to a call while its body is being read.

/** What a connection brought: undici's response, or a websocket's. */
export interface RawResponse {
  statusCode: number;
  headers: Headers;
  body: Readable;
  /** Milliseconds for which the service has had everything it needs to go on; 0 while the caller owes it something. Absent = always. */
  dueForMs?: () => number;
}

/** Occupies its call's turn and its connection until its body has ended or `close` is called. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  /** What the service calls the body; '' if it doesn't say. */
  contentType: string;
  readonly requestId: string | null;
  /** The next chunk, or null at the end. Rejects with ApiError, also after `idleTimeout` ms (default: the client's) without a byte. */
  read(idleTimeout?: number): Promise<Uint8Array | null>;
  /** Pause it while the caller, rather than the service, is what the call waits for. */
  deadline: Deadline;
  /** Ends the call with this error, which the next `read` rejects with. */
  fail(error: ApiError): void;
  close(): void;
  /** Resolves once its body has ended or `close` was called. */
  readonly closed: Promise<void>;
}

/** Error bodies are read up to this size and for this long (ms): enough for a sentence. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
const MAX_ERROR_BODY_MS = 2_000;

interface CallState {
  /** Aborts the call. */
  controller: AbortController;
  deadline: Deadline;
  redact: Redactor;
  idleTimeout: number;
}

export function createResponse(data: RawResponse, call: CallState): ApiResponse {
  const { redact, controller } = call;
  const { signal } = controller;
  const { statusCode: status, headers, body } = data;
  const [contentType = ''] = [headers['content-type'] ?? []].flat();
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const closed = Promise.withResolvers<void>();
  let isClosed = false;

  // An abort also reaches a body that nobody is reading; the next read reports it.
  body.on('error', () => {});

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    // Returning the iterator wouldn't do: if nothing has been read, it leaves the body alone.
    if (!body.readableEnded) body.destroy();
    closed.resolve();
  };

  return {
    status,
    headers,
    contentType,
    get requestId() {
      return readRequestId(headers, redact);
    },
    deadline: call.deadline,
    close,
    closed: closed.promise,
    fail: (error) => controller.abort(error),
    async read(idleTimeout = call.idleTimeout) {
      const onSilence = () => {
        const dueForMs = data.dueForMs?.() ?? idleTimeout;
        if (dueForMs < idleTimeout) {
          timer = setTimeout(onSilence, idleTimeout - dueForMs);
          return;
        }
        const message = 'The voice service fell silent in the middle of its response. Try again.';
        body.destroy(new ApiError('timeout', message, { status, requestId: readRequestId(headers, redact), retryable: true }));
      };
      let timer = setTimeout(onSilence, idleTimeout);
      try {
        signal.throwIfAborted();
        const { done, value } = await chunks.next();
        if (!done) return value;
        close();
        // undici frees a connection one turn of the event loop after its last byte; a call made before that opens a new one.
        await setImmediate();
        return null;
      } catch (error) {
        close();
        signal.throwIfAborted();
        if (error instanceof ApiError) throw error;
        throw errorFromConnection(error, redact, { status, requestId: readRequestId(headers, redact) });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The whole body. @throws ApiError `protocol` beyond `limit` bytes: nothing in the spec is that long */
export function readBody(response: ApiResponse, limit: number): Promise<Buffer> {
  return readWhole(chunksOf(response), limit, () => {
    const { status, requestId } = response;
    return new ApiError('protocol', `The response of the voice service is longer than ${limit} bytes.`, { status, requestId });
  });
}

/** As much of an error's body as arrives in time. The status says what happened, so a failure to read the body isn't another error. */
export async function readErrorBody(response: ApiResponse): Promise<string> {
  const readUntil = performance.now() + MAX_ERROR_BODY_MS;
  const chunks = chunksOf(response, () => Math.max(1, readUntil - performance.now()));
  return new TextDecoder().decode(await readBeginning(chunks, MAX_ERROR_BODY_BYTES));
}

/** @param msLeft the longest wait for each chunk; by default that of the call */
async function* chunksOf(response: ApiResponse, msLeft?: () => number): AsyncGenerator<Uint8Array> {
  for (let chunk = await response.read(msLeft?.()); chunk !== null; chunk = await response.read(msLeft?.())) yield chunk;
}

// A time limit that counts only while it runs.

export interface Deadline {
  /** Does nothing if it is running. */
  resume(): void;
  pause(): void;
}

/** Starts paused. @param ms in total */
export function createDeadline(ms: number, onExpired: () => void): Deadline {
  let remaining = ms;
  let resumedAt = 0;
  let timer: NodeJS.Timeout | null = null;
  return {
    resume() {
      if (timer !== null) return;
      resumedAt = performance.now();
      timer = setTimeout(onExpired, Math.max(0, remaining));
    },
    pause() {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      remaining -= performance.now() - resumedAt;
    },
  };
}

// JSON response bodies: read in full, bounded, then checked against their schema.

export interface BodyLimits extends PayloadLimits {
  bytes: number;
}

/** A page of 100 models has about 200 KB and 10,000 values. */
export const listLimits: BodyLimits = { bytes: 4 * 1024 * 1024, depth: 32, values: 250_000 };
/** One model has about 2 KB. */
export const modelLimits: BodyLimits = { bytes: 256 * 1024, depth: 32, values: 10_000 };
/** The transcript of an hour, with one segment per word, has 1 MB and 50,000 values. */
export const transcriptLimits: BodyLimits = { bytes: 16 * 1024 * 1024, depth: 32, values: 250_000 };
/** A wallet record has seven fields. */
export const walletLimits: BodyLimits = { bytes: 64 * 1024, depth: 32, values: 1_000 };

/** Bodies up to this size aren't inspected: whatever they contain takes no more than a megabyte or two once parsed. */
const HARMLESS_BYTES = 32 * 1024;

const WEB_PAGE = 'a web page';

/** @throws ApiError `protocol` for anything that doesn't match the schema; it names fields, never their values */
export async function readJson<S extends z.ZodType>(response: ApiResponse, schema: S, limits: BodyLimits): Promise<z.output<S>> {
  const { status } = response;
  const refuse = (content: string) =>
    new ApiError('protocol', `The voice service answered ${status} with ${content}. Check the base address.`, {
      status,
      requestId: response.requestId,
      isWrongAddress: content === WEB_PAGE,
    });
  const bytes = await readBody(response, limits.bytes);
  const problem = bytes.length > HARMLESS_BYTES ? inspectJson(bytes, limits) : null;
  if (problem === 'too-deep') throw refuse(`JSON of more than ${limits.depth} levels`);
  if (problem === 'too-many-values') throw refuse(`JSON of more than ${limits.values} values`);
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(text.trim() === '' ? 'nothing' : text.trimStart().startsWith('<') ? WEB_PAGE : 'something that is not JSON');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.slice(0, 5).map((issue) => issue.path.join('.') || 'the body');
  throw refuse(`JSON that doesn't match the spec, at: ${fields.join(', ')}`);
}

// Limits on JSON and msgpack from outside, checked in one pass over the bytes before they are parsed: a few bytes can claim gigabytes,
// and a few megabytes of brackets become gigabytes of objects.

export interface PayloadLimits {
  /** Nesting of objects, maps and arrays. */
  depth: number;
  /** Total values, including containers and the keys of msgpack maps. */
  values: number;
}

export type PayloadProblem = 'malformed' | 'too-deep' | 'too-many-values';

/**
 * What is wrong with a msgpack body, or null. Like a decoder it accepts exactly one value that fills the bytes, but its memory doesn't
 * grow with them: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
export function inspectMsgpack(bytes: Uint8Array, { depth, values }: PayloadLimits): PayloadProblem | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** For each open container, how many of its values are still to come. */
  const open: number[] = [];
  let at = 0;
  let count = 0;
  /** How many values are still to come in total. */
  let due = 1;
  while (due > 0) {
    // Each takes at least one byte, so a larger claim is false.
    if (due > bytes.length - at) return 'malformed';
    if (count + due > values) return 'too-many-values';
    while (open.at(-1) === 0) open.pop();
    if (open.length > 0) open[open.length - 1] = (open.at(-1) ?? 0) - 1;
    due -= 1;
    count += 1;

    const head = readHead(view, at);
    if (head === null) return 'malformed';
    at += head.length;
    if (at > bytes.length) return 'malformed';
    if (head.children === 0) continue;
    due += head.children;
    open.push(head.children);
    if (open.length > depth) return 'too-deep';
  }
  return at === bytes.length ? null : 'malformed';
}

/** Bytes of a value without its children, and how many children follow; null if the bytes end, or no value begins this way. */
function readHead(view: DataView, at: number): { length: number; children: number } | null {
  const first = view.getUint8(at);
  if (first <= 0x7f || first >= 0xe0) return { length: 1, children: 0 };
  if (first <= 0x8f) return { length: 1, children: 2 * (first & 0x0f) };
  if (first <= 0x9f) return { length: 1, children: first & 0x0f };
  if (first <= 0xbf) return { length: 1 + (first & 0x1f), children: 0 };
  const fixed = FIXED_LENGTHS[first - 0xc0] ?? 0;
  if (fixed > 0) return { length: fixed, children: 0 };
  const width = SIZE_WIDTHS[first - 0xc0] ?? 0;
  if (width === 0 || at + 1 + width > view.byteLength) return null;
  const size = width === 1 ? view.getUint8(at + 1) : width === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1);
  if (first >= 0xde) return { length: 1 + width, children: 2 * size };
  if (first >= 0xdc) return { length: 1 + width, children: size };
  const type = first >= 0xc7 && first <= 0xc9 ? 1 : 0;
  return { length: 1 + width + type + size, children: 0 };
}

/** For first bytes 0xc0 to 0xdf: the length in bytes of values of fixed length; 0 = varies, or not a value. */
const FIXED_LENGTHS = [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 5, 9, 2, 3, 5, 9, 2, 3, 5, 9, 3, 4, 6, 10, 18, 0, 0, 0, 0, 0, 0, 0];

/** For the same bytes: the width of the size field of binaries, extensions, strings, arrays and maps; 0 = none. */
const SIZE_WIDTHS = [0, 0, 0, 0, 1, 2, 4, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 2, 4, 2, 4];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Which limit JSON in UTF-8 exceeds, or null; whether it is valid is left to the parser. Keys don't count as values; an empty container
 * counts as two.
 */
export function inspectJson(bytes: Uint8Array, { depth, values }: PayloadLimits): Exclude<PayloadProblem, 'malformed'> | null {
  let open = 0;
  let count = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at += 1;
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      open += 1;
      count += 1;
      if (open > depth) return 'too-deep';
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      open -= 1;
    } else if (byte === COMMA) {
      count += 1;
    }
    if (count > values) return 'too-many-values';
  }
  return null;
}
