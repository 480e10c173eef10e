// What went wrong, read from whatever came back: JSON, an array, plain text, a proxy's page, or a broken connection.
import { ApiError, type ApiErrorKind } from './errors.ts';
import { readRetryAfter } from './retry.ts';
import { parameterPlaces, type ValidationError } from './schemas.ts';

export type Headers = Record<string, string | string[] | undefined>;

/** Takes secrets and members' words out of a text that came from outside. */
export type Redact = (text: string) => string;

/** From `said`, runs of this many characters are taken out: services echo what they refuse, and shorten it. */
const tellingRun = 12;
/** Shorter texts say nothing about anybody, and would tear holes into ordinary sentences. */
const tellingText = 8;
/** An error's own body may be nested, and name many fields: what says something is near its top. */
const deepestMessage = 5;
const mostDetails = 20;
const longestLoc = 10;
/** Nothing longer than this is kept of any text from outside. */
const longestText = 2000;

export function createRedact(apiKey: string, said: string): Redact {
  const words = withSingleSpaces(said);
  const run = Math.min(tellingRun, words.length);
  return (text) => {
    const rest = text.replaceAll(apiKey, '[key]').slice(0, longestText);
    return words.length < tellingText ? rest : withoutRuns(withSingleSpaces(rest), words, run);
  };
}

const withSingleSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();

/** `text` with every stretch that shares `run` characters or more with `words` replaced. */
function withoutRuns(text: string, words: string, run: number): string {
  let kept = '';
  for (let at = 0; at < text.length; ) {
    let end = at + run;
    if (end > text.length || !words.includes(text.slice(at, end))) {
      kept += text[at];
      at += 1;
      continue;
    }
    while (end < text.length && words.includes(text.slice(at, end + 1))) end += 1;
    kept += '[text]';
    at = end;
  }
  return kept;
}

export const header = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** The service's name for the call. */
export function readRequestId(headers: Headers, redact: Redact): string | null {
  const id = header(headers, 'x-request-id') ?? header(headers, 'request-id') ?? header(headers, 'cf-ray');
  return id ? redact(id).slice(0, 100) : null;
}

const sentences: Record<Exclude<ApiErrorKind, 'aborted' | 'protocol' | 'unsupported'>, { cause: string; next: string }> = {
  auth: { cause: 'The voice service refused the API key', next: 'Check the key, and that it has not expired.' },
  credit: { cause: 'The balance does not pay for this call', next: 'Add credit to the account of the API key.' },
  validation: { cause: 'The voice service refused the request', next: 'Change the request: the same one will be refused again.' },
  'not-found': { cause: 'The voice service does not know what was asked for', next: 'Check the id of the voice model or of the user.' },
  'rate-limited': { cause: 'The voice service is getting too many calls', next: 'Try again later, or lower the concurrency.' },
  server: { cause: 'The voice service failed', next: 'Try again later.' },
  timeout: { cause: 'The voice service gave up waiting for the request', next: 'Try again.' },
};

function kindOf(status: number): keyof typeof sentences {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'credit';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 408) return 'timeout';
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'server' : 'validation';
}

/** The error that an answer outside 2xx stands for. `body` may be cut short. */
export function problemFromAnswer(status: number, headers: Headers, body: string, redact: Redact): ApiError {
  const requestId = readRequestId(headers, redact);
  if (status < 400) {
    const message = `The voice service answered ${status} where an answer was due; redirects are not followed, for the API key would go along. Check the base address.`;
    return new ApiError('protocol', message, { status, requestId });
  }
  const said = readBody(body, redact);
  if (status === 404 && said.isPage) {
    const message = `There is no voice service at this address: it answered 404 with a web page (${said.text}). Check the base address.`;
    return new ApiError('protocol', message, { status, requestId });
  }
  const kind = kindOf(status);
  const { cause, next } = sentences[kind];
  return new ApiError(kind, `${cause} (${status}${said.text ? `: ${said.text.replace(/\.$/, '')}` : ''}). ${next}`, {
    status,
    requestId,
    retryable: kind === 'rate-limited' || kind === 'server' || kind === 'timeout',
    retryAfterMs: readRetryAfter(header(headers, 'retry-after'), Date.now()),
    details: said.details,
  });
}

interface Said {
  text: string;
  details: ValidationError[];
  isPage: boolean;
}

