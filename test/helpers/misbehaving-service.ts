// Servers that fail on purpose, over real sockets, and a client of theirs. Each request meets the next behaviour of a list, all later ones the last.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { type ApiClient, ApiError, type ApiOptions, createApi } from '../../src/api/index.ts';
import { createWaiter } from './waiter.ts';

/** @param body what has been read of the request; empty if it acts before that */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, body?: Buffer) => void;

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  socket: Socket;
  /** Resolves when either side has closed the request's connection. */
  disconnected: Promise<void>;
}

/** Has a server listen on this machine. Closing it breaks off its connections. @param port 0 = any that is free */
export async function listenLocally(server: Server, port = 0) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    async close(): Promise<void> {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

export type MisbehavingService = Awaited<ReturnType<typeof startMisbehavingService>>;

export const startMisbehavingService = (...behaviours: [Behaviour, ...Behaviour[]]) => listenMisbehaving(0, behaviours);

/** @param port 0 = any that is free */
export async function listenMisbehaving(port: number, behaviours: Behaviour[]) {
  const requests: SeenRequest[] = [];
  const waiter = createWaiter();
  const disconnected = new WeakMap<Socket, Promise<void>>();
  let connections = 0;
  const server = createServer((request, response) => {
    const behave = behaviours[Math.min(requests.length, behaviours.length - 1)] as Behaviour;
    const chunks: Buffer[] = [];
    const { method = '', url = '', headers, socket } = request;
    const ended = disconnected.get(socket) ?? Promise.resolve();
    const seen: SeenRequest = { method, url, headers, socket, body: Buffer.alloc(0), disconnected: ended };
    requests.push(seen);
    const arrived = () => {
      seen.body = Buffer.concat(chunks);
      waiter.notify();
      behave(request, response, seen.body);
    };
    if (early.has(behave)) return arrived();
    request.on('data', (chunk) => chunks.push(chunk)).on('end', arrived);
  });
  // By default, a server closes idle connections; here only the behaviours do.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    connections += 1;
    disconnected.set(socket, new Promise((resolve) => socket.once('close', () => resolve())));
  });
  return {
    ...(await listenLocally(server, port)),
    ...{ server, requests },
    /** The number of connections so far. */
    connections: () => connections,
    /** Resolves with the nth request (from 1), once it has been read. */
    request: (number: number): Promise<SeenRequest> =>
      waiter.until(
        () => requests[number - 1],
        () => `request ${number}; there are ${requests.length}: ${requests.map(({ method, url }) => `${method} ${url}`).join(', ')}`,
      ),
  };
}

/** The same, closed when the test ends. */
export async function openMisbehavingService(...behaviours: [Behaviour, ...Behaviour[]]): Promise<MisbehavingService> {
  const service = await startMisbehavingService(...behaviours);
  onTestFinished(service.close);
  return service;
}

/** Accepts connections and never sends anything, so a TLS handshake with it never ends. Closed when the test ends. */
export async function openSilentServer() {
  const server = createTcpServer();
  const connected = once(server, 'connection');
  const silent = await listenLocally(server);
  onTestFinished(silent.close);
  return { port: silent.port, connected };
}

export const apiKey = 'key-that-nobody-may-see';

/** A client with retries that don't keep a test waiting. Closed when the test ends. */
export function connect(baseUrl: string, options: Partial<ApiOptions> = {}): ApiClient {
  const api = createApi({ baseUrl, apiKey, retries: { firstDelay: 1 }, ...options });
  onTestFinished(() => api.close());
  return api;
}

/** What a call rejects with, which must be an ApiError. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await thrownBy(call);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

export const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );

/** Behaviours that act before the request's body has been read. */
const early = new WeakSet<Behaviour>();
export function beforeTheBody(behaviour: Behaviour): Behaviour {
  early.add(behaviour);
  return behaviour;
}

export const answer =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

export const answerJson = (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  answer(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

/** Answers 200 with this much audio, completely. */
export const answerAudio = (bytes = 4096): Behaviour => answer(200, audioBytes(bytes), { 'content-type': 'audio/mpeg' });

/** Never answers. */
export const hang: Behaviour = () => {};

/** Resets the connection without an answer. */
export const reset: Behaviour = (request) => {
  request.socket.resetAndDestroy();
};

/** Begins a response of 200, sends `bytes` of it and closes the connection before its end. */
export const cut =
  (bytes: number, contentType = 'audio/mpeg'): Behaviour =>
  (request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    if (bytes === 0) response.flushHeaders();
    response.write(audioBytes(bytes), () => request.socket.destroy());
  };

/** Begins a response, sends `bytes` of it and then nothing more, for ever. */
export const stall =
  (bytes: number, status = 200, contentType = 'audio/mpeg'): Behaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.flushHeaders();
    if (bytes > 0) response.write(audioBytes(bytes));
  };

/** Sends these bytes instead of an HTTP response. */
export const speakGibberish =
  (bytes: string): Behaviour =>
  (request) => {
    request.socket.end(bytes);
  };

/** Begins like an MP3; none of it is text. */
export function audioBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length, 0x55);
  Buffer.of(0xff, 0xfb, 0x90, 0x00).copy(bytes);
  return bytes;
}

/** How a service without voices and without a websocket answers the calls that cost nothing; null for those that cost credit. */
export function answerToFree(url = '', credit = '50'): Behaviour | null {
  if (url.startsWith('/wallet')) return answerJson(200, { credit });
  if (url.startsWith('/v1/tts/live')) return answer(404, '');
  return url.startsWith('/model') ? answerJson(200, { total: 0, items: [] }) : null;
}
