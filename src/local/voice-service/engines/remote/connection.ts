// The HTTP connection to an engine of the operator's own: any server with OpenAI-shaped endpoints. Whatever goes wrong becomes an EngineError,
// and the operator is told once when the engine stops working and once when it works again.
import { type Dispatcher, type FormData, Pool } from 'undici';
import { readErrorText, readRetryAfter } from '../../../../api/error-mapping.ts';
import { inspectJson } from '../../../../api/http.ts';
import { readBeginning, readWhole } from '../../../../async/whole.ts';
import { createRedactor } from '../../../../text/redactor.ts';
import { aborted, EngineError } from '../engine.ts';

export interface EngineAddress {
  /** Without the `/v1`. */
  url: string;
  /** Sent as a bearer token; never logged, and never sent elsewhere, because redirects are not followed. */
  key?: string | undefined;
}

/** What an operator hears of an engine: the sentence names the setting, the cause and the next step, and repeats neither keys nor texts. */
export type EngineNews = { type: 'engine-works'; text: string } | { type: 'engine-problem'; text: string };

export interface ConnectionOptions {
  address: EngineAddress;
  /** What the names of its settings begin with. */
  setting: 'LOCAL_SPEECH' | 'LOCAL_TRANSCRIPTION';
  onNews(news: EngineNews): void;
  /** Milliseconds until the first byte of an answer, and between two later ones. */
  waits: { firstMs: number; nextMs: number };
}

interface EngineCall {
  method: 'GET' | 'POST';
  path: string;
  json?: unknown;
  form?: FormData;
  /** What a member said: removed from what the engine answers before that is logged. */
  privateText?: string;
  signal?: AbortSignal | undefined;
}

export interface EngineResponse {
  contentType: string;
  /** Throws EngineError. Leaving it closes the connection. */
  bytes: AsyncIterable<Uint8Array>;
}

export interface EngineConnection {
  host: string;
  /** Resolves with a 2xx response. @throws EngineError */
  call(call: EngineCall): Promise<EngineResponse>;
  /** Like `call`, but null if there is no such path, or no such method on it. */
  callIfThere(call: EngineCall): Promise<EngineResponse | null>;
  /**
   * Makes sure that a path is that of an engine, at no cost: `call` lacks what it needs, which an engine complains of.
   * @throws EngineError `unavailable`
   */
  requirePath(call: EngineCall): Promise<void>;
  /** The whole answer, as text. */
  readText(response: EngineResponse): Promise<string>;
  /** Reports that the engine works. */
  works(): void;
  /** Reports the problem, and returns it as an error of kind `unavailable`. @param problem a sentence or more, which begins after `LOCAL_…: ` */
  fail(problem: string, setting?: 'URL' | 'KEY'): EngineError;
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
/** Twice what one API key may have in flight. */
const CONNECTIONS = 20;
/** An hour of segments with their tokens is about 2 MB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** An hour of speech, with a segment and a time for each word, has about 250,000 values. Millions of brackets would keep the thread for a second. */
const ANSWER_LIMITS = { depth: 32, values: 500_000 };
/** Shorter answers are parsed at once, whatever they hold. */
const HARMLESS_LENGTH = 32 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/** What servers answer for a path or a method they don't have. */
const NOT_THERE = [404, 405, 501];
/** Client errors that are about the caller or the path. */
const NO_COMPLAINT = [401, 403, 404, 405, 408, 410];

export function createConnection({ address, setting, onNews, waits }: ConnectionOptions): EngineConnection {
  const { origin, host, hostname, pathname } = new URL(address.url);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: waits.firstMs,
    bodyTimeout: waits.nextMs,
  });
  let lastProblem: string | null | undefined;
  let lastRefusal: string | undefined;

  const report = (problem: string | null, news: EngineNews) => {
    if (lastProblem === problem) return;
    lastProblem = problem;
    onNews(news);
  };
  const fail = (problem: string, part: 'URL' | 'KEY' = 'URL') => {
    const text = `${setting}_${part}: ${problem}`;
    report(text, { type: 'engine-problem', text });
    return new EngineError('unavailable', text);
  };

  /** A single text may be to blame, but so may the engine's settings, such as a model that isn't loaded. */
  const noteRefusal = (text: string) => {
    if (text !== lastRefusal) onNews({ type: 'engine-problem', text });
    lastRefusal = text;
  };

  async function send(call: EngineCall): Promise<Dispatcher.ResponseData> {
    const { method, path, json, form, signal } = call;
    const headers: Record<string, string> = { accept: '*/*' };
    if (address.key !== undefined) headers.authorization = `Bearer ${address.key}`;
    if (json !== undefined) headers['content-type'] = 'application/json';
    try {
      return await pool.request({
        method,
        path: prefix + path,
        headers,
        body: form ?? (json === undefined ? null : JSON.stringify(json)),
        ...(signal && { signal }),
      });
    } catch (error) {
      throw toConnectionError(error, call);
    }
  }

  function toConnectionError(error: unknown, { signal }: EngineCall): EngineError {
    if (error instanceof EngineError) return error;
    if (signal?.aborted || pool.destroyed || pool.closed) return aborted();
    return fail(explainConnection(codeOf(error), { host, hostname, ...waits }));
  }

  async function* bytesOf({ body }: Dispatcher.ResponseData, call: EngineCall): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) yield chunk;
    } catch (error) {
      throw toConnectionError(error, call);
    }
  }

  async function toRefusal(data: Dispatcher.ResponseData, call: EngineCall): Promise<EngineError> {
    const { statusCode: status, headers } = data;
    const redact = createRedactor(address.key ?? '\0', call.privateText ?? '');
    const { text } = readErrorText((await readBeginning(data.body, MAX_ERROR_BYTES)).toString(), redact);
    const answer = `${status}${text && `: ${text.replace(/\.$/, '')}`}`;
    const asked = `${call.method} ${call.path}`;
    if (status === 429) {
      const waitMs = readRetryAfter(String(headers['retry-after'] ?? ''), Date.now());
      return new EngineError('busy', 'The engine has too much to do. Try again in a moment.', {
        retryAfter: waitMs === null ? null : Math.ceil(waitMs / 1000),
      });
    }
    if (status < 400)
      return fail(
        `${host} redirects ${asked} (${status}), which is not followed, because the key and the texts would go along. Set the address it leads to.`,
      );
    if (status === 401 || status === 403)
      return fail(
        address.key === undefined
          ? `the engine at ${host} asks for a key (${answer}). Set it here.`
          : `the engine at ${host} refuses this key (${answer}). Copy it again.`,
        'KEY',
      );
    if (NOT_THERE.includes(status) || status === 410)
      return fail(
        `${host} does not answer ${asked} (${answer}). Check that the address is that of an engine with OpenAI-shaped endpoints.`,
      );
    if (status === 402 || status === 408 || status >= 500)
      return fail(`the engine at ${host} fails at ${asked} (${answer}). Look at its own log.`);
    noteRefusal(`${setting}_URL: the engine at ${host} refuses ${asked} (${answer}). If it refuses everything, look at its own log.`);
    return new EngineError('refused', `The engine behind this service refuses this (${status}). Change it, or choose another voice.`);
  }

  const toResponse = (data: Dispatcher.ResponseData, call: EngineCall): EngineResponse => {
    // An abort also reaches a body that nobody reads.
    data.body.on('error', () => {});
    return { contentType: String(data.headers['content-type'] ?? ''), bytes: bytesOf(data, call) };
  };
  const isSuccess = ({ statusCode }: Dispatcher.ResponseData) => statusCode >= 200 && statusCode < 300;

  return {
    host,
    fail,
    async call(call) {
      const data = await send(call);
      if (isSuccess(data)) return toResponse(data, call);
      throw await toRefusal(data, call);
    },
    async callIfThere(call) {
      const data = await send(call);
      if (isSuccess(data)) return toResponse(data, call);
      if (!NOT_THERE.includes(data.statusCode)) throw await toRefusal(data, call);
      await data.body.dump();
      return null;
    },
    async requirePath(call) {
      const data = await send(call);
      const { statusCode: status } = data;
      // Some don't complain, but stumble.
      const complains = (status >= 400 && status < 500 && !NO_COMPLAINT.includes(status)) || status === 500;
      if (!complains && !isSuccess(data)) throw await toRefusal(data, call);
      await data.body.dump();
      if (isSuccess(data))
        throw fail(
          `${host} answers ${call.method} ${call.path}, but not like an engine. Check that the address is that of one with OpenAI-shaped endpoints.`,
        );
    },
    async readText(response) {
      const endless = () => fail(`the answer of the engine at ${host} is endless. Look at its own log.`);
      return (await readWhole(response.bytes, MAX_ANSWER_BYTES, endless)).toString();
    },
    works: () => report(null, { type: 'engine-works', text: `${setting}_URL: the engine at ${host} works` }),
    close: () => pool.destroy(),
  };
}

