// Turns whatever came back into an ApiError: JSON, an array, plain text, a proxy's page, or a broken connection.
import { parseJson } from '../text/json.ts';
import { collapseSpaces, type Redactor } from '../text/redactor.ts';
import { ApiError, type ApiErrorKind } from './errors.ts';
import { parameterPlaces, type ValidationError } from './schemas.ts';
import type { Operation } from './types.ts';

export type Headers = Record<string, string | string[] | undefined>;

const header = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** Whatever the vendor is called: `x-acme-trace-id`. */
const TRACE_ID = /^x-[a-z0-9-]+-trace-id$/;

/** The service's own id of the call: what its support asks for. */
export function readRequestId(headers: Headers, redact: Redactor): string | null {
  const traceId = Object.keys(headers).find((name) => TRACE_ID.test(name)) ?? '';
  const names = ['x-request-id', 'request-id', traceId, 'cf-ray'];
  const id = names.map((name) => header(headers, name)).find(Boolean);
  return id ? redact(id).slice(0, 100) : null;
}

/** How many calls the account may have in flight, as the answer says; null if it doesn't, or says nonsense. */
export function readConcurrency(headers: Headers): number | null {
  const calls = Number(/^\d{1,4}$/.exec(header(headers, 'ratelimit-limit-concurrency')?.trim() ?? '')?.[0] ?? 0);
  return calls >= 1 && calls <= MAX_CONCURRENCY ? calls : null;
}

/** No account may have more calls in flight. */
export const MAX_CONCURRENCY = 1_000;

// --- responses ------------------------------------------------------------------------------------------------------

const sentences: Record<Exclude<ApiErrorKind, 'aborted' | 'protocol' | 'unsupported'>, { cause: string; nextStep: string }> = {
  auth: { cause: 'The voice service refused the API key', nextStep: 'Check the key, and that it has not expired.' },
  forbidden: {
    cause: 'The API key is right, but may not do this, or what it asked for belongs to another account',
    nextStep: 'Give the key this permission, or ask for something of its own account.',
  },
  credit: {
    cause: 'The balance does not cover this call',
    nextStep: 'Add API credit to the account of the key: it may be separate from a subscription there.',
  },
  validation: { cause: 'The voice service refused the request', nextStep: 'Change the request: the same one will be refused again.' },
  'not-found': {
    cause: 'The voice service could not find what was asked for',
    nextStep: 'Check the id of the voice model or of the user.',
  },
  'rate-limited': { cause: 'The voice service is getting too many calls', nextStep: 'Try again later, or lower the concurrency.' },
  server: { cause: 'The voice service failed', nextStep: 'Try again later.' },
  timeout: { cause: 'The voice service gave up waiting for the request', nextStep: 'Try again.' },
};

function kindOf(status: number): keyof typeof sentences {
  if (status === 401) return 'auth';
  if (status === 403) return 'forbidden';
  if (status === 402) return 'credit';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 408) return 'timeout';
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'server' : 'validation';
}

/** The error for a response outside 2xx. `body` may be incomplete. @param operation what was asked for */
export function errorFromResponse(
  status: number,
  headers: Headers,
  body: string,
  redact: Redactor,
  operation: Operation | null = null,
): ApiError {
  const requestId = readRequestId(headers, redact);
  if (status < 400) {
    const message = `The voice service answered with a redirect (${status}). Redirects are not followed, because the API key would go along. Check the base address.`;
    return new ApiError('protocol', message, { status, requestId, isWrongAddress: true });
  }
  const { text, details, code, isPage } = readErrorText(body, redact);
  if (status === 404 && isPage) {
    const message = `There is no voice service at this address: it answered 404 with a web page (${text}). Check the base address.`;
    return new ApiError('protocol', message, { status, requestId, isWrongAddress: true });
  }
  const kind = kindOf(status);
  const { cause, nextStep } = sentences[kind];
  return new ApiError(kind, `${cause} (${status}${text ? `: ${text.replace(/\.$/, '')}` : ''}). ${nextStep}`, {
    status,
    requestId,
    code: code ?? readErrorCode(headers),
    operation: kind === 'forbidden' ? operation : null,
    retryable: kind === 'rate-limited' || kind === 'server' || kind === 'timeout',
    retryAfterMs: readRetryAfter(header(headers, 'retry-after'), Date.now()),
    details,
  });
}

/** The error for an event of a websocket that says what failed. @param status what the HTTP status would be, if it is known */
export function errorFromEvent(status: number | null, message: string, redact: Redactor): ApiError {
  if (status !== null && status >= 400) return errorFromResponse(status, {}, message, redact);
  const { cause, nextStep } = sentences.server;
  const text = collapseSpaces(redact(message)).slice(0, 300).replace(/\.$/, '');
  return new ApiError('server', `${cause}${text ? ` (${text})` : ''}. ${nextStep}`, { retryable: true });
}

/** A name for a cause, not a sentence. */
const CODE = /^[A-Za-z][\w.-]{0,63}$/;

/** Hosted services name the cause in a header of their own, such as `x-vendor-error-code`. */
function readErrorCode(headers: Headers): string | null {
  const name = Object.keys(headers).find((header) => /^x-[\w-]*error-code$/.test(header));
  const code = name === undefined ? undefined : header(headers, name);
  return code !== undefined && CODE.test(code) ? code : null;
}

