// Listens on a free port for WebSocket connections to the voice gateway, over TLS.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Certificate } from './certificate.ts';

interface TlsListener {
  /** `127.0.0.1:PORT`. */
  readonly endpoint: string;
  /** Accepts no more connections; resolves when the existing ones have ended. */
  close(): Promise<void>;
}

export async function openTlsListener({ cert, key }: Certificate, accept: (socket: WebSocket) => void): Promise<TlsListener> {
  const https = createServer({ cert, key });
  https.on('request', (_request, response) => response.writeHead(426, { Upgrade: 'websocket' }).end());
  https.listen(0, '127.0.0.1');
  await once(https, 'listening');
  const { port } = https.address() as AddressInfo;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  /** Refuses pages of other sites in a browser, even by a name that resolves to loopback. */
  const isLocal = ({ req, origin }: { req: IncomingMessage; origin: string }) => !origin && hosts.includes(req.headers.host ?? '');
  const webSockets = new WebSocketServer({ server: https, maxPayload: 1 << 20, verifyClient: isLocal });
  webSockets.on('connection', accept);
  return {
    endpoint: `127.0.0.1:${port}`,
    close: () => new Promise((resolve) => https.close(() => resolve())),
  };
}
