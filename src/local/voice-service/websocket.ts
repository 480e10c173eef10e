// Websockets beside the HTTP routes: an upgrade goes through the same hooks and errors as any other request.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { httpError } from './http-error.ts';

/** Opens the websocket that a request asks for. @throws HttpError 426 if it asks for none */
export type OpenWebsocket = (request: FastifyRequest, reply: FastifyReply) => Promise<WebSocket>;

/** @param maxBytes of one message; a longer one ends its websocket */
export function acceptWebsockets(app: FastifyInstance, maxBytes: number): OpenWebsocket {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxBytes, perMessageDeflate: false });
  const ids = new WeakMap<IncomingMessage, string>();
  server.on('headers', (headers, raw) => headers.push(`x-request-id: ${ids.get(raw)}`));
  const heads = new WeakMap<IncomingMessage, Buffer>();

  app.server.on('upgrade', (raw, socket, head) => {
    // Broken connections show as a closed websocket, or as a response that nobody gets.
    socket.on('error', () => {});
    heads.set(raw, head);
    const response = new ServerResponse(raw);
    // With the socket assigned, the hooks that watch a response for its end, or for readers that are too slow, watch the websocket.
    response.assignSocket(raw.socket);
    // A refusal is the last thing on this connection: the HTTP parser has let go of it.
    response.shouldKeepAlive = false;
    response.once('finish', () => raw.socket.destroySoon());
    app.routing(raw, response);
  });
  app.addHook('preClose', async () => {
    for (const socket of server.clients) socket.terminate();
  });

  return async (request, reply) => {
    const head = heads.get(request.raw);
    if (!head) throw httpError(426, 'This address is a websocket: connect with ws:// in place of http://.', { upgrade: 'websocket' });
    ids.set(request.raw, request.id);
    reply.hijack();
    return new Promise((resolve) => server.handleUpgrade(request.raw, request.raw.socket, head, resolve));
  };
}
