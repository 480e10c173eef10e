// A voice service that speaks over a websocket the way a test says, and one that a test talks to in raw messages.

import { once } from 'node:events';
import { decode, encode } from '@msgpack/msgpack';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { answer, type Behaviour, openMisbehavingService } from './misbehaving-service.ts';
import { collectFrom } from './raw-gateway.ts';
import type { TestVoiceService } from './voice-service.ts';

export type Event = { event: string } & Record<string, unknown>;

export type LiveClient = ReturnType<typeof createClient>;

/** One end of a websocket in raw messages. */
function createClient(socket: WebSocket) {
  const line = collectFrom(
    socket,
    (data) => decode(data) as Event,
    ({ event }) => event,
  );
  return {
    ...line,
    /** Resolves with the first event of this name. */
    event: (name: string) => line.until(({ event }) => event === name, name),
    send: (...events: Event[]) => events.forEach((event) => void socket.send(encode(event))),
  };
}

export type LiveService = Awaited<ReturnType<typeof openLiveService>>;

/**
 * @param behave with each websocket, from when it opens
 * @param overHttp with each other request, once it has been read
 * @param refused so many of the first websockets are refused with 429
 */
export async function openLiveService(behave: (client: LiveClient) => void, overHttp: Behaviour = answer(404, ''), refused = 0) {
  const { server, requests, url } = await openMisbehavingService(overHttp);
  let asked = 0;
  const sockets = new WebSocketServer({ server, path: '/v1/tts/live', verifyClient: (_, decide) => decide(++asked > refused, 429) });
  const clients: LiveClient[] = [];
  sockets.on('connection', (socket) => {
    const client = createClient(socket);
    clients.push(client);
    behave(client);
  });
  /** What was asked for over HTTP. */
  const texts = () => requests.flatMap(({ body }) => (body.length > 0 ? [JSON.parse(String(body)).text as string] : []));
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
