// A voice service that fails on purpose, over real sockets: each request is met by the next behaviour of a list, the last for ever.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { createWaiter } from './waiter.ts';

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  socket: Socket;
  /** Resolves when the request's connection has ended, from whichever side. */
  disconnected: Promise<void>;
}

export interface MisbehavingService {
  url: string;
  requests: SeenRequest[];
  /** How many connections were made in all. */
  connections(): number;
  /** Resolves with the request of this number (from 1), once it has been read. */
  request(number: number): Promise<SeenRequest>;
  close(): Promise<void>;
}

export async function startMisbehavingService(...behaviours: [Behaviour, ...Behaviour[]]): Promise<MisbehavingService> {
  const requests: SeenRequest[] = [];
  const waiter = createWaiter();
  const disconnected = new WeakMap<Socket, Promise<void>>();
  let connections = 0;

  const server = createServer((request, response) => {
    const behave = behaviours[Math.min(requests.length, behaviours.length - 1)] as Behaviour;
    const chunks: Buffer[] = [];
    const seen: SeenRequest = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.alloc(0),
      socket: request.socket,
      disconnected: disconnected.get(request.socket) ?? Promise.resolve(),
    };
    requests.push(seen);
    const arrived = () => {
      seen.body = Buffer.concat(chunks);
      waiter.notify();
      behave(request, response);
    };
    if (early.has(behave)) return arrived();
    request.on('data', (chunk) => chunks.push(chunk)).on('end', arrived);
  });
  // A server of its own accord ends idle connections; here nothing but the behaviours does.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('error', () => {});
    disconnected.set(socket, new Promise((resolve) => socket.once('close', () => resolve())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    request: (number) =>
      waiter.until(
        () => requests[number - 1],
        () => `request ${number}; there are ${requests.length}: ${requests.map(({ method, url }) => `${method} ${url}`).join(', ')}`,
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

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

/** Answers 200 with this much audio and ends as it should. */
export const answerAudio = (bytes = 4096): Behaviour => answer(200, audioBytes(bytes), { 'content-type': 'audio/mpeg' });

/** Never answers. */
export const hang: Behaviour = () => {};

/** Breaks the connection with a TCP reset, without an answer. */
export const reset: Behaviour = (request) => {
  request.socket.resetAndDestroy();
};

/** Begins an answer of 200, sends `bytes` of it and closes the connection without its end. */
export const cut =
  (bytes: number, contentType = 'audio/mpeg'): Behaviour =>
  (request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    if (bytes === 0) response.flushHeaders();
    response.write(audioBytes(bytes), () => request.socket.destroy());
  };

/** Begins an answer, sends `bytes` of it and then nothing more, for ever. */
export const stall =
  (bytes: number, status = 200, contentType = 'audio/mpeg'): Behaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.flushHeaders();
    if (bytes > 0) response.write(audioBytes(bytes));
  };

/** Sends one byte every 5 ms, for ever. */
export const drip: Behaviour = (request, response) => {
  response.writeHead(200, { 'content-type': 'audio/mpeg' });
  const timer = setInterval(() => response.write(audioBytes(1)), 5);
  request.socket.once('close', () => clearInterval(timer));
};

/** Sends these bytes in place of an HTTP answer. */
export const speakGibberish =
  (bytes: string): Behaviour =>
  (request) => {
    request.socket.end(bytes);
  };

/** As an MP3 begins, and nothing after it is text. */
export function audioBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length, 0x55);
  Buffer.of(0xff, 0xfb, 0x90, 0x00).copy(bytes);
  return bytes;
}

/** Takes connections and never says a word: a TLS handshake with it never ends. */
export async function startSilentServer(): Promise<{ port: number; connected: Promise<void>; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer();
  const connected = new Promise<void>((resolve) => server.once('connection', () => resolve()));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connected,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