/** Asks for a list that engines may have. Null if there is none, or what comes is no list. @throws EngineError */
export async function readList<Entry>(
  connection: EngineConnection,
  path: string,
  read: (answer: unknown) => Entry[] | null,
): Promise<Entry[] | null> {
  const response = await connection.callIfThere({ method: 'GET', path });
  if (!response) return null;
  return read(parseAnswer(await connection.readText(response)));
}

/** What JSON is made of; undefined if it is none, or if there is more in it than in any transcript. */
export function parseAnswer(text: string): unknown {
  if (text.length > HARMLESS_LENGTH && inspectJson(Buffer.from(text), ANSWER_LIMITS) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  const { code, errors, name } = error as { code?: unknown; errors?: { code?: unknown }[]; name?: string };
  // A name with several addresses fails with an error for each.
  return String(code ?? errors?.[0]?.code ?? name);
}

interface Waiting {
  host: string;
  hostname: string;
  firstMs: number;
  nextMs: number;
}

/** @returns the cause and the next step, after the name of the setting */
function explainConnection(code: string, { host, hostname, firstMs, nextMs }: Waiting): string {
  if (code === 'ECONNREFUSED') return `nothing answers at ${host}. Start the engine there, or correct the address.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `there is no host ${hostname}. Correct the address.`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ETIMEDOUT')
    return `${host} cannot be reached (${code}). Check the address, and whether a firewall is in the way.`;
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return `the engine at ${host} took a request and did not answer within ${firstMs / 1000} s. Look at its own log.`;
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return `the engine at ${host} fell silent in the middle of an answer for ${nextMs / 1000} s. Look at its own log.`;
  if (code.startsWith('HPE_') || code === 'HTTPParserError') return `what answers at ${host} does not speak HTTP. Correct the address.`;
  if (/CERT|UNABLE_TO_VERIFY|TLS|SSL|^EPROTO$/.test(code))
    return `there is no trusted connection to ${host} (${code}). Check its certificate, and whether it speaks https at all.`;
  return `the connection to the engine at ${host} broke off (${code}). Look at its own log.`;
}
