import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { orAborted } from '../../src/async/waiting.ts';
import { createEngines, EngineError, type Engines, type EnginesOptions } from '../../src/local/voice-service/engines/index.ts';
import { startVoiceService, type VoiceService, type VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { parseCredit } from '../../src/local/voice-service/money.ts';

export interface TestVoiceService extends VoiceService {
  dataDir: string;
  /** Called each time `voices()` is another. */
  onVoices(listener: () => void): void;
  /** Closes the service and removes its folder. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** One of each for all tests of a process, loaded when first used; never closed, since its threads and processes don't keep this one alive. */
const shared: { tones?: Engines; builtIn?: Engines } = {};

/** Speaks in tones, and understands nothing else: for every test that isn't about an engine. */
export function toneEngines(): Engines {
  shared.tones ??= createToneEngines();
  return shared.tones;
}

/** The same, with threads and options of their own. Close them. */
export function createToneEngines(options: EnginesOptions = {}): Engines {
  const builtIn = {
    synthesiser: new URL('../fixtures/programs/tone-synthesiser.ts', import.meta.url),
    natural: new URL('../fixtures/programs/tone-natural-synthesiser.ts', import.meta.url),
    recogniser: new URL('../fixtures/programs/tone-recogniser.ts', import.meta.url),
  };
  return createEngines({ ...options, builtIn: { ...builtIn, ...options.builtIn } });
}

/** Flite and Moonshine. */
export function builtInEngines(): Engines {
  shared.builtIn ??= createEngines();
  return shared.builtIn;
}

/**
 * Starts the real service with `toneEngines`, unless it is given other engines. Defaults to one key with a credit of 1000.
 * Close it with `await service.close()` or `await using`.
 */
export async function startTestVoiceService(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-voice-service-')));
  const removeFolder = async () => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const engines = options.speech || options.transcription ? {} : { engines: toneEngines() };
  const listeners = new Set<() => void>();
  const onVoices = () => {
    for (const listener of listeners) listener();
  };
  const service = await startVoiceService({ warm: false, onVoices, ...engines, ...options, dataDir }).catch(async (error) => {
    await removeFolder();
    throw error;
  });
  const close = () => service.close().finally(removeFolder);
  return { ...service, dataDir, onVoices: (listener) => void listeners.add(listener), close, [Symbol.asyncDispose]: close };
}

export type RawResponse = Awaited<ReturnType<typeof send>>;

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  /** An iterable is sent chunked, without a length. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Defaults to the service's first key; null sends none. */
  key?: string | null;
}

/** Begins one request exactly as given, on a connection of its own, whose response can be read in part, and which can be broken. */
function open(service: VoiceService, path: string, { body, key = service.key, ...given }: RawRequest) {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const method = given.method ?? (body === undefined ? 'GET' : 'POST');
  const sent = request(new URL(service.url), { method, path, agent: false, headers: { ...authorization, ...given.headers } });
  const response = once(sent, 'response').then(([message]) => message as IncomingMessage);
  response.catch(() => {});
  // A service that rejects a request early may close before it has read all of it.
  sent.on('error', () => {});
  if (typeof body === 'string' || body instanceof Uint8Array || body === undefined) sent.end(body);
  else void pipeline(body, sent).catch(() => {});
  return { sent, response };
}

/** The whole response. `json` is undefined if the body isn't JSON. */
export async function send(service: VoiceService, path: string, given: RawRequest = {}) {
  const message = await open(service, path, given).response;
  const bytes = Buffer.concat(await Array.fromAsync(message as AsyncIterable<Buffer>));
  return { status: message.statusCode ?? 0, headers: message.headers, bytes, json: parseJson(bytes) };
}

export const beginSpeech = (service: VoiceService, body: object) =>
  open(service, '/v1/tts', { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** POST with a JSON body. */
export const sendJson = (service: VoiceService, path: string, body: unknown, request: RawRequest = {}): Promise<RawResponse> =>
  send(service, path, { ...request, headers: { 'content-type': 'application/json', ...request.headers }, body: JSON.stringify(body) });

/** POST with a multipart form. */
export async function sendForm(service: VoiceService, path: string, fields: Record<string, string | Uint8Array>, request: RawRequest = {}) {
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

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** The given engines, whose speech waits before its chunk `at` until `release` is called, or fails there. */
export function interruptSpeech(engines: Engines, at: number, how: 'wait' | 'fail') {
  const released = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const interrupted: Engines = {
    ...engines,
    async *speak(wanted) {
      let count = 0;
      for await (const chunk of engines.speak(wanted)) {
        if (count++ === at) {
          reached.resolve();
          if (how === 'fail') throw new EngineError('crashed', 'The voice broke off. Try again.');
          await orAborted(released.promise, wanted.signal).catch(() => {});
        }
        yield chunk;
      }
    },
  };
  return { engines: interrupted, reached: reached.promise, release: released.resolve };
}

/** The credit of a key, as a decimal. */
export async function creditOf(service: VoiceService, key = service.key): Promise<string> {
  return ((await send(service, '/wallet/self/api-credit', { key })).json as { credit: string }).credit;
}

/** Micro-credits spent or held so far by the service's first key, which had 1000 credits. */
export const spentBy = async (service: VoiceService): Promise<bigint> => parseCredit('1000') - parseCredit(await creditOf(service));
