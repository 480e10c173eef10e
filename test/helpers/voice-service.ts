// A local voice service of the tests' own: on a free port, with a folder that goes when it closes.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startVoiceService, type VoiceService, type VoiceServiceOptions } from '../../src/local/voice-service/index.ts';

export interface TestVoiceService extends VoiceService {
  dataDir: string;
  /** Ends the service and removes its folder. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the real service with its real engines. One key with a credit of 1000, unless told otherwise.
 * Close it (`await service.close()`, or `await using`) when done.
 */
export async function startTestVoiceService(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-voice-service-')));
  const removeFolder = async () => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const service = await startVoiceService({ warm: false, ...options, dataDir }).catch(async (error) => {
    await removeFolder();
    throw error;
  });
  const close = () => service.close().finally(removeFolder);
  return { ...service, dataDir, close, [Symbol.asyncDispose]: close };
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** The body as JSON; undefined when it is none. */
  json: unknown;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Chunks are sent chunked, without a length. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** The service's first key unless told otherwise; null sends none. */
  key?: string | null;
}

/** One request as it stands, on a connection of its own: no client that tidies it up. */
export async function send(
  service: VoiceService,
  path: string,
  { body, key = service.key, ...given }: RawRequest = {},
): Promise<RawAnswer> {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const method = given.method ?? (body === undefined ? 'GET' : 'POST');
  const sent = request(new URL(service.url), { method, path, agent: false, headers: { ...authorization, ...given.headers } });
  const response = once(sent, 'response') as Promise<[IncomingMessage]>;
  // A service that refuses early may close before it has been told everything.
  sent.on('error', () => {});
  if (typeof body === 'string' || body instanceof Uint8Array || body === undefined) sent.end(body);
  else void pipeline(body, sent).catch(() => {});
  const [answer] = await response;
  const bytes = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>));
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes, json: jsonOf(bytes) };
}

/** POST with a JSON body. */
export const sendJson = (service: VoiceService, path: string, body: unknown, request: RawRequest = {}): Promise<RawAnswer> =>
  send(service, path, { ...request, headers: { 'content-type': 'application/json', ...request.headers }, body: JSON.stringify(body) });

/** POST with a multipart form. */
export async function sendForm(
  service: VoiceService,
  path: string,
  fields: Record<string, string | Uint8Array>,
  request: RawRequest = {},
): Promise<RawAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'recording.bin');
  }
  const encoded = new Response(form);
  return send(service, path, {
    ...request,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', ...request.headers },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