/** What a body says, in a line: the spec's two error bodies, what frameworks and proxies put in their place, or nothing. */
function readBody(body: string, redact: Redact): Said {
  const line = (text: string) => withSingleSpaces(redact(text)).slice(0, 300);
  const trimmed = body.trim();
  if (trimmed.startsWith('<')) {
    const title = /<title[^>]*>([^<]*)/i.exec(redact(trimmed))?.[1];
    return { text: line(title || 'a web page, perhaps of a proxy'), details: [], isPage: true };
  }
  const value = parseJson(trimmed);
  if (value === undefined) return { text: line(trimmed), details: [], isPage: false };
  const found = findMessage(value);
  if (typeof found === 'string') return { text: line(found), details: [], isPage: false };
  const details = found
    .slice(0, mostDetails)
    .map((entry) => readDetail(entry, line))
    .filter((detail) => detail !== null);
  return { text: line(details.map((detail) => `${detail.loc.join('.')}: ${detail.msg}`).join('; ')), details, isPage: false };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The message of an error body, or its array of validation errors: bare by the spec, under `detail` in some services. */
function findMessage(value: unknown, depth = 0): string | unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return value;
  if (!isRecord(value) || depth === deepestMessage) return '';
  for (const key of ['message', 'detail', 'error', 'errors', 'reason']) {
    const inner = value[key];
    if (inner !== undefined && inner !== null && inner !== '') return findMessage(inner, depth + 1);
  }
  return '';
}

/** One validation error, however loosely it is written: numbers in `loc`, an object as `ctx`. Echoed input is left behind. */
function readDetail(entry: unknown, line: Redact): ValidationError | null {
  if (!isRecord(entry)) return typeof entry === 'string' ? { loc: [], type: 'unknown', msg: line(entry) } : null;
  // A part that is no text and no number has nothing to name, and may be nested too deeply to be made text of.
  const parts = Array.isArray(entry.loc) ? entry.loc.slice(0, longestLoc) : [];
  const loc = parts.filter((part) => typeof part === 'string' || typeof part === 'number').map((part) => line(String(part)));
  const place = parameterPlaces.find((name) => name === entry.in);
  return {
    loc,
    type: typeof entry.type === 'string' ? line(entry.type) : 'unknown',
    msg: typeof entry.msg === 'string' ? line(entry.msg) : 'refused',
    ...(typeof entry.ctx === 'string' ? { ctx: line(entry.ctx) } : {}),
    ...(place ? { in: place } : {}),
  };
}

/** The error that a failed connection stands for; `answered` when the headers had come and the body broke off. */
export function problemFromConnection(
  error: unknown,
  redact: Redact,
  answered: { status: number; requestId: string | null } | null,
): ApiError {
  const code = codeOf(error);
  const cause = withoutSecrets(error, code, redact);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new ApiError('timeout', 'The voice service could not be reached in time. Try again later.', { retryable: true, cause });
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new ApiError('timeout', 'The voice service took the request and did not answer in time. Try again later.', {
      retryable: true,
      cause,
    });
  }
  if (code === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') {
    const message = `What answers at the base address does not speak HTTP as it should (${code}). Check the base address.`;
    return new ApiError('protocol', message, { ...answered, cause });
  }
  if (/CERT|UNABLE_TO_VERIFY|TLS|SSL|^EPROTO$/.test(code)) {
    const message = `No trusted connection to the voice service (${code}). Check the base address and its certificate.`;
    return new ApiError('protocol', message, { cause });
  }
  if (error instanceof TypeError || code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') {
    return new ApiError('validation', `The request cannot be sent (${cause.message}).`, { cause });
  }
  if (answered) {
    const message = `The answer of the voice service was cut off (${code}). Try again.`;
    return new ApiError('protocol', message, { ...answered, retryable: true, cause });
  }
  const message = `The connection to the voice service failed (${code}). Check the base address, or try again later.`;
  return new ApiError('server', message, { retryable: true, cause });
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Libraries put headers and bodies into their errors; this keeps the code and the message. */
function withoutSecrets(error: unknown, code: string, redact: Redact): Error & { code: string } {
  const cause = new Error(redact(error instanceof Error ? error.message : '') || code);
  cause.stack = `${cause.name}: ${cause.message}`;
  return Object.assign(cause, { code });
}
