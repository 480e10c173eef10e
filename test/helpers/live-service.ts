// A voice service that speaks over a websocket the way a test says, and one that a test talks to in raw messages.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { decode, encode } from '@msgpack/msgpack';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { answer, type Behaviour, listenLocally } from './misbehaving-service.ts';
import type { TestVoiceService } from './voice-service.ts';
import { createWaiter } from './waiter.ts';

export type Event = { event: string } & Record<string, unknown>;

export type LiveClient = ReturnType<typeof createClient>;

/** One end of a websocket in raw messages. */
function createClient(socket: WebSocket) {
  const received: Event[] = [];
  const waiter = createWaiter();
  socket.on('error', () => {});
  socket.on('message', (data) => {
    received.push(decode(data as Buffer) as Event);
    waiter.notify();
  });
  return {
    socket,
    received,
    /** Resolves with the first event of this name. */
    event: (name: string): Promise<Event> =>
      waiter.until(
        () => received.find(({ event }) => event === name),
        () => `${name} among ${received.map(({ event }) => event).join(', ')}`,
      ),
    send: (...events: Event[]) => events.forEach((event) => void socket.send(encode(event))),
    /** Resolves with the code. */
    closed: new Promise<number>((resolve) => socket.once('close', resolve)),
  };
}

export type LiveService = Awaited<ReturnType<typeof startLiveService>>;

/**
 * @param behave with each websocket, from when it opens
 * @param overHttp with each other request, once it has been read
 * @param refused so many of the first websockets are refused with 429
 */
export async function startLiveService(behave: (client: LiveClient) => void, overHttp: Behaviour = answer(404, ''), refused = 0) {
  /** What was asked for over HTTP. */
  const texts: string[] = [];
  const http = createServer(async (request, response) => {
    const body = await text(request);
    if (body !== '') texts.push(JSON.parse(body).text);
    overHttp(request, response);
  });
  let asked = 0;
  const server = new WebSocketServer({
    ...{ server: http, path: '/v1/tts/live' },
    verifyClient: (_, decide) => decide(++asked > refused, 429),
  });
  const clients: LiveClient[] = [];
  server.on('connection', (socket) => {
    const client = createClient(socket);
    clients.push(client);
    behave(client);
  });
  const { url, close } = await listenLocally(http);
  onTestFinished(close);
  return { url, clients, texts };
}

/** A raw websocket to the local voice service. */
export async function openLive(service: TestVoiceService, { key = service.key, model = 's1' } = {}): Promise<LiveClient> {
  const socket = new WebSocket(`${service.url.replace(/^http/, 'ws')}/v1/tts/live`, { headers: { authorization: `Bearer ${key}`, model } });
  onTestFinished(() => socket.terminate());
  const client = createClient(socket);
  await once(socket, 'open');
  return client;
}

/** The audio of all events in one. */
export const audioOf = (received: Event[]): Buffer =>
  Buffer.concat(received.filter(({ event }) => event === 'audio').map(({ audio }) => audio as Uint8Array));