interface ErrorText {
  /** Null if the body has none. */
  code: string | null;
  text: string;
  details: ValidationError[];
  isPage: boolean;
}

/** How deep the message may be nested, and how much of a list of fields is read: whatever matters is near the top. */
const MAX_MESSAGE_DEPTH = 5;
const MAX_DETAILS = 20;
const MAX_LOC_PARTS = 10;

/** What a body says, in one line: the spec's two error bodies, what frameworks and proxies send instead, or nothing. */
export function readErrorText(body: string, redact: Redactor): ErrorText {
  const toLine = (text: string) => collapseSpaces(redact(text)).slice(0, 300);
  const trimmed = body.trim();
  if (trimmed.startsWith('<')) {
    const title = /<title[^>]*>([^<]*)/i.exec(redact(trimmed))?.[1];
    return { text: toLine(title || 'a web page, perhaps of a proxy'), details: [], code: null, isPage: true };
  }
  const value = parseJson(trimmed);
  if (value === undefined) return { text: toLine(trimmed), details: [], code: null, isPage: false };
  const code = isRecord(value) && typeof value.code === 'string' && CODE.test(value.code) ? value.code : null;
  const message = findMessage(value);
  if (typeof message === 'string') return { text: toLine(message), details: [], code, isPage: false };
  const details = message
    .slice(0, MAX_DETAILS)
    .map((entry) => readDetail(entry, toLine))
    .filter((detail) => detail !== null);
  return { text: toLine(details.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')), details, code, isPage: false };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The message of an error body, or its array of validation errors: bare in the spec, under `detail` in some services. */
function findMessage(value: unknown, depth = 0): string | unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return value;
  if (!isRecord(value) || depth === MAX_MESSAGE_DEPTH) return '';
  for (const key of ['message', 'detail', 'error', 'errors', 'reason']) {
    const inner = value[key];
    if (inner !== undefined && inner !== null && inner !== '') return findMessage(inner, depth + 1);
  }
  return '';
}

/** One validation error, however loosely written: numbers in `loc`, an object as `ctx`. Echoed input is dropped. */
function readDetail(entry: unknown, toLine: Redactor): ValidationError | null {
  if (!isRecord(entry)) return typeof entry === 'string' ? { loc: [], type: 'unknown', msg: toLine(entry) } : null;
  // Other parts name nothing, and may be nested too deeply to be stringified.
  const parts = Array.isArray(entry.loc) ? entry.loc.slice(0, MAX_LOC_PARTS) : [];
  const loc = parts.filter((part) => typeof part === 'string' || typeof part === 'number').map((part) => toLine(String(part)));
  const place = parameterPlaces.find((name) => name === entry.in);
  return {
    loc,
    type: typeof entry.type === 'string' ? toLine(entry.type) : 'unknown',
    msg: typeof entry.msg === 'string' ? toLine(entry.msg) : 'refused',
    ...(typeof entry.ctx === 'string' ? { ctx: toLine(entry.ctx) } : {}),
    ...(place ? { in: place } : {}),
  };
}

// --- connections ----------------------------------------------------------------------------------------------------

/** The error for a failed connection. @param response set if the headers had arrived and the body broke off */
export function errorFromConnection(
  error: unknown,
  redact: Redactor,
  response: { status: number; requestId: string | null } | null,
): ApiError {
  const code = codeOf(error);
  const cause = withoutSecrets(error, code, redact);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new ApiError('timeout', 'The voice service could not be reached in time. Try again later.', { retryable: true, cause });
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    const message = 'The voice service took the request and did not answer in time. Try again later.';
    return new ApiError('timeout', message, { retryable: true, cause });
  }
  if (code === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW' || code.startsWith('HPE_')) {
    const message = `Whatever answers at the base address does not speak proper HTTP (${code}). Check the base address.`;
    return new ApiError('protocol', message, { ...response, isWrongAddress: response === null, cause });
  }
  if (/CERT|UNABLE_TO_VERIFY|TLS|SSL|^EPROTO$/.test(code)) {
    const message = `No trusted connection to the voice service (${code}). Check the base address and its certificate.`;
    return new ApiError('protocol', message, { cause });
  }
  if (error instanceof TypeError || code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') {
    return new ApiError('validation', `The request cannot be sent (${cause.message}).`, { cause });
  }
  if (response) {
    const message = `The response of the voice service was cut off (${code}). Try again.`;
    return new ApiError('protocol', message, { ...response, retryable: true, cause });
  }
  const message = `The connection to the voice service failed (${code}). Check the base address, or try again later.`;
  return new ApiError('server', message, { retryable: true, cause });
}

export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Libraries put headers and bodies into their errors; this keeps only the code and the message. */
function withoutSecrets(error: unknown, code: string, redact: Redactor): Error & { code: string } {
  const cause = new Error(redact(error instanceof Error ? error.message : '') || code);
  cause.stack = `${cause.name}: ${cause.message}`;
  return Object.assign(cause, { code });
}

/**
 * Milliseconds named by a Retry-After header (seconds or an HTTP date), or null.
 * @param now milliseconds since 1970
 */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
